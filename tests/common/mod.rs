//! Helpers of several tests: random positions, a board read cell by cell, and the program run on an input.
#![allow(dead_code, reason = "each test crate uses a part")]

#[cfg(all(feature = "tools", unix))]
pub mod browser;
#[cfg(all(feature = "tools", unix))]
pub mod firefox;
#[cfg(feature = "tools")]
pub mod games;
pub mod needs;
#[cfg(feature = "tools")]
pub mod platform;
pub mod small;
#[cfg(target_os = "linux")]
pub mod terminal;

use amazons::board::{Board, Cell, Move, Player, Square};
use amazons::movegen;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Runs the program on an input until it ends.
pub fn output(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that doesn't read its input may have closed it already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// Checks that the program refused: exit code 2, and a complaint that holds all these words.
#[track_caller]
pub fn assert_refused(output: &Output, words: &[&str]) {
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {complaint}");
    assert_holds(complaint, words);
}

/// Checks that a text holds all these words.
#[track_caller]
pub fn assert_holds(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// The path of a file or folder of this test run, without what an earlier run left there.
pub fn fresh_path(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// The path of a sample log.
pub fn log_path(name: &str) -> String {
    format!("{}/tests/logs/{name}.json", env!("CARGO_MANIFEST_DIR"))
}

/// A small generator (xorshift64*, Vigna 2016), so that positions do not depend on the bot's generator.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % bound as u64) as usize
    }
}

/// The position after up to `plies` random moves; fewer if the game ends before.
pub fn random_board(seed: u64, plies: usize) -> Board {
    let mut board = Board::start();
    for &turn in random_game(seed).iter().take(plies) {
        board.play(turn).expect("a generated move is legal");
    }
    board
}

/// The random game of a seed. Each is played once for all tests: to list all moves takes far longer than to play one.
fn random_game(seed: u64) -> Arc<[Move]> {
    static PLAYED: LazyLock<Mutex<HashMap<u64, Arc<[Move]>>>> = LazyLock::new(Mutex::default);
    let played = || PLAYED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = played().get(&seed).cloned();
    // Nobody waits while another one's game is played.
    known.unwrap_or_else(|| {
        let game = Arc::from(played_out(seed));
        played().insert(seed, Arc::clone(&game));
        game
    })
}

fn played_out(seed: u64) -> Vec<Move> {
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

/// The cell at a column and row, if they are on the board.
pub fn at(board: &Board, x: i32, y: i32) -> Option<Cell> {
    let (x, y) = (u8::try_from(x).ok()?, u8::try_from(y).ok()?);
    Square::new(x, y).map(|square| board[square])
}

/// The eight directions as steps of column and row.
pub fn directions() -> impl Iterator<Item = (i32, i32)> {
    (-1..=1)
        .flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)))
        .filter(|&step| step != (0, 0))
}

/// The set with every square moved by one of the board's eight symmetries.
pub fn transformed(set: u64, symmetry: usize) -> u64 {
    let mut image = 0;
    for square in amazons::board::squares(set) {
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

/// The board under one of its eight symmetries, colours swapped on request.
pub fn transformed_board(board: &Board, symmetry: usize, swap: bool) -> Board {
    let [black, white] =
        [Player::Black, Player::White].map(|player| transformed(board.amazons(player), symmetry));
    let arrows = transformed(board.arrows(), symmetry);
    let image = if swap {
        Board::from_sets(white, black, arrows, !board.to_move())
    } else {
        Board::from_sets(black, white, arrows, board.to_move())
    };
    image.expect("four amazons a side")
}

/// A random position with four amazons in each half, in one of the board's symmetries. A bent wall from edge to edge,
/// with up to two gaps, parts the halves. Further arrows fill up to more than half of the squares.
pub fn walled_board(seed: u64) -> Board {
    let mut dice = Dice::new(seed);
    let (mut wall, mut west) = (0_u64, 0_u64);
    let mut column = 2 + dice.below(4);
    for y in 0..8 {
        let last = column;
        column = (column + dice.below(3)).saturating_sub(1).clamp(1, 6);
        // The wall is two squares wide where it bends, so that nobody slips through diagonally.
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
    let mut stones: Vec<Square> = amazons::board::squares(wall).collect();
    for _ in 0..dice.below(3) {
        stones.swap_remove(dice.below(stones.len()));
    }
    let wall = stones.iter().fold(0, |set, stone| set | stone.bit());
    let (density, symmetry) = (dice.below(60), dice.below(8));
    let scattered = (0..64).filter(|_| dice.below(100) < density);
    let arrows = scattered.fold(wall, |set, at| set | 1 << at) & !(black | white);
    let to_move = [Player::Black, Player::White][dice.below(2)];
    let board = Board::from_sets(black, white, arrows, to_move).expect("four amazons a side");
    transformed_board(&board, symmetry, dice.below(2) == 0)
}

/// The words of each process's command line, and the letter of its state, as `/proc` tells them.
#[cfg(target_os = "linux")]
pub fn processes() -> Vec<(Vec<String>, char)> {
    let told = std::fs::read_dir("/proc").expect("procfs").flatten();
    let told = told.filter_map(|process| {
        let [line, state] = ["cmdline", "stat"].map(|file| {
            let bytes = std::fs::read(process.path().join(file)).ok()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        });
        let words = line?.split('\0').map(str::to_owned).collect();
        // The state stands behind the program's name in brackets, which may hold anything.
        Some((words, state?.rsplit_once(") ")?.1.chars().next()?))
    });
    told.collect()
}

/// Runs the program until a file exists, then interrupts it as Ctrl-C does. Returns the exit code.
#[cfg(all(feature = "tools", unix))]
pub fn interrupt_once_there(args: &[&str], file: &Path) -> Option<i32> {
    use rustix::process::{Pid, Signal, kill_process};
    let mut child = Command::new(env!("CARGO_BIN_EXE_amazons"))
        .args(args)
        .arg("--out")
        .arg(file)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    while !file.exists() {
        assert_eq!(child.try_wait().expect("a child"), None, "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    child.wait().expect("it ends").code()
}
