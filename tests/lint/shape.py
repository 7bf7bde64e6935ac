#!/usr/bin/env python3
"""The shape check: sizes and habits that a reader relies on.

Limits on functions, files, headers, nesting and parameters; no variables at
file scope that change; no chains of string comparisons; a head comment of 3
to 15 lines; guards by path and no other #if; the share of comments; asserts
in the engine.  figures() gives the numbers behind the ratios.
"""
import re
import sys

import csource

FUNCTION_LINES, FILE_LINES, HEADER_LINES = 60, 500, 150
NESTING, PARAMETERS = 3, 5
HEAD_LINES = (3, 15)
COMMENT_SHARE = (20.0, 30.0)		# per cent
ASSERTS_PER_1000 = 15.0
# The one variable that a signal handler sets, and the file it lives in.
SIGNAL_FLAG = re.compile(r"^static volatile sig_atomic_t \w+$")
SIGNAL_FLAG_FILES = ("ui/screen.c",)


def lines_of(text):
    return text.count("\n")


def check_head(path, text):
    """The comment that opens a file."""
    match = re.match(r"/\*.*?\*/", text, re.S)
    size = match.group(0).count("\n") + 1 if match else 0
    if not HEAD_LINES[0] <= size <= HEAD_LINES[1]:
        yield "%s:1: head comment of %d lines, not %d to %d" % ((path, size) + HEAD_LINES)


def check_directives(path, code):
    """A guard named after the path, and no other conditional but the format attribute's."""
    guard = "MEMCGLAB_" + re.sub(r"\W", "_", path).upper()
    for number, line in enumerate(code.split("\n"), 1):
        match = re.match(r"\s*#\s*(if\w*)\s+(.*?)\s*$", line)
        if not match or match.group(2) == "defined(__GNUC__)":
            continue
        if match.groups() == ("ifndef", guard):
            guard = None
        else:
            yield "%s:%d: #%s %s: only the guard may be conditional" % ((path, number) +
                                                                        match.groups())
    if path.endswith(".h") and guard:
        yield "%s:1: no guard %s" % (path, guard)


def check_functions(path, code):
    for function in csource.functions(code):
        where = "%s:%d: %s" % (path, function.first, function.name)
        size = function.last - function.first + 1
        if size > FUNCTION_LINES:
            yield "%s: %d lines, at most %d" % (where, size, FUNCTION_LINES)
        if function.params > PARAMETERS:
            yield "%s: %d parameters, at most %d" % (where, function.params, PARAMETERS)
        block = csource.Block(function.body)
        if block.deepest > NESTING:
            yield "%s:%d: %s: nesting %d, at most %d" % (
                path, block.deepest_line, function.name, block.deepest, NESTING)
        for line in block.string_chains:
            yield "%s:%d: %s: a chain of string comparisons: use a table" % (path, line,
                                                                             function.name)
        for line in static_variables(function.body):
            yield "%s:%d: %s: a static variable that changes" % (path, line, function.name)


def is_constant(words):
    """Whether a declarator's words (up to "=", "[" or ";") leave nothing to change."""
    last_star = max((i for i, word in enumerate(words) if word == "*"), default=-1)
    return "const" in words[last_star + 1:] if last_star >= 0 else "const" in words


def static_variables(body):
    """Lines of mutable static variables inside a function."""
    for place, (token, line) in enumerate(body):
        if token == "static":
            words = []
            for word, _ in body[place:]:
                if word in ("=", ";", "["):
                    break
                words.append(word)
            if not is_constant(words):
                yield line


def file_scope(code):
    """(line, words) of each declaration at file scope, its braces left out."""
    words, line, depth, after_body = [], 0, 0, False
    for token, number in csource.tokens(code):
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            after_body = depth == 0 and "=" not in words and ")" in words
            if after_body:
                words = []
        elif depth == 0 and token == ";":
            if words:
                yield line, words
            words = []
        elif depth == 0:
            if not words:
                line = number
            words.append(token)


