#!/usr/bin/env python3
"""The style checks find what they are for and leave good code alone."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import csource
import layers
import shape
import symbols

HEAD = "/*\n * What it is.\n */\n"
TABLE = """
| file | responsibility | may include |
| --- | --- | --- |
| `engine/api/units.h` | units | – |
| `engine/api/event.h` | events | `units.h` |
| `engine/units.c` | conversions | |
| `engine/lock.[ch]` | a lock | `event.h` |
| `db/store.[ch]` | connection | `event.h` `sqlite3` |
"""


def header(path, body=""):
    """A header with its head comment and its guard."""
    guard = "MEMCGLAB_" + path.replace("/", "_").replace(".", "_").upper()
    return HEAD + "#ifndef %s\n#define %s\n%s#endif\n" % (guard, guard, body)


GOOD = {
    "engine/api/units.h": header("engine/api/units.h", "#include <stdint.h>\n"),
    "engine/api/event.h": header("engine/api/event.h", "#include \"units.h\"\n"),
    "engine/units.c": HEAD + "#include \"units.h\"\n\n#include <stdio.h>\n",
    "engine/lock.h": header("engine/lock.h"),
    "engine/lock.c": HEAD + "#include \"lock.h\"\n\n#include \"event.h\"\n#include \"units.h\"\n",
    "db/store.h": header("db/store.h"),
    "db/store.c": HEAD + "#include \"store.h\"\n\n#include <sqlite3.h>\n\n#include \"event.h\"\n",
}


def layer_findings(changes=(), table=TABLE):
    """The layer check's findings on the good tree with some files changed."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in dict(GOOD, **dict(changes)).items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(root, "ARCHITECTURE.md"), "w", encoding="utf-8") as file:
            file.write(table)
        return layers.check(root)


def shape_findings(code, path="engine/x.c"):
    return list(shape.check_file(path, HEAD + code))


class Layers(unittest.TestCase):
    def assert_finds(self, what, changes=(), table=TABLE):
        findings = layer_findings(changes, table)
        self.assertTrue(any(what in line for line in findings), findings)

    def test_a_tree_that_follows_its_table_is_silent(self):
        self.assertEqual(layer_findings(), [])

    def test_an_upward_include_is_found(self):
        self.assert_finds("points upwards",
                          [("engine/lock.c", HEAD + "#include \"lock.h\"\n#include \"store.h\"\n")])

    def test_an_include_outside_the_row_is_found(self):
        self.assert_finds("may not include lock.h",
                          [("engine/units.c", HEAD + "#include \"lock.h\"\n")])

    def test_a_library_outside_the_row_is_found(self):
        self.assert_finds("may not use sqlite3",
                          [("engine/lock.c", HEAD + "#include \"lock.h\"\n#include <sqlite3.h>\n")])

    def test_an_unknown_system_header_is_found(self):
        self.assert_finds("neither the C library",
                          [("engine/lock.c", HEAD + "#include \"lock.h\"\n#include <gsl.h>\n")])

    def test_what_a_named_header_may_include_is_allowed_too(self):
        self.assertIn("units.h", layers.closure({"event.h"}, {"e": {"units.h"}}, {"event.h": "e"}))

    def test_a_cycle_of_headers_is_found(self):
        table = TABLE.replace("| units | – |", "| units | `event.h` |")
        text = GOOD["engine/api/units.h"].replace("<stdint.h>", "\"event.h\"")
        self.assert_finds("cycle: event.h -> units.h -> event.h",
                          [("engine/api/units.h", text)], table)

    def test_a_file_without_a_row_is_found(self):
        self.assert_finds("has no row", [("db/new.c", HEAD)])

    def test_a_row_without_a_file_is_found(self):
        self.assert_finds("row without a file: ui/gone.c",
                          table=TABLE + "| `ui/gone.c` | nothing | – |\n")

    def test_an_unknown_name_in_the_table_is_found(self):
        self.assert_finds("no such header or library: nosuch.h",
                          table=TABLE.replace("`sqlite3`", "`sqlite3` `nosuch.h`"))

    def test_two_headers_of_one_name_are_found(self):
        self.assert_finds("units.h is taken", [("db/units.h", HEAD)],
                          TABLE + "| `db/units.h` | x | – |\n")

    def test_includes_out_of_order_are_found(self):
        self.assert_finds("out of order",
                          [("engine/lock.c", HEAD + "#include \"lock.h\"\n#include \"event.h\"\n"
                            "#include <stdio.h>\n")])

    def test_includes_are_put_in_order(self):
        text = HEAD + "#include \"b.h\"\n#include <stdio.h>\n#include <lua.h>\n#include <math.h>\n"
        self.assertEqual(layers.reordered("scripts/b.c", text + "#include \"a.h\"\n\nint b;\n"),
                         HEAD + "#include \"b.h\"\n\n#include <math.h>\n#include <stdio.h>\n\n"
                         "#include <lua.h>\n\n#include \"a.h\"\n\nint b;\n")

    def test_a_commented_include_does_not_count(self):
        self.assertEqual(layers.includes("/* #include <x.h> */\n#include <y.h>\n"),
                         [(2, False, "y.h")])


