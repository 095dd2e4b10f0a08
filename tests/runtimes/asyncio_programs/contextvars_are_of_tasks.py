# VERDICT: safe
# OUTCOMES: main a b
import asyncio
import contextvars

who = contextvars.ContextVar("who", default="main")


async def main():
    async def be(name):
        who.set(name)
        await asyncio.sleep(0)
        return who.get()
    names = await asyncio.gather(be("a"), be("b"))
    print(who.get(), *names)


asyncio.run(main())
