# VERDICT: uncaught-exception: dictionary changed size during iteration
import asyncio


async def main():
    users = {"ann": 1, "bob": 2}

    async def greet():
        for _ in users:
            await asyncio.sleep(0)

    async def leave():
        users.pop("bob")
    await asyncio.gather(greet(), leave())


asyncio.run(main())
