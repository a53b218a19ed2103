"""The compiled bot as data directives in the assembly of one C++ file.

rustc turns the packed Rust file into an ELF object, standard library included. This module keeps the sections
that the entry point reaches and lays them out in a few segments, as a linker would. It resolves references within
a segment. It writes bytes as numbers and all other relocations as expressions, from which any assembler and linker
for x86-64 build the program again.
"""

import re
import struct
import subprocess

from .faults import PackError

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

# Longest line of the C++ file.
WIDTH = 240

SHF_WRITE, SHF_TLS = 1, 0x400
SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_INIT_ARRAY, SHT_SYMTAB_SHNDX = 2, 4, 8, 14, 18
STB_WEAK = 2

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

PC32, PLT32 = 2, 4

# Relocations by number: bytes, and the expression of what is stored, for a symbol with addend.
RELOCATIONS = {
    1: (8, "{symbol}{addend}"),  # R_X86_64_64
    PC32: (4, "{symbol}{addend}-."),  # R_X86_64_PC32
    PLT32: (4, "{symbol}@PLT{addend}"),  # R_X86_64_PLT32
    9: (4, "{symbol}@GOTPCREL{addend}"),  # R_X86_64_GOTPCREL
    10: (4, "{symbol}{addend}"),  # R_X86_64_32
    22: (4, "{symbol}@GOTTPOFF{addend}"),  # R_X86_64_GOTTPOFF
    23: (4, "{symbol}@TPOFF{addend}"),  # R_X86_64_TPOFF32
    24: (8, "{symbol}{addend}-."),  # R_X86_64_PC64
    41: (4, "{symbol}@GOTPCREL{addend}"),  # R_X86_64_GOTPCRELX
    42: (4, "{symbol}@GOTPCREL{addend}"),  # R_X86_64_REX_GOTPCRELX
}

# Functions that print backtraces, and I/O errors in full. They are larger than the whole bot, so each becomes a lone
# `ret`. Backtraces are printed only in a panic, if the environment asks for them. An I/O error in full is printed only
# by a panic over a system without a clock.
STUBBED = re.compile("backtrace_rs|DisplayBacktrace|3std2io5error.*5ErrorNt.*3fmt5Debug3fmt$")
RET = b"\xc3"


class Section:
    def __init__(self, name, kind, flags, align, data, size):
        self.name, self.kind, self.flags, self.align, self.data, self.size = name, kind, flags, align, data, size
        self.relocations = []

    def segment(self):
        """The key in SEGMENTS of where this section goes."""
        if self.kind == SHT_INIT_ARRAY:
            return "i"
        if self.flags & SHF_TLS:
            return "z" if self.kind == SHT_NOBITS else "l"
        if self.kind == SHT_NOBITS:
            return "b"
        if not self.flags & SHF_WRITE:
            return "t"
        return "r" if self.name.startswith(".data.rel.ro") else "d"


class Symbol:
    def __init__(self, name, section, value, weak):
        self.name, self.section, self.value, self.weak = name, section, value, weak


