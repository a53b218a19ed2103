"""A bot that plays random moves and makes the one mistake named by its argument, for tests of `amazons check`.

It supports both forms of interaction, asks to be kept running, and always plays the same moves after the same record. All
mistakes are in lines with `is_wrong`.
"""

import json
import random
import socket
import subprocess
import sys
import threading
import time

MISTAKES = {
    # No mistakes.
    "none": "nothing is wrong",
    "ends": "nothing is wrong: it does not ask to be kept running, and ends",
    "no-newline": "nothing is wrong: the same, without a newline after the answer",
    # The record and the rules.
    "forgets-last": "replays the record up to the last move but one",
    "forgets-own": "does not replay its own moves",
    "forgets-opponent": "does not replay the opponent's moves",
    "forgets-arrows": "does not replay arrows",
    "wrong-colour": "replays the record as if white had begun",
    "own-wall": "never shoots through or at the square that its amazon has just left, and dies where only that is legal",
    "stale-state": "goes on from the file of an earlier process, even if that played another game",
    # The answer.
    "swapped-axes": "exchanges x and y in its answer",
    "from-one": "counts from 1 in its answer",
    "debug-line": "prints a line before its answer",
    "commas": "puts commas between the numbers of a simple answer",
    "trailing-space": "puts a blank behind a simple answer",
    "json-answer": "answers simple input in JSON",
    "simple-answer": "answers JSON input in the simple form",
    "array": "answers JSON input with an array of six numbers",
    "floats": "writes the numbers of an answer in JSON with a point",
    "content": "names its answer in JSON content, not response",
    "string": "puts its answer in JSON into a string, and text after it",
    "lacks-direction": "neither moves nor shoots to the left and up the rows, and answers -1 six times where only that is legal",
    "gives-up": "answers -1 -1 -1 -1 -1 -1 where it has fewer than ten moves",
    # Crashes.
    "crash-single": "dies where it has a single legal move",
    "crash-white": "dies as white",
    "crash-long": "dies of a record of more than 40 moves",
    "crash-data": "dies of a line behind the record that is not a move",
    # Keeping running.
    "unflushed": "does not flush its answer and the marker",
    "expects-all": "expects the whole record in every turn, though it asks to be kept running",
    "marker-once": "prints the marker after its first answer alone",
    "lingers": "prints no marker, and does not end",
    "hangs": "does not end with its input",
    "reads-all": "prints no marker, and answers when its input has ended",
    # Time, memory and system resources.
    "slow-second": "takes 1.3 s from its second turn in a process on",
    "slow-long": "takes 60 ms for each move of the record",
    "burns": "burns CPU time while it waits for its next turn",
    "grows": "takes 30 MB more in every turn of a process",
    "orphan": "leaves a process behind",
    "writes": "writes a file into its folder",
    "network": "sends a packet into the network in every turn",
    "floods": "writes a MB to standard error in every turn",
}
MISTAKE = sys.argv[1]
EMPTY, BLACK, WHITE, ARROW = range(4)
START = {BLACK: [(0, 2), (2, 0), (5, 0), (7, 2)], WHITE: [(0, 5), (2, 7), (5, 7), (7, 5)]}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
KEYS = ["x0", "y0", "x1", "y1", "x2", "y2"]
MARKER = "\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
STATE = "record.json"


def is_wrong(*names):
    assert all(name in MISTAKES for name in (MISTAKE, *names)), names
    return MISTAKE in names


def reach(board, square):
    for dx, dy in DIRECTIONS:
        if is_wrong("lacks-direction") and (dx, dy) == (-1, 1):
            continue
        x, y = square[0] + dx, square[1] + dy
        while board.get((x, y)) == EMPTY:
            yield x, y
            x, y = x + dx, y + dy


def legal_moves(board, player):
    for source in [square for square in board if board[square] == player]:
        for target in reach(board, source):
            after = {**board, source: ARROW if is_wrong("own-wall") else EMPTY}
            yield from (source + target + arrow for arrow in reach(after, target))


def replay(record):
    board = {(x, y): EMPTY for x in range(8) for y in range(8)}
    board.update({square: player for player in START for square in START[player]})
    for ply, move in enumerate(record[:-1] if is_wrong("forgets-last") else record):
        if is_wrong("forgets-opponent" if (len(record) - ply) % 2 else "forgets-own"):
            continue
        board[move[0:2]] = EMPTY
        board[move[2:4]] = WHITE if (ply % 2 == 1) != is_wrong("wrong-colour") else BLACK
        if not is_wrong("forgets-arrows"):
            board[move[4:6]] = ARROW
    return board


