#!/usr/bin/env python3
"""Run test programs and sum up.

    tests/run.py [--build build/VARIANT] [--lint] [--jobs N] PROGRAM...

Each PROGRAM is a cmocka program; it runs from the root of the tree with
MEMCGLAB set to the program under test, a home, store and TMPDIR of its own
that are removed afterwards; what it says is shown if it fails.  With
--lint the style checks come first, each counted like a test, and then the
Python tests of the checks themselves.  A program that crashes, hangs or
reports nothing counts as a failure.  The last line is always
`N passed, N failed, N skipped`, which is also kept in build/VARIANT/summary;
the status is 1 if anything failed.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUMMARY = re.compile(r"^\[  (PASSED|SKIPPED|FAILED) *\] +(\d+) test\(s\)", re.M)
SKIPPED = re.compile(r"^\[  SKIPPED \] (?!\d+ test)(\S+)", re.M)
FAILED = re.compile(r"^\[  FAILED  \] (?!\d+ test)(\S+)", re.M)


class Result:
    """What one program, check or lint step came to."""

    def __init__(self, name, output, passed=0, failed=(), skipped=()):
        self.name, self.output, self.passed = name, output, passed
        self.failed, self.skipped = list(failed), list(skipped)
        self.seconds = 0.0


def execute(command, env, timeout):
    """Run a command with a home of its own; returns its status (None: too late) and its output."""
    with tempfile.TemporaryDirectory(prefix="memcglab-test-") as home:
        env = dict(env, TMPDIR=home, HOME=home, MEMCGLAB_DB=os.path.join(home, "runs.db"))
        for kind in "DATA", "STATE", "CONFIG", "CACHE":
            env["XDG_%s_HOME" % kind] = os.path.join(home, kind.lower())
        try:
            done = subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=timeout, check=False)
            return done.returncode, done.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode("utf-8", "replace")
        except OSError as error:
            return 127, "%s\n" % error


def run_cmocka(program, env, timeout):
    """Run a cmocka program and read its own summary."""
    status, output = execute([program], env, timeout)
    counts = [int(n) for kind, n in SUMMARY.findall(output) if kind == "PASSED"]
    failed = unique(FAILED.findall(output))
    result = Result(program, output, sum(counts), failed,
                    unique(SKIPPED.findall(output)))
    if status is None:
        result.failed.append("(no end within %d s)" % timeout)
    elif status and not failed:
        result.failed.append("(ended with status %d)" % status)
    elif not status and not counts:
        result.failed.append("(reported no tests)")
    return result


def run_python(path, env, timeout):
    """Run a file of Python unit tests."""
    status, output = execute([sys.executable, path], env, timeout)
    ran = re.search(r"^Ran (\d+) tests?", output, re.M)
    failed = re.findall(r"^(?:FAIL|ERROR): (\S+)", output, re.M)
    if status and not failed or not ran:
        failed.append("(ended with status %s)" % status)
    return Result(path, output, int(ran.group(1)) - len(failed) if ran else 0, failed)


def run_lint():
    """Run the style checks; each is one test."""
    sys.path.insert(0, os.path.join(ROOT, "tests", "lint"))
    import lint
    import shape
    start = time.monotonic()
    for name, findings in lint.run_all(ROOT):
        lines = findings + ([shape.report(shape.figures(ROOT))] if name == "shape" else [])
        result = Result("lint " + name, "".join(line + "\n" for line in lines),
                        0 if findings else 1, [name] if findings else [])
        result.seconds, start = time.monotonic() - start, time.monotonic()
        yield result


def run_timed(job, env, timeout):
    """Run one (function, program) of the work and note how long it took."""
    start = time.monotonic()
    result = job[0](job[1], env, timeout)
    result.seconds = time.monotonic() - start
    return result


def unique(names):
    return list(dict.fromkeys(names))


def show(result):
    verdict = "FAILED" if result.failed else "ok"
    print("== %s: %d passed, %d failed, %d skipped: %s, %.1f s" % (
        result.name, result.passed, len(result.failed), len(result.skipped), verdict,
        result.seconds))
    if result.output and (result.failed or result.name.startswith("lint ")):
        print(result.output, end="" if result.output.endswith("\n") else "\n")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--lint", action="store_true")
    parser.add_argument("--quiet", action="store_true", help="show only programs that failed")
    parser.add_argument("--first", action="store_true", help="end with the first that fails")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one program")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()

    os.environ["MEMCGLAB"] = os.path.join(ROOT, args.build, "memcglab")
    env = dict(os.environ, LC_ALL="C.UTF-8", CMOCKA_MESSAGE_OUTPUT="STDOUT")
    if os.path.basename(args.build.rstrip("/")) != "release":
        env["MEMCGLAB_SHORT"] = "1"  # ten times slower builds: fewer random ops
    work = [(run_cmocka, p) for p in args.programs]
    results = []
    if args.lint:
        results.extend(run_lint())
        work += [(run_python, os.path.relpath(path, ROOT))
                 for path in sorted(glob.glob(ROOT + "/tests/lint/test_*.py"))]
    for result in results:
        show(result)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(lambda job: run_timed(job, env, args.timeout), work):
            results.append(result)
            if result.failed or not args.quiet:
                show(result)
            if result.failed and args.first:
                pool.shutdown(cancel_futures=True)
                break

    failed = [(r.name, f) for r in results for f in r.failed]
    for r in results:
        for name in r.skipped:
            print("skipped: %s %s" % (r.name, name))
    for name, what in failed:
        print("failed: %s %s" % (name, what))
    summary = "%d passed, %d failed, %d skipped" % (
        sum(r.passed for r in results), len(failed), sum(len(r.skipped) for r in results))
    if os.path.isdir(os.path.join(ROOT, args.build)):
        with open(os.path.join(ROOT, args.build, "summary"), "w", encoding="utf-8") as file:
            file.write(summary + "\n")
    print(summary)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
