# VERDICT: error: no place in a checked run
import asyncio
import socket


async def main():
    left, right = socket.socketpair()
    left.setblocking(False)
    await asyncio.get_running_loop().sock_recv(left, 1)


asyncio.run(main())
