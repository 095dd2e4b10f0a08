# asyncio.run cancels what is left: it depends on the order whether the work was done.
# VERDICT: safe
# OUTCOMES:  | done
import asyncio


async def work():
    await asyncio.sleep(0)
    print("done")


async def main():
    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    assert task


asyncio.run(main())