class Object:
    """A relocatable ELF file for x86-64: sections with their relocations, and symbols."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", data, 16) != (1, 62):
            raise PackError("rustc's object is not a relocatable ELF file for x86-64")
        (offset,) = struct.unpack_from("<Q", data, 40)
        count, names_index = struct.unpack_from("<HH", data, 60)
        if count == 0:
            (count,) = struct.unpack_from("<Q", data, offset + 32)
        if names_index == 0xFFFF:
            (names_index,) = struct.unpack_from("<I", data, offset + 40)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * index) for index in range(count)]
        body = lambda header: data[header[4] : header[4] + header[5]]
        names = body(headers[names_index])
        self.sections = []
        for name, kind, flags, _, _, size, _, _, align, _ in headers:
            header = headers[len(self.sections)]
            content = b"" if kind == SHT_NOBITS else body(header)
            self.sections.append(Section(string(names, name), kind, flags, max(1, align), content, size))
        self.symbols = self.read_symbols(headers, body)
        for header in headers:
            if header[1] == SHT_RELA:
                self.sections[header[7]].relocations = sorted(struct.iter_unpack("<QQq", body(header)))

    def read_symbols(self, headers, body):
        """The symbols of the one symbol table; large section numbers come from the table beside it."""
        table = next(header for header in headers if header[1] == SHT_SYMTAB)
        strings = body(headers[table[6]])
        extended = next((body(header) for header in headers if header[1] == SHT_SYMTAB_SHNDX), b"")
        symbols = []
        for number, (name, info, _, section, value, _) in enumerate(struct.iter_unpack("<IBBHQQ", body(table))):
            if section == 0xFFFF:
                (section,) = struct.unpack_from("<I", extended, 4 * number)
            elif section >= 0xFF00:
                section = 0
            symbols.append(Symbol(string(strings, name), section, value, info >> 4 == STB_WEAK))
        return symbols


def string(table, offset):
    return table[offset : table.index(b"\0", offset)].decode()


def compile_object(source, scratch):
    """The object of the packed Rust file with its entry point."""
    file = scratch / "entry.rs"
    file.write_text(source + ENTRY)
    command = ["rustc", "--edition", "2024", "-C", "opt-level=3", "-C", "lto=fat", "-C", "codegen-units=1"]
    command += ["-C", "panic=abort", "-C", "relocation-model=pic", "--target", "x86_64-unknown-linux-gnu"]
    command += ["--emit=link,obj", "-o", str(scratch / "entry"), str(file)]
    result = subprocess.run(command, capture_output=True, text=True)
    objects = sorted(scratch.glob("entry*.o"))
    if result.returncode or len(objects) != 1:
        raise PackError(f"rustc made {len(objects)} objects of amazons.rs, expected one:\n{result.stderr}")
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


class Layout:
    """All segments, and where sections lie in them."""

    def __init__(self, elf):
        self.elf = elf
        self.segments = {key: Segment() for key in SEGMENTS}
        self.undefined = {}
        numbers = reachable(elf)
        self.places = {}
        for number in numbers:
            key = elf.sections[number].segment()
            self.places[number] = key, self.segments[key].add(elf.sections[number])
        for number in numbers:
            for offset, info, addend in elf.sections[number].relocations:
                self.relocate(number, offset, info & 0xFFFFFFFF, elf.symbols[info >> 32], addend)

    def place(self, symbol):
        """Segment and offset of a symbol of our own."""
        key, offset = self.places[symbol.section]
        return key, offset + symbol.value

    def relocate(self, number, offset, kind, symbol, addend):
        """Resolves a relocation within a segment; any other becomes an expression."""
        key, start = self.places[number]
        at = start + offset
        if kind not in RELOCATIONS:
            raise PackError(f"section {self.elf.sections[number].name}: relocation {kind} is not known to the packer")
        size, pattern = RELOCATIONS[kind]
        if symbol.section == 0:
            self.undefined[symbol.name] = symbol.weak
            text = pattern.format(symbol=symbol.name, addend=signed(addend))
        else:
            target, value = self.place(symbol)
            if kind in (PC32, PLT32):
                if target == key:
                    self.segments[key].data[at : at + 4] = struct.pack("<i", value + addend - at)
                    return
                pattern = RELOCATIONS[PC32][1]
            elif "@GOT" in pattern:
                raise PackError(f"{symbol.name}: an own symbol in the global offset table is not known to the packer")
            text = pattern.format(symbol=label(target), addend=signed(value + addend))
        self.segments[key].relocations[at] = size, text


def signed(number):
    return f"{number:+d}" if number else ""


def label(key):
    """The label at the start of a segment; `.L` and digits are the compiler's own."""
    return f".Lam{key}"


def assembly(layout):
    """The lines of assembly for all segments."""
    for key, segment in layout.segments.items():
        if segment.data:
            yield SEGMENTS[key]
            yield f".balign {segment.align}"
            yield f"{label(key)}:"
            if key in "bz":
                yield f".zero {len(segment.data)}"
                continue
            at = 0
            for stop, (size, text) in sorted(segment.relocations.items()):
                yield from numbers(segment.data[at:stop])
                yield f"{'.quad' if size == 8 else '.long'} {text}"
                at = stop + size
            yield from numbers(segment.data[at:])


def numbers(data):
    """Directives for bytes, as few as fit."""
    for directive, size in ((".octa", 16), (".quad", 8), (".long", 4), (".byte", 1)):
        whole = len(data) // size * size
        words = [f"{int.from_bytes(data[at : at + size], 'little'):#x}" for at in range(0, whole, size)]
        if words:
            yield f"{directive} {','.join(words)}"
        data = data[whole:]


def literals(lines):
    """C string literals for lines of assembly, cut wherever a literal is full."""
    text = "\\n".join(lines).replace('"', '\\"') + "\\n"
    at = 0
    while at < len(text):
        end = at + WIDTH
        # An escape stays in one piece.
        end -= text[at:end].endswith("\\")
        yield f'"{text[at:end]}"'
        at = end


def pack(source, scratch):
    """The C++ file's text behind its header."""
    elf = compile_object(source, scratch)
    stub_backtraces(elf)
    layout = Layout(elf)
    key, offset = layout.place(entry_symbol(elf))
    head = [f".weak {name}" for name, weak in sorted(layout.undefined.items()) if weak]
    tail = [".globl amazons_main", f".set amazons_main,{label(key)}{signed(offset)}", ".text"]
    text = literals([*head, *assembly(layout), *tail])
    return "\n" + MAIN + "\n__asm__(\n" + "\n".join(text) + ");\n"
