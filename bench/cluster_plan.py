#!/usr/bin/env python3
"""How far would more machines help? A simulation of the work pool with measured sizes.

  cluster_plan.py [--task 0.5] [--result 0.0006] [--trip 0.001] [--server 0.00006] [--hours 10]

A check of so many hours of one core is explored by 1 to 4096 worker processes. Tasks take `task` seconds at most, some of
them much less (a subtree may be small). The check takes `result` seconds of one core for what comes back from a task and
the next one that it makes, the server `server` seconds; `trip` is the way from a worker to the server and back. Two tasks
for each worker are under way, as in src/cluster/check_pool.cc. What is measured: docs/cluster.md.
"""
import argparse
import heapq
import random

WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)


def simulate(workers, options, chance):
    """Seconds, and the shares of the time in which workers, check and server are busy."""
    work = options.hours * 3600
    most = 200_000 * options.task  # as many tasks are enough to know
    scale = max(1.0, work / most)
    left = work / scale
    events, done = [], 0.0  # when a result is at the check
    check_free = server_free = worked = checked = served = 0.0
    idle = [0.0] * workers  # when each worker is free
    heapq.heapify(idle)

    def submit(at):
        nonlocal left, server_free, worked, served
        size = min(left, options.task * (1.0 if chance.random() < options.full else chance.random()))
        if size <= 0:
            return
        left -= size
        server_free = max(server_free, at) + options.server
        served += options.server
        begin = max(heapq.heappop(idle), server_free + options.trip / 2)
        heapq.heappush(idle, begin + size + options.trip)
        worked += size
        heapq.heappush(events, begin + size + options.trip)

    for _ in range(2 * workers):
        submit(0.0)
    while events:
        check_free = max(check_free, heapq.heappop(events)) + options.result
        checked += options.result
        done = check_free
        submit(check_free)
    return done * scale, worked / (done * workers), checked / done, served / done


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", type=float, default=0.5)
    parser.add_argument("--full", type=float, default=0.7, help="share of tasks that take all of that time")
    parser.add_argument("--result", type=float, default=0.0006)
    parser.add_argument("--trip", type=float, default=0.001)
    parser.add_argument("--server", type=float, default=0.00006)
    parser.add_argument("--hours", type=float, default=10)
    options = parser.parse_args()
    print("| workers | hours | times as fast | workers busy | check busy | server busy |\n|---|---|---|---|---|---|")
    for workers in WORKERS:
        seconds, worked, checked, served = simulate(workers, options, random.Random(1))
        print(f"| {workers} | {seconds / 3600:.3f} | {options.hours * 3600 / seconds:.0f} | {worked:.0%} | {checked:.0%} | "
              f"{served:.0%} |")


if __name__ == "__main__":
    main()
