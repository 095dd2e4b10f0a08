"""How many runs the default needs for a complete answer: at most these."""
import json
import os

import tool
from tool import ToolTest

BOUNDS = [("rvexample", "-DN=1", 31), ("rvexample", "-DN=4", 31), ("pingpong", "-DTHREADS=5", 8), ("counter", "-DMAX=5", 1793),
          ("dekker", "", 23), ("readers", "", 9)]


class Runs(ToolTest):
    def test_no_more_than_the_bound(self):
        for name, flags, most in BOUNDS:
            with self.subTest(program=name, flags=flags):
                source = os.path.join(tool.SOURCE, f"bench/programs/papers/{name}.c")
                answer = json.loads(self.plait("check", "--races", "off", "--format", "json", "--cflags", flags, source).stdout)
                self.assertTrue(answer["complete"])
                self.assertLessEqual(answer["executions"], most)


if __name__ == "__main__":
    tool.main()
