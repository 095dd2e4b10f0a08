"""A ticket office: clerks look whether there is a seat left, and then sell it. `locked` lets one clerk at a time in."""
import sys

import plait_runtime

STEPS = {"open": ["read", "write"], "locked": ["lock", "read", "write", "unlock"]}
OBJECT = {"lock": "door", "unlock": "door", "read": "seats", "write": "seats"}


class Office(plait_runtime.Run):
    def __init__(self):
        self.seats, self.sold, self.inside = 1, 0, None
        self.done = {"ann": 0, "bob": 0}
        self.seen = {}

    def steps(self):
        """What each clerk who is not done does next."""
        for clerk, done in self.done.items():
            if done < len(STEPS[sys.argv[1]]):
                kind = STEPS[sys.argv[1]][done]
                yield {"actor": clerk, "kind": kind, "object": OBJECT[kind]}

    def must_wait(self, event):
        return event["kind"] == "lock" and self.inside is not None

    def enabled(self):
        return [event for event in self.steps() if not self.must_wait(event)]

    def waiting(self):
        return [event for event in self.steps() if self.must_wait(event)]

    def perform(self, event):
        clerk = event["actor"]
        self.done[clerk] += 1
        if event["kind"] == "lock":
            self.inside = clerk
        if event["kind"] == "unlock":
            self.inside = None
        if event["kind"] == "read":
            self.seen[clerk] = event["value"] = self.seats
        if event["kind"] == "write" and self.seen[clerk] > 0:
            self.seats = event["value"] = self.seen[clerk] - 1
            self.sold += 1
        assert self.sold <= 1, "one seat, sold twice"

    def result(self):
        return f"{self.seats} left, {self.sold} sold"


plait_runtime.serve(Office, name="office", relations={
    "interferes": {"and": ["same-object-write", {"not": {"either": {"kind": "unlock"}}}]},
    "enables": {"and": ["same-object", {"first": {"kind": "unlock"}, "second": {"kind": "lock"}}]}})
