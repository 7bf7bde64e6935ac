#!/usr/bin/env python3
"""The layer check: every #include of the product against ARCHITECTURE.md.

The table there has a row for each file: its name (`engine/scan.[ch]` stands
for the pair), what it is responsible for, and what it may include: header
names of ours, or libraries.  A file may include the headers named, whatever
those may include, and its own header; the C library is free.  Besides: each
file has a row and each row a file, header names are unique, folders include
downwards only, neither headers nor rows form a cycle (a pair that would is
parted into two rows), and includes stand in order.
"""
import os
import re
import sys

import csource

TABLE_ROW = re.compile(r"^\|\s*(`?(?:engine|db|scripts|ui)/[^|]+?)\s*\|[^|]*\|\s*([^|]*?)\s*\|\s*$")
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]", re.M)
MAY_SEE = {
    "engine/api": ("engine/api",),
    "engine": ("engine/api", "engine"),
    "db": ("engine/api", "db"),
    "scripts": ("engine/api", "scripts"),
    "ui": ("engine/api", "db", "scripts", "ui"),
}
LIBRARIES = {
    "sqlite3.h": "sqlite3", "lua.h": "lua", "lauxlib.h": "lua", "lualib.h": "lua",
    "curses.h": "ncurses", "ncurses.h": "ncurses", "term.h": "ncurses",
    "readline/readline.h": "readline", "readline/history.h": "readline",
    "jansson.h": "jansson", "zstd.h": "zstd", "xxhash.h": "xxhash",
    "gsl/gsl_cdf.h": "gsl", "sys/prctl.h": "linux", "sys/signalfd.h": "linux",
    "uthash.h": "uthash", "utlist.h": "uthash", "utarray.h": "uthash",
}
C_LIBRARY = set("""
    assert ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time
    uchar wchar wctype argp dirent dlfcn fcntl fnmatch getopt glob grp langinfo libgen poll pthread
    pwd pty regex sched semaphore spawn termios unistd
    sys/ioctl sys/mman sys/resource sys/select sys/socket sys/stat sys/time sys/types sys/uio
    sys/utsname sys/wait""".split())


def read_table(text):
    """Rows of the file table: {path: set of names it may include}, and findings about it."""
    rows, findings = {}, []
    for number, line in enumerate(text.split("\n"), 1):
        match = TABLE_ROW.match(line)
        if not match:
            continue
        names = set(re.findall(r"[\w./+-]+", match.group(2).replace("`", "")))
        for item in match.group(1).replace("`", "").split():
            pair = item.endswith(".[ch]")
            for path in [item[:-4] + "c", item[:-4] + "h"] if pair else [item]:
                if path in rows:
                    findings.append("ARCHITECTURE.md:%d: %s has two rows" % (number, path))
                rows[path] = names
    return rows, findings


def includes(text):
    """(line, is_ours, name) of each include of a file."""
    code = re.sub(r"/\*.*?\*/", csource.blank, text, flags=re.S)
    return [(code.count("\n", 0, m.start()) + 1, m.group(1) == '"', m.group(2))
            for m in INCLUDE.finditer(code)]


def own_header(path):
    return os.path.basename(path)[:-2] + ".h"


def closure(names, rows, homes):
    """The names and everything that the headers among them may include."""
    seen, todo = set(), list(names)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(rows.get(homes.get(name), ()))
    return seen


def check_include(path, name, ours, allowed, homes):
    """What is wrong with one include, or None."""
    if not ours:
        library = LIBRARIES.get(name)
        if library:
            return None if library in allowed else "may not use %s (%s)" % (library, name)
        if name[:-2] not in C_LIBRARY:
            return "<%s> is neither the C library nor a library we use" % name
        return None
    if name not in homes:
        return "\"%s\" is no header of ours" % name
    home = os.path.dirname(homes[name])
    if home not in MAY_SEE[os.path.dirname(path)]:
        return "points upwards: %s may not see %s" % (os.path.dirname(path), homes[name])
    if name not in allowed and name != own_header(path):
        return "may not include %s: see the file table" % name
    return None


