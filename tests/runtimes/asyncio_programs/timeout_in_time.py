# VERDICT: safe
# OUTCOMES: done 1.0
import asyncio


async def main():
    async with asyncio.timeout(2):
        await asyncio.sleep(1)
    print("done", asyncio.get_running_loop().time())


asyncio.run(main())
