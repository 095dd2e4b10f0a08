# The answer comes when the time is over: both can win. wait_for does not lose it.
# VERDICT: safe
import asyncio


async def main():
    given = []

    async def answer():
        await asyncio.sleep(1)
        given.append(1)
        return 1
    try:
        got = await asyncio.wait_for(answer(), 1)
    except TimeoutError:
        got = None
    assert bool(given) == bool(got), "the answer is lost"


asyncio.run(main())
