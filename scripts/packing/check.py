"""Checks that a packed bot is the bot: it compares signatures, and a game in each interaction."""

import json
import re
import subprocess

from .faults import PackError, run

BOTZONE = ["-D_BOTZONE_ONLINE", "-D_GLIBCXX_USE_CXX11_ABI=0", "-O2", "-Wall", "-mavx"]
STANDARDS = ["c++11", "c++17"]
PLAY = ["--iterations", "2000", "--seed", "1"]
MARKER = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"

# What black is asked first, and what a player answers who can't move.
NO_MOVE = "-1 -1 -1 -1 -1 -1"


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


def move(answer):
    """The six numbers of a move in JSON."""
    return dict(zip(("x0", "y0", "x1", "y1", "x2", "y2"), map(int, answer.split())))


def is_over(record):
    """Tests if the last answer of a game is that of a player who can't move."""
    return len(record) > 1 and record[-1] == NO_MOVE


def answered(program, lines):
    """The next answer in lines that the program prints, the marker behind it."""
    answer, marker = lines
    if marker.rstrip() != MARKER:
        raise PackError(f"{program} printed {marker!r}, expected the marker")
    return answer.rstrip()


def restarted(program):
    """A game of the program against itself in JSON, started anew for every turn. Returns the answers."""
    record, answers = [NO_MOVE], []
    while not is_over(record):
        # White's record begins with black's first move.
        entries = record if len(record) % 2 else record[1:]
        requests, responses = ([move(answer) for answer in part] for part in (entries[::2], entries[1::2]))
        text = json.dumps({"requests": requests, "responses": responses})
        answer = answered(program, run([program, *PLAY], text)[0].splitlines())
        # The time in the debug text is no part of the bot's behaviour.
        answers.append(re.sub(r", \d+ ms", "", answer))
        record.append(" ".join(map(str, json.loads(answer)["response"].values())))
    return answers


def kept_running(program):
    """A game of the program against itself in the simple interaction, both sides kept running. Returns the answers."""
    start = lambda: subprocess.Popen([program, *PLAY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    record = [NO_MOVE]
    try:
        with start() as black, start() as white:
            while not is_over(record):
                side = black if len(record) % 2 else white
                # The first turn has its number before it.
                print("1\n" * (len(record) < 3) + record[-1], file=side.stdin, flush=True)
                record.append(answered(program, [side.stdout.readline() for _ in range(2)]))
    except BrokenPipeError:
        raise PackError(f"{program} ended before its game did")
    return record[1:]


GAMES = {"simple": kept_running, "JSON": restarted}


def same_bot(reference, programs):
    """Compares programs with the cargo build. Returns a description of what was compared."""
    expected = signature(reference)
    games = {interaction: play(reference) for interaction, play in GAMES.items()}
    checked = set()
    for name, program in programs.items():
        # With another standard of C++, g++ makes the same program.
        if program.read_bytes() in checked:
            continue
        checked.add(program.read_bytes())
        found = signature(program)
        if found != expected:
            raise PackError(f"{name}: signature {found}, expected {expected} as of the cargo build")
        for interaction, game in games.items():
            if GAMES[interaction](program) != game:
                raise PackError(f"{name}: plays another game than the cargo build in {interaction} interaction")
    built, turns = ", ".join(programs), " and ".join(str(len(game)) for game in games.values())
    return f"built by {built}: signature {expected} and games of {turns} turns as the cargo build"
