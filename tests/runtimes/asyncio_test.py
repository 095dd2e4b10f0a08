"""The runtime for asyncio, without the engine: how runs end, that nothing leaks from run to run, and the promises of
docs/runtimes.md on all runs of small programs.

Usage: asyncio_test.py PLAIT SOURCE_DIR WORK_DIR [unittest arguments]."""
import os
import sys
import textwrap
import unittest

from engine import Engine, check_promises

SOURCE, WORK = (os.path.abspath(word) for word in sys.argv[2:4])
RUNTIME = os.path.join(SOURCE, "runtimes/asyncio/plait_asyncio.py")
# Where Debian has pytest and everything else.
PYTHON = "/usr/bin/python3"


class AsyncioTest(unittest.TestCase):
    def start(self, text, *arguments, head="import asyncio"):
        """A runtime with a program: the body of main()."""
        os.makedirs(WORK, exist_ok=True)
        path = os.path.join(WORK, f"{self.id().split('.')[-1]}.py")
        if "asyncio.run" not in text:
            text = f"async def main():\n{textwrap.indent(textwrap.dedent(text), '    ')}\n\nasyncio.run(main())\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{head}\n\n\n{text}")
        return Engine(PYTHON, RUNTIME, path, *arguments)

    def run_once(self, text, seed=(), **more):
        with self.start(text, **more) as engine:
            return engine.run(seed)


class Ends(AsyncioTest):
    def test_complete_with_output(self):
        end = self.run_once("print('one')\nawait asyncio.sleep(5)\nprint(asyncio.get_running_loop().time())", head="import asyncio\nprint('zero')")
        self.assertEqual((end["status"], end["result"]), ("complete", "one\n5.0\n"))
        self.assertIn("clock 5.0", [event["id"] for event in end["events"]])

    def failure(self, text, **more):
        end = self.run_once(text, **more)
        self.assertEqual(end["status"], "failed", end)
        return end["failure"]

    def test_assertion(self):
        failure = self.failure("x = 1\nassert x == 2")
        self.assertEqual((failure["message"], failure["kind"], failure["line"]), ("assertion failed: assert x == 2", "assertion", 6))

    def test_exception(self):
        self.assertEqual(self.failure("raise ValueError('no')")["message"], "ValueError: no")

    def test_who_raised_it(self):
        """Not who waits for it."""
        failure = self.failure("async def bad():\n    raise ValueError('no')\nawait asyncio.gather(bad(), asyncio.sleep(1))")
        self.assertEqual((failure["actor"], failure["kind"]), ("bad", "uncaught-exception"))

    def test_sets_of_coroutines(self):
        """as_completed makes one; its order must not be that of addresses."""
        text = """
            async def nap(n):
                await asyncio.sleep(0)
                print(n)
            junk = [object() for _ in range(len(sys.argv[1]))]
            for one in asyncio.as_completed([nap(n) for n in range(8)]):
                await one
        """
        outputs = set()
        for words in ("x", "x" * 999):
            with self.start(text, words, head="import asyncio, sys") as engine:
                outputs.add(engine.run()["result"])
        self.assertEqual(outputs, {"".join(f"{n}\n" for n in range(8))})

    def test_exit(self):
        self.assertEqual(self.failure("raise SystemExit(3)")["message"], "exits with status 3")
        self.assertEqual(self.run_once("raise SystemExit(0)")["status"], "complete")

    def test_an_exception_that_nobody_looks_at(self):
        head = "import asyncio\nasync def bad():\n    raise ValueError('lost')"
        failure = self.failure("task = asyncio.create_task(bad())\nawait asyncio.sleep(1)", head=head)
        self.assertEqual((failure["kind"], failure["line"]), ("uncaught-exception", 3))
        self.assertIn("ValueError: lost", failure["message"])
        kept = self.failure("keep.append(asyncio.create_task(bad()))\nawait asyncio.sleep(1)", head=head + "\nkeep = []")
        self.assertIn("ValueError: lost", kept["message"])

    def test_an_exception_in_a_callback(self):
        failure = self.failure("asyncio.get_running_loop().call_soon(lambda: 1 / 0)\nawait asyncio.sleep(1)")
        self.assertIn("ZeroDivisionError", failure["message"])

    def test_deadlock(self):
        end = self.run_once("lock = asyncio.Lock()\nawait lock.acquire()\nawait lock.acquire()")
        self.assertEqual(end["status"], "blocked")
        self.assertIn("main waits at", end["message"])
        self.assertIn("await lock.acquire()", end["message"])
        self.assertEqual([event["id"] for event in end["pending"]], ["main:1"])

    def test_a_program_that_dies(self):
        end = self.run_once("await asyncio.sleep(0)\nos._exit(7)", head="import asyncio, os")
        self.assertEqual((end["status"], end["failure"]["message"]), ("failed", "the program died: exit status 7"))
        self.assertEqual([event["id"] for event in end["events"]], ["main:0", "main:1"])

    def test_limit(self):
        with self.start("while True:\n    await asyncio.sleep(0)") as engine:
            end = engine.run([], events=20)
        self.assertEqual((end["status"], len(end["events"])), ("limit", 20))

    def test_divergence(self):
        with self.start("await asyncio.sleep(0)") as engine:
            end = engine.run(["main:0", "other:0"])
            self.assertEqual((end["status"], end["at"], end["possible"]), ("diverged", 1, ["main:1"]))
            names = [event["id"] for event in engine.run()["events"]]
            self.assertEqual(engine.run(names + ["main:9"])["at"], len(names))

    def fatal(self, text, head="import asyncio"):
        engine = self.start(text, head=head)
        engine.ask([])
        message = engine.receive()
        engine.close()
        self.assertEqual(message["type"], "error")
        return message["message"]

    def test_what_has_no_place_here_cannot_be_caught(self):
        for call in ("asyncio.to_thread(print)", "asyncio.open_connection('localhost', 1)", "asyncio.create_subprocess_exec('true')"):
            self.assertIn("no place in a checked run", self.fatal(f"try:\n    await {call}\nexcept BaseException:\n    pass"))
        self.assertIn("threading.Thread", self.fatal("threading.Thread(target=print).start()", head="import asyncio, threading"))

    def test_no_event_loop(self):
        self.assertIn("asyncio.run was not called", self.fatal("# asyncio.run"))
        self.assertIn("ModuleNotFoundError", self.fatal("# asyncio.run", head="import no_such_module"))


