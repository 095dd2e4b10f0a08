# VERDICT: safe
# OUTCOMES: ValueError 2
import asyncio


async def main():
    async def fail():
        raise ValueError

    async def work():
        await asyncio.sleep(0)
        return 2
    first, second = await asyncio.gather(fail(), work(), return_exceptions=True)
    print(type(first).__name__, second)


asyncio.run(main())
