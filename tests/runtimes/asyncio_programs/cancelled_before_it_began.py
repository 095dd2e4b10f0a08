# A task that is cancelled before its first step never runs: its finally does not either.
# VERDICT: assertion: never given back
import asyncio


async def main():
    taken = 1

    async def work():
        nonlocal taken
        try:
            await asyncio.sleep(0)
        finally:
            taken = 0
    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert taken == 0, "never given back"


asyncio.run(main())
