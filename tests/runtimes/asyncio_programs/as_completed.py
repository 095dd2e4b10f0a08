# VERDICT: safe
# OUTCOMES: ab | ba
import asyncio


async def main():
    async def nap(name):
        await asyncio.sleep(0)
        return name
    order = ""
    for one in asyncio.as_completed([nap("a"), nap("b")]):
        order += await one
    print(order)


asyncio.run(main())
