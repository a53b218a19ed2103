//! The game over lines of text, for pipes and screen readers.

use super::command::{self, Command, HELP};
use super::game::list;
use super::session::{News, Session};
use super::{chances, record};
use crate::board::{Board, Player, Square, squares};
use crate::tools::ToolError;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// How long one wait for the bot lasts; waits follow each other.
const WAIT: Duration = Duration::from_secs(60);

/// Plays until `quit` or the end of the input; a bot to move moves before the next line is read.
///
/// `words` says the board in words instead of drawing it.
///
/// # Errors
/// If the input or the output fails.
pub fn run(
    session: Session,
    words: bool,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let mut plain = Plain {
        session,
        words,
        output,
    };
    plain.greet()?;
    plain.catch_up(true)?;
    for line in input.lines() {
        match command::parse(&line?) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => plain.execute(&command)?,
            Err(error) => plain.complain(&error.into())?,
        }
    }
    Ok(())
}

struct Plain<W> {
    session: Session,
    words: bool,
    output: W,
}

impl<W: Write> Plain<W> {
    fn greet(&mut self) -> io::Result<()> {
        let seat = |player| self.session.game().seat(player);
        let (black, white) = (seat(Player::Black), seat(Player::White));
        writeln!(
            self.output,
            "black: {black}; white: {white}; help lists the commands"
        )
    }

    fn execute(&mut self, command: &Command) -> io::Result<()> {
        match command {
            Command::Game(action) => {
                let before = self.session.game().board().clone();
                match self.session.act(action) {
                    Ok(Some(message)) => writeln!(self.output, "{message}")?,
                    Ok(None) => {}
                    Err(error) => return self.complain(&error),
                }
                self.catch_up(before != *self.session.game().board())
            }
            Command::Hint | Command::Win => self.advise(command),
            Command::Board => self.show_board(),
            Command::Record => self.say(&record(self.session.game().moves())),
            Command::Help => {
                let width = HELP.iter().map(|(name, _)| name.len()).max();
                HELP.iter().try_for_each(|(name, meaning)| {
                    let width = width.unwrap_or_default();
                    writeln!(self.output, "{name:width$}  {meaning}")
                })
            }
            Command::Quit => Ok(()),
        }
    }

    fn advise(&mut self, command: &Command) -> io::Result<()> {
        if let Err(refusal) = self.session.ask_advice() {
            return self.complain(&refusal.into());
        }
        while self.session.is_waiting() {
            self.session.wait(WAIT);
        }
        let Some(advice) = self.session.advice() else {
            return Ok(());
        };
        match command {
            Command::Hint => writeln!(self.output, "hint: {}", advice.turn),
            _ => writeln!(
                self.output,
                "win probability: {}",
                chances(advice.black_wins)
            ),
        }
    }

    /// Lets the bots move; then shows the board if it has changed, and who is to choose what.
    fn catch_up(&mut self, mut changed: bool) -> io::Result<()> {
        while self.session.is_waiting() {
            if let Some(News::Played(player, turn)) = self.session.wait(WAIT) {
                writeln!(self.output, "{player} played {turn}")?;
                changed = true;
            }
        }
        if changed {
            self.show_board()?;
        }
        let state = self.session.state();
        self.say(&state)
    }

    fn show_board(&mut self) -> io::Result<()> {
        let board = self.session.game().shown_board();
        match self.words {
            true => writeln!(self.output, "{}", in_words(&board)),
            false => write!(self.output, "{board}"),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    fn complain(&mut self, error: &ToolError) -> io::Result<()> {
        self.say(&format!("not done: {error}"))
    }
}

/// What stands where, in a sentence.
fn in_words(board: &Board) -> String {
    let named = |set: u64| list(&squares(set).collect::<Vec<Square>>());
    let arrows = match board.arrows() {
        0 => "none".to_owned(),
        arrows => named(arrows),
    };
    format!(
        "black amazons: {}; white amazons: {}; arrows: {arrows}",
        named(board.amazons(Player::Black)),
        named(board.amazons(Player::White)),
    )
}
