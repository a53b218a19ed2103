//! Helpers that several tests share: random positions, access to a board's cells, running the program on an input.
#![allow(dead_code, reason = "each test crate uses only some helpers")]

#[cfg(all(feature = "tools", unix))]
pub mod browser;
pub mod conversation;
pub mod dialogue;
#[cfg(all(feature = "tools", unix))]
pub mod firefox;
#[cfg(feature = "tools")]
pub mod games;
pub mod model;
pub mod needs;
#[cfg(feature = "tools")]
pub mod platform;
pub mod small;
#[cfg(target_os = "linux")]
pub mod terminal;

use engine::board::{Board, Cell, Move, Player, Square};
use engine::botzone::json;
use engine::movegen;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// Maximum time that a test waits for a condition. It is very long, so that no test depends on the machine's speed.
pub const MAX_WAIT: Duration = Duration::from_secs(300);

/// Runs the program on an input until it ends. Returns its output.
pub fn output(args: &[&str], input: &str) -> Output {
    output_with(&[], args, input)
}

/// Runs the program with these environment variables on an input until it ends. Returns its output.
pub fn output_with(variables: &[(&str, &str)], args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(args).envs(variables.iter().copied());
    run_with_input(&mut command, input)
}

/// Runs a command on an input until it ends. Returns its output.
pub fn run_with_input(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that doesn't read its input may have closed the pipe already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// Runs the program without input. Returns its exit code, standard output and standard error.
pub fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = output(args, "");
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| text(bytes).to_owned());
    (output.status.code(), out, err)
}

/// Runs the program, which must succeed. Returns its standard output.
#[track_caller]
pub fn printed(args: &[&str]) -> String {
    succeeded(&output(args, "")).to_owned()
}

/// Converts UTF-8 bytes to text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Checks that a run succeeded. Returns its standard output.
#[track_caller]
pub fn succeeded(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Checks that the program rejected its arguments: exit code 2, and an error message that contains each of `words`.
#[track_caller]
pub fn assert_rejected(output: &Output, words: &[&str]) {
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {complaint}");
    assert_has(complaint, words);
}

/// Checks that a text contains each of `words`.
#[track_caller]
pub fn assert_has(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// Returns the path of a temporary file or folder, after deleting the file or folder of an earlier run.
pub fn fresh_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Returns the path as text, for use as an argument. See [`fresh_path`].
pub fn fresh_file(name: &str) -> String {
    fresh_path(name).to_str().expect("UTF-8").to_owned()
}

/// Writes a temporary file. Returns its path.
pub fn write_file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = fresh_file(name);
    std::fs::write(&path, content).expect("the folder can be written");
    path
}

/// Returns the path of a sample log.
pub fn log(name: &str) -> String {
    format!("{}/tests/logs/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// A small random number generator (xorshift64*, Vigna 2016), so that positions don't depend on the engine's generator.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a random number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound as u64) as usize
    }
}

/// Returns the position after `plies` random moves, or at the end of the game if it ends earlier.
pub fn random_board(seed: u64, plies: usize) -> Board {
    let mut board = Board::start();
    for &turn in random_game(seed).iter().take(plies) {
        board.play(turn).expect("a generated move is legal");
    }
    board
}

/// Returns the random game of a seed. All tests share a cache of games, because generating moves is far slower than playing.
pub fn random_game(seed: u64) -> Arc<[Move]> {
    static CACHE: LazyLock<Mutex<HashMap<u64, Arc<[Move]>>>> = LazyLock::new(Mutex::default);
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let cached = cache().get(&seed).cloned();
    // The cache is not locked while a game is played.
    cached.unwrap_or_else(|| {
        let game = Arc::from(play_random_game(seed));
        cache().insert(seed, Arc::clone(&game));
        game
    })
}

fn play_random_game(seed: u64) -> Vec<Move> {
    let mut dice = Dice::new(seed);
    let (mut board, mut game) = (Board::start(), Vec::new());
    loop {
        let moves = movegen::moves(&board);
        if moves.is_empty() {
            return game;
        }
        let turn = moves[dice.below(moves.len())];
        board.play(turn).expect("a generated move is legal");
        game.push(turn);
    }
}

/// Formats a move for the simple interaction.
pub fn simple_text(turn: Move) -> String {
    turn.coordinates()
        .map(|number| number.to_string())
        .join(" ")
}

/// Formats a move for the JSON interaction; `None` gives black's first request.
pub fn json_text(turn: Option<Move>) -> String {
    let [x0, y0, x1, y1, x2, y2] = turn.map_or([-1; 6], |turn| turn.coordinates().map(i64::from));
    format!(r#"{{"x0":{x0},"y0":{y0},"x1":{x1},"y1":{y1},"x2":{x2},"y2":{y2}}}"#)
}

/// Returns the platform's input to a new process for the next turn of a game.
pub fn whole_record(record: &[Move], as_json: bool) -> String {
    let opening = record.len().is_multiple_of(2).then_some(None);
    let entries = opening.into_iter().chain(record.iter().copied().map(Some));
    if as_json {
        let entries: Vec<String> = entries.map(json_text).collect();
        let [requests, responses] = [0, 1].map(|first| {
            let entries = entries.iter().skip(first).step_by(2).cloned();
            entries.collect::<Vec<_>>().join(",")
        });
        return format!(r#"{{"requests":[{requests}],"responses":[{responses}],"time_limit":1}}"#);
    }
    let text = |turn: Option<Move>| turn.map_or("-1 -1 -1 -1 -1 -1".to_owned(), simple_text);
    let lines: Vec<String> = entries.map(text).collect();
    format!("{}\n{}", lines.len() / 2 + 1, lines.join("\n"))
}

/// Parses a bot's answer of either form.
pub fn read_answer(line: &str) -> Move {
    let Ok(value) = json::Value::parse(line) else {
        assert_eq!(line.split(' ').count(), 6, "{line}");
        return line.parse().expect("six coordinates");
    };
    let response = value.get("response").expect("an answer has a response");
    assert!(matches!(value.get("debug"), Some(json::Value::String(text)) if text.len() < 1024));
    let number = |name| response.get(name).and_then(json::Value::integer);
    let coordinates = ["x0", "y0", "x1", "y1", "x2", "y2"].map(number);
    let coordinates = coordinates.map(|number| number.expect("a whole number"));
    Move::from_coordinates(coordinates).expect("on the board")
}

/// Returns the cell at a column and row, if they are on the board.
pub fn at(board: &Board, x: i32, y: i32) -> Option<Cell> {
    let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
    Square::new(x, y).map(|square| board[square])
}

/// Iterates over the eight directions as steps of column and row.
pub fn directions() -> impl Iterator<Item = (i32, i32)> {
    (-1..=1)
        .flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)))
        .filter(|&step| step != (0, 0))
}

