# VERDICT: assertion: first come, first served
import asyncio


async def main():
    async def nap(n):
        await asyncio.sleep(0)
        return n
    order = [await one for one in asyncio.as_completed([nap(0), nap(1)])]
    assert order == sorted(order), "first come, first served"


asyncio.run(main())
