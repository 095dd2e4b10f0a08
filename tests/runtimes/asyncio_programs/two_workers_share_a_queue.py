# Who comes first gets both: a get that need not wait is no place where others go on.
# VERDICT: safe
# OUTCOMES: aa | bb
import asyncio


async def main():
    queue = asyncio.Queue()
    log = {}

    async def work(name):
        while True:
            n = await queue.get()
            log[n] = name
            queue.task_done()
    workers = [asyncio.create_task(work(name)) for name in "ab"]
    for n in (0, 1):
        queue.put_nowait(n)
    await queue.join()
    print(log[0] + log[1])
    for worker in workers:
        worker.cancel()


asyncio.run(main())
