"""The compiled bot as data in the assembly of one C++ file.

rustc turns the packed Rust file into an ELF object, standard library included. This module keeps the sections
that the entry point reaches and lays them out in a few segments, as a linker would. It resolves references within
a segment, and lets all calls of a foreign function go through one jump. All other relocations it writes as
expressions, from which any assembler and linker for x86-64 build the program again.
"""

import re
import struct
from collections import namedtuple

from . import assembly, paths
from .elf import SHF_TLS, SHF_WRITE, SHT_INIT_ARRAY, SHT_NOBITS, Object
from .faults import PackError, run

ENTRY = """
/// The entry point of the C++ build.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn amazons_main() -> i32 {
    program::run().into()
}
"""

MAIN = """\
extern "C" int amazons_main();

int main() {
    return amazons_main();
}
"""

# Sections of the C++ build: their names in this module, and the directives that open them. Constants lie in the code's
# segment, so that code refers to them within one segment.
SEGMENTS = {
    "t": ".text",
    "r": '.section .data.rel.ro,"aw",@progbits',
    "d": ".data",
    "b": ".bss",
    "i": '.section .init_array,"aw",@init_array',
    "l": '.section .tdata,"awT",@progbits',
    "z": '.section .tbss,"awT",@nobits',
}

ABSOLUTE, PC32, PLT32, GOTPCREL, TPOFF = 1, 2, 4, 9, 23

# Relocations by number: bytes, and the expression of what is stored, for a symbol with addend.
RELOCATIONS = {
    ABSOLUTE: (8, "{symbol}{addend}"),  # R_X86_64_64
    PC32: (4, "{symbol}{addend}-."),  # R_X86_64_PC32
    PLT32: (4, "{symbol}@PLT{addend}"),  # R_X86_64_PLT32
    GOTPCREL: (4, "{symbol}@GOTPCREL{addend}"),  # R_X86_64_GOTPCREL
    10: (4, "{symbol}{addend}"),  # R_X86_64_32
    22: (4, "{symbol}@GOTTPOFF{addend}"),  # R_X86_64_GOTTPOFF
    TPOFF: (4, "{symbol}@TPOFF{addend}"),  # R_X86_64_TPOFF32
    24: (8, "{symbol}{addend}-."),  # R_X86_64_PC64
    41: (4, "{symbol}@GOTPCREL{addend}"),  # R_X86_64_GOTPCRELX
    42: (4, "{symbol}@GOTPCREL{addend}"),  # R_X86_64_REX_GOTPCRELX
}

# Loads of an address from the global offset table, and the instructions that call such an address and jump to it. In
# the same number of bytes others call and jump directly.
GOT_LOADS = (GOTPCREL, 41, 42)
CALL_INDIRECT, ADDR32_CALL = b"\xff\x15", b"\x67\xe8"
JUMP_INDIRECT, JUMP_AND_NOP = b"\xff\x25", b"\xe9\0\0\0\0\x90"

# Functions that print backtraces, and I/O errors in full. They are larger than the whole bot, so each becomes a lone
# `ret`. Backtraces are printed only in a panic, if the environment asks for them. An I/O error in full is printed only
# by a panic over a system without a clock.
STUBBED = re.compile("backtrace_rs|DisplayBacktrace|3std2io5error.*5ErrorNt.*3fmt5Debug3fmt$")
RET = b"\xc3"


class Relocation(namedtuple("Relocation", "kind symbol addend")):
    """A reference that is left, to a foreign symbol or to the label of a segment."""

    @property
    def size(self):
        return RELOCATIONS[self.kind][0]

    def expression(self):
        return RELOCATIONS[self.kind][1].format(symbol=self.symbol, addend=signed(self.addend))


def compile_object(source, scratch, opt_level):
    """The object of the packed Rust file with its entry point."""
    (scratch / "entry.rs").write_text(source + ENTRY, encoding="utf-8")
    command = ["rustc", "--edition", "2024", "--crate-name", "amazons", "-C", f"opt-level={opt_level}", "-C", "lto=fat", "-C", "codegen-units=1"]
    command += ["-C", "panic=abort", "-C", "relocation-model=pic", "--target", "x86_64-unknown-linux-gnu"]
    # A panic names the file as rustc was given it, so the file's folder is the one that rustc runs in.
    command += [paths.of_the_compiler(), "--emit=link,obj", "-o", "entry", "entry.rs"]
    run(command, folder=scratch)
    objects = sorted(scratch.glob("entry*.o"))
    if len(objects) != 1:
        raise PackError(f"rustc made {len(objects)} objects of amazons.rs, expected one")
    return Object(objects[0].read_bytes())


def stub_backtraces(elf):
    """Cuts the functions that print backtraces down to a `ret`."""
    for symbol in elf.symbols:
        section = elf.sections[symbol.section]
        if STUBBED.search(symbol.name) and section.name.startswith(".text.") and symbol.value == 0:
            section.data, section.size, section.relocations = RET, 1, []


def entry_symbol(elf):
    return next(symbol for symbol in elf.symbols if symbol.name == "amazons_main")


def reachable(elf):
    """Numbers of the sections that the entry point and the start-up code need, in order."""
    wanted = [entry_symbol(elf).section]
    wanted += [number for number, section in enumerate(elf.sections) if section.kind == SHT_INIT_ARRAY]
    found = set()
    while wanted:
        number = wanted.pop()
        if number and number not in found:
            found.add(number)
            for _, info, _ in elf.sections[number].relocations:
                wanted.append(elf.symbols[info >> 32].section)
    return sorted(found)


