"""deadlocked_queue.py, but the worker tries again at once."""
import asyncio


async def work(jobs, done):
    while len(done) < 2:
        name, tries = await jobs.get()
        await asyncio.sleep(0)  # works
        if tries > 0:
            done.append(name)
        else:
            done.append(name)  # tried again


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
