//! Plain-text interface of the game, line by line, for pipes and screen readers.

use super::command::{self, Typed};
use super::session::{ActionResult, Note, PlaySession};
use super::words::{Words, labels};
use analysis::ownership::Ownership;
use engine::board::{Board, Player, squares};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Duration of one wait for the bot's move; the wait is repeated until the move is there.
const WAIT: Duration = Duration::from_secs(60);

/// Plays until the command `quit` or the end of the input. If a bot is to move, its move is played before the next line is
/// read. The end of the input answers an open question with no.
///
/// `in_words` describes the board in words instead of drawing it; `note` is the first message.
///
/// # Errors
/// If reading the input or writing the output fails.
pub fn run(
    session: PlaySession,
    in_words: bool,
    note: Option<Note>,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let mut plain = Plain {
        words: session.words,
        session,
        in_words,
        output,
    };
    plain.greet()?;
    plain.note(note)?;
    plain.catch_up(true)?;
    let mut lines = input.split(b'\n');
    while !plain.session.has_ended
        && let Some(line) = lines.next().transpose()?
    {
        plain.read(&String::from_utf8_lossy(&line))?;
    }
    match plain.session.kept() {
        Some(kept) => plain.say(kept),
        None => Ok(()),
    }
}

struct Plain<W> {
    session: PlaySession,
    words: Words,
    in_words: bool,
    output: W,
}

impl<W: Write> Plain<W> {
    fn greet(&mut self) -> io::Result<()> {
        let [black, white] = [Player::Black, Player::White]
            .map(|player| self.words.sitter(self.session.table(), player));
        let help = self.words.label(labels::HELP_LISTS_COMMANDS);
        writeln!(self.output, "{}{help}", self.words.seats(black, white))
    }

    fn read(&mut self, line: &str) -> io::Result<()> {
        if self.session.question.is_some()
            && let Some(yes) = command::answer(line)
        {
            return self.perform(|session| session.answer(yes));
        }
        match command::parse(line, self.words) {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.execute(&command),
            Err(why) => self.complain(&why),
        }
    }

    fn execute(&mut self, command: &Typed) -> io::Result<()> {
        match command {
            Typed::Game(action) => self.perform(|session| session.act(action)),
            Typed::Hint | Typed::Win => self.advise(command),
            Typed::Territory => {
                let text = territory(&self.session.shown().0);
                write!(self.output, "{text}")?;
                self.say(self.words.label(labels::TERRITORY_KEY))
            }
            Typed::Board => self.show_board(),
            Typed::Record => self.say(&self.words.record(self.session.game().moves())),
            Typed::Help => self.help(),
        }
    }

    /// Carries out the action `act` and prints its outcome; then lets bots move, and prints the board if the position changed.
    fn perform(&mut self, act: impl FnOnce(&mut PlaySession) -> ActionResult) -> io::Result<()> {
        let position = |session: &PlaySession| (session.game().board().clone(), session.look);
        let before = position(&self.session);
        match act(&mut self.session) {
            Ok(note) => {
                self.note(note)?;
                self.catch_up(before != position(&self.session))
            }
            Err(why) => self.complain(&why),
        }
    }

    fn help(&mut self) -> io::Result<()> {
        let width = labels::COMMANDS.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or_default();
        for (name, meaning) in labels::COMMANDS {
            let meaning = self.words.label(meaning);
            writeln!(self.output, "{name:width$}  {meaning}")?;
        }
        self.output.flush()
    }

    fn advise(&mut self, command: &Typed) -> io::Result<()> {
        if let Err(why) = self.session.ask_advice() {
            return self.complain(&why);
        }
        while self.session.is_waiting() {
            self.session.wait(WAIT);
        }
        let Some(advice) = self.session.engine.advice else {
            return Ok(());
        };
        self.say(&match command {
            Typed::Hint => self.words.hint(advice.turn),
            _ => self.words.win_probability(advice.black_wins),
        })
    }

    /// Lets the bots move. Then prints the board if the position changed, and asks for the next choice.
    fn catch_up(&mut self, mut changed: bool) -> io::Result<()> {
        while self.session.is_waiting() && !self.session.has_ended {
            let plies = self.session.game().moves().len();
            let note = self.session.wait(WAIT);
            self.note(note)?;
            changed |= plies < self.session.game().moves().len();
        }
        if self.session.has_ended {
            return Ok(());
        }
        if changed {
            self.show_board()?;
        }
        self.say(&self.words.status(&self.session))?;
        if changed && self.session.shows_end() {
            self.say(self.words.label(labels::COMMANDS_AFTER_THE_END))?;
        }
        Ok(())
    }

    fn show_board(&mut self) -> io::Result<()> {
        let (board, _) = self.session.shown();
        match self.in_words {
            true => self.say(&self.words.board(&board)),
            false => write!(self.output, "{board}"),
        }
    }

    /// Prints a message. Prints no advice, because [`Plain::advise`] waits for advice and prints it.
    fn note(&mut self, note: Option<Note>) -> io::Result<()> {
        match note {
            Some(Note::Said(text) | Note::Lesson(text)) => self.say(&text),
            Some(Note::Advice) | None => Ok(()),
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    fn complain(&mut self, why: &str) -> io::Result<()> {
        self.say(&self.words.not_done(why))
    }
}

/// Draws the board, with the letter of the player who owns it on each empty square: `b` or `w`.
fn territory(board: &Board) -> String {
    let Ownership(all) = Ownership::in_position(board);
    let mut owners = squares(board.empty()).map(|square| all[square.index()]);
    let drawn = board.to_string();
    let owned = drawn.chars().map(|sign| match sign {
        '.' => match owners.next() {
            Some(owner) if owner > 0.0 => 'b',
            Some(owner) if owner < 0.0 => 'w',
            _ => '.',
        },
        sign => sign,
    });
    owned.collect()
}
