"""plait check --gtest: every test of a GoogleTest program is explored on its own."""
import json
import os
import xml.etree.ElementTree as ElementTree

import tool
from tool import SOURCE, ToolTest


TESTS = os.path.join(SOURCE, "tests/tool/gtest/tests.cc")
GOOGLETEST = "/usr/src/googletest/googletest"
VERDICTS = {"Counter.Locked": "safe", "Counter.LosesAnUpdate": "bug", "Counter.ExpectationInAThread": "bug",
            "Counter.EachExpectationFailsInSomeRun": "bug",
            "Queue.FixtureIsSetUpForEveryRun": "safe", "Queue.Deadlock": "bug", "Small/Sizes.ReadersAgree/0": "safe",
            "Small/Sizes.ReadersAgree/1": "safe"}


class GTestMode(ToolTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        self = cls()
        # GoogleTest itself with the wrapper, as docs/ci.md says; without optimisation that takes a few seconds.
        self.plait("c++", "-O0", "-g0", "-I" + GOOGLETEST, "-I" + GOOGLETEST + "/include", "-c",
                   GOOGLETEST + "/src/gtest-all.cc", GOOGLETEST + "/src/gtest_main.cc")
        self.plait("c++", "-std=c++17", TESTS, "gtest-all.o", "gtest_main.o", "-o", "tests", "-pthread")
        cls.answer = json.loads(cls().plait("check", "--gtest", "--format", "json", "./tests", expect=10).stdout)
        cls.tests = {test["name"]: test for test in cls.answer["tests"]}

    def test_every_test_has_a_verdict_of_its_own(self):
        verdicts = {name: test["verdict"] for name, test in self.tests.items()}
        self.assertEqual(verdicts, VERDICTS)
        for name, test in self.tests.items():
            if test["verdict"] == "safe":
                self.assertTrue(test["complete"])
                self.assertGreaterEqual(test["executions"], 2, name)

    def test_failures_say_what_was_expected_and_where(self):
        with open(os.path.join(SOURCE, "tests/tool/gtest/tests.cc")) as text:
            source = text.read().split("\n")
        bug = self.tests["Counter.LosesAnUpdate"]["bugs"][0]
        self.assertEqual(bug["kind"], "assertion")
        self.assertIn("value.load(), Which is: 1, 2, one increment is lost", bug["message"])
        self.assertIn("ASSERT_EQ(value.load(), 2)", source[bug["line"] - 1])
        bug = self.tests["Counter.ExpectationInAThread"]["bugs"][0]
        self.assertIn("EXPECT_EQ(++counter, 1)", source[bug["line"] - 1])
        recorded = json.loads(self.read(bug["schedule"]))
        self.assertEqual(recorded["failure"]["thread"], 1)
        self.assertEqual(self.tests["Queue.Deadlock"]["bugs"][0]["kind"], "deadlock")

    def test_each_expectation_is_a_bug_of_its_own(self):
        check_expectations(self, "./tests")

    def test_totals(self):
        self.assertEqual(self.answer["verdict"], "bug")
        self.assertEqual(self.answer["executions"], sum(test["executions"] for test in self.tests.values()))
        self.assertEqual(len(self.answer["bugs"]), 4)

    def test_bugs_replay(self):
        for test in self.tests.values():
            for bug in test["bugs"]:
                ran = self.plait("replay", bug["schedule"], expect=10)
                self.assertIn(f"[{bug['kind']}, ", ran.stdout)

    def test_junit(self):
        text = self.plait("check", "--gtest", "--format", "junit", "-o", "junit", "./tests", expect=10).stdout
        suites = {suite.get("name"): suite for suite in ElementTree.fromstring(text)}
        self.assertEqual({name: (s.get("tests"), s.get("failures")) for name, s in suites.items()},
                         {"Counter": ("4", "3"), "Queue": ("2", "1"), "Small/Sizes": ("2", "0")})

    def test_filter_chooses(self):
        ran = self.plait("check", "--gtest", "-q", "-o", "chosen", "./tests", "--", "--gtest_filter=Sizes*:*Locked")
        self.assertIn("1 test: 1 safe, 0 with a bug, 0 inconclusive", ran.stdout)
        self.assertEqual(sorted(os.listdir(self.path("chosen"))), ["Counter.Locked"])
        ran = self.plait("check", "--gtest", "./tests", "--", "--gtest_filter=Nothing.*", expect=2)
        self.assertIn("does the filter match a test?", ran.stderr)

    def test_the_same_answer_again(self):
        again = json.loads(self.plait("check", "--gtest", "--format", "json", "./tests", expect=10).stdout)
        for test in again["tests"]:
            self.assertEqual(test["executions"], self.tests[test["name"]]["executions"], test["name"])


def check_expectations(test, program):
    out = test.plait("check", "--gtest", "--keep-going", "--races", "off", "--format", "json", "-o", "expectations",
                     program, "--", "--gtest_filter=*EachExpectation*", expect=10).stdout
    bugs = json.loads(out)["bugs"]
    with open(TESTS) as text:
        source = text.read().split("\n")
    test.assertEqual(sorted(source[bug["line"] - 1].strip() for bug in bugs),
                     ["EXPECT_EQ(seen_x, 1);", "EXPECT_EQ(seen_y, 1);"])
    for bug in bugs:
        recorded = json.loads(test.read(bug["schedule"]))
        test.assertEqual(recorded["failure"]["line"], bug["line"])
        test.plait("replay", bug["schedule"], expect=10)


class ReadyMadeLibrary(ToolTest):
    """-lgtest, which is not instrumented."""

    def test_messages(self):
        """The library builds its texts in memory that compiled code has allocated: no memory without a value."""
        self.write("message.cc", '#include <gtest/gtest.h>\n#include <atomic>\n#include <thread>\n'
                                 'TEST(Message, Told) {\n  std::atomic<int> x{0};\n  std::thread t([&] { x = 1; });\n'
                                 '  EXPECT_EQ(x.load(), 1) << "text " << 5;\n  t.join();\n}\n')
        self.plait("c++", "-std=c++17", "message.cc", "-o", "message", "-lgtest", "-lgtest_main", "-pthread")
        (bug,) = json.loads(self.plait("check", "--gtest", "--races", "off", "--format", "json", "-o", "told", "./message", expect=10).stdout)["bugs"]
        self.assertEqual((bug["kind"], bug["line"]), ("assertion", 7))
        self.assertIn("text 5", bug["message"])

    def check(self, races):
        out = self.plait("check", "--gtest", "--format", "json", "--races", races, "-o", races, "./tests", expect=10).stdout
        return {test["name"]: test["verdict"] for test in json.loads(out)["tests"]}

    def test_verdicts(self):
        self.plait("c++", "-std=c++17", TESTS, "-o", "tests", "-lgtest", "-lgtest_main", "-pthread")
        self.assertEqual(self.check("off"), VERDICTS)
        for name, verdict in self.check("on").items():
            allowed = ("bug",) if VERDICTS[name] == "bug" else ("safe", "inconclusive")
            self.assertIn(verdict, allowed, name)
        check_expectations(self, "./tests")


if __name__ == "__main__":
    tool.main()