def check_variables(path, code):
    for line, words in file_scope(code):
        stop = min(words.index(t) if t in words else len(words) for t in ("=", "["))
        head = words[:stop]
        function = "(" in head and not ("*" in head[head.index("(") + 1:][:1])
        type_only = len(head) <= 2 and head[0] in ("struct", "enum", "union")
        if function or type_only or head[0] in ("typedef", "extern", "_Static_assert"):
            continue
        flag = SIGNAL_FLAG.match(" ".join(head)) and path in SIGNAL_FLAG_FILES
        if not flag and not is_constant(head):
            yield "%s:%d: %s: a variable at file scope that changes" % (path, line, head[-1])


def comment_text(text):
    """(characters of comments, characters of code) of a file, blanks left out."""
    everything = len(re.sub(r"\s", "", text))
    literals_gone = re.sub(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", keep_comment, text, flags=re.S)
    comments = sum(len(re.sub(r"\s", "", c))
                   for c in re.findall(r"/\*.*?\*/", literals_gone, re.S))
    return comments, everything - comments


def keep_comment(match):
    return match.group(0) if match.group(0).startswith("/") else ""


def non_blank(text):
    return sum(1 for line in text.split("\n") if line.strip())


def figures(root):
    """The ratios of style: comment share, asserts of the engine, tests to code."""
    comments = code = engine = asserts = product = 0
    for path in csource.product_files(root):
        text = csource.read(root, path)
        counts = comment_text(text)
        comments, code = comments + counts[0], code + counts[1]
        product += non_blank(text)
        if path.startswith("engine/") and path.endswith(".c"):
            engine += non_blank(text)
            asserts += len(re.findall(r"\b(?:static_|_Static_)?assert\(", text,
                                      flags=re.I))
    tests = sum(non_blank(csource.read(root, p))
                for p in csource.test_files(root, (".c", ".h", ".lua", ".py", ".sh")))
    return {
        "comment_share": 100.0 * comments / max(1, comments + code),
        "asserts_per_1000": 1000.0 * asserts / max(1, engine),
        "tests_to_code": tests / max(1, product),
        "code_lines": product, "test_lines": tests, "engine_lines": engine,
    }


def report(numbers):
    return ("comments %(comment_share).1f %%, %(asserts_per_1000).1f asserts in 1,000 lines of the "
            "engine, %(test_lines)d lines of tests to %(code_lines)d of code "
            "(%(tests_to_code).2f)" % numbers)


def check_ratios(numbers):
    share = numbers["comment_share"]
    if numbers["code_lines"] and not COMMENT_SHARE[0] <= share <= COMMENT_SHARE[1]:
        yield "comments: %.1f %% of the text, not %g to %g" % ((share,) + COMMENT_SHARE)
    if numbers["engine_lines"] and numbers["asserts_per_1000"] < ASSERTS_PER_1000:
        yield "engine: %.1f asserts in 1,000 lines, at least %g" % (
            numbers["asserts_per_1000"], ASSERTS_PER_1000)


def check_file(path, text):
    """All findings about one file of the product."""
    bare = csource.without_comments(text)
    code = csource.without_directives(bare)
    most = HEADER_LINES if path.endswith(".h") else FILE_LINES
    if lines_of(text) > most:
        yield "%s:%d: %d lines, at most %d" % (path, most, lines_of(text), most)
    yield from check_head(path, text)
    yield from check_directives(path, bare)
    yield from check_functions(path, code)
    if path.endswith(".c"):
        yield from check_variables(path, code)


def check(root):
    """All findings of the shape check, as "file:line: text"."""
    findings = []
    for path in csource.product_files(root):
        findings += check_file(path, csource.read(root, path))
    return findings + list(check_ratios(figures(root)))


if __name__ == "__main__":
    ROOT = sys.argv[1] if len(sys.argv) > 1 else "."
    RESULT = check(ROOT)
    print("\n".join(RESULT + [report(figures(ROOT))]))
    sys.exit(1 if RESULT else 0)
