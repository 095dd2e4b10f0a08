# VERDICT: safe
# OUTCOMES: 1 2
import asyncio


async def give(n):
    await asyncio.sleep(0)
    return n


with asyncio.Runner() as runner:
    one = runner.run(give(1))
    two = runner.run(give(2))
print(one, two)
