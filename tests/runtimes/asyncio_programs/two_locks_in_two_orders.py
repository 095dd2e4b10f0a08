# VERDICT: deadlock: waits at
import asyncio


async def move(first, second):
    async with first:
        await asyncio.sleep(0)
        async with second:
            pass


async def main():
    a, b = asyncio.Lock(), asyncio.Lock()
    await asyncio.gather(move(a, b), move(b, a))


asyncio.run(main())
