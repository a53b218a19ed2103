"""Where the bytes of the C++ file go: tables by kind, by crate and module, and of the largest sections."""

import re
import subprocess
from collections import defaultdict

from . import assembly

# Rows in the table of the largest sections, and the least share of a module that has a row.
LARGEST = 40
LEAST = 0.001

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


class Part:
    """A part of the program: what it is, its bytes, and what they cost in characters of the C++ file."""

    def __init__(self, kind, name, size, cost):
        self.kind, self.name, self.size, self.cost = kind, name, size, cost

    def module(self):
        """The crate and the module that it comes from."""
        path = PATH.search(self.name)
        return path.groups() if path else ("no module", self.kind)


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
    names = [symbols.get(number) or section_symbol(elf.sections[number].name) for number in numbers]
    try:
        found = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
        names = found.stdout.splitlines()
    except (FileNotFoundError, subprocess.CalledProcessError):
        pass
    return dict(zip(numbers, (HASH.sub("", name) for name in names)))


def section_symbol(name):
    """The symbol in the name of a section, or the whole name."""
    return re.sub(r"^\.(?:text|rodata|data|data\.rel\.ro)\.(?:unlikely\.|hot\.)?(?=_)", "", name)


def totals(parts, key):
    """Bytes and characters by a key of the parts."""
    found = defaultdict(lambda: [0, 0.0])
    for part in parts:
        found[key(part)][0] += part.size
        found[key(part)][1] += part.cost
    return found


def by_cost(found):
    return sorted(found.items(), key=lambda entry: -entry[1][1])


def row(size, cost, name, total):
    return f"{size:>9,}{round(cost):>12,}{100 * cost / total:>8.1f} %   {name}"


def table(layout):
    """The tables as text."""
    found = list(parts(layout))
    total = sum(part.cost for part in found)
    head = f"{'bytes':>9}{'characters':>12}{'share':>10}   "
    lines = [head + "kind"]
    lines += [row(*sums, kind, total) for kind, sums in by_cost(totals(found, lambda part: part.kind))]
    lines += [row(sum(part.size for part in found), total, "all", total), "", head + "crate and module"]
    modules = by_cost(totals(found, Part.module))
    for crate, sums in by_cost(totals(found, lambda part: part.module()[0])):
        lines.append(row(*sums, crate, total))
        own = [(module, sums) for (owner, module), sums in modules if owner == crate and sums[1] >= LEAST * total]
        lines += [row(*sums, f"  {module}", total) for module, sums in own]
    lines += ["", head + f"the largest {LARGEST}"]
    for part in sorted(found, key=lambda part: -part.cost)[:LARGEST]:
        label = part.name if part.kind == "code" else " ".join(filter(None, (part.kind, part.name)))
        lines.append(row(part.size, part.cost, label, total))
    return "\n".join(lines)
