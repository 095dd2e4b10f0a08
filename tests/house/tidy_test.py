"""clang-tidy (.clang-tidy says which checks, and why those) finds nothing in our sources.

Usage: tidy_test.py SOURCE_DIR BUILD_DIR [FOLDER...]. The folders are those of src; default: all of them. `ninja tidy`
asks for all; the suite only for the ones whose headers are light, because each file costs one to two seconds of CPU
time there, and up to ten where the headers of LLVM, JSON or the options' library are read."""
import json
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

JOBS = 2


def without_precompiled_headers(words):
    """clang-tidy reads the headers themselves."""
    kept = []
    while words:
        if words[:3] == ["-Xclang", "-include-pch", "-Xclang"]:
            words = words[4:]
            continue
        kept.append(words[0])
        words = words[1:]
    return kept


def commands(source, build, folders):
    """One for each file: sanitized engines compile the same files again."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as text:
        every = json.load(text)
    top = os.path.join(os.path.realpath(source), "src")
    chosen = {}
    for entry in every:
        words = shlex.split(entry["command"])
        parts = os.path.relpath(os.path.realpath(entry["file"]), top).split(os.sep)
        if parts[0] == ".." or not entry["file"].endswith(".cc") or any("-fsanitize" in word for word in words):
            continue
        if not folders or parts[0] in folders:
            chosen.setdefault(entry["file"], {"directory": entry["directory"], "file": entry["file"],
                                              "arguments": without_precompiled_headers(words)})
    return list(chosen.values())


def main():
    source, build, *folders = sys.argv[1:]
    entries = commands(source, build, folders)
    missing = [folder for folder in folders if not any(f"/src/{folder}/" in entry["file"] for entry in entries)]
    if missing or not entries:
        sys.exit(f"no sources of {', '.join(missing) or 'src'} in {build}/compile_commands.json")
    with tempfile.TemporaryDirectory(prefix="plait-tidy-") as work, ThreadPoolExecutor(JOBS) as pool:
        with open(os.path.join(work, "compile_commands.json"), "w", encoding="utf-8") as out:
            json.dump(entries, out)

        def check(entry):
            return subprocess.run(["clang-tidy-19", "--quiet", "-p", work, entry["file"]], capture_output=True, text=True)

        failed = 0
        for entry, ran in zip(entries, pool.map(check, entries)):
            if ran.returncode != 0:
                failed += 1
                print(ran.stdout or ran.stderr or f"{entry['file']}: clang-tidy ended with {ran.returncode}", flush=True)
    print(f"{len(entries)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