/// Transforms a bitboard by one of the board's eight symmetries.
pub fn transformed(set: u64, symmetry: usize) -> u64 {
    let mut image = 0;
    for square in engine::board::squares(set) {
        let (mut x, mut y) = (square.x(), square.y());
        if symmetry & 1 != 0 {
            x = 7 - x;
        }
        if symmetry & 2 != 0 {
            y = 7 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        image |= Square::new(x, y).expect("on the board").bit();
    }
    image
}

/// Transforms a board by one of its eight symmetries, and swaps the colours if `swap` is set.
pub fn transformed_board(board: &Board, symmetry: usize, swap: bool) -> Board {
    let [black, white] =
        [Player::Black, Player::White].map(|player| transformed(board.amazons(player), symmetry));
    let arrows = transformed(board.arrows(), symmetry);
    let image = if swap {
        Board::from_bitboards(white, black, arrows, !board.to_move())
    } else {
        Board::from_bitboards(black, white, arrows, board.to_move())
    };
    image.expect("four amazons a side")
}

/// Generates a random position with four amazons in each half, transformed by one of the board's symmetries. A bent wall
/// from edge to edge, with up to two gaps, separates the halves. Up to 60 % of the squares are filled with further arrows.
pub fn walled_board(seed: u64) -> Board {
    let mut dice = Dice::new(seed);
    let (mut wall, mut west) = (0_u64, 0_u64);
    let mut column = 2 + dice.below(4);
    for y in 0..8 {
        let last = column;
        column = (column + dice.below(3)).saturating_sub(1).clamp(1, 6);
        // At its bends the wall is two squares wide, so that no amazon can pass diagonally.
        let (start, end) = if y == 0 {
            (column, column)
        } else {
            (last.min(column), last.max(column))
        };
        (start..=end).for_each(|x| wall |= 1 << (8 * y + x));
        (0..start).for_each(|x| west |= 1 << (8 * y + x));
    }
    let mut amazons = |half: u64| {
        let mut set = 0_u64;
        while set.count_ones() < 4 {
            set |= half & 1 << dice.below(64);
        }
        set
    };
    let (black, white) = (amazons(west), amazons(!(west | wall)));
    let mut stones: Vec<Square> = engine::board::squares(wall).collect();
    for _ in 0..dice.below(3) {
        stones.swap_remove(dice.below(stones.len()));
    }
    let wall = stones.iter().fold(0, |set, stone| set | stone.bit());
    let (density, symmetry) = (dice.below(60), dice.below(8));
    let scattered = (0..64).filter(|_| dice.below(100) < density);
    let arrows = scattered.fold(wall, |set, at| set | 1 << at) & !(black | white);
    let to_move = [Player::Black, Player::White][dice.below(2)];
    let board = Board::from_bitboards(black, white, arrows, to_move).expect("four amazons a side");
    transformed_board(&board, symmetry, dice.below(2) == 0)
}

/// Returns the command line of each running process, and the letter of its state, from `/proc`.
#[cfg(target_os = "linux")]
pub fn processes() -> Vec<(Vec<String>, char)> {
    let entries = std::fs::read_dir("/proc").expect("procfs").flatten();
    let processes = entries.filter_map(|process| {
        let [line, state] = ["cmdline", "stat"].map(|file| {
            let bytes = std::fs::read(process.path().join(file)).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        });
        let words = line?.split('\0').map(str::to_owned).collect();
        // The state follows the program's name in brackets, which may contain any characters.
        Some((words, state?.rsplit_once(") ")?.1.chars().next()?))
    });
    processes.collect()
}

/// Interrupts a process as Ctrl-C does.
#[cfg(all(feature = "tools", unix))]
pub fn interrupt(child: &std::process::Child) {
    use rustix::process::{Pid, Signal, kill_process};
    kill_process(Pid::from_child(child), Signal::INT).expect("it runs");
}

/// Runs the program until a file exists, then interrupts it as Ctrl-C does. Returns the exit code.
#[cfg(all(feature = "tools", unix))]
pub fn interrupt_after_file(args: &[&str], file: &Path) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(args)
        .arg("--out")
        .arg(file)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    while !file.exists() {
        assert_eq!(child.try_wait().expect("a child"), None, "it ended early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    interrupt(&child);
    child.wait().expect("it ends").code()
}
