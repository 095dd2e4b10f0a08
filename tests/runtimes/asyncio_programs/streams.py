# VERDICT: error: no place in a checked run
import asyncio


async def main():
    reader, writer = await asyncio.open_connection("localhost", 80)


asyncio.run(main())
