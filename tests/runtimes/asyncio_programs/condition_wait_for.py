# VERDICT: safe
# OUTCOMES: 2
import asyncio


async def main():
    condition, items = asyncio.Condition(), []

    async def take():
        async with condition:
            await condition.wait_for(lambda: len(items) == 2)
            print(len(items))

    async def give():
        async with condition:
            items.append(1)
            condition.notify_all()
    await asyncio.gather(take(), give(), give())


asyncio.run(main())
