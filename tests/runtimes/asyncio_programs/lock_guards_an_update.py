# VERDICT: safe
# OUTCOMES: 2
import asyncio

count = 0


async def add(lock):
    global count
    async with lock:
        seen = count
        await asyncio.sleep(0)
        count = seen + 1


async def main():
    lock = asyncio.Lock()
    await asyncio.gather(add(lock), add(lock))
    print(count)


asyncio.run(main())
