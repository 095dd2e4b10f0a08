"""The runtime for asyncio: checks an unchanged Python program (docs/asyncio.md).

Usage: plait explore --runtime asyncio SCRIPT [ARGUMENTS], or plait_asyncio.py --pytest NODE for one test."""
import ctypes
import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ADDR_NO_RANDOMIZE = 0x0040000
ASK = 0xffffffff


def same_every_time():
    """Hashes and addresses must be the same in every process: they decide the order of sets."""
    personality = ctypes.CDLL(None).personality
    now = personality(ASK)
    if os.environ.get("PYTHONHASHSEED") == "0" and (now & ADDR_NO_RANDOMIZE or personality(now | ADDR_NO_RANDOMIZE) == -1):
        return  # some containers do not allow it: then addresses are as they are
    os.environ["PYTHONHASHSEED"] = "0"
    personality(now | ADDR_NO_RANDOMIZE)
    os.execv(sys.executable, [sys.executable, "-B", *sys.argv])


def main():
    same_every_time()
    sys.path[:1] = [os.path.join(os.path.dirname(HERE), "python"), HERE]
    import plait_director
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    plait_director.prepare()
    if sys.argv[1] == "--pytest":
        import pytest
        plait_director.perform(lambda: pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
    script = sys.argv[1]
    sys.argv[:] = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    plait_director.perform(lambda: runpy.run_path(script, run_name="__main__"))


if __name__ == "__main__":
    main()
