# Set and cleared at once: who comes later waits for ever.
# VERDICT: deadlock: wait waits at
import asyncio


async def main():
    ready = asyncio.Event()

    async def wait():
        await ready.wait()

    async def pulse():
        ready.set()
        ready.clear()
    await asyncio.gather(wait(), pulse())


asyncio.run(main())
