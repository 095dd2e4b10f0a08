# VERDICT: safe
# OUTCOMES: short long
import asyncio


async def main():
    log = []

    async def nap(name, seconds):
        await asyncio.sleep(seconds)
        log.append(name)
    await asyncio.gather(nap("long", 2), nap("short", 1))
    print(*log)


asyncio.run(main())
