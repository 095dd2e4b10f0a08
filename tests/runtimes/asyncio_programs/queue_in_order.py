# VERDICT: safe
# OUTCOMES: 0 1 2
import asyncio


async def main():
    queue = asyncio.Queue(1)
    seen = []

    async def put():
        for n in range(3):
            await queue.put(n)

    async def get():
        for _ in range(3):
            seen.append(await queue.get())
    await asyncio.gather(put(), get())
    print(*seen)


asyncio.run(main())
