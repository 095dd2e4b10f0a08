# A generator that is left early is closed by a task of its own, and nobody waits for that one.
# VERDICT: safe
# OUTCOMES: | closed
import asyncio


async def count(log):
    try:
        while True:
            yield 1
            await asyncio.sleep(0)
    finally:
        print("closed")


async def main():
    async for _ in count([]):
        break
    await asyncio.sleep(0)


asyncio.run(main())
