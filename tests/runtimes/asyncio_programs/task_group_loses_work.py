# One failure cancels a write that is under way.
# VERDICT: assertion: half a record
import asyncio


async def main():
    record = []

    async def write():
        record.append("begin")
        await asyncio.sleep(0)
        record.append("end")

    async def check():
        await asyncio.sleep(0)
        raise ValueError
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(write())
            group.create_task(check())
    except* ValueError:
        pass
    assert record in ([], ["begin", "end"]), "half a record"


asyncio.run(main())
