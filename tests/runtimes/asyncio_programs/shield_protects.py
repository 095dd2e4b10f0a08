# The inner task ends though the outer one is cancelled.
# VERDICT: safe
# OUTCOMES: saved
import asyncio


async def main():
    saved = asyncio.Event()

    async def save():
        await asyncio.sleep(1)
        saved.set()
    inner = asyncio.create_task(save())

    async def outer():
        await asyncio.shield(inner)
    task = asyncio.create_task(outer())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await saved.wait()
    print("saved")


asyncio.run(main())
