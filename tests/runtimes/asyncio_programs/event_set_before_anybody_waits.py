# An event stays set.
# VERDICT: safe
# OUTCOMES: go
import asyncio


async def main():
    ready = asyncio.Event()

    async def wait():
        await ready.wait()
        print("go")

    async def announce():
        ready.set()
    await asyncio.gather(wait(), announce())


asyncio.run(main())
