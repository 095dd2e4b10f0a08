# What is shielded is cancelled by asyncio.run, when nobody waits for it.
# VERDICT: assertion: nothing was saved
import asyncio

saved = []


async def save():
    await asyncio.sleep(1)
    saved.append(1)


async def main():
    try:
        await asyncio.wait_for(asyncio.shield(save()), 0.5)
    except TimeoutError:
        pass


asyncio.run(main())
assert saved, "nothing was saved"