class Shape(unittest.TestCase):
    def assert_finds(self, what, code, path="engine/x.c"):
        findings = shape_findings(code, path)
        self.assertTrue(any(what in line for line in findings), findings)

    def test_a_small_function_is_silent(self):
        self.assertEqual(shape_findings(
            "static const char *const words[] = { \"a\", \"b\" };\n"
            "int f(int a)\n{\n\tif (a)\n\t\treturn 1;\n\treturn 0;\n}\n"), [])

    def test_sixty_lines_pass_and_sixty_one_do_not(self):
        body = "int f(int a)\n{\n%s}\n"
        self.assertEqual(shape_findings(body % ("\ta++;\n" * 57)), [])
        self.assert_finds("61 lines", body % ("\ta++;\n" * 58))

    def test_a_long_file_and_a_long_header_are_found(self):
        self.assert_finds("501 lines", "\n" * 498)
        self.assert_finds("151 lines", "\n" * 148, "engine/x.h")

    def test_six_parameters_are_found_and_five_pass(self):
        self.assert_finds("6 parameters", "int f(int a, int b, int c, int d,\n"
                          "      int (*e)(int, int), int g)\n{\n}\n")
        self.assertEqual(shape_findings("int f(int a, int b, int c, int d, int e)\n{\n}\n"), [])

    def test_nesting_of_four_is_found_and_three_passes(self):
        three = "\tfor (;;)\n\t\twhile (a) {\n\t\t\tif (a)\n\t\t\t\t%s\n\t\t}\n"
        self.assertEqual(shape_findings("int f(int a)\n{\n%s}\n" % (three % "a++;")), [])
        four = three % "do\n\t\t\t\t\ta--;\n\t\t\t\twhile (a);"
        self.assert_finds("nesting 4", "int f(int a)\n{\n%s}\n" % four)

    def test_else_if_does_not_nest(self):
        self.assertEqual(shape_findings(
            "int f(int a)\n{\n\tif (a == 1)\n\t\ta++;\n\telse if (a == 2)\n\t\ta--;\n"
            "\telse if (a == 3)\n\t\ta = 0;\n\telse if (a == 4)\n\t\ta = 1;\n\treturn a;\n}\n"), [])

    def test_a_chain_of_string_comparisons_is_found(self):
        self.assert_finds("string comparisons",
                          "int f(const char *s)\n{\n\tif (!strcmp(s, \"a\"))\n\t\treturn 1;\n"
                          "\telse if (!strcmp(s, \"b\"))\n\t\treturn 2;\n\treturn 0;\n}\n")

    def test_lone_string_tests_in_a_row_are_found(self):
        lone = "\tif (!strcmp(s, \"a\"))\n\t\treturn 1;\n"
        self.assert_finds("string comparisons",
                          "int f(const char *s)\n{\n%s\treturn 0;\n}\n" % (lone * 3))
        self.assertEqual(shape_findings(
            "int f(const char *s)\n{\n%s\treturn 0;\n}\n" % (lone * 2)), [])

    def test_variables_that_change_are_found(self):
        for code in ("static int count;\n", "int total = 0;\n",
                     "static const char *name = \"x\";\n",
                     "static struct x table[4] = { { 0 } };\n",
                     "int f(void)\n{\n\tstatic int calls;\n\treturn calls++;\n}\n"):
            self.assert_finds("that changes", code)

    def test_constants_types_and_prototypes_are_no_variables(self):
        self.assertEqual(shape_findings(
            "static const int a[] = { 1 };\nstatic const char *const b = \"x\";\n"
            "struct s;\nstruct t {\n\tint x;\n};\nenum { ONE, TWO };\ntypedef int number;\n"
            "static int later(int a);\nextern const int there;\n"
            "_Static_assert(sizeof(int) == 4, \"int\");\n"
            "static const struct row rows[] = {\n\t{ .f = later, .n = 1 },\n};\n"), [])

    def test_only_the_screen_has_a_signal_flag(self):
        flag = "static volatile sig_atomic_t resized;\n"
        self.assertEqual(shape_findings(flag, "ui/screen.c"), [])
        self.assert_finds("that changes", flag, "ui/lab.c")

    def test_a_missing_head_and_a_long_head_are_found(self):
        self.assertTrue(any("head comment" in f for f in shape.check_file("a.c", "int a(void);\n")))
        self.assertTrue(any("head comment" in f
                            for f in shape.check_file("a.c", "/*\n" + " *\n" * 14 + " */\n")))

    def test_a_wrong_guard_and_other_conditionals_are_found(self):
        self.assert_finds("no guard", "#ifndef X_H\n#define X_H\n#endif\n", "engine/x.h")
        self.assert_finds("only the guard", "#ifdef DEBUG\n#endif\n")

    def test_braces_in_strings_and_comments_do_not_count(self):
        self.assertEqual(shape_findings(
            "int f(void)\n{\n\tputs(\"{{{{ /* \"); /* if (x) { */\n\treturn '{';\n}\n"), [])

    def test_functions_are_found_where_they_are(self):
        code = "static int a(void)\n{\n}\n\nenum err\nb(int x,\n  int y)\n{\n}\n"
        self.assertEqual([(f.name, f.first, f.last, f.params) for f in csource.functions(code)],
                         [("a", 1, 3, 0), ("b", 5, 9, 2)])

    def test_initialisers_are_told_from_blocks(self):
        code = ("int f(int a)\n{\n\tstruct x y = {\n\t\t1,\n\t};\n\tif (a) {\n\t\ta++;\n\t}\n"
                "\tg(&(struct x){\n\t\t2,\n\t});\n\tint z[] = { 1 };\n}\n")
        self.assertEqual(csource.initialisers(csource.functions(code)[0].body), [(3, 5), (9, 11)])

    def test_the_text_of_comments_is_counted(self):
        self.assertEqual(shape.comment_text("/* ab */\nint x; /* c */\nf(\"/* no */\");\n"),
                         (6 + 5, 5 + 12))


class Symbols(unittest.TestCase):
    def test_a_name_that_a_library_has_too_is_found(self):
        theirs = {"/lib/libx.so.8": {"x_base", "x_next"}, "/lib/liby.so": {"y"}}
        self.assertEqual(symbols.clashes({"x_base", "z"}, theirs),
                         ["x_base is also a name of libx.so.8"])
        self.assertEqual(symbols.clashes({"z"}, theirs), [])

    def test_names_of_an_object_and_of_a_library_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            source, object_, shared = (os.path.join(folder, n) for n in ("a.c", "a.o", "a.so"))
            with open(source, "w", encoding="utf-8") as file:
                file.write("int shown;\nstatic int hidden;\n"
                           "int told(void);\nint told(void)\n{\n\treturn hidden++;\n}\n")
            subprocess.run(["gcc", "-c", source, "-o", object_], check=True)
            subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", shared], check=True)
            self.assertEqual(symbols.names([object_]), {"shown", "told"})
            self.assertLessEqual({"shown", "told"}, symbols.exported(shared))


if __name__ == "__main__":
    unittest.main()
