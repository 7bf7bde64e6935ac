"""A store of many runs, and how long it takes to list them and to compare a hundred."""
import os
import sqlite3
import tempfile

RUNS = 10000
SEEDS = 50  # of each of two kernels: a hundred runs are compared
SCENARIO = "cat-in-100m", "-k", "unbatched,batched", "-p", "file=128M"
LIST_MAX_SECONDS = 0.3
COMPARE_MAX_SECONDS = 1.0

# The others are runs of the same scenario and kernels with another parameter, so that each of them
# has to be looked at when seeds are searched for.  Figures of the hundred vary, so that each metric
# is tested.
COPIES = """
CREATE TEMP TABLE copy AS WITH RECURSIVE c(id) AS (SELECT %d UNION ALL SELECT id + 1 FROM c
WHERE id < %d) SELECT id, 1 + id %% 2 AS source FROM c;
INSERT INTO run (%s) SELECT %s FROM copy AS c JOIN run AS r ON r.id = c.source;
INSERT INTO metric SELECT c.id, m.ord, m.name, m.unit, m.better, m.value
FROM copy AS c JOIN metric AS m ON m.run = c.source;
INSERT INTO program SELECT c.id, p.model, p.build FROM copy AS c JOIN program AS p
ON p.run = c.source;
UPDATE metric SET value = (value + 1) * (1 + run * 7919 %% 101 / 1000.0)
WHERE run < %d AND typeof(value) <> 'text';
"""
CHANGED = {"id": "c.id", "uuid": "'copy-' || c.id", "pair": "c.id - c.id % 2",
           "params": "json_set(r.params, '$.other', c.id)"}


def fill(run, program, path):
    """A store at path: runs that are compared, and copies of two of them up to RUNS."""
    run([program, "run", *SCENARIO, "--repeat", str(SEEDS), "--quiet", "--db", path])
    store = sqlite3.connect(path)
    columns = [row[1] for row in store.execute("PRAGMA table_info(run)")]
    store.executescript(COPIES % (2 * SEEDS + 1, RUNS, ", ".join(columns),
                                  ", ".join(CHANGED.get(c, "r." + c) for c in columns),
                                  2 * SEEDS + 1))
    store.close()


def print_store(args, run, verdict):
    """A line each, with its bound; run() and verdict() are the caller's."""
    program = args.build + "/memcglab"
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "runs.db")
        fill(run, program, path)
        for what, most, words in (
                ("list %d runs" % RUNS, LIST_MAX_SECONDS, ["runs"]),
                ("compare %d of %d runs" % (2 * SEEDS, RUNS), COMPARE_MAX_SECONDS,
                 ["compare", "1", "2"])):
            times = [run([program, *words, "--db", path])[0] for _ in range(args.repeat)]
            print("%-26s %8.3f %8.3f %33s bound %.3g s: %s" % (
                what, min(times), max(times), "", most,
                verdict(min(times), most)))
