# One path out of the loop forgets task_done.
# VERDICT: deadlock: await queue.join()
import asyncio


async def main():
    queue = asyncio.Queue()

    async def work():
        while True:
            n = await queue.get()
            if n == 2:
                continue
            queue.task_done()
    worker = asyncio.create_task(work())
    for n in (1, 2):
        queue.put_nowait(n)
    await queue.join()
    worker.cancel()


asyncio.run(main())
