#!/usr/bin/env python3
"""All style checks, each with its findings; silent on a clean tree.

    tests/lint/lint.py [--fix] [NAME...]

Checks: layers, shape, format, tidy, cppcheck, lua, shell, python, text, readme,
mutants, symbols.
--fix first lets clang-format rewrite what it judges, and sorts includes.  Tools read files two at a
time; clang-tidy needs the compile_commands.json that a build writes.
"""
import ast
import concurrent.futures
import os
import re
import subprocess
import sys

import csource
import layers
import readme
import shape
import symbols

JOBS = min(2, os.cpu_count() or 1)
SHELL_FILES = ("scripts/setup", "scripts/start", "scripts/check", ".ci/run")
PYTHON_FOLDERS = ("tests", "bench")
TEXT_ENDINGS = (".c", ".h", ".lua", ".py", ".md", ".txt", ".sql")
TIDY_FOLDERS = ("engine", "db", "scripts", "ui")


def tool(root, command):
    """Run a tool in the tree; returns its status and all it printed as lines."""
    try:
        done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError:
        return 127, ["%s: not installed" % command[0]]
    text = done.stdout.decode("utf-8", "replace").replace(os.path.abspath(root) + "/", "")
    return done.returncode, [line for line in text.split("\n") if line.strip()]


def shared_out(root, command, files):
    """Run a tool over files in JOBS heaps at once; returns the lines of those that complained."""
    heaps = [files[i::JOBS] for i in range(JOBS) if files[i::JOBS]]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = list(pool.map(lambda heap: tool(root, command + heap), heaps))
    return [line for status, lines in results if status for line in lines]


def sources(root):
    return csource.product_files(root) + csource.test_files(root) + bench_files(root)


def bench_files(root):
    folder = os.path.join(root, "bench")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted("bench/" + n for n in names if n.endswith((".c", ".h")))


def format_ranges(text):
    """Options that name the lines clang-format may judge: functions without their tables.

    Types, tables and initialisers are laid out by hand, as columns of data.
    """
    code = csource.without_directives(csource.without_comments(text))
    ranges = []
    for function in csource.functions(code):
        start = function.first
        for first, last in csource.initialisers(function.body):
            if first > start:
                ranges.append((start, first - 1))
            start = last + 1
        if start <= function.last:
            ranges.append((start, function.last))
    return ["--lines=%d:%d" % pair for pair in ranges]


def format_file(root, path, options):
    ranges = format_ranges(csource.read(root, path))
    return tool(root, ["clang-format"] + options + ranges + [path]) if ranges else (0, [])


def check_format(root, fix=False):
    options = ["-i"] if fix else ["--dry-run", "-Werror"]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        results = pool.map(lambda path: format_file(root, path, options), sources(root))
    return [line for status, lines in results if status for line in lines
            if re.match(r"\S+:\d+:\d+: error", line) or status == 127]


def check_tidy(root):
    files = [f for f in csource.product_files(root, (".c",)) if f.split("/")[0] in TIDY_FOLDERS]
    if not os.path.exists(os.path.join(root, "compile_commands.json")):
        return ["compile_commands.json: not there, build first"] if files else []
    # With asserts in force, whatever the variant: they say what the analyser may rely on.
    lines = shared_out(root, ["clang-tidy", "-p", ".", "--quiet", "--extra-arg=-UNDEBUG"], files)
    return [line for line in lines if re.match(r"\S+:\d+:\d+: (error|warning)", line)] or lines


def check_cppcheck(root):
    files = csource.product_files(root, (".c",))
    paths = ["-I" + folder for folder in csource.CODE_FOLDERS]
    if not files:
        return []
    status, lines = tool(root, ["cppcheck", "--quiet", "-j%d" % JOBS, "--std=c11",
                                '-DMEMCGLAB_FLAGS=""',
                                "--enable=warning,performance,portability", "--error-exitcode=1",
                                "--template={file}:{line}: {severity}: {message} [{id}]",
                                "--template-location="] + paths + files)
    return lines if status else []


