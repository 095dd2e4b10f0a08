"""lost_update.py with a lock: one deposit at a time."""
import asyncio


class Account:
    def __init__(self):
        self.balance = 0
        self.lock = asyncio.Lock()

    async def deposit(self, amount):
        async with self.lock:
            balance = self.balance
            await asyncio.sleep(0)  # asks whether this is allowed
            self.balance = balance + amount


async def late_deposit(account, amount):
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await account.deposit(amount)


async def main():
    account = Account()
    await asyncio.gather(account.deposit(10), late_deposit(account, 20))
    assert account.balance == 30, f"the balance is {account.balance}"


asyncio.run(main())
