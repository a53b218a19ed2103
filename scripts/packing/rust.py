"""The bot as one Rust file: modules in place of files, stand-ins in place of crates.

Understands only the constructs that the engine and `main.rs` use. Any other is an error, so a wrong file is never written.
"""

import re
from pathlib import Path

from .faults import PackError

STANDINS = Path(__file__).resolve().parent.parent / "standins"
KNOWN_CRATES = {"std", "core", "alloc", "crate", "self", "super", "engine"}

MODULE_FILE = re.compile(r"^(\s*)((?:pub(?:\([\w: ]+\))? )?mod (\w+));\s*$")
TEST_MODULE = re.compile(r"^#\[cfg\(test\)\]\s*$")
TOOLS_ONLY = re.compile(r'^\s*#\[cfg\(feature = "(?:tools|serde)"\)\]\s*$')
ATTRIBUTE = re.compile(r"^\s*#\[[^\]]*\]\s*$")
USE = re.compile(r"^\s*(?:pub(?:\([\w: ]+\))? )?use (?:::)?(\w+)")
INCLUDE = re.compile(r'include_str!\("([^"]+)"\)')
REFUSED = {
    r"#\[path\b": "a module with a path of its own",
    r"\binclude!\s*\(": "include!",
    r"\binclude_bytes!\s*\(": "include_bytes!",
    r"\bextern crate\b": "extern crate",
    r"\b(?:option_)?env!\((?!\"(?:CARGO_PKG_VERSION|AMAZONS_BUILD)\"\))": "env! of anything but version and build",
    r"#\[macro_(?:use|export)\]": "a macro that leaves its file",
}


class Packer:
    def __init__(self, root, version):
        self.root = root
        self.version = version
        self.standins = sorted(path.stem for path in STANDINS.glob("*.rs"))
        self.crate_path = re.compile(rf"(?<![\w:])({'|'.join(self.standins)})::")

    def fail(self, path, number, what):
        raise PackError(f"{path.relative_to(self.root)}:{number}: {what}")

    def module(self, path, folder):
        """The text of a file with the files of its modules in place."""
        lines = path.read_text(encoding="utf-8").splitlines()
        out, number = [], 0
        while number < len(lines):
            line = lines[number]
            number += 1
            if TEST_MODULE.match(line):
                number = self.end_of_test_module(path, lines, number)
            elif TOOLS_ONLY.match(line) and (behind := self.behind_module(lines, number)):
                number = behind
            elif match := MODULE_FILE.match(line):
                if match.group(1):
                    self.fail(path, number, f"a module file inside another module: `{line.strip()}`")
                out += self.module_in_place(path, number, folder, match)
            else:
                out.append(self.line(path, number, line))
        return out

    def behind_module(self, lines, number):
        """The number of the line behind `mod name;`, attributes before it skipped; 0 if something else stands there."""
        while number < len(lines) and ATTRIBUTE.match(lines[number]):
            number += 1
        return number + 1 if number < len(lines) and MODULE_FILE.match(lines[number]) else 0

    def end_of_test_module(self, path, lines, number):
        """The number of the line behind a module of tests that begins at a line."""
        if number >= len(lines) or not re.match(r"^(?:pub(?:\([\w: ]+\))? )?mod \w+ \{$", lines[number]):
            self.fail(path, number, "#[cfg(test)] on something else than a module: expected `mod tests {`")
        try:
            return lines.index("}", number) + 1
        except ValueError:
            self.fail(path, number + 1, "a module of tests without an end")

    def module_in_place(self, path, number, folder, match):
        """The lines of `mod name { … }`."""
        name = match.group(3)
        flat, nested = folder / f"{name}.rs", folder / name / "mod.rs"
        if flat.exists() == nested.exists():
            self.fail(path, number, f"module {name}: expected one of {name}.rs and {name}/mod.rs beside it")
        file = flat if flat.exists() else nested
        return [f"{match.group(2)} {{", *self.module(file, folder / name), f"}} // mod {name}"]

    def line(self, path, number, line):
        """A line with the paths of crates, included texts and the version in place."""
        code = line.split("//", 1)[0]
        for pattern, what in REFUSED.items():
            if re.search(pattern, code):
                self.fail(path, number, f"{what} can't be packed: `{line.strip()}`")
        if re.search(r"\bmod \w+\s*;", code):
            self.fail(path, number, f"a module that is not on a line of its own: `{line.strip()}`")
        if match := USE.match(line):
            first = match.group(1)
            if first not in KNOWN_CRATES and first not in self.standins and not self.is_local(path, first):
                self.fail(path, number, f"crate {first} has no stand-in in {STANDINS.relative_to(self.root)}")
        if code.strip():
            line = self.crate_path.sub(r"crate::\1::", line)
            line = line.replace('env!("CARGO_PKG_VERSION")', f'"{self.version}"')
            line = line.replace('env!("AMAZONS_BUILD")', '"packed"')
            line = INCLUDE.sub(lambda match: self.text(path, number, match.group(1)), line)
            if "include_str!" in line.split("//", 1)[0]:
                self.fail(path, number, f"include_str! of something else than a literal: `{line.strip()}`")
        return line

    def is_local(self, path, name):
        """Tests if a `use` begins with a module or enum of the same file."""
        return re.search(rf"^\s*(?:pub(?:\([\w: ]+\))? )?(?:mod|enum) {name}\b", path.read_text(encoding="utf-8"), re.M) is not None

    def text(self, path, number, name):
        """An included text as a literal."""
        file = path.parent / name
        if not file.exists():
            self.fail(path, number, f"include_str!: there is no {name}")
        try:
            text = file.read_bytes().decode()
        except UnicodeDecodeError:
            self.fail(path, number, f"include_str!: {name} is not UTF-8")
        # A literal can't hold the first, and rustc changes the second.
        for refused, what in (('"#', '"#'), ("\r", "a carriage return")):
            if refused in text:
                self.fail(path, number, f"include_str!: {name} holds {what}")
        return f'r#"{text}"#'


# What starts the bot.
MAIN = """\
fn main() -> std::process::ExitCode {
    program::run().into()
}
"""


def pack(root, version, main=MAIN):
    """The whole crate as the text of one file, which ends with its `main`."""
    packer = Packer(root, version)
    library = packer.module(root / "src" / "engine" / "lib.rs", root / "src" / "engine")
    program = packer.module(root / "src" / "main.rs", root / "src")
    # The crate's own comment comes first, for the one file as for the crate.
    body = next(number for number, line in enumerate(library) if not line.startswith("//!"))
    parts = [*library[:body], "#![allow(dead_code)]", "", "extern crate self as engine;", *library[body:], ""]
    for name in packer.standins:
        parts += [f"pub mod {name} {{", *(STANDINS / f"{name}.rs").read_text(encoding="utf-8").splitlines(), f"}} // mod {name}", ""]
    parts += ["mod program {", *program, "} // mod program", ""]
    return "\n".join(parts) + "\n" + main
