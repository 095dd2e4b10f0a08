# VERDICT: uncaught-exception: invalid state
import asyncio


async def main():
    answer = asyncio.get_running_loop().create_future()

    async def reply(text):
        answer.set_result(text)
    await asyncio.gather(reply("yes"), reply("no"))


asyncio.run(main())
