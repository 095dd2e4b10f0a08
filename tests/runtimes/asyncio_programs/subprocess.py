# VERDICT: error: no place in a checked run
import asyncio


async def main():
    await asyncio.create_subprocess_shell("true")


asyncio.run(main())
