# VERDICT: safe
import asyncio


async def main():
    cache, fetched = {}, 0

    async def fetch():
        nonlocal fetched
        await asyncio.sleep(0.1)
        fetched += 1
        return "page"

    async def get(key):
        if key not in cache:
            cache[key] = asyncio.ensure_future(fetch())
        return await cache[key]
    assert await asyncio.gather(get("a"), get("a")) == ["page", "page"]
    assert fetched == 1


asyncio.run(main())
