# The smallest complete bot for the Game of the Amazons on Botzone, in Python 3: a place to start from.
# Botzone 亚马逊棋最小的完整 Bot（Python 3）：从这里写出你自己的 Bot。
import json
import sys

EMPTY, BLACK, WHITE, ARROW = 0, 1, 2, 3
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
KEYS = ["x0", "y0", "x1", "y1", "x2", "y2"]  # from, to, arrow / 起点、落点、箭

def start():  # what stands on each square (x, y) at first / 开局时每个格子 (x, y) 上有什么
    board = {(x, y): EMPTY for x in range(8) for y in range(8)}
    board.update({square: BLACK for square in [(0, 2), (2, 0), (5, 0), (7, 2)]})
    board.update({square: WHITE for square in [(0, 5), (2, 7), (5, 7), (7, 5)]})
    return board

def reach(board, x, y):  # the squares to which a queen goes from here / 从这一格按后的走法能到达的格子
    squares = []
    for dx, dy in DIRECTIONS:
        square = (x + dx, y + dy)
        while board.get(square) == EMPTY:  # off the board there is nothing, not EMPTY / 棋盘外没有格子，也就不是 EMPTY
            squares.append(square)
            square = (square[0] + dx, square[1] + dy)
    return squares

def legal_moves(board, player):
    moves = []
    for amazon in [square for square in board if board[square] == player]:
        board[amazon] = EMPTY  # the arrow may fly over the square just left / 箭可以经过刚离开的格子
        moves += [amazon + to + arrow for to in reach(board, *amazon) for arrow in reach(board, *to)]
        board[amazon] = player
    return moves

def play(board, move):  # whoever's move it is / 不论是哪一方的着法
    board[move[2:4]], board[move[0:2]] = board[move[0:2]], EMPTY
    board[move[4:6]] = ARROW

def mobility(board, player):
    return sum(len(reach(board, *square)) for square in board if board[square] == player)

def choose(board, me):  # the move after which I am freer than the opponent; put your own ideas here / 走后我方比对方更自由；在此写你的想法
    def value(move):
        after = dict(board)
        play(after, move)
        return mobility(after, me) - mobility(after, BLACK + WHITE - me)
    return max(legal_moves(board, me), key=value)

# The moves that are new, and whether they came as JSON. A new process is sent the whole record (the opponent's first move,
# mine, and so on), one that was kept running the opponent's last move alone.
# 返回新的着法，以及是否为 JSON 交互。新进程收到完整记录（对手与自己的着法交替），长时运行的进程只收到对手的最新一步。
def read_turn(is_first):
    moves, count = [], None if is_first else 1
    for line in sys.stdin:
        if line.lstrip().startswith("{"):
            turn = json.loads(line)
            record = turn.get("requests") or [turn.get("request", turn)]
            for at, response in enumerate(turn.get("responses", [])):
                record.insert(2 * at + 1, response)
            return [tuple(move[key] for key in KEYS) for move in record[0 if is_first else -1:]], True
        numbers = tuple(int(word) for word in line.split() if word.lstrip("-").isdigit())
        if count is None and len(numbers) == 1:
            count = 2 * numbers[0] - 1
        elif len(numbers) == 6:
            moves.append(numbers)
        if len(moves) == count:
            return moves, False
    sys.exit()  # the input has ended: so does the bot / 输入结束，Bot 也结束

board, me = start(), None
while True:
    moves, is_json = read_turn(me is None)
    if me is None:  # black is first told a move of -1, as nobody has moved / 黑方先收到全为 -1 的一步，因为还没有人走过
        me = BLACK if moves[0][0] < 0 else WHITE
    for move in [move for move in moves if move[0] >= 0]:
        play(board, move)
    move = choose(board, me)
    play(board, move)
    print(json.dumps({"response": dict(zip(KEYS, move))}) if is_json else " ".join(map(str, move)))
    # "Send me the next turn in this process", flushed so that it arrives / 请求长时运行；必须 flush 才能送达
    print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
