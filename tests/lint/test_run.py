#!/usr/bin/env python3
"""The runner counts what programs report, and the mutation table is read as written."""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "mutate"))
import mutate

CMOCKA_OK = "[  PASSED  ] 3 test(s).\n"
CMOCKA_MIXED = ("[  PASSED  ] 2 test(s).\n[  SKIPPED ] 1 test(s), listed below:\n"
                "[  SKIPPED ] needs_a_cgroup\n\n[  FAILED  ] 1 test(s), listed below:\n"
                "[  FAILED  ] it_holds\n")


def run(scripts, *options):
    """Run shell scripts as test programs; returns the status and the lines of output."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, (output, status) in enumerate(scripts):
            paths.append(os.path.join(folder, "test_%d" % number))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\ncat <<'END'\n%sEND\n%s\n" % (output, status))
            os.chmod(paths[-1], stat.S_IRWXU)
        runner = [sys.executable, os.path.join(TESTS, "run.py"), "--build", folder]
        done = subprocess.run(runner + [*options, *paths],
                              stdout=subprocess.PIPE, check=False)
        return done.returncode, done.stdout.decode().splitlines()


class Runner(unittest.TestCase):
    def test_passed_tests_are_summed(self):
        status, lines = run([(CMOCKA_OK, "exit 0"), (CMOCKA_OK, "exit 0")])
        self.assertEqual((status, lines[-1]), (0, "6 passed, 0 failed, 0 skipped"))

    def test_failed_and_skipped_tests_are_named_and_counted(self):
        status, lines = run([(CMOCKA_MIXED, "exit 1"), (CMOCKA_OK, "exit 0")])
        self.assertEqual((status, lines[-1]), (1, "5 passed, 1 failed, 1 skipped"))
        self.assertTrue(any(l.endswith("test_0 it_holds") for l in lines), lines)
        self.assertTrue(any(l.endswith("test_0 needs_a_cgroup") for l in lines), lines)

    def test_a_program_that_says_nothing_fails(self):
        self.assertEqual(run([("", "exit 0")])[1][-1], "0 passed, 1 failed, 0 skipped")

    def test_a_program_that_is_not_there_fails(self):
        self.assertEqual(run([], "/nowhere/test_x")[1][-1], "0 passed, 1 failed, 0 skipped")

    def test_a_crash_after_the_summary_fails(self):
        status, lines = run([(CMOCKA_OK, "kill -SEGV $$")])
        self.assertEqual((status, lines[-1]), (1, "3 passed, 1 failed, 0 skipped"))

    def test_a_program_that_hangs_fails(self):
        status, lines = run([("", "exec sleep 60")], "--timeout", "0.2")
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed, 0 skipped"))

    def test_programs_get_a_store_of_their_own(self):
        script = "test \"$MEMCGLAB_DB\" = \"$HOME/runs.db\" && test -d \"$TMPDIR\""
        self.assertEqual(run([(CMOCKA_OK, script)])[0], 0)


class MutationTable(unittest.TestCase):
    def test_blocks_are_read(self):
        table = "# about\n\na.c\n- x > y\n+ x >= y\n\nb.c\n- one\n- two\n+ three\n"
        self.assertEqual([(m.path, m.old, m.new) for m in mutate.read_table(table)],
                         [("a.c", "x > y", "x >= y"), ("b.c", "one\ntwo", "three")])

    def test_a_block_without_a_change_is_refused(self):
        for table in ("a.c\n- x\n+ x\n", "a.c\n+ x\n", "- x\n+ y\n"):
            with self.assertRaises(ValueError):
                mutate.read_table(table)

    def test_an_old_text_must_occur_once(self):
        with tempfile.TemporaryDirectory() as root:
            mutate.write(os.path.join(root, "a.c"), "x > y; x > y; z\n")
            mutants = mutate.read_table("a.c\n- x > y\n+ x >= y\n\n"
                                        "a.c\n- z\n+ w\n\nb.c\n- z\n+ w\n")
            wrong = list(mutate.misplaced(root, mutants))
        self.assertEqual([line.split(":")[1].split()[0] for line in wrong], ["2", "0"])

    def test_who_noticed_a_mutant_is_kept_in_the_table(self):
        table = "a.c\n- x\n+ y\n? unit/test_old\n\nb.c\n- one\n+ two\n\nc.c\n- p\n+ q\n"
        with tempfile.TemporaryDirectory() as root:
            path = os.path.join(root, "mutants.txt")
            mutate.write(path, table)
            lines = [m.line for m in mutate.read_table(table)]
            mutate.learn(path, {lines[0]: "unit/test_a", lines[1]: "spec/test_b"})
            learnt = mutate.read_table(mutate.read(path))
        self.assertEqual([(m.path, m.new, m.asked) for m in learnt],
                         [("a.c", "y", "unit/test_a"), ("b.c", "two", "spec/test_b"),
                          ("c.c", "q", "")])


if __name__ == "__main__":
    unittest.main()