def choose(record):
    if is_wrong("crash-white") and len(record) % 2 == 1 or is_wrong("crash-long") and len(record) > 40:
        raise RuntimeError(MISTAKE)
    moves = list(legal_moves(replay(record), WHITE if len(record) % 2 else BLACK))
    if is_wrong("crash-single") and len(moves) == 1:
        raise RuntimeError(MISTAKE)
    if is_wrong("gives-up") and len(moves) < 10 or is_wrong("lacks-direction") and not moves:
        return (-1,) * 6
    return random.Random(str(record)).choice(moves)


def read_turn(is_first):
    """Return the moves of the next turn, and whether the turn is JSON; `None` at the end of input."""
    moves, count = [], None if is_first or is_wrong("expects-all") else 1
    for line in sys.stdin.readlines() if is_wrong("reads-all") else sys.stdin:
        if line.startswith("{"):
            turn = json.loads(line)
            record = turn["requests"] if count is None else turn.get("requests") or [turn.get("request", turn)]
            for at, response in enumerate(turn.get("responses", [])):
                record.insert(2 * at + 1, response)
            moves = [tuple(move[key] for key in KEYS) for move in record]
            return moves if is_first else moves[-1:], True
        numbers = tuple(int(word) for word in line.split() if is_wrong("crash-data") or word.lstrip("-").isdigit())
        if count is None and len(numbers) == 1:
            count = 2 * numbers[0] - 1
        elif len(numbers) == 6:
            moves.append(numbers)
        if len(moves) == count:
            return moves, False
    return None


def write_answer(move, is_json, is_first):
    if is_wrong("swapped-axes"):
        move = [move[at ^ 1] for at in range(6)]
    if is_wrong("from-one"):
        move = [number + 1 for number in move]
    if is_wrong("debug-line"):
        print("thinking")
    if is_wrong("json-answer") or is_json and not is_wrong("simple-answer"):
        move = [float(number) for number in move] if is_wrong("floats") else move
        response = list(move) if is_wrong("array") else dict(zip(KEYS, move))
        response = json.dumps(response) + " good luck" if is_wrong("string") else response
        answer = json.dumps({"content" if is_wrong("content") else "response": response})
    else:
        answer = (", " if is_wrong("commas") else " ").join(map(str, move)) + " " * is_wrong("trailing-space")
    is_kept = not is_wrong("ends", "no-newline", "lingers", "reads-all") and (is_first or not is_wrong("marker-once"))
    end = "" if is_wrong("no-newline") else "\n"
    print(answer + MARKER * is_kept, end=end, flush=not is_wrong("unflushed"))
    return is_kept or is_wrong("marker-once")


def misbehave(record, is_first, hoard=[]):
    """Make the mistakes of a turn that do not concern its answer."""
    if is_wrong("slow-second") and not is_first:
        time.sleep(1.3)
    if is_wrong("slow-long"):
        time.sleep(0.06 * len(record))
    if is_wrong("grows"):
        hoard.append(b"x" * 30_000_000)
    if is_wrong("floods"):
        print("x" * 1_000_000, file=sys.stderr)
    if is_wrong("network"):
        hoard.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        hoard[-1].sendto(b"hello", ("127.0.0.1", 9))
    if is_wrong("orphan") and is_first:
        sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
        subprocess.Popen(sleep, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if is_wrong("writes"):
        print(len(record), file=open("bot.log", "a"))


def spin(waiting):
    while waiting.is_set():
        pass


def main():
    record, is_first, waiting = [], True, threading.Event()
    while turn := read_turn(is_first):
        waiting.clear()
        moves, is_json = turn
        if is_wrong("stale-state") and is_first:
            try:
                record, moves = [tuple(move) for move in json.load(open(STATE))], moves[-1:]
            except (FileNotFoundError, ValueError):
                pass
        record += [move for move in moves if move[0] >= 0]
        misbehave(record, is_first)
        record.append(choose(record))
        if is_wrong("stale-state"):
            json.dump(record, open(STATE, "w"))
        goes_on = write_answer(record[-1], is_json, is_first)
        if is_wrong("burns"):
            waiting.set()
            threading.Thread(target=spin, args=[waiting], daemon=True).start()
        if not goes_on:
            break
        is_first = False
    if is_wrong("hangs", "lingers"):
        time.sleep(60)


main()