def ranks(path, found):
    """The place of each include: own header, the C library, libraries, ours.

    A source without a header of its name may begin with the one that it serves.
    """
    names = [name for _, _, name in found]
    served = own_header(path) if own_header(path) in names else names[0] if names else None
    for _, ours, name in found:
        if ours:
            yield 0 if name == served and path.endswith(".c") else 3
        else:
            yield 2 if LIBRARIES.get(name, "linux") != "linux" else 1


def check_order(path, found):
    order = list(ranks(path, found))
    for (line, _, name), before, now in zip(found[1:], order, order[1:]):
        if now < before:
            yield line, "%s out of order: own header, C library, libraries, ours" % name


def reordered(path, text):
    """The text with its block of includes in order, a blank line between the groups."""
    found = includes(text)
    lines = text.split("\n")
    if not found or not list(check_order(path, found)):
        return text
    first, last = found[0][0] - 1, found[-1][0]
    if any(line.strip() and not INCLUDE.match(line) for line in lines[first:last]):
        return text
    groups = [[], [], [], []]
    for (number, _, _), rank in zip(found, ranks(path, found)):
        groups[rank].append(lines[number - 1])
    block = [line for group in groups if group for line in sorted(group) + [""]][:-1]
    return "\n".join(lines[:first] + block + lines[last:])


def find_cycles(graph):
    """Cycles among headers, each as the list of its names."""
    state, cycles = {}, []

    def visit(name, path):
        state[name] = "open"
        for other in sorted(graph.get(name, ())):
            if state.get(other) == "open":
                cycles.append(path[path.index(other):] + [other])
            elif other in graph and other not in state:
                visit(other, path + [other])
        state[name] = "done"

    for name in sorted(graph):
        if name not in state:
            visit(name, [name])
    return cycles


def check_names(files, rows):
    """Every file has a row, every row a file, every header a name of its own."""
    homes, findings = {}, []
    for path in files:
        if path not in rows:
            findings.append("%s:1: has no row in ARCHITECTURE.md" % path)
        if path.endswith(".h"):
            name = os.path.basename(path)
            if name in homes:
                findings.append("%s:1: %s is taken by %s" % (path, name, homes[name]))
            if name[:-2] in C_LIBRARY or name in LIBRARIES:
                findings.append("%s:1: clashes with a system header" % path)
            homes[name] = path
    known = set(files)
    findings += ["ARCHITECTURE.md:1: row without a file: %s" % p for p in rows if p not in known]
    return homes, findings


def check(root):
    """All findings of the layer check, as "file:line: text"."""
    files = csource.product_files(root)
    rows, findings = read_table(csource.read(root, "ARCHITECTURE.md"))
    homes, more = check_names(files, rows)
    findings += more
    for name in sorted(set().union(*rows.values()) if rows else ()):
        if name not in homes and name not in LIBRARIES.values():
            findings.append("ARCHITECTURE.md:1: no such header or library: %s" % name)
    named = {name: rows[path] for name, path in homes.items() if path in rows}
    findings += ["ARCHITECTURE.md:1: rows in a cycle: %s" % " -> ".join(c)
                 for c in find_cycles(named)]
    graph = {}
    for path in files:
        found = includes(csource.read(root, path))
        own = rows.get(path, set()) | rows.get(homes.get(own_header(path)), set())
        allowed = closure(own, rows, homes)
        for line, ours, name in found:
            wrong = check_include(path, name, ours, allowed, homes)
            if wrong:
                findings.append("%s:%d: %s" % (path, line, wrong))
        findings += ["%s:%d: %s" % (path, line, text) for line, text in check_order(path, found)]
        if path.endswith(".h"):
            graph[os.path.basename(path)] = {name for _, ours, name in found if ours}
    findings += ["%s:1: cycle: %s" % (homes[c[0]], " -> ".join(c)) for c in find_cycles(graph)]
    return findings


if __name__ == "__main__":
    result = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    print("\n".join(result), end="\n" if result else "")
    sys.exit(1 if result else 0)
