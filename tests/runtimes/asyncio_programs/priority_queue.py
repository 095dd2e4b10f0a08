# What is in the queue decides, not who came first.
# VERDICT: safe
# OUTCOMES: 1 2
import asyncio


async def main():
    queue = asyncio.PriorityQueue()

    async def put(n):
        queue.put_nowait(n)
    await asyncio.gather(put(2), put(1))
    print(queue.get_nowait(), queue.get_nowait())


asyncio.run(main())
