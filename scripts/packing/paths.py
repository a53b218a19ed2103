"""What stands in a program instead of the paths of the machine that built it: the same bytes come from every machine."""

import re
from pathlib import Path

from .faults import run


def remap(folder, name):
    """The option of rustc that writes a name for a folder."""
    return f"--remap-path-prefix={folder}={name}"


def of_the_compiler():
    """The option for the standard library, whose source lies on some machines and not on others."""
    sysroot = run(["rustc", "--print", "sysroot"])[0]
    commit = re.search(r"^commit-hash: (\S+)$", run(["rustc", "--version", "--verbose"])[0], re.M).group(1)
    return remap(Path(sysroot, "lib", "rustlib", "src", "rust"), f"/rustc/{commit}")


def of_a_build(packages, root, target):
    """The options for a build by cargo: folders of the crates, of the sources and of what the build makes.

    `packages` are those of `cargo metadata`.
    """
    crates = {Path(package["manifest_path"]).parent.parent for package in packages if package["source"]}
    # Of several that fit, rustc takes the last.
    return [*(remap(folder, "crates") for folder in sorted(crates)), remap(root, "amazons"), remap(target, "target"), of_the_compiler()]
