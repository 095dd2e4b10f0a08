# VERDICT: assertion: somebody else's request
import asyncio

who = None


async def handle(name):
    global who
    who = name
    await asyncio.sleep(0)
    assert who == name, "somebody else's request"


async def main():
    await asyncio.gather(handle("a"), handle("b"))


asyncio.run(main())
