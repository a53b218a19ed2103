//! The game over lines of text, for pipes and screen readers.

use super::command::{self, COMMANDS, Typed};
use super::message::{Note, State};
use super::refusal::Complaint;
use super::sitting::{ActionResult, News, Sitting};
use super::words::{Words, record};
use crate::board::{Board, Cell, Player, SIDE, Square};
use crate::tools::analysis::ownership::shares;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Length of one wait for the bot; waits follow each other.
const WAIT: Duration = Duration::from_secs(60);

/// Plays until `quit` or the end of the input. A bot to move moves before the next line is read. The next line answers
/// a question; the end of the input answers it with no.
///
/// `in_words`: describe the board in words instead of drawing it. `note`: the first message.
///
/// # Errors
/// If the input or the output fails.
pub fn run(
    sitting: Sitting,
    words: &'static dyn Words,
    in_words: bool,
    note: Option<Note>,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let mut plain = Plain {
        sitting,
        words,
        in_words,
        output,
    };
    plain.greet()?;
    if let Some(note) = note {
        plain.say(&words.note(&note))?;
    }
    plain.catch_up(true)?;
    let mut lines = input.split(b'\n');
    while !plain.sitting.has_ended()
        && let Some(line) = lines.next().transpose()?
    {
        plain.read(&String::from_utf8_lossy(&line))?;
    }
    Ok(())
}

struct Plain<W> {
    sitting: Sitting,
    words: &'static dyn Words,
    in_words: bool,
    output: W,
}

impl<W: Write> Plain<W> {
    fn greet(&mut self) -> io::Result<()> {
        let sitter = |player| {
            let seat = self.sitting.game().seat(player);
            self.words.sitter(self.sitting.name(player), seat)
        };
        let players = [Player::Black, Player::White].map(sitter);
        writeln!(self.output, "{}", self.words.greeting(players))
    }

    fn read(&mut self, line: &str) -> io::Result<()> {
        if self.sitting.is_asking()
            && let Some(yes) = command::answer(line)
        {
            let before = self.position();
            let outcome = self.sitting.answer(yes);
            return self.finish(outcome, &before);
        }
        match command::parse(line) {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.execute(&command),
            Err(error) => self.complain(&error.into()),
        }
    }

    fn execute(&mut self, command: &Typed) -> io::Result<()> {
        match command {
            Typed::Game(action) => {
                let before = self.position();
                let outcome = self.sitting.act(action);
                self.finish(outcome, &before)
            }
            Typed::Hint | Typed::Win => self.advise(command),
            Typed::Territory => {
                let text = territory(&self.sitting.shown().0);
                write!(self.output, "{text}")?;
                self.say(self.words.labels().territory_key)
            }
            Typed::Board => self.show_board(),
            Typed::Record => self.say(&record(self.words, self.sitting.game().moves())),
            Typed::Help => self.help(),
        }
    }

    /// The position, and whether it is an earlier one.
    fn position(&self) -> (Board, Option<usize>) {
        (self.sitting.game().board().clone(), self.sitting.look())
    }

    /// Prints the outcome of an action, then its consequences.
    fn finish(&mut self, outcome: ActionResult, before: &(Board, Option<usize>)) -> io::Result<()> {
        match outcome {
            Ok(note) => {
                if let Some(note) = note {
                    writeln!(self.output, "{}", self.words.note(&note))?;
                }
                let changed = *before != self.position();
                self.catch_up(changed)
            }
            Err(complaint) => self.complain(&complaint),
        }
    }

    fn help(&mut self) -> io::Result<()> {
        let width = COMMANDS.iter().map(|name| name.len()).max();
        let width = width.unwrap_or_default();
        for (name, meaning) in COMMANDS.iter().zip(self.words.labels().commands) {
            writeln!(self.output, "{name:width$}  {meaning}")?;
        }
        self.output.flush()
    }

    fn advise(&mut self, command: &Typed) -> io::Result<()> {
        if let Err(refusal) = self.sitting.ask_advice() {
            return self.complain(&refusal.into());
        }
        while self.sitting.is_waiting() {
            self.sitting.wait(WAIT);
        }
        let Some(advice) = self.sitting.advice() else {
            return Ok(());
        };
        self.say(&match command {
            Typed::Hint => self.words.hint(advice.turn),
            _ => self.words.win_probability(advice.black_wins),
        })
    }

    /// Lets the bots move. Then shows the board if it has changed, and who is to choose what.
    fn catch_up(&mut self, mut changed: bool) -> io::Result<()> {
        while self.sitting.is_waiting() && !self.sitting.has_ended() {
            if let Some(News::Note(note)) = self.sitting.wait(WAIT) {
                self.say(&self.words.note(&note))?;
                changed |= matches!(note, Note::Played(..));
            }
        }
        if self.sitting.has_ended() {
            return Ok(());
        }
        if changed {
            self.show_board()?;
        }
        let state = self.sitting.state();
        self.say(&self.words.state(&state))?;
        match state {
            State::Over { .. } if changed => self.say(self.words.labels().after_the_end[1]),
            _ => Ok(()),
        }
    }

    fn show_board(&mut self) -> io::Result<()> {
        let (board, _) = self.sitting.shown();
        match self.in_words {
            true => self.say(&self.words.board(&board)),
            false => write!(self.output, "{board}"),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    fn complain(&mut self, complaint: &Complaint) -> io::Result<()> {
        let why = self.words.complaint(complaint);
        self.say(&self.words.not_done(&why))
    }
}

/// The board with the owner's letter on every empty square.
fn territory(board: &Board) -> String {
    let shares = shares(board);
    let mut text = "  a b c d e f g h\n".to_owned();
    for y in 0..SIDE as u8 {
        let letters = (0..SIDE as u8).map(|x| {
            let square = Square::new(x, y).expect("on the board");
            let owner = shares[square.index()].ownership();
            match board[square] {
                Cell::Amazon(Player::Black) => " B",
                Cell::Amazon(Player::White) => " W",
                Cell::Arrow => " x",
                _ if owner > 0.0 => " b",
                _ if owner < 0.0 => " w",
                _ => " .",
            }
        });
        text += &format!("{}{}\n", y + 1, letters.collect::<String>());
    }
    text
}
