//! Tests `amazons play`: the full-screen game in a pseudo-terminal, and the plain-text game by its input and output.

use crate::common::terminal::terminal;
use crate::common::{MAX_WAIT, assert_has, assert_rejected, fresh_path, output, output_with, text};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const AMAZONS: &str = env!("CARGO_BIN_EXE_amazons");

/// Options for a bot that moves quickly and always plays the same moves.
const BOT: [&str; 4] = ["--bot-iterations", "30", "--seed", "1"];

/// Escape sequence that begins a frame ("synchronized update").
const FRAME_BEGINS: &[u8] = b"\x1b[?2026h";
const FRAME_ENDS: &[u8] = b"\x1b[?2026l";

/// Command that starts a program in its own session, without which the terminal can't signal a change of size.
const SESSION: [&str; 2] = ["setsid", "--ctty"];

/// Bytes that a terminal sends for keys.
const ENTER: &str = "\r";
const ESC: &str = "\x1b";
const TAB: &str = "\t";
const DOWN: &str = "\x1b[B";
const CTRL_C: &str = "\x03";
const CTRL_N: &str = "\x0e";
const CTRL_T: &str = "\x14";
const CTRL_U: &str = "\x15";
const CTRL_W: &str = "\x17";
const CTRL_P: &str = "\x10";
const CTRL_Y: &str = "\x19";
const CTRL_Z: &str = "\x1a";

/// The program in a pseudo-terminal, and what its screen shows.
struct Terminal {
    child: Child,
    master: File,
    slave: File,
    screen: vt100::Parser,
    /// All bytes that the program has written.
    written: Vec<u8>,
    /// Number of bytes of `written` that the emulated screen has processed.
    shown: usize,
}

impl Terminal {
    /// Starts a game without automatic saving.
    fn start(rows: u16, columns: u16, args: &[&str]) -> Terminal {
        let args = [&["play", "--no-autosave"], args].concat();
        Terminal::start_in(Path::new("/"), &SESSION, rows, columns, &args)
    }

    /// Starts the program through the command `starter`, with `state` as the user's state folder.
    fn start_in(
        state: &Path,
        starter: &[&str],
        rows: u16,
        columns: u16,
        args: &[&str],
    ) -> Terminal {
        let (master, slave) = terminal();
        tcsetwinsize(&master, size(rows, columns)).expect("sized");
        let end = || Stdio::from(slave.try_clone().expect("cloned"));
        let child = Command::new(starter[0])
            .args(&starter[1..])
            .arg(AMAZONS)
            .args(args)
            .env("TERM", "xterm-256color")
            .env("XDG_STATE_HOME", state)
            .env("LC_ALL", "C")
            .env_remove("LANGUAGE")
            .env_remove("NO_COLOR")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the program starts");
        Terminal {
            child,
            master,
            slave,
            screen: vt100::Parser::new(some(rows), some(columns), 0),
            written: Vec::new(),
            shown: 0,
        }
    }

