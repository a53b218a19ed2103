"""Relocatable ELF files for x86-64, as rustc writes them: sections with their relocations, and symbols."""

import struct
from collections import namedtuple

from .faults import PackError

SHF_WRITE, SHF_TLS = 1, 0x400
SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_INIT_ARRAY, SHT_SYMTAB_SHNDX = 2, 4, 8, 14, 18
STB_WEAK = 2


class Section:
    """A section: its header's fields, its bytes, and relocations as (offset, info, addend)."""

    def __init__(self, name, kind, flags, align, data, size):
        self.name, self.kind, self.flags, self.align, self.data, self.size = name, kind, flags, align, data, size
        self.relocations = []


# A symbol: its section is 0 where it is defined elsewhere, its value an offset in the section.
Symbol = namedtuple("Symbol", "name section value weak")


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
