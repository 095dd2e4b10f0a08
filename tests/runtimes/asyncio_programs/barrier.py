# VERDICT: safe
import asyncio


async def main():
    barrier, before = asyncio.Barrier(2), []

    async def party(name):
        before.append(name)
        async with barrier:
            assert len(before) == 2
    await asyncio.gather(party("a"), party("b"))


asyncio.run(main())
