# VERDICT: error: no place in a checked run
import asyncio
import threading


async def main():
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()


asyncio.run(main())
