"""A worker puts jobs that did not work back into the queue. There is room for one job only: when main puts
the next one first, the worker waits for room, and only the worker makes room."""
import asyncio


async def work(jobs, done):
    while len(done) < 2:
        name, tries = await jobs.get()
        await asyncio.sleep(0)  # works
        if tries > 0:
            done.append(name)
        else:
            await jobs.put((name, tries + 1))


async def main():
    jobs = asyncio.Queue(maxsize=1)
    done = []
    worker = asyncio.create_task(work(jobs, done))
    for name in ("a", "b"):
        await jobs.put((name, 0))
        await asyncio.sleep(0)  # looks
        await asyncio.sleep(0)  # for the next one
        await asyncio.sleep(0)
    await worker
    assert sorted(done) == ["a", "b"]


asyncio.run(main())