    fn send(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("sent");
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        self.screen.screen_mut().set_size(some(rows), some(columns));
        tcsetwinsize(&self.master, size(rows, columns)).expect("sized");
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Reads what the program writes within 50 ms.
    fn read(&mut self) {
        let moment = Timespec::try_from(Duration::from_millis(50)).expect("short");
        let mut ready = [PollFd::new(&self.master, PollFlags::IN)];
        if poll(&mut ready, Some(&moment)).expect("polled") == 0 {
            return;
        }
        let mut bytes = [0; 4096];
        let count = self.master.read(&mut bytes).expect("read");
        self.written.extend(&bytes[..count]);
        // Shows only complete frames.
        let end = self.end_of_whole_frames().max(self.shown);
        self.screen.process(&self.written[self.shown..end]);
        self.shown = end;
    }

    /// Returns where the last frame begins in `written` if it is incomplete; otherwise the length of `written`.
    fn end_of_whole_frames(&self) -> usize {
        let last = |mark: &[u8]| self.written.windows(mark.len()).rposition(|at| at == mark);
        match (last(FRAME_BEGINS), last(FRAME_ENDS)) {
            (Some(begin), end) if end.is_none_or(|end| end < begin) => begin,
            _ => self.written.len(),
        }
    }

    /// For each step, sends keys and waits until the screen shows a text; if the text begins with ¬, until the text is gone.
    fn talk(&mut self, steps: &[(&str, &str)]) {
        for (keys, text) in steps {
            self.send(keys);
            match text.strip_prefix('¬') {
                Some(gone) => self.wait_for(text, |screen| !screen.contains(gone)),
                None => self.wait_for(text, |screen| screen.contains(text)),
            }
        }
    }

    fn wait_for(&mut self, what: &str, is_there: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !is_there(&self.text()) {
            assert!(
                start.elapsed() < MAX_WAIT,
                "{what}, in vain:\n{}",
                self.text()
            );
            self.read();
        }
    }

    /// Quits an unsaved game and answers the question with yes.
    fn quit_unsaved(mut self) {
        self.talk(&[("q", "not saved: quit all the same?"), ("y", "")]);
        assert_eq!(self.end(), Some(0));
    }

    /// Waits until the program ends, checks that the terminal is restored, and returns the exit code.
    fn end(mut self) -> Option<i32> {
        let code = self.wait(true);
        self.read();
        let screen = self.screen.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        let written = String::from_utf8_lossy(&self.written);
        assert!(
            written.contains("\x1b[?1049h"),
            "there was an alternate screen"
        );
        let modes = tcgetattr(&self.slave).expect("a terminal").local_modes;
        let cooked = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        assert!(modes.contains(cooked), "raw mode is left");
        code
    }

    /// Waits until the program ends and returns its exit code. `reads`: whether to read the program's output meanwhile.
    fn wait(&mut self, reads: bool) -> Option<i32> {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < MAX_WAIT, "no end:\n{}", self.text());
            match reads {
                true => self.read(),
                false => std::thread::sleep(Duration::from_millis(10)),
            }
            if let Some(status) = self.child.try_wait().expect("waited") {
                return status.code();
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // This fails if the program has already ended, as it should have.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Converts a number of rows or columns.
fn some(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("not zero")
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

/// Returns the bytes of a mouse click on a square, for a terminal of 80 columns and 24 rows.
fn click(square: &str) -> String {
    let [file, rank] = square.as_bytes() else {
        panic!("{square}")
    };
    let (column, row) = (5 + 4 * (file - b'a'), 3 + 2 * (rank - b'1'));
    format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")
}

fn utf8(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Returns the output of `amazons replay` for a file.
fn replay(file: &Path) -> String {
    let output = output(&["replay", utf8(file)], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Runs the program in English unless `variables` say otherwise; returns the exit code, standard output and standard error.
fn run_en(variables: &[(&str, &str)], args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let variables = [&[("LC_ALL", "C"), ("LANGUAGE", "")], variables].concat();
    let output = output_with(&variables, args, input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), out.to_owned(), err.to_owned())
}

/// Runs the program with `state` as the user's state folder; returns its standard output.
fn run_in(state: &Path, args: &[&str], input: &str) -> String {
    run_en(&[("XDG_STATE_HOME", utf8(state))], args, input).1
}

/// Runs the plain-text game without automatic saving.
fn plain(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let play = ["play", "--plain", "--no-autosave"];
    run_en(&[], &[&play, args].concat(), input)
}

/// Runs the plain-text game between two people without automatic saving; returns its standard output.
fn humans(input: &str) -> String {
    let (code, shown, _) = plain(&["--white", "human", "--words"], input);
    assert_eq!(code, Some(0));
    shown
}

/// Runs the plain-text game between two people with `state` as the user's state folder; returns its standard output.
fn plain_in(state: &Path, args: &[&str], input: &str) -> String {
    let play = ["play", "--words", "--white", "human"];
    run_in(state, &[&play, args].concat(), input)
}

/// Returns the automatically saved games in the user's state folder.
fn saved_games(state: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(state.join("amazons")).expect("a folder");
    entries.map(|entry| entry.expect("read").path()).collect()
}

#[test]
fn bots_finish_their_game_while_terminal_is_resized() {
    let args = [&["--black", "bot", "--pace", "0"], &BOT[..]].concat();
    let mut terminal = Terminal::start(24, 80, &args);
    terminal.talk(&[("", " played ")]);
    // Amazons of this shape are drawn only if the terminal is large enough.
    let large_amazon = "▄ ▄▄ ▄";
    terminal.resize(40, 120);
    terminal.talk(&[("", large_amazon)]);
    terminal.resize(16, 50);
    terminal.talk(&[
        ("", "¬Record"),
        ("", &format!("¬{large_amazon}")),
        ("", " won: "),
    ]);
    terminal.resize(40, 120);
    terminal.talk(&[
        ("", large_amazon),
        ("", "Record"),
        ("", " won: "),
        (CTRL_Z, "the bot waits for go"),
        (" ", " won: "),
    ]);
    terminal.quit_unsaved();
}

#[test]
fn keys_mouse_and_commands_choose_squares() {
    let mut terminal = Terminal::start(24, 80, &["--white", "human"]);
    terminal.talk(&[
        ("", "black to move: choose an amazon"),
        // At the start the cursor is on c1.
        (ENTER, "c1 chosen"),
        (&DOWN.repeat(5), ""),
        (ENTER, "c1 to c6 chosen"),
        (ESC, "c1 chosen"),
        (&click("c6"), "c1 to c6 chosen"),
        // An illegal choice is explained, and a rejected command is cleared from the input line.
        (&click("d4"), "expected a rank, file or diagonal"),
        ("c1 d3\r", "2 squares, expected at most 1 more"),
        ("", "¬> c1 d3"),
        ("castle queen", "> castle queen"),
        (CTRL_W, "¬queen"),
        (CTRL_U, "¬> castle"),
        ("jump\r", "\"jump\": expected squares"),
        // Picking the chosen square again releases it; picking another amazon replaces the chosen amazon.
        (&click("c6"), "c1 chosen"),
        (&click("f1"), "f1 chosen"),
        (&click("f1"), "choose an amazon"),
        ("c1 c6\r", "c1 to c6 chosen"),
        (&click("f6"), "black played c1 c6 f6"),
        ("", " 1. c1 c6 f6"),
        ("c8 c7\r", "c8 to c7 chosen"),
        ("c8\r", "white played c8 c7 c8"),
        ("c6c5c6\r", " 2. c6 c5 c6"),
        (CTRL_Z, "1 turn taken back"),
        ("", "¬ 2. c6 c5 c6"),
        (CTRL_Y, " 2. c6 c5 c6"),
        // A new move discards the moves that were taken back.
        (CTRL_Z, "1 turn taken back"),
        ("a3 a4 a3\r", " 2. a3 a4 a3"),
        (CTRL_Y, "no turn has been taken back"),
    ]);
    terminal.quit_unsaved();
}

#[test]
fn game_against_bot_is_saved_and_resumed() {
    let file = fresh_path("play_resumed.json");
    let mut terminal = Terminal::start(24, 80, &BOT);
    terminal.talk(&[
        ("", "black to move: choose an amazon"),
        (TAB, "hint: "),
        (CTRL_P, " %  ● "),
        ("c1 c6 f6\r", "white played "),
    ]);
    let screen = terminal.text();
    let (_, reply) = screen.split_once("white played ").expect("a reply");
    let round = format!(" 1. c1 c6 f6  {}", &reply[..8]);
    terminal.talk(&[
        ("", &round),
        (CTRL_Z, "2 turns taken back"),
        ("", "no moves yet"),
        (CTRL_Y, "2 turns played again"),
        ("", &round),
        (&format!("save {}\r", utf8(&file)), "saved to"),
        ("q", ""),
    ]);
    assert_eq!(terminal.end(), Some(0));

    assert!(replay(&file).contains("the game is running, black to move; 2 plies"));
    let mut terminal = Terminal::start(24, 80, &[&[utf8(&file)], &BOT[..]].concat());
    terminal.talk(&[
        ("", &round),
        ("", "black to move: choose an amazon"),
        ("q", ""),
    ]);
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn long_search_never_blocks_the_interface() {
    let mut terminal = Terminal::start(24, 80, &["--bot-time-ms", "86400000"]);
    terminal.talk(&[
        ("", "black to move: choose an amazon"),
        ("c1 c6 f6\r", "the bot thinks"),
        (TAB, "it is white's turn"),
        (CTRL_Z, "1 turn taken back"),
        ("c1 c5 f5\r", "the bot thinks"),
    ]);
    terminal.quit_unsaved();
}

#[test]
fn every_exit_restores_the_terminal() {
    let thinks = ["--black", "bot", "--bot-time-ms", "86400000"];
    for (args, state) in [
        (&["--white", "human"][..], "choose an amazon"),
        (&thinks, "the bot thinks"),
    ] {
        let start = |starter: &[&str]| {
            let args = [&["play", "--no-autosave"], args].concat();
            let mut terminal = Terminal::start_in(Path::new("/"), starter, 24, 80, &args);
            terminal.talk(&[("", state)]);
            terminal
        };
        let mut terminal = start(&SESSION);
        terminal.send(CTRL_C);
        assert_eq!(terminal.end(), Some(130));
        for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
            let terminal = start(&SESSION);
            let id = Pid::from_child(&terminal.child);
            kill_process(id, signal).expect("sent");
            assert_eq!(terminal.end(), Some(130), "{signal:?} {state}");
        }
        // Without its own session, the program gets no signal when the terminal is closed.
        for starter in [&SESSION[..], &["env"]] {
            let mut terminal = start(starter);
            terminal.master = File::open("/dev/null").expect("opened");
            assert_eq!(terminal.wait(false), Some(130), "{starter:?} {args:?}");
        }
    }
}

#[test]
fn game_ends_even_if_terminal_blocks_output() {
    let mut terminal = Terminal::start(40, 120, &["--white", "human"]);
    terminal.talk(&[("", "choose an amazon")]);
    // From now on nobody reads the output, and every resize makes the program draw the whole screen.
    for columns in (60..110).cycle().take(100) {
        terminal.resize(40, columns);
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = Pid::from_child(&terminal.child);
    kill_process(id, Signal::TERM).expect("sent");
    assert_eq!(terminal.wait(false), Some(130));
}

#[test]
fn too_small_terminal_accepts_no_moves() {
    let mut terminal = Terminal::start(10, 30, &["--white", "human"]);
    terminal.talk(&[("", "has 30")]);
    terminal.resize(24, 80);
    terminal.talk(&[("", "black to move: choose an amazon")]);
    terminal.resize(2, 3);
    terminal.talk(&[("", "¬choose")]);
    terminal.resize(16, 50);
    // A turn typed before the program has seen the new size would be ignored.
    terminal.talk(&[("", "choose an amazon"), ("c1 c6 f6\r", "black played")]);
    terminal.resize(10, 40);
    terminal.talk(&[
        ("", "has 40 columns"),
        (ENTER, ""),
        ("c8 c7 c8\r", ""),
        (TAB, ""),
        (CTRL_Z, ""),
        ("q", "quit all the"),
        ("n", "has 40 columns"),
    ]);
    terminal.resize(24, 80);
    terminal.talk(&[
        ("", "white to move: choose an amazon"),
        ("", " 1. c1 c6 f6 "),
        ("", "¬> c"),
    ]);
    terminal.quit_unsaved();
}

#[test]
fn keys_show_earlier_positions_territory_and_help() {
    let mut terminal = Terminal::start(16, 50, &["--white", "human"]);
    terminal.talk(&[
        ("", "choose an amazon"),
        ("c1 c6 f6\r", "black played"),
        ("", " x "),
        ("[", "the position after 0 of 1 turn"),
        ("", "¬ x "),
        ("]", "white to move: choose an amazon"),
        ("", " x "),
        (CTRL_T, " · "),
        (CTRL_T, "¬ · "),
        ("?", "Help, up and down for more"),
        ("", "so does a click"),
        (&DOWN.repeat(60), "program"),
        ("x", "white to move: choose an amazon"),
    ]);
    terminal.quit_unsaved();
}

#[test]
fn two_bots_keep_their_pace_and_can_pause() {
    let args = [&["--black", "bot", "--pace", "60"], &BOT[..]].concat();
    let mut terminal = Terminal::start(24, 80, &args);
    terminal.talk(&[
        ("", "the bot thinks"),
        (" ", "the bot waits for go"),
        ("pace 0\r", "takes 0 s at least"),
        (" ", " won: "),
        ("", "^N play again"),
        (CTRL_N, "not saved: begin another game"),
        ("n", "nothing was done"),
        ("white human\r", "white: human"),
    ]);
    terminal.quit_unsaved();
}

#[test]
fn every_message_exists_in_chinese() {
    let mut terminal = Terminal::start(16, 50, &["--white", "human", "--lang", "zh"]);
    terminal.talk(&[
        ("", "轮到黑方：请选择棋子"),
        ("c1 c1 c1\r", "从 c1 能到"),
        ("?", "帮助"),
        (ESC, "¬帮助（"),
        ("q", ""),
    ]);
    assert_eq!(terminal.end(), Some(0));
    let input =
        "c2\nc1 c6 f6\nundo\nundo\ncastle\nlevel 0\nload\nsave\nlook 3\nhelp\nnew\n否\nquit\n是\n";
    let (code, stdout, _) = plain(&["--lang", "zh", "--white", "human", "--words"], input);
    assert_eq!(code, Some(0));
    let is_chinese = |line: &&str| line.contains(|sign| ('一'..='龥').contains(&sign));
    assert_eq!(stdout.lines().find(|line| !is_chinese(line)), None);
}

#[test]
fn errors_name_the_bad_argument() {
    assert_rejected(&output(&["play"], ""), &["expected --plain"]);
    for (args, complaint) in [
        (&["--white", "cat"][..], "'cat'"),
        (&["--level", "16"], "'16'"),
        (&["--bot-iterations", "0"], "'0'"),
        (&["--level", "2", "--bot-time-ms", "5"], "cannot be used"),
        (&["--seed", "x"], "'x'"),
        (&["no/such.json"], "no/such.json"),
    ] {
        let (code, _, stderr) = plain(args, "");
        assert_eq!(code, Some(2), "{args:?}");
        assert!(stderr.contains(complaint), "{args:?}: {stderr}");
    }
}

#[test]
fn rejected_commands_change_nothing_and_are_explained() {
    for (line, complaint) in [
        ("c2", "c2 holds an empty square, expected an amazon of"),
        ("c2", "these can move: c1 f1 a3 h3"),
        ("c1 c8 c7", "blocked on c8 by a white amazon; from c1 it"),
        ("c1 d3", "rank, file or diagonal; from c1 it reaches a1"),
        ("c1 c6 d8", "the arrow goes from c6 to d8, expected a rank"),
        ("c1 c6 d8", "from c6 the arrow reaches c1 h1"),
        ("c1 c9", "\"c9\" is not a square: expected a1 to h8"),
        ("c1 c6 f", "\"f\" is not a square"),
        ("1 2 3", "\"1\" is not a square"),
        ("2 0 2 5 5 8", "(5, 8) is off the board"),
        ("castle", "\"castle\": expected squares such as c1 c6 b5"),
        ("é1", "\"é1\""),
        ("\u{9b}31m", "\"\\u{9b}31m\""),
        ("redo", "no turn has been taken back"),
        ("undo 2", "undo: expected nothing after it, found \"2\""),
        ("moves c8", "c8 holds a white amazon, expected an amazon"),
        ("moves i9", "\"i9\" is not a square"),
        ("level", "level: expected a number from 1 to 15 after it"),
        ("level 16", "from 1 to 15 after it, found \"16\""),
        ("look 1", "look: expected a number from 0 to 0"),
        ("pace -1", "pace: expected a number from 0 to 60"),
        ("pace NaN", "pace: expected a number from 0 to 60"),
        ("white cat", "human or bot after it, found \"cat\""),
        ("pause", "no bot plays"),
        ("load", "load: expected a file after it"),
        ("load no/such.json", "no/such.json: No such file"),
        ("load no/\u{1b}[2J", "no/\\u{1b}[2J: No such file"),
        ("save", "save: expected a file after it"),
        ("save no/such/folder", "no/such/folder: No such file"),
    ] {
        let (code, stdout, _) = plain(&["--white", "human"], &format!("{line}\nboard\nrecord\n"));
        assert_eq!(code, Some(0), "{line}");
        let (before, after) = stdout.split_once("not done: ").expect(line);
        let (refusal, after) = after.split_once('\n').expect(line);
        assert!(refusal.contains(complaint), "{line}: {refusal}");
        let board = &before[before.find("  a b c").expect("a board")..];
        let board = &board[..board.find("black to move").expect("a state")];
        assert_eq!(after, format!("{board}no moves yet\n"), "{line}");
    }
}

#[test]
fn bots_give_hints_and_change_during_a_game() {
    let input = "hint\nwin\nc1 c6 f6\nmoves\n  UNDO \nmoves c1\nhelp\nquit\nhint\n";
    let (code, advised, _) = plain(&BOT, input);
    assert_eq!(code, Some(0));
    assert_eq!(advised.matches("hint: ").count(), 1, "nothing after quit");
    let input = "level 2\nBlack BOT\nwhite human\nlook 0\nlook\npace 2\n";
    let (_, changed, _) = plain(&["--level", "1", "--words"], input);
    let parts = [
        "win probability: black ",
        "white played ",
        "these can move: f1",
        "2 turns taken back",
        "c1 reaches a1 b1 d1 e1",
        "save FILE",
        "black: human; white: bot, level 2",
        "black: bot, level 2; white: bot, level 2",
        "takes 2 s at least",
        "the position after 0 of ",
    ];
    assert_has(&(advised + &changed), &parts);
}

#[test]
fn other_tools_read_a_saved_game_of_bots() {
    let file = fresh_path("play_finished.json");
    let args = [&["--black", "bot"], &BOT[..]].concat();
    let (code, stdout, _) = plain(&args, &format!("hint\nsave {}\n", utf8(&file)));
    assert_eq!(code, Some(0));
    assert!(stdout.contains("not done: the game is over"), "{stdout}");
    assert_has(&replay(&file), &[" won: ", "bot, 30 iterations"]);
    let log = fs::read_to_string(&file).expect("there");
    let judged = output(&["judge"], &log);
    assert!(text(&judged.stdout).contains("\"finish\""));
    let (_, resumed, _) = plain(&[utf8(&file), "--white", "human"], "");
    assert!(resumed.contains(" won: "), "{resumed}");
}

#[test]
fn saving_overwrites_only_match_logs() {
    let file = fresh_path("play_my game.json");
    let save = format!("save {}\n", utf8(&file));
    for input in [
        format!("c1 c6 f6\n{save}"),
        format!("save! {}\n", utf8(&file)),
        format!("c1 c6 f6\n{save}"),
    ] {
        assert!(humans(&input).contains("saved to"), "{input}");
    }
    let whole = fs::read_to_string(&file).expect("there");
    let half = &whole[..whole.len() / 2];
    for (text, fault) in [
        (half, Some("not JSON")),
        ("(;GM[18]SZ[8];B[chccfc]C[mine])", None),
        ("1. c1-c6(f6)", None),
    ] {
        fs::write(&file, text).expect("writable");
        let (code, _, stderr) = plain(&[utf8(&file), "--white", "human"], "");
        assert_eq!(code, Some(if fault.is_some() { 2 } else { 0 }));
        assert!(stderr.contains(fault.unwrap_or_default()), "{stderr}");
        let input = format!("load {0}\nsave! {0}\nrecord\n", utf8(&file));
        assert_has(
            &humans(&input),
            &["is not a match log: expected another file"],
        );
        assert_eq!(fs::read_to_string(&file).expect("there"), text);
    }
}

#[test]
fn another_game_is_overwritten_only_after_a_yes() {
    let file = fresh_path("play_asked.json");
    let save = format!("save {}", utf8(&file));
    humans(&format!("c1 c6 f6\n{save}\n"));
    let first = fs::read(&file).expect("saved");
    for (answer, replaced) in [
        ("", false),
        ("n\n", false),
        ("record\n", false),
        ("y\n", true),
    ] {
        fs::write(&file, &first).expect("written");
        let shown = humans(&format!("a3 a4 a3\n{save}\n{answer}"));
        assert!(shown.contains("another game: overwrite it?"), "{shown}");
        let now = fs::read(&file).expect("there");
        assert_eq!(now != first, replaced, "{answer}: {shown}");
    }
    fs::write(&file, &first).expect("written");
    let shown = humans(&format!("c1 c6 f6\nc8 c7 c8\n{save}\n"));
    assert!(shown.contains("saved to"), "its own beginning: {shown}");
    let shown = humans(&format!("load {}\nundo\n{save}\n", utf8(&file)));
    assert!(
        shown.contains("overwrite it?"),
        "a turn would be lost: {shown}"
    );
}

#[test]
fn unsaved_game_is_left_only_after_a_yes() {
    let shown = humans("c1 c6 f6\nnew\nn\nrecord\nnew\ny\nrecord\nundo\nrecord\nredo\nrecord\n");
    let records: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with(" 1.") || *line == "no moves yet")
        .collect();
    let game = " 1. c1 c6 f6";
    assert_eq!(
        records,
        [game, "no moves yet", game, "no moves yet"],
        "{shown}"
    );
    let shown = humans("c1 c6 f6\nquit\nn\nrecord\nquit\nyes\nrecord\n");
    assert_eq!(shown.matches("quit all the same?").count(), 2, "{shown}");
    assert_eq!(shown.matches(game).count(), 1, "{shown}");
    let shown = humans("c1 c6 f6\nquit\nquit\nrecord\n");
    assert!(!shown.contains(game), "asked for again: {shown}");
}

#[test]
fn saved_game_keeps_strength_sides_and_names() {
    let file = fresh_path("play_seats.json");
    let greeting = |args: &[&str]| plain(&[&[utf8(&file)], args].concat(), "").1;
    for (strength, shown) in [
        (["--bot-time-ms", "20"], "20 ms"),
        (["--bot-iterations", "7"], "7 iterations"),
        (["--level", "3"], "level 3"),
    ] {
        let args = [&["--black", "bot", "--white", "human"], &strength[..]].concat();
        plain(&args, &format!("save! {}\nquit\n", utf8(&file)));
        let seats = format!("black: bot, {shown}; white: human;");
        assert!(greeting(&[]).starts_with(&seats), "{}", greeting(&[]));
    }
    assert!(greeting(&["--level", "2"]).starts_with("black: bot, level 2; white: human;"));
    assert!(greeting(&["--black", "human"]).starts_with("black: human; white: human;"));
    let text = fs::read_to_string(&file).expect("there");
    let named = text.replace("\"names\":[null", "\"names\":[\"\\u001b[2JEve\"");
    fs::write(&file, &named).expect("written");
    assert!(greeting(&[]).starts_with("black: \\u{1b}[2JEve (bot, level 3);"));
    replay(&file);
    for (level, complaint) in [
        ("16", "level 16, expected 1 to 15"),
        ("\"x\"", "invalid type"),
    ] {
        let damaged = text.replace("\"level\":3", &format!("\"level\":{level}"));
        fs::write(&file, damaged).expect("written");
        let (code, _, stderr) = plain(&[utf8(&file)], "");
        assert_eq!(code, Some(2));
        assert_has(&stderr, &["\"play\": ", complaint]);
    }
}

#[test]
fn unfinished_game_is_offered_and_resumed() {
    let state = fresh_path("play_left");
    let start = |args: &[&str]| {
        let args = [&["play"], args].concat();
        Terminal::start_in(&state, &SESSION, 24, 80, &args)
    };
    let mut terminal = start(&["--white", "human"]);
    terminal.talk(&[
        ("", "choose an amazon"),
        ("c1 c6 f6\r", "black played"),
        (CTRL_N, "undo returns to the previous game"),
        (CTRL_Z, " 1. c1 c6 f6"),
    ]);
    let shown = plain_in(&state, &[], "continue\n");
    assert_has(&shown, &["there is no unfinished game"]);
    terminal.talk(&[("q", "--continue resumes it")]);
    assert_eq!(terminal.end(), Some(0));
    // A killed process that has not been waited for still has an entry in the process table (a zombie).
    let mut terminal = start(&["--continue"]);
    terminal.talk(&[("", " 1. c1 c6 f6")]);
    terminal.child.kill().expect("killed");
    let shown = plain_in(&state, &[], "");
    assert_has(&shown, &["an unfinished game of 1 turn: continue"]);
    let shown = plain_in(&state, &["--continue"], "c8 c7 c8\nquit\nrecord\n");
    assert_has(
        &shown,
        &[
            "resumed the game after 1 turn",
            "the game is saved automatically: ",
        ],
    );
    assert!(!shown.contains("all the same?"), "{shown}");
    assert_eq!(saved_games(&state).len(), 1, "the same game");
    let file = fresh_path("play_continued.json");
    let shown = plain_in(&state, &[], &format!("continue\nsave {}\n", utf8(&file)));
    assert_has(&shown, &["resumed the game after 2 turns"]);
    // A game is saved automatically even if the user saved it, and its file is deleted when its last move is taken back.
    let shown = plain_in(&state, &["--continue"], "record\nundo\nundo\nquit\n");
    assert_has(&shown, &[" 1. c1 c6 f6  c8 c7 c8"]);
    assert_eq!(saved_games(&state).len(), 0);
    // A finished game can't be resumed, so the user is asked before an unsaved finished game is left.
    let args = [&["play", "--plain", "--black", "bot"], &BOT[..]].concat();
    let shown = run_in(&state, &args, "quit\n");
    assert_has(&shown, &["not saved: quit all the same?"]);
}

#[test]
fn rules_are_taught_in_both_interfaces() {
    let state = fresh_path("play_rules");
    let mut terminal = Terminal::start_in(&state, &SESSION, 16, 50, &["rules"]);
    terminal.talk(&[
        ("", "Step 1 of 4: A turn"),
        (ENTER, "Amazons move like a chess queen"),
        ("", "black to move: choose an amazon"),
        (ENTER, ""),
        (&DOWN.repeat(5), ""),
        (ENTER, "c1 to c6 chosen"),
        ("f6\r", "Step 2 of 4: Walls"),
        (ENTER, "¬Step 2"),
        ("g4 g5 f5\r", "has to land on g7"),
        ("g4 g5 g7\r", "Step 3 of 4"),
        (ENTER, ""),
        ("record\r", "no moves yet"),
        (ENTER, ""),
        ("q", ""),
    ]);
    assert_eq!(terminal.end(), Some(0));

    let input = "c1 c6 f6\ng4 g5 g7\na7 c7 d8\nc4 d4 e4\nc1 c6 f6\nquit\n";
    let shown = run_in(&state, &["rules", "--plain"], input);
    let parts = [
        "Step 4 of 4: Territory",
        "The left room is larger",
        "level 1 is for beginners",
        "black played c1 c6 f6",
        "white played ",
    ];
    assert_has(&shown, &parts);
}

#[test]
fn automatic_save_is_retried_until_it_works() {
    let state = fresh_path("play_full");
    let folder = state.join("amazons");
    fs::create_dir(&state).expect("made");
    fs::write(&folder, "in the way").expect("written");
    let args = ["play", "--white", "human"];
    let mut terminal = Terminal::start_in(&state, &SESSION, 24, 80, &args);
    terminal.talk(&[
        ("", "black to move: choose an amazon"),
        ("c1 c6 f6\r", "the game can't be saved automatically, "),
        ("", "not saved; white to move"),
        ("c8 c7 c8\r", "white played c8 c7 c8"),
        ("", "not saved; black to move"),
        ("q", "not saved: quit all the same?"),
        ("n", ""),
    ]);
    fs::remove_file(&folder).expect("removed");
    terminal.talk(&[
        ("c6 c5 c6\r", "black played c6 c5 c6"),
        ("", "¬not saved; "),
    ]);
    // A failure after a success is reported again, and the outdated file is not offered for resuming.
    let copy = saved_games(&state).pop().expect("kept");
    fs::remove_file(&copy).expect("removed");
    fs::create_dir(&copy).expect("made");
    terminal.talk(&[
        ("c7 d7 c7\r", "the game can't be saved automatically, "),
        ("", "not saved; black to move"),
        ("q", "not saved: quit all the same?"),
        ("n", ""),
    ]);
    fs::remove_dir(&copy).expect("removed");
    terminal.talk(&[(CTRL_Z, "¬not saved; "), ("q", "--continue resumes it")]);
    assert_eq!(terminal.end(), Some(0));
    let shown = plain_in(&state, &["--continue"], "record\nundo\nundo\nundo\nquit\n");
    assert_has(&shown, &[" 1. c1 c6 f6  c8 c7 c8\n 2. c6 c5 c6\n"]);
    assert_eq!(saved_games(&state).len(), 0, "a game without turns is none");
}

#[test]
fn language_follows_first_locale_variable_that_is_set() {
    let play = ["play", "--plain", "--no-autosave", "--white", "human"];
    for (all, messages, lang, greets) in [
        ("", "", "zh_CN.UTF-8", "黑方"),
        ("C", "", "zh_CN.UTF-8", "black"),
        ("", "zh_TW", "en_GB", "黑方"),
        ("", "", "", "black"),
    ] {
        let variables = [("LC_ALL", all), ("LC_MESSAGES", messages), ("LANG", lang)];
        let (_, greeting, _) = run_en(&variables, &play, "");
        assert!(greeting.starts_with(greets), "{variables:?}: {greeting}");
    }
}

#[test]
fn running_games_are_saved_below_home_by_default() {
    let home = fresh_path("play_home");
    for (state, games) in [("", 1), ("relative", 2)] {
        let variables = [("HOME", utf8(&home)), ("XDG_STATE_HOME", state)];
        let play = ["play", "--plain", "--white", "human"];
        assert_eq!(run_en(&variables, &play, "c1 c6 f6\n").0, Some(0));
        assert_eq!(saved_games(&home.join(".local/state")).len(), games);
    }
}
