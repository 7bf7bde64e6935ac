#!/usr/bin/env python3
"""The symbol check: no name of ours is also a name of a library that we link.

    tests/lint/symbols.py PROGRAM

The linker would take ours for both without a word, and the library would then
read our function where its variable should be.  Nothing is done without a
program.
"""
import os
import re
import subprocess
import sys

# What the linker and the C start-up code put into every program.
EVERYWHERE = re.compile(r"_|main$|data_start$|environ$|std(?:in|out|err)$")


def names(arguments):
    """Names that an object defines: functions, variables and constants."""
    text = subprocess.run(["nm", "--defined-only", "--extern-only"] + arguments, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    found = re.findall(r"^[0-9a-f]+ [TDBRC] ([^@\s]+)$", text, re.M)
    return {name for name in found if not EVERYWHERE.match(name)}


def libraries(program):
    """Paths of the shared libraries that a program loads."""
    text = subprocess.run(["ldd", program], check=True, stdout=subprocess.PIPE).stdout.decode()
    return re.findall(r"=> (/\S+)", text)


def exported(library):
    """Names that a shared library offers, their versions left out."""
    text = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                          stdout=subprocess.PIPE).stdout.decode()
    return set(re.findall(r"^[0-9a-f]+ [A-Za-z] ([^@\s]+)", text, re.M))


def archives(program):
    """Our own static libraries, beside the program."""
    folder = os.path.join(os.path.dirname(program), "lib")
    return [os.path.join(folder, "lib%s.a" % name) for name in ("engine", "db", "scripts", "ui")]


def clashes(ours, theirs):
    """Findings for a set of our names and {library: its names}."""
    return ["%s is also a name of %s" % (name, os.path.basename(library))
            for library, taken in sorted(theirs.items()) for name in sorted(ours & taken)]


def check(_root, program=None):
    """Findings about a built program; it is the one under test if none is named."""
    program = program or os.environ.get("MEMCGLAB", "")
    if not os.access(program, os.X_OK):
        return []
    ours = set().union(*(names([path]) for path in archives(program) if os.path.exists(path)))
    return clashes(ours, {path: exported(path) for path in libraries(program)})


if __name__ == "__main__":
    RESULT = check(".", os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else
                                        "build/release/memcglab"))
    print("\n".join(RESULT), end="\n" if RESULT else "")
    sys.exit(1 if RESULT else 0)
