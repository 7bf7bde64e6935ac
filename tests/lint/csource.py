"""Reading C for the style checks: files of the tree, code without comments,
tokens, and the functions of a file with the statements nested in them.

It is no parser of C: it relies on the kernel's layout, where a function's
braces stand in the first column.
"""
import os
import re

CODE_FOLDERS = ("engine", "engine/api", "db", "scripts", "ui")
TEST_FOLDER = "tests"
TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|\.\.\.|\S")
KEYWORDS = {"if", "for", "while", "switch", "do", "else", "return", "case", "default", "goto"}


def product_files(root, endings=(".c", ".h")):
    """Paths of the product's sources, relative to root, sorted."""
    return sorted(os.path.join(folder, name) for folder in CODE_FOLDERS
                  if os.path.isdir(os.path.join(root, folder))
                  for name in os.listdir(os.path.join(root, folder)) if name.endswith(endings))


def test_files(root, endings=(".c", ".h")):
    """Paths of the tests' sources, relative to root, sorted; what is built is left out."""
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(os.path.join(root, TEST_FOLDER))
                  for name in names if name.endswith(endings))


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def blank(match):
    """A comment or literal as blanks of the same shape, so that lines keep their numbers."""
    text = match.group(0)
    if text[0] in "\"'":
        return text[0] + " " * (len(text) - 2) + text[0]
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The text with the inside of comments and literals blanked out."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text,
                  flags=re.S)


def without_directives(code):
    """The code with preprocessor lines (and their continuations) blanked out."""
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)


def tokens(code):
    """(token, line) pairs of code without comments."""
    line, at, out = 1, 0, []
    for match in TOKEN.finditer(code):
        line += code.count("\n", at, match.start())
        at = match.start()
        out.append((match.group(0), line))
    return out


class Function:
    """A function definition: its name, lines, parameters and body."""

    def __init__(self, name, first, last, params, body):
        self.name, self.first, self.last = name, first, last
        self.params, self.body = params, body


def functions(code):
    """Every function defined in code (without comments and directives)."""
    lines = code.split("\n")
    found, start = [], 0
    for number, line in enumerate(lines):
        if line.startswith("{"):
            head = "\n".join(lines[start:number])
            match = re.search(r"(\w+)\s*\(([^;{}]*)\)\s*$", head.rstrip(), re.S)
            end = next((n for n in range(number, len(lines)) if lines[n].startswith("}")), None)
            if match and end is not None:
                first = start + head[:match.start()].count("\n")
                while first > start and lines[first - 1].strip():
                    first -= 1
                body = "\n" * number + "\n".join(lines[number:end + 1])
                found.append(Function(match.group(1), first + 1, end + 1,
                                      parameters(match.group(2)), tokens(body)))
        if line.startswith(("}", "#")) or line.rstrip().endswith(";") and line[:1] not in "\t ":
            start = number + 1
    return found


def parameters(text):
    """How many parameters a parameter list names."""
    depth, count = 0, 0
    if text.strip() in ("", "void"):
        return 0
    for char in text:
        depth += (char == "(") - (char == ")")
        count += char == "," and depth == 0
    return count + 1


def initialisers(body):
    """(first, last) lines of each brace initialiser that spans lines, from its statement on."""
    found, start, at = [], body[0][1], 0
    while at < len(body):
        token, line = body[at]
        if token in (";", "{", "}"):
            start = body[at + 1][1] if at + 1 < len(body) else line
        if token in ("=", ")", ",") and at + 1 < len(body) and body[at + 1][0] == "{" and \
                not (token == ")" and follows_head(body, at)):
            at = matching(body, at + 1)
            if body[at][1] > start:
                found.append((start, body[at][1]))
        at += 1
    return found


def follows_head(body, at):
    """Whether the ")" at this place closes the head of an if, for, while or switch."""
    depth = 0
    for place in range(at, -1, -1):
        depth += (body[place][0] == ")") - (body[place][0] == "(")
        if depth == 0:
            return body[place - 1][0] in ("if", "for", "while", "switch") or \
                body[place - 1][0].isupper()
    return False


def matching(body, at):
    """The place of the brace that closes the one at this place."""
    depth = 0
    for place in range(at, len(body)):
        depth += (body[place][0] == "{") - (body[place][0] == "}")
        if depth == 0:
            return place
    return len(body) - 1


class Block:
    """Walks the statements of a function body and notes nesting and string tests."""

    def __init__(self, body):
        self.tokens, self.at = body, 0
        self.deepest, self.deepest_line = 0, 0
        self.string_chains = []		# lines of if chains that compare strings
        self.statement(0)

    def peek(self, ahead=0):
        place = self.at + ahead
        return self.tokens[place][0] if place < len(self.tokens) else ""

    def line(self):
        return self.tokens[min(self.at, len(self.tokens) - 1)][1]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1][0]

    def parenthesis(self):
        """Skip "( … )"; returns its tokens."""
        depth, start = 0, self.at
        while self.peek():
            token = self.take()
            depth += (token == "(") - (token == ")")
            if depth == 0:
                break
        return [t for t, _ in self.tokens[start:self.at]]

    def enter(self, depth):
        if depth > self.deepest:
            self.deepest, self.deepest_line = depth, self.line()

    def statement(self, depth):
        """One statement at a nesting depth; returns the string tests it makes as an if."""
        token = self.peek()
        if token == "{":
            self.block(depth)
        elif token == "if":
            return self.if_chain(depth)
        elif token in ("for", "while", "switch"):
            self.take()
            self.enter(depth + 1)
            self.parenthesis()
            self.statement(depth + 1)
        elif token == "do":
            self.take()
            self.enter(depth + 1)
            self.statement(depth + 1)
            self.expression()
        elif token in ("case", "default"):
            while self.peek() and self.take() != ":":
                pass
        else:
            self.expression()
        return 0

    def block(self, depth):
        self.take()
        tests, line = 0, 0
        while self.peek() and self.peek() != "}":
            if self.peek() == "if":
                line = line or self.line()
                tests += self.statement(depth)
                continue
            self.note_chain(tests, 3, line)
            tests, line = 0, 0
            self.statement(depth)
        self.note_chain(tests, 3, line)
        self.take()

    def if_chain(self, depth):
        """An if with its else-ifs; returns 1 if it is one lone test of a string."""
        line, tests, links = self.line(), 0, 0
        self.enter(depth + 1)
        while True:
            self.take()
            tests += any(t in ("strcmp", "strncmp", "strcasecmp") for t in self.parenthesis())
            links += 1
            self.statement(depth + 1)
            if self.peek() != "else":
                break
            self.take()
            if self.peek() != "if":
                self.statement(depth + 1)
                break
        self.note_chain(tests if links > 1 else 0, 2, line)
        return tests if links == 1 else 0

    def note_chain(self, tests, most, line):
        if tests >= most:
            self.string_chains.append(line)

    def expression(self):
        """Anything up to its semicolon, with initialisers and calls inside."""
        depth = 0
        while self.peek():
            if self.peek() == "}" and depth == 0:
                return
            token = self.take()
            depth += (token in "({[") - (token in ")}]")
            if depth == 0 and token == ";":
                return
            if depth == 0 and token == ":" and self.tokens[self.at - 2][0].isidentifier() and \
                    self.at >= 3 and self.tokens[self.at - 3][0] in (";", "{", "}"):
                return			# a label
