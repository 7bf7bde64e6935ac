#!/usr/bin/env python3
"""The parts of README.md that the program itself writes.

    tests/lint/readme.py [--fix] PROGRAM

Between `<!-- keys -->` and `<!-- /keys -->` stands what `memcglab help keys`
prints, between the `screen` marks a frame of the first experiment.  The check
compares them, --fix writes them anew.  Nothing is done without a program.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def screen(program, env, home):
    """One frame of the first experiment on both kernels."""
    runs = os.path.join(home, "runs.json")
    subprocess.run([program, "run", "cat-in-100m", "-k", "unbatched,batched", "-F", "json", "-o",
                    runs], env=env, check=True, stdin=subprocess.DEVNULL)
    with open(runs, encoding="utf-8") as file:
        first = json.load(file)["runs"][0]["id"]
    return output([program, "screen", str(first), "--view", "scan", "--size", "80x24"], env)


def output(command, env):
    return subprocess.run(command, env=env, check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE).stdout.decode("utf-8")


def filled(text, program):
    """README.md with its generated parts as this program writes them."""
    with tempfile.TemporaryDirectory(prefix="memcglab-readme-") as home:
        env = dict(os.environ, HOME=home, MEMCGLAB_DB=os.path.join(home, "runs.db"),
                   LC_ALL="C.UTF-8", TERM="xterm", NO_COLOR="1")
        for kind in "DATA", "STATE", "CONFIG":
            env["XDG_%s_HOME" % kind] = os.path.join(home, kind.lower())
        parts = {"keys": output([program, "help", "keys"], env),
                 "screen": screen(program, env, home)}
    for name, part in parts.items():
        body = "\n".join(line.rstrip() for line in part.rstrip("\n").split("\n"))
        block = "<!-- %s -->\n```text\n%s\n```\n<!-- /%s -->" % (name, body, name)
        text, count = re.subn(r"<!-- %s -->.*?<!-- /%s -->" % (name, name),
                              lambda _, b=block: b, text, flags=re.S)
        if count != 1:
            raise ValueError("README.md: the marks of %s occur %d times" % (name, count))
    return text


def check(root, program=None, fix=False):
    """Findings about the generated parts; with fix they are written instead."""
    program = program or os.environ.get("MEMCGLAB", "")
    if not os.access(program, os.X_OK):
        return []
    path = os.path.join(root, "README.md")
    with open(path, encoding="utf-8") as file:
        old = file.read()
    try:
        new = filled(old, program)
    except (subprocess.CalledProcessError, ValueError, KeyError, IndexError) as error:
        return ["README.md: %s" % error]
    if new != old and fix:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
        return []
    return ["README.md: keys or screen differ from the program's: run tests/lint/readme.py --fix"] \
        if new != old else []


if __name__ == "__main__":
    ARGS = [a for a in sys.argv[1:] if a != "--fix"]
    RESULT = check(ROOT, os.path.abspath(ARGS[0] if ARGS else "build/release/memcglab"),
                   "--fix" in sys.argv)
    print("\n".join(RESULT), end="\n" if RESULT else "")
    sys.exit(1 if RESULT else 0)
