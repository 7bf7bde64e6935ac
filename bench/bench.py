#!/usr/bin/env python3
"""How fast a build is: a table of pages per second, ns per page, bytes per frame.

    bench/bench.py BUILD_DIR [--limit 1G] [--file 100G] [--repeat 3] [--acquisitions 10000000]
                             [--sweep-file 60G]

One task reads a file once through a limited group: the whole program with the
store on and off, and the engine alone, on other kernels too.  The rows of one repeat are measured
one after another, so that a slow moment of the machine hits all of them; the
best of the repeats is shown, and beside it the slowest.  Then CPUs that fight
for one lock, and a store of ten thousand runs.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import stored_runs

PAGE_BYTES = 4096
SUFFIXES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
KERNEL = "unbatched"
OTHER_KERNELS = "v2.6.25", "v2.6.33", "v3.1", "v3.3", "v3.19", "v6.1", "v6.18-v1", "v6.18"
KERNEL_BOUND = 1.5  # times what a page takes on KERNEL
SWEEP_BOUND = 1.6  # times faster in two processes, for runs of a second or more
LOCK_CPUS = 8, 64, 512
LOCKS_MAX_SECONDS = 5  # of ten million acquisitions


def size_bytes(text):
    match = re.fullmatch(r"(\d+)([KMGT]?)", text)
    if not match:
        raise argparse.ArgumentTypeError("not a size: %s" % text)
    return int(match.group(1)) * SUFFIXES[match.group(2)]


def run(command):
    """Run a command; returns its wall time [s], its peak memory [KiB] and its output."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    output = child.stdout.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit("bench: status %d from %s" % (child.returncode, " ".join(command)))
    return time.monotonic() - start, usage.ru_maxrss, output


def whole_program(args, store):
    """The scenario through the whole program, once."""
    with tempfile.TemporaryDirectory() as home:
        where = ["--db", os.path.join(home, "runs.db")] if store else ["--no-db"]
        command = [args.build + "/memcglab", "run", "cat-in-100m", "-k", KERNEL,
                   "-p", "limit=" + args.limit, "-p", "file=" + args.file]
        seconds, peak_kib, _ = run(command + where)
        stored = os.path.getsize(os.path.join(home, "runs.db")) if store else 0
    return {"seconds": seconds, "peak_kib": peak_kib, "stored": stored}


def engine_alone(args, kernel=KERNEL):
    """The engine without Lua and store, once."""
    _, peak_kib, output = run([args.build + "/bench/engine", kernel, args.limit, args.file])
    figures = dict(line.split() for line in output.splitlines())
    return {"seconds": float(figures["seconds"]), "peak_kib": peak_kib,
            "frame": float(figures["bytes_per_frame"]), "resident": int(figures["resident"])}


def locks_alone(args, cpus):
    """CPUs that fight for one lock, once."""
    command = [args.build + "/bench/locks", str(cpus), str(args.acquisitions)]
    figures = dict(line.split() for line in run(command)[2].splitlines())
    return float(figures["seconds"])


def verdict(value, bound):
    return "ok" if value <= bound else "OVER"


def print_locks(args):
    """A line for few CPUs and for many, with their bounds: 10 million acquisitions by 512 CPUs
    take 5 s at most, and the cost of one grows with log(CPUs) at most."""
    first = None
    for cpus in LOCK_CPUS:
        best = min(locks_alone(args, cpus) for _ in range(args.repeat))
        first = first or best
        grown, bound = best / first, math.log2(cpus) / math.log2(LOCK_CPUS[0])
        most = LOCKS_MAX_SECONDS * args.acquisitions / 1e7
        print("%-26s %8.3f %17.1f ns/acquisition  bound %.3g s: %s  x%.2f, bound x%.2f: %s" % (
            "a lock, %d CPUs, %g M" % (cpus, args.acquisitions / 1e6), best,
            1e9 * best / args.acquisitions, most, verdict(best, most), grown, bound,
            verdict(grown, bound)))


def sweep_once(args, jobs):
    """Eight limits with five seeds each, so many processes at a time."""
    with tempfile.TemporaryDirectory() as home:
        command = [args.build + "/memcglab", "run", "cat-in-100m", "-k", KERNEL, "-p",
                   "file=" + args.sweep_file, "--sweep", "limit=16M..2G*2", "--repeat", "5",
                   "--metric", "nr_scanned", "-j", str(jobs), "-F", "csv",
                   "--db", os.path.join(home, "runs.db")]
        seconds, _, output = run(command)
    return seconds, output


def print_sweep(args):
    """What a second process saves; where there is one CPU only, nothing is to be expected."""
    alone, together = sweep_once(args, 1), sweep_once(args, 2)
    if alone[1] != together[1]:
        sys.exit("bench: a sweep differs with -j 2")
    faster = alone[0] / together[0]
    cpus = len(os.sched_getaffinity(0))
    print("%-26s %8.3f %8.3f with -j 2, %.3f s a run: x%.2f faster, bound x%.2f: %s" % (
        "sweep, 8 limits x 5 seeds", alone[0], together[0], alone[0] / 40, faster, SWEEP_BOUND,
        "one CPU" if cpus < 2 else "ok" if faster >= SWEEP_BOUND else "UNDER"))


def print_kernels(args, reference):
    """What a page takes on other kernels, against @reference [s] in the same run."""
    for kernel in OTHER_KERNELS:
        best = min(engine_alone(args, kernel)["seconds"] for _ in range(args.repeat))
        print("%-26s %8.3f %41s x%.2f, bound x%.2f: %s" % (
            "engine alone, " + kernel, best, "", best / reference, KERNEL_BOUND,
            verdict(best / reference, KERNEL_BOUND)))


def print_table(rows, pages):
    print("%-26s %8s %8s %13s %9s %9s" % ("what", "best s", "worst s", "pages/s", "ns/page",
                                          "peak MiB"))
    for name, results in rows:
        best = min(r["seconds"] for r in results)
        print("%-26s %8.3f %8.3f %13.0f %9.1f %9.1f" % (
            name, best, max(r["seconds"] for r in results), pages / best, 1e9 * best / pages,
            max(r["peak_kib"] for r in results) / 1024))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", metavar="BUILD_DIR")
    parser.add_argument("--limit", default="1G")
    parser.add_argument("--file", default="100G")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--sweep-file", default="60G")
    parser.add_argument("--acquisitions", type=int, default=10000000)
    args = parser.parse_args()
    pages = size_bytes(args.file) // PAGE_BYTES

    stored, unstored, engine = [], [], []
    for _ in range(args.repeat):
        stored.append(whole_program(args, True))
        unstored.append(whole_program(args, False))
        engine.append(engine_alone(args))
    print("%s read once through a group of %s: %d pages, kernel %s, best of %d" % (
        args.file, args.limit, pages, KERNEL, args.repeat))
    print_table([("whole program, store on", stored), ("whole program, store off", unstored),
                 ("engine alone", engine)], pages)
    print_kernels(args, min(r["seconds"] for r in engine))
    print("%-26s %8.2f    (%d resident pages)" % ("bytes per frame", engine[0]["frame"],
                                                 engine[0]["resident"]))
    print("%-26s %8.2f" % ("store, MiB a run", stored[0]["stored"] / (1 << 20)))
    print_locks(args)
    stored_runs.print_store(args, run, verdict)


if __name__ == "__main__":
    main()
