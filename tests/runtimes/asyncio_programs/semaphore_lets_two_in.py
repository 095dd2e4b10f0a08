# VERDICT: safe
import asyncio


async def main():
    places, inside = asyncio.Semaphore(2), 0

    async def visit():
        nonlocal inside
        async with places:
            inside += 1
            assert inside <= 2
            await asyncio.sleep(0)
            inside -= 1
    await asyncio.gather(visit(), visit(), visit())


asyncio.run(main())
