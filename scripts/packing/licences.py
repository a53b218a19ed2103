"""The licences of the crates in a program, as their packages hold them."""

import re
from collections import defaultdict
from pathlib import Path

LICENCE = re.compile(r"(?:LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)(?![^._-])", re.IGNORECASE)


def texts(packages, tree):
    """One text for all crates that a tree of cargo's names; each licence stands there once.

    `packages` are those of `cargo metadata`, `tree` is what `cargo tree --prefix none` prints.
    """
    named = {tuple(line.split()[:2]) for line in tree.splitlines()}
    crates = [package for package in packages if package["source"] and (package["name"], f"v{package['version']}") in named]
    crates.sort(key=lambda package: (package["name"], package["version"]))
    head, holders = [], defaultdict(list)
    for package in crates:
        name = f"{package['name']} {package['version']}"
        head.append(f"{name}: {package['license']}, {package['repository'] or 'crates.io'}\n")
        for file in sorted(Path(package["manifest_path"]).parent.iterdir()):
            if LICENCE.match(file.name) and file.is_file():
                holders[file.read_text(encoding="utf-8", errors="replace").strip()].append(name)
    parts = [f"{'=' * 80}\n{', '.join(sorted(set(names)))}\n{'=' * 80}\n\n{text}\n" for text, names in holders.items()]
    return "The program holds these crates. Their licences follow.\n\n" + "".join(head) + "\n" + "\n".join(parts)
