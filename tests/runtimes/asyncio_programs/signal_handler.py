# VERDICT: safe
# OUTCOMES: ready
import asyncio
import signal


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, print, "signal")
    await asyncio.sleep(0)
    print("ready")


asyncio.run(main())
