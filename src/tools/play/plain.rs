//! [`run`], the plain-text interface: reads commands and prints the game line by line, for pipes and screen readers.

use super::command::{self, Command};
use super::session::{CommandResult, Message, PlaySession};
use super::texts::{Texts, labels};
use analysis::ownership::ownership;
use engine::board::{Board, Player, squares};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Maximum duration of one call that waits for a message from a search. If no message arrives in this time, the
/// plain-text interface makes the call again.
const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// Runs the plain-text interface until the user types `quit` or `input` ends. Before it reads a line of `input`, it
/// lets bots play until a person is to move. If `input` ends while a yes-or-no question is open, the question stays
/// unanswered and its command is not carried out.
///
/// - `in_words`: true to describe the board in words, false to draw it.
/// - `message`: text to print before the first line is read, after the players' names.
///
/// # Errors
/// If reading `input` or writing `output` fails.
pub fn run(
    session: PlaySession,
    in_words: bool,
    message: Option<Message>,
    input: impl BufRead,
    output: impl Write,
) -> io::Result<()> {
    let mut plain = Plain {
        texts: session.texts,
        session,
        in_words,
        output,
    };
    plain.print_players()?;
    plain.print_message(message)?;
    plain.play_bots(true)?;
    let mut lines = input.split(b'\n');
    while !plain.session.has_quit
        && let Some(line) = lines.next().transpose()?
    {
        plain.handle_line(&String::from_utf8_lossy(&line))?;
    }
    match plain.session.autosave_message() {
        Some(message) => plain.print_line(message),
        None => Ok(()),
    }
}

struct Plain<W> {
    session: PlaySession,
    texts: Texts,
    in_words: bool,
    output: W,
}

impl<W: Write> Plain<W> {
    fn print_players(&mut self) -> io::Result<()> {
        let [black, white] = [Player::Black, Player::White]
            .map(|player| self.texts.named_player(self.session.state(), player));
        let help = self.texts.label(labels::HELP_LISTS_COMMANDS);
        writeln!(self.output, "{}{help}", self.texts.players(black, white))
    }

    fn handle_line(&mut self, line: &str) -> io::Result<()> {
        if self.session.question.is_some()
            && let Some(yes) = command::parse_yes_no(line)
        {
            return self.perform(|session| session.answer(yes));
        }
        match command::parse(line, self.texts) {
            Ok(None) => Ok(()),
            Ok(Some(command)) => self.execute(&command),
            Err(why) => self.print_error(&why),
        }
    }

    fn execute(&mut self, command: &Command) -> io::Result<()> {
        match command {
            Command::Game(command) => self.perform(|session| session.run_command(command)),
            Command::Hint | Command::WinProbability => self.print_advice(command),
            Command::Territory => {
                let text = draw_territory(&self.session.shown_position().0);
                write!(self.output, "{text}")?;
                self.print_line(self.texts.label(labels::TERRITORY_KEY))
            }
            Command::Board => self.print_board(),
            Command::Record => self.print_line(&self.texts.move_list(self.session.game().moves())),
            Command::Help => self.print_help(),
        }
    }

    /// Calls `run`, which carries out a command of the user, and prints the message or error that `run` returns. If
    /// `run` succeeds, lets bots play until a person is to move, prints the board if the shown position has changed,
    /// and prints the status line.
    fn perform(&mut self, run: impl FnOnce(&mut PlaySession) -> CommandResult) -> io::Result<()> {
        let position = |session: &PlaySession| (session.game().board().clone(), session.viewed_ply);
        let before = position(&self.session);
        match run(&mut self.session) {
            Ok(message) => {
                self.print_message(message)?;
                self.play_bots(before != position(&self.session))
            }
            Err(why) => self.print_error(&why),
        }
    }

    fn print_help(&mut self) -> io::Result<()> {
        let width = labels::COMMANDS.iter().map(|(name, _)| name.len()).max();
        let width = width.unwrap_or_default();
        for (name, meaning) in labels::COMMANDS {
            let meaning = self.texts.label(meaning);
            writeln!(self.output, "{name:width$}  {meaning}")?;
        }
        self.output.flush()
    }

    fn print_advice(&mut self, command: &Command) -> io::Result<()> {
        if let Err(why) = self.session.request_advice() {
            return self.print_error(&why);
        }
        while self.session.has_pending_events() {
            self.session.wait_for_message(WAIT_TIMEOUT);
        }
        let Some(advice) = self.session.engine.advice else {
            return Ok(());
        };
        self.print_line(&match command {
            Command::Hint => self.texts.hint(advice.turn),
            _ => self.texts.win_probability(advice.black_wins),
        })
    }

    /// Lets bots play until a person is to move or the game is over, and prints their moves. Then prints the board if a
    /// bot has moved or if `needs_board` is true, and then the status line.
    fn play_bots(&mut self, mut needs_board: bool) -> io::Result<()> {
        while self.session.has_pending_events() && !self.session.has_quit {
            let plies = self.session.game().moves().len();
            let message = self.session.wait_for_message(WAIT_TIMEOUT);
            self.print_message(message)?;
            needs_board |= plies < self.session.game().moves().len();
        }
        if self.session.has_quit {
            return Ok(());
        }
        if needs_board {
            self.print_board()?;
        }
        self.print_line(&self.texts.status(&self.session))?;
        if needs_board && self.session.shows_game_over() {
            self.print_line(self.texts.label(labels::GAME_OVER_COMMANDS))?;
        }
        Ok(())
    }

    fn print_board(&mut self) -> io::Result<()> {
        let (board, _) = self.session.shown_position();
        match self.in_words {
            true => self.print_line(&self.texts.board(&board)),
            false => write!(self.output, "{board}"),
        }
    }

    /// Prints the text that `message` contains: the result of a command, or a text of the rules tutorial. Prints
    /// nothing for `None`. Prints nothing for [`Message::Advice`] (a hint was found) either: `print_advice` prints the
    /// hint.
    fn print_message(&mut self, message: Option<Message>) -> io::Result<()> {
        match message {
            Some(Message::Text(text) | Message::Lesson(text)) => self.print_line(&text),
            Some(Message::Advice) | None => Ok(()),
        }
    }

    fn print_line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    fn print_error(&mut self, why: &str) -> io::Result<()> {
        self.print_line(&self.texts.not_done(why))
    }
}

/// Draws the board as text, with the likely owner of each empty square: `b` for black, `w` for white, `.` for neither.
/// Amazons and arrows are drawn as in the text form of [`Board`].
fn draw_territory(board: &Board) -> String {
    let all = ownership(board);
    let mut owners = squares(board.empty()).map(|square| all[square.index()]);
    let drawn = board.to_string();
    let with_owners = drawn.chars().map(|sign| match sign {
        '.' => match owners.next() {
            Some(owner) if owner > 0.0 => 'b',
            Some(owner) if owner < 0.0 => 'w',
            _ => '.',
        },
        sign => sign,
    });
    with_owners.collect()
}
