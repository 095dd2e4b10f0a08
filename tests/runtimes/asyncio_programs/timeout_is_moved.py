# VERDICT: safe
# OUTCOMES: late 3.0
import asyncio


async def main():
    try:
        async with asyncio.timeout(1) as limit:
            limit.reschedule(asyncio.get_running_loop().time() + 3)
            await asyncio.sleep(5)
    except TimeoutError:
        print("late", asyncio.get_running_loop().time())


asyncio.run(main())
