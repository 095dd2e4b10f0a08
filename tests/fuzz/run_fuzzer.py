"""Runs a libFuzzer target for a number of inputs: FUZZER RUNS CORPUS WORK. What it finds stays in WORK."""
import os
import shutil
import subprocess
import sys

fuzzer, runs, corpus, work = sys.argv[1:5]
runs = os.environ.get("PLAIT_FUZZ_RUNS", runs)
shutil.rmtree(work, ignore_errors=True)
shutil.copytree(corpus, work + "/corpus")
# -timeout is for hangs: seconds for one input that takes microseconds.
command = [fuzzer, f"-runs={runs}", "-seed=20", "-max_len=16384", "-timeout=300", "-rss_limit_mb=4000", "-close_fd_mask=3",
           f"-artifact_prefix={work}/", work + "/corpus"]
result = subprocess.run(command, capture_output=True, text=True, errors="replace")
print(result.stderr[-3000:])
print(f"{runs} inputs, exit code {result.returncode}")
sys.exit(result.returncode)
