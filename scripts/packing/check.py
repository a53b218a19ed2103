"""Checks that a packed bot is the bot: it compares signatures, and transcripts of a game in both interactions."""

import json
import re
import subprocess

from .faults import PackError

BOTZONE = ["-D_BOTZONE_ONLINE", "-D_GLIBCXX_USE_CXX11_ABI=0", "-O2", "-Wall", "-mavx"]
STANDARDS = ["c++11", "c++17"]
PLAY = ["--iterations", "2000", "--seed", "1"]
MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def run(command, text=None):
    """Standard output and error of a command that has to succeed."""
    try:
        result = subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True)
    except FileNotFoundError:
        raise PackError(f"{command[0]} is not installed, but needed to check the packed file")
    if result.returncode:
        raise PackError(f"`{' '.join(map(str, command))}` ended with {result.returncode}:\n{result.stderr}")
    return result.stdout, result.stderr


def build_rust(file, scratch):
    program = scratch / "from_rust"
    _, complaints = run(["rustc", "--edition", "2024", "-O", file, "-o", program])
    if complaints:
        raise PackError(f"rustc complains about {file.name}:\n{complaints}")
    return program


def build_cpp(file, scratch):
    """The programs that g++ builds from the file, by compiler flags."""
    programs = {}
    for standard in STANDARDS:
        program = scratch / f"from_cpp_{standard}"
        _, complaints = run(["g++", *BOTZONE, f"-std={standard}", "-x", "c++", file, "-lpthread", "-o", program])
        if complaints:
            raise PackError(f"g++ complains about {file.name}:\n{complaints}")
        programs[f"g++ -O2 -mavx -std={standard}"] = program
    return programs


def form(file):
    """Refuses a C++ file that is not ASCII or has long lines."""
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if len(line) >= 250 or not line.isascii():
            raise PackError(f"{file.name}:{number}: expected fewer than 250 bytes of ASCII")


def signature(program):
    found = re.search(r"^signature: (\d+)$", run([program, "bench", "3000"])[0], re.M)
    if not found:
        raise PackError(f"{program} bench printed no signature")
    return found.group(1)


def transcript(program, as_json):
    """A game of the program against itself, the white side restarted at every turn."""
    move_json = lambda line: dict(zip(("x0", "y0", "x1", "y1", "x2", "y2"), map(int, line.split())))
    record, lines = ["-1 -1 -1 -1 -1 -1"], []
    while True:
        # White's record begins with black's first move.
        entries = record if len(record) % 2 else record[1:]
        if as_json:
            requests, responses = ([move_json(line) for line in part] for part in (entries[::2], entries[1::2]))
            text = json.dumps({"requests": requests, "responses": responses})
        else:
            text = "\n".join([str(len(entries) // 2 + 1), *entries])
        answer, marker = run([program, *PLAY], text)[0].splitlines()
        if marker != MARKER:
            raise PackError(f"{program} printed {marker!r}, expected the marker")
        # The time in the debug text is no part of the bot's behaviour.
        lines.append(re.sub(r", \d+ ms", "", answer))
        if as_json:
            answer = " ".join(map(str, json.loads(answer)["response"].values()))
        if answer == "-1 -1 -1 -1 -1 -1":
            return lines
        record.append(answer)


def same_bot(reference, programs):
    """Compares programs with the cargo build. Returns a description of what was compared."""
    expected = signature(reference)
    games = [transcript(reference, as_json) for as_json in (False, True)]
    checked = set()
    for name, program in programs.items():
        # With another standard of C++, g++ makes the same program.
        if program.read_bytes() in checked:
            continue
        checked.add(program.read_bytes())
        found = signature(program)
        if found != expected:
            raise PackError(f"{name}: signature {found}, expected {expected} as of the cargo build")
        for as_json, game in zip((False, True), games):
            if transcript(program, as_json) != game:
                raise PackError(f"{name}: plays another game than the cargo build in {'JSON' if as_json else 'simple'} interaction")
    built = ", ".join(programs)
    return f"built by {built}: signature {expected} and games of {len(games[0])} and {len(games[1])} turns as the cargo build"
