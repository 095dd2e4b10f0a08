# A coroutine that is never awaited does nothing.
# VERDICT: assertion: was not stored
import asyncio


async def main():
    stored = []

    async def store():
        stored.append(1)
    store()
    await asyncio.sleep(0)
    assert stored, "was not stored"


asyncio.run(main())
