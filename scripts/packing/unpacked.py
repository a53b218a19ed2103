"""The compiled bot as a C++ file that unpacks it when it starts.

The segments become one image, in which every reference within the bot is resolved. The image is coded by the model in
unpacked/model.h. The C++ file holds the code, the same model, and unpacked/unpack.cpp, which makes the image again.
"""

import re
import struct
import subprocess
from pathlib import Path

from . import assembly, cplusplus
from .cplusplus import ABSOLUTE, GOT_LOADS, PC32, SEGMENTS, TPOFF, label
from .faults import PackError

PARTS = Path(__file__).resolve().parent / "unpacked"

PAGE = 4096

# The networks' text is coded as well as it can be, so it stands in the file as it is.
TEXT = re.compile(rb"[\n !#-\[\]-~]{1000,}")

# Bytes before which a call can't reach into a text.
CALL = 5


class Image:
    """The bot's memory: code, constants and data, then what the start-up fills in."""

    def __init__(self, layout):
        self.layout = layout
        if layout.segments["l"].data:
            raise PackError("data of threads that doesn't begin as zeros is not known to the packer")
        self.data = bytearray()
        self.places = {label("z"): 0}
        for key in "trd":
            self.begin(key)
            self.data += layout.segments[key].data
        self.code = self.places[label("r")]
        # Addresses, and offsets in the memory of a thread, that only the start-up knows.
        self.addresses, self.offsets = [], []
        self.lists = self.aligned(len(self.data), 4)
        relocations = [(key, at, left) for key in "trd" for at, left in sorted(layout.segments[key].relocations.items())]
        sites = {kind: sum(left.kind == kind for _, _, left in relocations) for kind in (ABSOLUTE, TPOFF)}
        self.end = self.lists + 4 * sum(sites.values())
        self.foreign = self.aligned(self.end, 8)
        self.names = sorted(layout.undefined)
        self.places[label("b")] = self.aligned(self.foreign + 8 * len(self.names), layout.segments["b"].align)
        self.size = self.places[label("b")] + len(layout.segments["b"].data)
        for key, at, left in relocations:
            self.resolve(self.places[label(key)] + at, left)
        self.data += b"\0" * (self.lists - len(self.data))
        for places in (self.addresses, self.offsets):
            self.data += b"".join(struct.pack("<I", at - before) for before, at in zip([0, *places], places))

    @staticmethod
    def aligned(at, alignment):
        return at + -at % alignment

    def begin(self, key):
        """Begins a segment. Data lie on other pages than code."""
        at = self.aligned(len(self.data), PAGE if key == "r" else self.layout.segments[key].align)
        self.data += b"\0" * (at - len(self.data))
        self.places[label(key)] = at

    def resolve(self, at, left):
        """Writes what a relocation stands for, or as much of it as is known."""
        own = left.symbol in self.places
        if own and left.kind == ABSOLUTE:
            self.addresses.append(at)
            value = self.places[left.symbol] + left.addend
        elif own and left.kind == TPOFF:
            self.offsets.append(at)
            value = left.addend
        elif own and left.kind == PC32:
            value = self.places[left.symbol] + left.addend - at
        elif not own and left.kind in GOT_LOADS:
            value = self.foreign + 8 * self.names.index(left.symbol) + left.addend - at
        else:
            raise PackError(f"{left.expression()}: a relocation that can't be resolved at start-up")
        struct.pack_into("<q" if left.size == 8 else "<i", self.data, at, value)

    def text(self):
        """Where the longest text begins and ends, as far as no call reaches into it."""
        found = max(TEXT.finditer(self.data), key=lambda found: len(found.group()))
        return found.start() + CALL, found.end()

    def start(self):
        """The offset of the one function that runs before the entry point."""
        (left,) = self.layout.segments["i"].relocations.values()
        return self.places[left.symbol] + left.addend

    def entry(self):
        key, offset = self.layout.place(cplusplus.entry_symbol(self.layout.elf))
        return self.places[label(key)] + offset

    def sum(self):
        """A checksum (FNV-1a)."""
        sum = 0
        for byte in self.data:
            sum = (sum ^ byte) * 16777619 & 0xFFFFFFFF
        return sum


def coded(image, scratch):
    """The image as text, but for the text in it."""
    encoder = scratch / "encode"
    build = ["g++", "-O2", "-std=c++11", PARTS / "encode.cpp", "-o", encoder]
    for command, given in ((build, None), ([encoder, image.code, *image.text()], image.data)):
        result = subprocess.run(list(map(str, command)), input=given, capture_output=True)
        if result.returncode:
            raise PackError(f"`{command[0]}` failed:\n{result.stderr.decode()}")
    return result.stdout.decode()


def literal(name, lines):
    """An array that holds lines of text."""
    return [f"static const char {name}[] =", *assembly.literals(lines), ";"]


def part(name):
    """The lines of a C++ part without its comments."""
    lines = (PARTS / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.lstrip().startswith("//")]


def pack(layout, scratch):
    """The C++ file's text behind its header."""
    image = Image(layout)
    text, text_end = image.text()
    numbers = {
        "CODE": image.code, "END": image.end, "SIZE": image.size, "TEXT": text, "TEXT_END": text_end,
        "ADDRESSES": image.lists, "ADDRESS_COUNT": len(image.addresses),
        "OFFSETS": image.lists + 4 * len(image.addresses), "OFFSET_COUNT": len(image.offsets),
        "OF_THREAD": len(layout.segments["z"].data), "FOREIGN_AT": image.foreign, "FOREIGN": len(image.names),
        "START": image.start(), "ENTRY": image.entry(),
    }  # fmt: skip
    table = [*cplusplus.weak_symbols(layout), SEGMENTS["r"], ".balign 8", ".globl amazons_foreign", "amazons_foreign:"]
    table += [*(f".quad {name}" for name in image.names), ".text"]
    lines = ["", *part("model.h"), f"static const Word SUM = {image.sum()}u;"]
    lines += ["enum {", *(f"    {name} = {number}," for name, number in numbers.items()), "};"]
    lines += literal("text", bytes(image.data[text:text_end]).decode().split("\n"))
    lines += literal("coded", [coded(image, scratch)])
    lines += ["__asm__(", *assembly.literals(table), ");", *part("unpack.cpp")]
    return "\n".join(lines) + "\n"