class Runs(AsyncioTest):
    def test_nothing_leaks_from_run_to_run(self):
        with self.start("seen.append(1)\njson.mark = getattr(json, 'mark', 0) + 1\nprint(len(seen), json.mark, os.environ.get('X'))\nos.environ['X'] = 'y'",
                        head="import asyncio, json, os\nseen = []") as engine:
            self.assertEqual({engine.run()["result"] for _ in range(3)}, {"1 1 None\n"})

    def test_all_processes_make_the_same_run(self):
        text = """
            names = {str(i) for i in range(20)} | {object().__class__.__name__}
            done, _ = await asyncio.wait({asyncio.create_task(asyncio.sleep(0, i)) for i in range(8)})
            print(random.random(), list(names), [task.result() for task in done], time.time(), hash("x"))
        """
        self.assertEqual(*(self.run_once(text, head="import asyncio, random, time")["result"] for _ in range(2)))

    def test_arguments_and_blocking_sleep(self):
        with self.start("time.sleep(3)\nprint(sys.argv[1:], time.monotonic())", "a", "b", head="import asyncio, sys, time") as engine:
            self.assertEqual(engine.run()["result"], "['a', 'b'] 3.0\n")

    def test_names_follow_who_created_a_task(self):
        end = self.run_once("""
            async def child():
                await asyncio.create_task(asyncio.sleep(0), name="nap")
            await asyncio.gather(child(), child())
        """)
        actors = {event["actor"] for event in end["events"]}
        self.assertLessEqual({"main", "child", "child.2", "child/nap", "child.2/nap"}, actors)


