"""Bytes as assembly inside C string literals.

Text is written as it stands, wherever that is shorter. All other bytes are written in base 64, which a macro decodes
while the file is assembled. The directives are as old as g++ 5 and older.
"""

import base64
import re

# Longest literal, quotes left out.
WIDTH = 240

# Bytes in a statement: a multiple of three, which is a group of four digits.
STATEMENT = 1500

# Characters that are themselves in a string of the assembler, and with `escaped` in a C string literal.
TEXT = re.compile(rb"[\n !#-\[\]-~]+")

# The digits of RFC 4648 but for the last two, which the assembler would take for operators.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."

# The value of a digit D is the symbol .Lam_D. A leading 1 tells when four digits have come together. The first one is
# the digit B that digits begin with, because clang takes only names apart.
DECODER = rf"""
.set .Lamv,0
.irpc c,{DIGITS}
.set .Lam_\c,.Lamv
.set .Lamv,.Lamv+1
.endr
.macro b64 digits
.set .Lamv,0
.irpc c,\digits
.set .Lamv,.Lamv<<6|.Lam_\c
.if .Lamv>>24
.byte .Lamv>>16&255,.Lamv>>8&255,.Lamv&255
.set .Lamv,1
.endif
.endr
.endm
""".strip().splitlines()


def escaped(line):
    """A line as it stands in a C string literal. Two question marks side by side could begin a trigraph."""
    line = line.replace("\\", "\\\\").replace('"', '\\"')
    return re.sub(r"(?<=\?)\?", r"\\?", line) + "\\n"


def literals(lines):
    """C string literals for lines of assembly, cut wherever a literal is full."""
    text = "".join(map(escaped, lines))
    at = 0
    while at < len(text):
        part = text[at : at + WIDTH]
        # An escape stays in one piece.
        if (len(part) - len(part.rstrip("\\"))) % 2:
            part = part[:-1]
        yield f'"{part}"'
        at += len(part)


def statements(data):
    """The statements for bytes, each with the number of bytes that it writes."""
    at = 0
    for run in TEXT.finditer(data):
        # Whole groups of digits come before a text.
        start = run.start() + (at - run.start()) % 3
        part = data[start : run.end()]
        text = list(as_text(part))
        if sum(len(escaped(line)) for _, line in text) + len(escaped("b64 B")) < len(part) * 4 / 3:
            yield from as_digits(data[at:start])
            yield from text
            at = run.end()
    yield from as_digits(data[at:])


def as_text(data):
    """Statements for bytes that are text."""
    for at in range(0, len(data), STATEMENT):
        part = data[at : at + STATEMENT]
        yield len(part), '.ascii "{}"'.format(part.decode("ascii").replace("\n", "\\n"))


def as_digits(data):
    """Statements for any bytes."""
    groups = len(data) // 3 * 3
    for at in range(0, groups, STATEMENT):
        part = data[at : min(at + STATEMENT, groups)]
        yield len(part), f"b64 B{base64.b64encode(part, DIGITS[62:].encode()).decode()}"
    if data[groups:]:
        yield len(data) - groups, f".byte {','.join(map(str, data[groups:]))}"
