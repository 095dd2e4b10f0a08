"""cancellation_leak.py, with nothing between getting a connection and the `try`."""
import asyncio


class Pool:
    def __init__(self, size):
        self.places = asyncio.Semaphore(size)
        self.used = 0

    async def acquire(self):
        await self.places.acquire()
        self.used += 1

    def release(self):
        self.used -= 1
        self.places.release()


async def query(pool):
    await pool.acquire()
    try:
        await asyncio.sleep(0)  # tells the log
        await asyncio.sleep(0)
    finally:
        pool.release()


async def main():
    pool = Pool(1)
    first = asyncio.create_task(query(pool))
    second = asyncio.create_task(query(pool))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert pool.used == 0, "a connection leaks"


asyncio.run(main())
