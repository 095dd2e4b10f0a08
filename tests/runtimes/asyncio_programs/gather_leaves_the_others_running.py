# gather raises with the first exception; the other goes on, and uses what has been closed.
# VERDICT: assertion: written behind close
import asyncio


async def main():
    log = []

    async def fail():
        raise ValueError

    async def write():
        await asyncio.sleep(1)
        log.append("write")
    try:
        await asyncio.gather(fail(), write())
    except ValueError:
        log.append("close")
    await asyncio.sleep(2)
    assert log[-1] == "close", "written behind close"


asyncio.run(main())
