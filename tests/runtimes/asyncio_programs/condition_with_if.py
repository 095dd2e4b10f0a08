# Two wait for one item with `if` in the place of `while`.
# VERDICT: uncaught-exception: pop from empty list
import asyncio


async def main():
    condition, items = asyncio.Condition(), []

    async def take():
        async with condition:
            if not items:
                await condition.wait()
            items.pop()

    async def give():
        async with condition:
            items.append(1)
            condition.notify_all()
    tasks = [asyncio.create_task(one) for one in (take(), take(), give())]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks[:2])


asyncio.run(main())
