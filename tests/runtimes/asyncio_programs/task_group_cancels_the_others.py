# VERDICT: safe
# OUTCOMES: cancelled | not begun
import asyncio


async def main():
    log = []

    async def fail():
        raise ValueError

    async def wait():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            log.append("cancelled")
            raise
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(wait())
            group.create_task(fail())
    except* ValueError:
        print(*log or ["not begun"])


asyncio.run(main())
