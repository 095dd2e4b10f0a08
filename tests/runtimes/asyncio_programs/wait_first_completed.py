# Two sleeps end at the same time.
# VERDICT: safe
# OUTCOMES: a | b | ab
import asyncio


async def main():
    async def nap(name):
        await asyncio.sleep(1)
        return name
    done, pending = await asyncio.wait([asyncio.create_task(nap(name)) for name in "ab"], return_when=asyncio.FIRST_COMPLETED)
    print("".join(sorted(task.result() for task in done)))
    for task in pending:
        task.cancel()


asyncio.run(main())
