"""Every script of the tree is clean: shellcheck for shell scripts, flake8 (options in .flake8) for Python.

Usage: lint_test.py shell|python SOURCE_DIR. Files without an ending are known by their first line."""
import os
import subprocess
import sys

ENDINGS = {"shell": ".sh", "python": ".py"}
INTERPRETERS = {"shell": ("/sh", "bash"), "python": ("python3",)}
LINTERS = {"shell": ["shellcheck", "-x"], "python": ["flake8"]}


def is_script(path, language):
    ending = os.path.splitext(path)[1]
    if ending:
        return ending == ENDINGS[language]
    with open(path, "rb") as file:
        first = file.readline(100).decode(errors="replace").strip()
    return first.startswith("#!") and first.endswith(INTERPRETERS[language])


def scripts(top, language):
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(f for f in folders if f not in (".git", "plait-out", "__pycache__") and not f.startswith("build"))
        for name in sorted(files):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and is_script(path, language):
                yield os.path.relpath(path, top)


def main():
    language, top = sys.argv[1:]
    found = list(scripts(top, language))
    # The two commands of the README are what must not be missed.
    needed = {"shell": {"plait", "run-tests", "setup/prepare.sh"}, "python": {"tests/house/lint_test.py"}}[language]
    if not needed <= set(found):
        sys.exit(f"not found: {needed - set(found)}")
    print(f"{len(found)} scripts")
    sys.exit(subprocess.run(LINTERS[language] + found, cwd=top).returncode)


main()