def segment_of(section):
    """The key in SEGMENTS of where a section goes."""
    if section.kind == SHT_INIT_ARRAY:
        return "i"
    if section.flags & SHF_TLS:
        return "z" if section.kind == SHT_NOBITS else "l"
    if section.kind == SHT_NOBITS:
        return "b"
    if not section.flags & SHF_WRITE:
        return "t"
    return "r" if section.name.startswith(".data.rel.ro") else "d"


class Segment:
    """Sections one after another: their bytes, and the relocations that are left, by offset."""

    def __init__(self):
        self.data = bytearray()
        self.align = 1
        self.relocations = {}

    def add(self, section):
        """Appends a section and returns its offset."""
        self.align = max(self.align, section.align)
        self.data += b"\0" * (-len(self.data) % section.align)
        offset = len(self.data)
        self.data += section.data or b"\0" * section.size
        return offset

    def point(self, at, target):
        """Writes the distance from an offset to a target into the four bytes there."""
        struct.pack_into("<i", self.data, at, target - at)

    def statements(self):
        """The statements for bytes and relocations, each with the number of bytes that it writes."""
        at = 0
        for stop, left in sorted(self.relocations.items()):
            yield from assembly.statements(self.data[at:stop])
            yield left.size, f"{'.quad' if left.size == 8 else '.long'} {left.expression()}"
            at = stop + left.size
        yield from assembly.statements(self.data[at:])


class Layout:
    """All segments, and where sections lie in them."""

    def __init__(self, elf):
        self.elf = elf
        self.segments = {key: Segment() for key in SEGMENTS}
        self.undefined = {}
        self.jumps = {}
        numbers = reachable(elf)
        self.places = {}
        for number in numbers:
            key = segment_of(elf.sections[number])
            self.places[number] = key, self.segments[key].add(elf.sections[number])
        for number in numbers:
            for offset, info, addend in elf.sections[number].relocations:
                self.relocate(number, offset, info & 0xFFFFFFFF, elf.symbols[info >> 32], addend)

    def place(self, symbol):
        """Segment and offset of a symbol of our own."""
        key, offset = self.places[symbol.section]
        return key, offset + symbol.value

    def relocate(self, number, offset, kind, symbol, addend):
        """Resolves a relocation within a segment and calls of foreign functions; any other becomes an expression."""
        key, start = self.places[number]
        at = start + offset
        if kind not in RELOCATIONS:
            raise PackError(f"section {self.elf.sections[number].name}: relocation {kind} is not known to the packer")
        if symbol.section == 0:
            self.undefined[symbol.name] = symbol.weak
            if key == "t" and self.call(at, kind, symbol.name, addend):
                return
            left = Relocation(kind, symbol.name, addend)
        else:
            target, value = self.place(symbol)
            if kind in (PC32, PLT32):
                if target == key:
                    self.segments[key].point(at, value + addend)
                    return
                kind = PC32
            elif "@GOT" in RELOCATIONS[kind][1]:
                raise PackError(f"{symbol.name}: an own symbol in the global offset table is not known to the packer")
            left = Relocation(kind, label(target), value + addend)
        self.segments[key].relocations[at] = left

    def call(self, at, kind, name, addend):
        """Makes a call of a foreign function, or a jump to it, one to its only jump. Tests if it was one."""
        code = self.segments["t"]
        instruction = code.data[at - 2 : at]
        if addend != -4:
            return False
        if kind == PLT32:
            code.point(at, self.jump(name) - 4)
        elif kind in GOT_LOADS and instruction == CALL_INDIRECT:
            code.data[at - 2 : at] = ADDR32_CALL
            code.point(at, self.jump(name) - 4)
        elif kind in GOT_LOADS and instruction == JUMP_INDIRECT:
            code.data[at - 2 : at + 4] = JUMP_AND_NOP
            code.point(at - 1, self.jump(name) - 4)
        else:
            return False
        return True

    def jump(self, name):
        """The offset of the jump to a foreign function, which is made when it is first asked for."""
        if name not in self.jumps:
            code = self.segments["t"]
            self.jumps[name] = len(code.data)
            code.data += JUMP_INDIRECT + b"\0\0\0\0"
            code.relocations[len(code.data) - 4] = Relocation(GOTPCREL, name, -4)
        return self.jumps[name]


def signed(number):
    return f"{number:+d}" if number else ""


def label(key):
    """The label at the start of a segment; `.L` and digits are the compiler's own."""
    return f".Lam{key}"


def assembled(layout):
    """The lines of assembly for all segments."""
    for key, segment in layout.segments.items():
        if segment.data:
            yield SEGMENTS[key]
            yield f".balign {segment.align}"
            yield f"{label(key)}:"
            if key in "bz":
                yield f".zero {len(segment.data)}"
            else:
                yield from (line for _, line in segment.statements())


def weak_symbols(layout):
    """The directives for symbols that an older system may lack."""
    return [f".weak {name}" for name, weak in sorted(layout.undefined.items()) if weak]


def lay_out(source, scratch, opt_level="3"):
    """The segments of the compiled bot."""
    elf = compile_object(source, scratch, opt_level)
    stub_backtraces(elf)
    return Layout(elf)


def pack(layout):
    """The C++ file's text behind its header."""
    key, offset = layout.place(entry_symbol(layout.elf))
    head = weak_symbols(layout)
    tail = [".globl amazons_main", f".set amazons_main,{label(key)}{signed(offset)}", ".text"]
    text = assembly.literals([*head, *assembly.DECODER, *assembled(layout), *tail])
    return "\n" + MAIN + "\n__asm__(\n" + "\n".join(text) + ");\n"
