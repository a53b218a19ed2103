"""Smaller bots: what each lacks, and what that costs.

A smaller bot is the bot of a copy of the sources in which a few lines are others. So what builds, packs and checks the
whole bot does the same with a smaller one.
"""

import shutil
from collections import namedtuple
from pathlib import Path

from . import rust
from .check import run
from .faults import PackError

# A bot: the bytes that its file had when they were last looked at, what it lacks, what that costs, and its settings.
Rung = namedtuple("Rung", "bytes name price settings")

# The settings of the whole bot: whether it uses AVX-512; of what number the weights of each network are multiples, or 0
# where there is no such network; whether it is unpacked at start-up; rustc's opt-level.
WHOLE = {"avx512": True, "value": 1, "order": 1, "unpacked": False, "opt_level": "3"}

# What all small bots have in common. Level 2 is as fast as 3.
SMALL = {"avx512": False, "unpacked": True, "opt_level": "2"}

# Each is smaller than the one before. benches/EXPERIMENTS.md tells how prices were measured; Elo is that of networks with
# eight filters.
RUNGS = [
    Rung(508_438, "whole", "nothing lost", WHOLE),
    Rung(493_072, "no AVX-512", "nothing lost where the processor lacks it", WHOLE | {"avx512": False}),
    Rung(447_974, "no AVX-512, value network in steps of 4", "Elo -1 [-24, +22]", WHOLE | {"avx512": False, "value": 4}),
    Rung(292_582, "unpacked at start-up, otherwise whole", "0.25 s at the start, and executable memory", WHOLE | {"unpacked": True}),
    Rung(281_315, "unpacked, no AVX-512", "0.25 s at the start, and executable memory", WHOLE | SMALL),
    Rung(236_355, "unpacked, no AVX-512, value network in steps of 4", "Elo -1 [-24, +22]", WHOLE | SMALL | {"value": 4}),
    Rung(214_921, "unpacked, no AVX-512, value network in steps of 4, order network in steps of 8", "Elo -50 [-72, -29]", WHOLE | SMALL | {"value": 4, "order": 8}),
    Rung(194_149, "unpacked, no AVX-512, both networks in steps of 8", "Elo -149 [-175, -124]", WHOLE | SMALL | {"value": 8, "order": 8}),
    Rung(137_358, "unpacked, no AVX-512, no value network, order network in steps of 8", "Elo -218 [-250, -190]", WHOLE | SMALL | {"value": 0, "order": 8}),
    Rung(123_155, "all that, compiled for size", "Elo -218 [-250, -190], and half of the speed", WHOLE | SMALL | {"value": 0, "order": 8, "opt_level": "s"}),
]

# Writes the weights of both networks divided by numbers.
COARSER = Path(__file__).resolve().parent / "coarser.rs"

# What a build of the bot reads.
FOLDERS, FILES = ("src", "benches", "tests"), ("Cargo.toml", "Cargo.lock")


class TooSmall(PackError):
    """No bot is within the limit."""


def within(limit, size):
    """The number of the first bot within a limit; `size` tells the size of one. An error names the smallest."""
    last = len(RUNGS) - 1
    # To know a size takes a build, so the search begins where the last known sizes lead.
    number = next((number for number, rung in enumerate(RUNGS) if rung.bytes <= limit), last)
    while number < last and size(number) > limit:
        number += 1
    while number > 0 and size(number - 1) <= limit:
        number -= 1
    if size(number) > limit:
        raise TooSmall(f"--bytes {limit}: expected at least {size(number)}, the size of the smallest bot")
    return number


def copy(root, tree, settings):
    """Copies the sources, with those lines changed that the settings ask for."""
    shutil.rmtree(tree, ignore_errors=True)
    for folder in FOLDERS:
        # Copies are as new as they are: by their times cargo sees that those of another bot were here before.
        shutil.copytree(root / folder, tree / folder, copy_function=shutil.copy)
    for file in FILES:
        shutil.copy(root / file, tree / file)
    source = tree / "src"
    if not settings["avx512"]:
        eight = "        8 => x86_64::run_eight(kernel),\n        #[cfg(target_arch = \"x86_64\")]\n"
        replace(source / "bitboard/vectors.rs", eight, "")
    if settings["value"] == 0:
        for file, network in (("mcts.rs", "network"), ("eval/learned.rs", "self.value")):
            call = f"{network}.log_odds(board, cheap)"
            replace(source / file, call, f"{{\n        let _ = (&{network}, board);\n        cheap\n    }}")
    if settings["value"] != 1 or settings["order"] != 1:
        write_coarser(tree, settings["value"], settings["order"])


def write_coarser(tree, value, order):
    """Replaces the weights in a copy of the sources. The bot multiplies what is left of them as it reads them."""
    bot, tool = tree / "coarser.rs", tree / "coarser"
    bot.write_text(rust.pack(tree, "0", COARSER.read_text(encoding="utf-8")), encoding="utf-8")
    run(["rustc", "--edition", "2024", bot, "-o", tool])
    run([tool, value, order, tree])
    eval = tree / "src/eval"
    times = lambda rows, by: f"    for row in {rows} {{\n        *row = row.map(|weight| weight * {by});\n    }}\n"
    for name, step, file, before, rows in (
        ("value", value, "network", "    Ok(ValueWeights {\n", "&mut rows"),
        ("order", order, "order", "    Ok(weights)\n", "&mut weights.rows"),
    ):
        if step != 1:
            shutil.move(tree / f"{name}.txt", eval / file / "weights.txt")
            replace(eval / file / "text.rs", before, times(rows, step) + before)


def replace(file, old, new):
    """Replaces lines that stand in a file once."""
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise PackError(f"{file}: expected once, to be changed in a smaller bot: `{old.strip()}`")
    file.write_text(text.replace(old, new), encoding="utf-8")
