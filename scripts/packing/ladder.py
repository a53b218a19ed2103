"""Smaller bots: what each of them lacks, and what that costs in strength.

A smaller bot is built from a copy of the sources in which a few lines are replaced. So the same code builds, packs and
checks the whole bot and the smaller ones.
"""

import shutil
from collections import namedtuple
from pathlib import Path

from . import rust
from .faults import PackError, run

# A bot: size of its file in bytes when last measured, a description, its cost in strength, and its settings.
Rung = namedtuple("Rung", "bytes name price settings")

# Settings of the whole bot: for each network the quantisation step of its weights, or 0 to leave the network out; whether
# the bot unpacks itself at start-up; rustc's opt-level.
WHOLE = {"value": 1, "policy": 1, "unpacked": False, "opt_level": "3"}

# Each is smaller than the one before. benches/EXPERIMENTS.md tells how the prices were measured.
RUNGS = [
    Rung(510_545, "whole", "nothing lost", WHOLE),
    Rung(273_582, "unpacked at start-up, otherwise whole", "0.3 s at the start, and executable memory", WHOLE | {"unpacked": True}),
    Rung(237_130, "unpacked, value network in steps of 2, policy network in steps of 8", "Elo -76 [-98, -55]", WHOLE | {"unpacked": True, "value": 2, "policy": 8}),
    Rung(129_132, "unpacked, no value network, policy network in steps of 8, compiled for size", "Elo -330 [-373, -294], and a quarter of the speed", {"unpacked": True, "value": 0, "policy": 8, "opt_level": "s"}),
]

# Replacements (file in src/engine, old, new) that leave out the value network: only the linear evaluation remains.
WITHOUT_VALUE_NETWORK = [
    ("mcts/worker.rs", "use crate::eval::{self, Networks, value::ValueNetwork};", "use crate::eval::{self, Networks};"),
    ("mcts/worker.rs", "network: &ValueNetwork, board: &Board, linear", "(): &(), board: &Board, linear"),
    ("mcts/worker.rs", "network.log_odds(board, linear)", "linear"),
    ("eval/networks.rs", "use super::value::{self, ValueNetwork};", ""),
    ("eval/networks.rs", "value: Arc<ValueNetwork>", "value: Arc<()>"),
    ("eval/networks.rs", "    let value = value::parse(value::WEIGHTS).expect(\"`amazons train` wrote the file\");\n", ""),
    ("eval/networks.rs", "Arc::new(value.network())", "Arc::new(())"),
    ("eval/networks.rs", "Arc::new(value::parse(text)?.network())", "{\n            let _ = text;\n            Arc::new(())\n        }"),
    ("eval/networks.rs", "self.value.log_odds(board, linear)", "linear"),
]

# Packing a bot to learn its size takes seconds. Bots whose last measured size exceeds the limit times this factor are skipped.
DRIFT = 1.1

# Rust program that writes the weights of both networks, divided and rounded.
COARSER = Path(__file__).resolve().parent / "coarser.rs"

# Folders and files that a build of the bot reads.
FOLDERS, FILES = ("src", "benches", "tests"), ("Cargo.toml", "Cargo.lock")


class TooSmall(PackError):
    """Even the smallest bot exceeds the limit."""


def within(limit, size):
    """Returns the index of the first bot within a size limit. `size` packs the bot with an index and returns its size."""
    for number, rung in enumerate(RUNGS):
        if (rung is RUNGS[-1] or rung.bytes <= DRIFT * limit) and size(number) <= limit:
            return number
    raise TooSmall(f"--bytes {limit}: expected at least {size(number)}, the size of the smallest bot")


def copy(root, tree, settings):
    """Copies the sources and replaces the lines that the settings require."""
    shutil.rmtree(tree, ignore_errors=True)
    for folder in FOLDERS:
        # The copies get new modification times, so that cargo rebuilds after another bot was built here.
        shutil.copytree(root / folder, tree / folder, copy_function=shutil.copy)
    for file in FILES:
        shutil.copy(root / file, tree / file)
    source = tree / "src/engine"
    if settings["value"] == 0:
        for file, old, new in WITHOUT_VALUE_NETWORK:
            replace(source / file, old, new)
    if settings["value"] != 1:
        write_coarser(tree, settings["value"], settings["policy"])


def write_coarser(tree, value, policy):
    """Divides the weights in a copy of the sources. The bot multiplies them again when it reads them."""
    bot, tool = tree / "coarser.rs", tree / "coarser"
    bot.write_text(rust.pack(tree, "0", COARSER.read_text(encoding="utf-8")), encoding="utf-8")
    run(["rustc", "--edition", "2024", bot, "-o", tool])
    run([tool, max(value, 1), policy, tree])
    eval = tree / "src/engine/eval"
    times = lambda rows, by: f"    for row in {rows} {{\n        *row = row.map(|weight| weight * {by});\n    }}\n"
    before = "    Ok(weights)\n"
    value_rows = "weights.rows.iter_mut().chain(&mut weights.patterns).chain(&mut weights.amazons[..super::amazons::FIRST_REACH_ROW])"
    for name, step, rows in (("value", value, value_rows), ("policy", policy, "&mut weights.rows")):
        if step > 1:
            shutil.move(tree / f"{name}.txt", eval / name / "weights.txt")
            replace(eval / name / "text.rs", before, times(rows, step) + before)


def replace(file, old, new):
    """Replaces a text that must occur exactly once in a file."""
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise PackError(f"{file}: expected once, to be changed in a smaller bot: `{old.strip()}`")
    file.write_text(text.replace(old, new), encoding="utf-8")
