# Both see that nothing is there, and both fetch.
# VERDICT: assertion: fetched twice
import asyncio


async def main():
    cache, fetched = {}, 0

    async def fetch(key):
        nonlocal fetched
        if key not in cache:
            await asyncio.sleep(0.1)
            fetched += 1
            cache[key] = "page"
        return cache[key]
    await asyncio.gather(fetch("a"), fetch("a"))
    assert fetched == 1, "fetched twice"


asyncio.run(main())
