"""Smaller bots: what each lacks, and what that costs.

A smaller bot is the bot of a copy of the sources in which a few lines are others. So what builds, packs and checks the
whole bot does the same with a smaller one.
"""

import shutil
from collections import namedtuple
from pathlib import Path

from . import rust
from .faults import PackError, run

# A bot: the bytes of its file when they were last measured, what it lacks, what that costs, and its settings.
Rung = namedtuple("Rung", "bytes name price settings")

# The settings of the whole bot: the steps of which the weights of each network are multiples, or 0 for no such network;
# whether the bot unpacks itself at start-up; rustc's opt-level.
WHOLE = {"value": 1, "policy": 1, "unpacked": False, "opt_level": "3"}

# Each is smaller than the one before. benches/EXPERIMENTS.md tells how the prices were measured.
RUNGS = [
    Rung(508_488, "whole", "nothing lost", WHOLE),
    Rung(292_179, "unpacked at start-up, otherwise whole", "0.3 s at the start, and executable memory", WHOLE | {"unpacked": True}),
    Rung(225_847, "unpacked, value network in steps of 4, policy network in steps of 8", "Elo -63 [-86, -41]", WHOLE | {"unpacked": True, "value": 4, "policy": 8}),
    Rung(126_431, "unpacked, no value network, policy network in steps of 8, compiled for size", "Elo -306 [-346, -271], and a third of the speed", {"unpacked": True, "value": 0, "policy": 8, "opt_level": "s"}),
]

# A bot's size is known by packing it, which takes seconds. Those whose last size is beyond this many times the limit are left out.
DRIFT = 1.1

# Writes the weights of both networks divided by numbers.
COARSER = Path(__file__).resolve().parent / "coarser.rs"

# What a build of the bot reads.
FOLDERS, FILES = ("src", "benches", "tests"), ("Cargo.toml", "Cargo.lock")


class TooSmall(PackError):
    """No bot is within the limit."""


def within(limit, size):
    """The number of the first bot within a limit. `size` packs the bot of a number and returns its bytes."""
    for number, rung in enumerate(RUNGS):
        if (rung is RUNGS[-1] or rung.bytes <= DRIFT * limit) and size(number) <= limit:
            return number
    raise TooSmall(f"--bytes {limit}: expected at least {size(number)}, the size of the smallest bot")


def copy(root, tree, settings):
    """Copies the sources, with those lines changed that the settings ask for."""
    shutil.rmtree(tree, ignore_errors=True)
    for folder in FOLDERS:
        # Copies are as new as they are: by their times cargo sees that those of another bot were here before.
        shutil.copytree(root / folder, tree / folder, copy_function=shutil.copy)
    for file in FILES:
        shutil.copy(root / file, tree / file)
    source = tree / "src/engine"
    if settings["value"] == 0:
        for file, network in (("mcts.rs", "network"), ("eval/learned.rs", "self.value")):
            call = f"{network}.log_odds(board, linear)"
            replace(source / file, call, f"{{\n        let _ = (&{network}, board);\n        linear\n    }}")
    if settings["value"] != 1:
        write_coarser(tree, settings["value"], settings["policy"])


def write_coarser(tree, value, policy):
    """Replaces the weights in a copy of the sources. The bot multiplies what is left of them as it reads them."""
    bot, tool = tree / "coarser.rs", tree / "coarser"
    bot.write_text(rust.pack(tree, "0", COARSER.read_text(encoding="utf-8")), encoding="utf-8")
    run(["rustc", "--edition", "2024", bot, "-o", tool])
    run([tool, value, policy, tree])
    eval = tree / "src/engine/eval"
    times = lambda by: f"    for row in &mut weights.rows {{\n        *row = row.map(|weight| weight * {by});\n    }}\n"
    before = "    Ok(weights)\n"
    for name, step in (("value", value), ("policy", policy)):
        if step != 1:
            shutil.move(tree / f"{name}.txt", eval / name / "weights.txt")
            replace(eval / name / "text.rs", before, times(step) + before)


def replace(file, old, new):
    """Replaces lines that stand in a file once."""
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise PackError(f"{file}: expected once, to be changed in a smaller bot: `{old.strip()}`")
    file.write_text(text.replace(old, new), encoding="utf-8")
