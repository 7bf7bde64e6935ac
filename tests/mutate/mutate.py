#!/usr/bin/env python3
"""Mutation test: change one constant or comparison of the model at a time and
see that some test notices.

    tests/mutate/mutate.py [--list] [--learn] [--only TEXT] [--from N] [--table FILE]

The table (mutants.txt) names for each mutant a file, the old text, which must
occur there exactly once, the new text, and the program that noticed it last.
Each mutant is built and tested in a scratch copy of the tree, two at a time;
the first failing test ends it.  That program, or else the unit test of the
file, is asked first, then all in the order of KINDS, the quick ones first.
Scenarios are not asked: a constant is to be held by a test of its own.
--learn writes into the table who noticed.  The last line is `N mutants, N
killed, N survived`; the status is 1 if one survived, if an old text is not
there, or if a mutant does not build.

Table format: blank lines part the mutants, `#` begins a comment.

    engine/knob.c
    - the old line or part of a line
    + the new one
    ? unit/test_scan
"""
import argparse
import concurrent.futures
import os
import queue
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABLE = os.path.join(ROOT, "tests", "mutate", "mutants.txt")
KINDS = ("unit", "spec", "golden", "db", "property")
BUILD = "build/debug-O1"
SCONS = ["scons", "-s", "variant=debug", "opt=-O1", "jobs=1"]
JOBS = min(2, os.cpu_count() or 1)
TEST_TIMEOUT_S = 300


class Mutant:
    """One change: file, old text, new text, who noticed it last, the table line it stands at."""

    def __init__(self, path, old, new, line, asked):
        self.path, self.old, self.new, self.line, self.asked = path, old, new, line, asked

    def __str__(self):
        return "%s: %s => %s" % (self.path, self.old.strip(), self.new.strip())


def read_table(text):
    """The mutants of a table."""
    mutants, block, start = [], [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith("#"):
            continue
        if line.strip():
            start = start if block else number
            block.append(line)
        elif block:
            old = "\n".join(l[2:] for l in block if l.startswith("- "))
            new = "\n".join(l[2:] for l in block if l.startswith("+ "))
            asked = [l[2:].strip() for l in block if l.startswith("? ")]
            if block[0][:1] in "-+?" or not old or old == new:
                raise ValueError("line %d: not a file, an old and a new text" % start)
            mutants.append(Mutant(block[0].strip(), old, new, start, (asked + [""])[0]))
            block = []
    return mutants


def misplaced(root, mutants):
    """Mutants whose old text does not occur exactly once in its file."""
    for mutant in mutants:
        path = os.path.join(root, mutant.path)
        count = read(path).count(mutant.old) if os.path.exists(path) else 0
        if count != 1:
            yield "line %d: %d times in %s: %s" % (mutant.line, count, mutant.path, mutant.old)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def scratch_copy(parent, number):
    """A copy of the tree without what was built."""
    copy = os.path.join(parent, "tree-%d" % number)
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("build", ".git", "__pycache__",
                                                              "compile_commands.json"))
    return copy


def programs(copy, kind):
    """The test programs of a kind, as paths in the build folder."""
    folder = os.path.join(copy, "tests", kind)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return ["%s/tests/%s/%s" % (BUILD, kind, n[:-2]) for n in names
            if n.endswith(".c") and n[4:5] == "_"]


def namesake(copy, mutant):
    """The unit test of a mutant's file, where there is one."""
    name = "unit/test_" + os.path.splitext(os.path.basename(mutant.path))[0]
    return name if os.path.exists(os.path.join(copy, "tests", name + ".c")) else ""


def learn(table, noticed):
    """Writes into the table which program noticed each mutant (table line: program)."""
    lines, at = [], None
    for number, line in enumerate(read(table).split("\n"), 1):
        at = number if number in noticed else at
        if at and line.startswith("? "):
            continue
        if at and not line.strip():
            lines.append("? " + noticed[at])
            at = None
        lines.append(line)
    write(table, "\n".join(lines))


