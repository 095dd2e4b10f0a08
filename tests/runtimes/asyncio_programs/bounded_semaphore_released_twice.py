# Who was cancelled at its wait gives back what it never had.
# VERDICT: uncaught-exception: BoundedSemaphore released too many times
import asyncio


async def main():
    places = asyncio.BoundedSemaphore(1)

    async def visit():
        try:
            await places.acquire()
            await asyncio.sleep(0)
        finally:
            places.release()
    first, second = asyncio.create_task(visit()), asyncio.create_task(visit())
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    for task in (first, second):
        if not task.cancelled() and task.exception():
            raise task.exception()


asyncio.run(main())
