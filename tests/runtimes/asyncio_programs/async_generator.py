# VERDICT: safe
# OUTCOMES: 0 1 2
import asyncio


async def count(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def main():
    print(*[i async for i in count(3)])


asyncio.run(main())
