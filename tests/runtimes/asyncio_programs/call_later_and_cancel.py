# VERDICT: safe
# OUTCOMES: tick 1.0
import asyncio


async def main():
    loop = asyncio.get_running_loop()
    loop.call_later(1, lambda: print("tick", loop.time()))
    handle = loop.call_at(2, print, "never")
    await asyncio.sleep(1.5)
    handle.cancel()
    await asyncio.sleep(3)


asyncio.run(main())
