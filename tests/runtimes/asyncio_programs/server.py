# VERDICT: error: no place in a checked run
import asyncio


async def main():
    await asyncio.start_server(print, "localhost", 0)


asyncio.run(main())