def first_failure(copy, asked=""):
    """Build and run the tests, one that is asked first and then kind by kind; returns what
    failed first, or None."""
    rounds = [["%s/tests/%s" % (BUILD, asked)]] if asked else []
    for wanted in rounds + [programs(copy, kind) for kind in KINDS]:
        if not wanted:
            continue
        built = subprocess.run(SCONS + [BUILD + "/memcglab"] + wanted, cwd=copy,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if built.returncode:
            return "build", built.stdout.decode("utf-8", "replace")[-2000:]
        ran = subprocess.run([sys.executable, "tests/run.py", "--quiet", "--first", "--jobs", "1",
                              "--timeout", str(TEST_TIMEOUT_S), "--build", BUILD] + wanted,
                             cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False)
        if ran.returncode:
            failed = [line for line in ran.stdout.decode("utf-8", "replace").split("\n")
                      if line.startswith("failed: ")]
            return "test", failed[0][8:] if failed else "(no summary)"
    return None


def judge(copies, mutant):
    """Apply a mutant in a free copy, test it, take it back."""
    copy = copies.get()
    path = os.path.join(copy, mutant.path)
    original = read(path)
    try:
        write(path, original.replace(mutant.old, mutant.new))
        return first_failure(copy, mutant.asked or namesake(copy, mutant))
    finally:
        write(path, original)
        copies.put(copy)


def run_mutants(mutants, parent):
    """Yields (mutant, what failed first) for each, in order."""
    copies = queue.Queue()
    copies.put(scratch_copy(parent, 0))
    print("the unchanged tree ...", flush=True)
    failure = first_failure(copies.queue[0])
    if failure:
        sys.exit("the unchanged tree fails: %s" % failure[1])
    for number in range(1, JOBS):
        shutil.copytree(copies.queue[0], os.path.join(parent, "tree-%d" % number), symlinks=True)
        copies.put(os.path.join(parent, "tree-%d" % number))
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        yield from zip(mutants, pool.map(lambda m: judge(copies, m), mutants))


def main():
    parser = argparse.ArgumentParser(description="Mutation test of the model.")
    parser.add_argument("--table", default=TABLE)
    parser.add_argument("--only", default="", help="mutants whose text contains this")
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="N",
                        help="leave out the mutants before the Nth")
    parser.add_argument("--learn", action="store_true", help="keep who noticed in the table")
    parser.add_argument("--list", action="store_true", help="check the table and show it")
    args = parser.parse_args()

    mutants = [m for m in read_table(read(args.table)) if args.only in str(m)][args.first - 1:]
    wrong = list(misplaced(ROOT, mutants))
    for line in wrong:
        print("mutants.txt %s" % line)
    if wrong or args.list:
        print("\n".join(str(m) for m in mutants) if args.list else "%d of %d mutants misplaced" %
              (len(wrong), len(mutants)))
        return 1 if wrong else 0

    killed = survived = broken = late = 0
    noticed = {}
    with tempfile.TemporaryDirectory(prefix="memcglab-mutate-") as parent:
        for mutant, failure in run_mutants(mutants, parent):
            verdict = "SURVIVED"
            if failure:
                verdict = "killed by " + failure[1] if failure[0] == "test" else \
                    "DOES NOT BUILD\n" + failure[1]
            if failure and failure[0] == "test":
                killed += 1
                late += "(no end" in failure[1]
                noticed[mutant.line] = failure[1].split()[0][len(BUILD + "/tests/"):]
            broken += bool(failure) and failure[0] == "build"
            survived += not failure
            print("%s: %s" % (mutant, verdict), flush=True)
    if args.learn:
        learn(args.table, noticed)
    if late:
        print("%d of the killed ran out of time: did they loop, or was the machine busy?" % late)
    if broken:
        print("%d mutants do not build" % broken)
    print("%d mutants, %d killed, %d survived" % (len(mutants), killed, survived))
    return 1 if survived or broken or not mutants else 0


if __name__ == "__main__":
    sys.exit(main())
