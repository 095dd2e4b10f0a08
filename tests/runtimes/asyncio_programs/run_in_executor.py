# VERDICT: error: no place in a checked run
import asyncio


async def main():
    await asyncio.get_running_loop().run_in_executor(None, print)


asyncio.run(main())
