# `except BaseException` around an await: who cancels it waits for ever.
# VERDICT: deadlock: task waits at
import asyncio


async def main():
    never = asyncio.Event()

    async def task():
        try:
            await never.wait()
        except BaseException:
            await never.wait()
    one = asyncio.create_task(task())
    await asyncio.sleep(0)
    one.cancel()
    await asyncio.wait([one])


asyncio.run(main())