def check_lua(root):
    folders = [f for f in ("scenarios", "scripts/lib", "tests")
               if os.path.isdir(os.path.join(root, f))]
    files = sorted(os.path.relpath(os.path.join(where, name), root)
                   for folder in folders for where, _, names in os.walk(os.path.join(root, folder))
                   for name in names if name.endswith(".lua") and "/bad/" not in where + "/")
    if not files:
        return []
    status, lines = tool(root, ["luacheck", "--no-color", "--formatter", "plain", "-q"] + files)
    return lines if status else []


def check_shell(root):
    findings = []
    for path in SHELL_FILES:
        status, lines = tool(root, ["sh", "-n", path])
        findings += lines if status else []
        first = csource.read(root, path).split("\n", 1)[0]
        if path != "scripts/setup" and first != "#!/bin/sh":
            findings.append("%s:1: not #!/bin/sh" % path)
    return findings


def check_python(root):
    findings = []
    for path in python_files(root):
        text = csource.read(root, path)
        try:
            tree = ast.parse(text, path)
        except SyntaxError as error:
            findings.append("%s:%s: %s" % (path, error.lineno, error.msg))
            continue
        if not ast.get_docstring(tree):
            findings.append("%s:1: does not say what it is for" % path)
        used = set(re.findall(r"\w+", re.sub(r"^(?:import|from) [^\n]*", "", text, flags=re.M)))
        for node in tree.body:
            for name in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                if (name.asname or name.name).split(".")[0] not in used:
                    findings.append("%s:%d: %s is not used" % (path, node.lineno, name.name))
    return findings


def python_files(root):
    return sorted(os.path.relpath(os.path.join(where, name), root) for folder in PYTHON_FOLDERS
                  for where, _, names in os.walk(os.path.join(root, folder))
                  for name in names if name.endswith(".py"))


def text_files(root):
    skip = {".git", "build", "__pycache__"}
    for where, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in skip]
        for name in names:
            if name.endswith(TEXT_ENDINGS) or name == "SConstruct":
                yield os.path.relpath(os.path.join(where, name), root)


def check_text(root):
    """Blanks at line ends, missing or surplus last newlines, lines over 100 columns."""
    findings = []
    for path in sorted(text_files(root)):
        text = csource.read(root, path)
        if text and (not text.endswith("\n") or text.endswith("\n\n")) and \
                not path.endswith(".txt"):
            findings.append("%s: must end in exactly one newline" % path)
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip() and not path.endswith((".txt", ".md")):
                findings.append("%s:%d: blanks at the end of the line" % (path, number))
            if len(line.expandtabs(8)) > 100 and not path.endswith((".txt", ".md")):
                findings.append("%s:%d: more than 100 columns" % (path, number))
    lines = csource.read(root, "SConstruct").count("\n")
    if lines >= 80:
        findings.append("SConstruct: %d lines, must stay under 80" % lines)
    return findings


def check_mutants(root):
    """The mutation table still fits the sources; the run itself is a slow check of its own."""
    sys.path.insert(0, os.path.join(root, "tests", "mutate"))
    import mutate
    mutants = mutate.read_table(csource.read(root, "tests/mutate/mutants.txt"))
    return ["tests/mutate/mutants.txt: " + line for line in mutate.misplaced(root, mutants)]


CHECKS = {
    "layers": layers.check,
    "shape": shape.check,
    "format": check_format,
    "tidy": check_tidy,
    "cppcheck": check_cppcheck,
    "lua": check_lua,
    "shell": check_shell,
    "python": check_python,
    "text": check_text,
    "readme": readme.check,
    "mutants": check_mutants,
    "symbols": symbols.check,
}


def run_all(root, names=None):
    """Yields (name, findings) of each check."""
    for name, check in CHECKS.items():
        if not names or name in names:
            yield name, check(root)


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    names = [a for a in sys.argv[1:] if a != "--fix"]
    unknown = [n for n in names if n not in CHECKS]
    if unknown:
        print("no such check: %s; there are: %s" % (" ".join(unknown), " ".join(CHECKS)))
        return 2
    if "--fix" in sys.argv:
        check_format(root, fix=True)
        for path in csource.product_files(root):
            text = csource.read(root, path)
            if layers.reordered(path, text) != text:
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(layers.reordered(path, text))
    failed = 0
    for name, findings in run_all(root, names):
        for line in findings:
            print("%s: %s" % (name, line))
        failed += bool(findings)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
