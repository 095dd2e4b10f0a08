"""Whoever closes a session looks whether it is still open, waits for its data to be sent, and closes it."""
import asyncio


class Connection:
    def __init__(self):
        self.open = True

    async def flush(self):
        await asyncio.sleep(0)

    def release(self):
        if not self.open:
            raise RuntimeError("closed twice")
        self.open = False


class Session:
    def __init__(self):
        self.connection = Connection()

    async def close(self):
        if self.connection is not None:
            connection = self.connection
            await connection.flush()
            connection.release()
            self.connection = None


async def close_later(session):
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await session.close()


async def main():
    session = Session()
    await asyncio.gather(session.close(), close_later(session))
    assert session.connection is None


asyncio.run(main())
