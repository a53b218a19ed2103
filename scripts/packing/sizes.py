"""Where the bytes of the C++ file go: tables by kind, by crate and module, and of the largest sections."""

import re
from collections import defaultdict, namedtuple

from . import assembly
from .faults import PackError, run

# Number of rows of a table.
ROWS = 60

# What a section holds, by the beginning of its name.
KINDS = {
    ".text": "code",
    ".rodata": "constants",
    ".data.rel.ro": "constants with addresses",
    ".init_array": "start-up",
    "": "data",
}

# Hashes in demangled names.
HASH = re.compile(r"::h[0-9a-f]{16}\b|(?<=\w)\[[0-9a-f]{8,16}\]")

# A crate and its module, or a type of it, in a demangled name.
PATH = re.compile(r"\b([a-z]\w*)::(?:\{[^}]*\}::)?(\w+)")


# A part of the program: what it is, its symbol, its bytes, and what they cost in characters of the C++ file.
Part = namedtuple("Part", "kind name size cost")


def parts(layout):
    """All parts of a layout that take characters."""
    names = demangled(layout.elf, layout.places)
    costs = {key: running_costs(segment) for key, segment in layout.segments.items() if key not in "bz"}
    left = {key: [len(spent) - 1, spent[-1]] for key, spent in costs.items()}
    for number, (key, start) in layout.places.items():
        if key in costs:
            section = layout.elf.sections[number]
            stop = start + len(section.data)
            cost = costs[key][stop] - costs[key][start]
            left[key][0] -= stop - start
            left[key][1] -= cost
            kind = next(kind for prefix, kind in KINDS.items() if section.name.startswith(prefix))
            yield Part(kind, names[number], stop - start, cost)
    for size, cost in left.values():
        if size:
            yield Part("alignment, jumps to foreign functions", "", size, cost)


def running_costs(segment):
    """The characters for the bytes before each offset. Those of a statement are spread evenly over its bytes."""
    # A literal has quotes and an end of line.
    framed = (assembly.WIDTH + 3) / assembly.WIDTH
    spent = [0.0]
    for size, line in segment.statements():
        cost = framed * len(assembly.escaped(line)) / size
        for _ in range(size):
            spent.append(spent[-1] + cost)
    return spent


def demangled(elf, numbers):
    """The names of sections by number: the symbols in them, as readable as c++filt makes them."""
    symbols = {}
    for symbol in elf.symbols:
        if symbol.value == 0 and not symbol.name.startswith((".L", "anon.")) and symbol.name:
            symbols.setdefault(symbol.section, symbol.name)
    names = [symbols.get(number, elf.sections[number].name) for number in numbers]
    try:
        names = run(["c++filt"], "\n".join(names))[0].splitlines()
    except PackError:
        pass
    return dict(zip(numbers, (HASH.sub("", name) for name in names)))


def module(part):
    """The crate and the module that a part comes from."""
    path = PATH.search(part.name)
    return "::".join(path.groups()) if path else f"no module, {part.kind}"


def label(part):
    """A part's symbol, after what it is if it is no code."""
    return part.name if part.kind == "code" else f"{part.kind} {part.name}".rstrip()


def table(layout):
    """The tables as text: by kind, by module, and the largest parts."""
    found = list(parts(layout))
    total = sum(part.cost for part in found)
    lines = []
    for title, key in (("", lambda part: "all"), ("kind", lambda part: part.kind), ("crate and module", module), ("part", label)):
        sums = defaultdict(lambda: [0, 0.0])
        for part in found:
            sums[key(part)][0] += part.size
            sums[key(part)][1] += part.cost
        lines += ["", f"{'bytes':>9}{'characters':>12}{'share':>10}   {title}"]
        largest = sorted(sums.items(), key=lambda row: -row[1][1])[:ROWS]
        lines += [f"{size:>9,}{round(cost):>12,}{100 * cost / total:>8.1f} %   {name}" for name, (size, cost) in largest]
    return "\n".join(lines[1:])