PROGRAMS = {
    "lost update": ("""
        async def add(n):
            seen = box[0]
            await asyncio.sleep(0)
            box[0] = seen + n
        await asyncio.gather(add(1), add(2))
        print(box[0])
    """, {"complete 3", "complete 1", "complete 2"}),
    "lock": ("""
        lock = asyncio.Lock()
        async def add(n):
            async with lock:
                seen = box[0]
                await asyncio.sleep(0)
                box[0] = seen + n
        await asyncio.gather(add(1), add(2))
        print(box[0])
    """, {"complete 3"}),
    "same time": ("""
        async def nap(n):
            await asyncio.sleep(1)
            box.append(n)
        await asyncio.gather(nap(1), nap(2))
        print(box[1:])
    """, {"complete [1, 2]", "complete [2, 1]"}),
    "one after the other": ("""
        async def nap(n):
            await asyncio.sleep(n)
            box.append(n)
        await asyncio.gather(nap(1), nap(2))
        print(box[1:])
    """, {"complete [1, 2]"}),
    "a timeout at the last moment": ("""
        async def slow():
            await asyncio.sleep(1)
            return "done"
        try:
            print(await asyncio.wait_for(slow(), 1))
        except asyncio.TimeoutError:
            print("late")
    """, {"complete done", "complete late"}),
    "timeout with a context": ("""
        try:
            async with asyncio.timeout(1):
                await asyncio.sleep(1)
            print("done")
        except asyncio.TimeoutError:
            print("late")
    """, {"complete done", "complete late"}),
    "cancelled before, between or after": ("""
        async def work():
            try:
                box.append("begun")
                await asyncio.sleep(0)
                box.append("ended")
            finally:
                box.append("out")
        task = asyncio.create_task(work())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        print(*box[1:])
    """, {"complete ", "complete begun out", "complete begun ended out"}),
    "queue": ("""
        queue = asyncio.Queue(1)
        async def put():
            await queue.put(1)
            await queue.put(2)
        task = asyncio.create_task(put())
        print(await queue.get(), await queue.get())
    """, {"complete 1 2"}),
    "a signal that comes too early": ("""
        condition = asyncio.Condition()
        async def wait():
            async with condition:
                await condition.wait()
        async def signal():
            async with condition:
                condition.notify()
        await asyncio.gather(wait(), signal())
    """, {"complete ", "blocked "}),
    "event and semaphore": ("""
        event, places = asyncio.Event(), asyncio.Semaphore(1)
        async def wait():
            async with places:
                await event.wait()
        async def go():
            async with places:
                event.set()
        await asyncio.gather(wait(), go())
    """, {"complete ", "blocked "}),
    "a callback that is withdrawn": ("""
        handle = asyncio.get_running_loop().call_soon(box.append, "called")
        async def withdraw():
            handle.cancel()
        await asyncio.create_task(withdraw())
        print(*box[1:])
    """, {"complete ", "complete called"}),
    "callbacks": ("""
        loop = asyncio.get_running_loop()
        loop.call_later(1, box.append, 1)
        loop.call_soon(box.append, 2)
        await asyncio.sleep(1)
        print(*box[1:])
    """, {"complete 2 1", "complete 2"}),
    "a group": ("""
        async def add(n):
            box.append(n)
        async with asyncio.TaskGroup() as group:
            group.create_task(add(1))
            group.create_task(add(2))
        print(*box[1:])
    """, {"complete 1 2", "complete 2 1"}),
}
MARKED = """
        account = plait.shared(types.SimpleNamespace(a=0, b=0))
        async def add(name):
            seen = getattr(account, name)
            await asyncio.sleep(0)
            setattr(account, name, seen + 1)
        await asyncio.gather(add("a"), add("NAME"))
        print(account.a, account.b)
"""
MARKED_QUEUE = """
        plait.touches("nothing")
        queue = asyncio.Queue()
        async def put(n):
            await asyncio.sleep(0)
            queue.put_nowait(n)
        await asyncio.gather(put(1), put(2))
        print(queue.get_nowait(), queue.get_nowait())
"""


class Promises(AsyncioTest):
    def check(self, text, head="import asyncio\nbox = [0]"):
        with self.start(text, head=head) as engine:
            classes, swaps = check_promises(self, engine, 400)
        outcomes = {f"{status} {(result or '').strip()}" for status, result, _ in classes.values()}
        return outcomes, len(classes), swaps

    def test_marks_spare_runs(self):
        """Two attributes: one order is enough. One attribute: all of them."""
        head = "import asyncio, plait, types"
        apart, few, _ = self.check(MARKED.replace("NAME", "b"), head)
        together, many, _ = self.check(MARKED.replace("NAME", "a"), head)
        self.assertEqual((apart, together), ({"complete 1 1"}, {"complete 1 0", "complete 2 0"}))
        self.assertLess(few * 2, many)

    def test_marks_do_not_hide_primitives(self):
        outcomes, _, _ = self.check(MARKED_QUEUE, "import asyncio, plait")
        self.assertEqual(outcomes, {"complete 1 2", "complete 2 1"})


def promise(name, text, expected):
    def test(self):
        self.assertEqual(self.check(text)[0], expected)
    test.__name__ = "test_" + name.replace(" ", "_").replace(",", "")
    setattr(Promises, test.__name__, test)


for program, (body, results) in PROGRAMS.items():
    promise(program, body, results)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
