//! The conversation with Botzone: read a turn, follow the game, think, answer.
//!
//! Both forms of interaction are understood, line by line, whichever comes; see [`simple`] and
//! [`json`]. After every answer the bot asks to be kept running, and is then sent the opponent's move
//! alone. What can't be understood is reported on the log and survived.

pub mod json;
pub mod simple;

use crate::board::{Board, IllegalMove, Move, Player};
use crate::clock::{Clock, SystemTime, TimeSource};
use crate::mcts::{LINE_BYTES, Params, Report, Search};
use crate::movegen;
use crate::options::{Options, seed_from_time};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The line after every answer that asks the platform to keep the bot running.
pub const KEEP_RUNNING: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

/// One of the two forms of interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines of six numbers.
    Simple,
    /// A JSON object on one line.
    Json,
}

/// One entry of a game's record as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A move, not yet checked against the rules.
    Move(Move),
    /// Six times -1: there is no move before black's first.
    Nothing,
    /// Something else; what was sent and what was expected.
    Unreadable(String),
}

impl Entry {
    /// The entry of six coordinates.
    #[must_use]
    pub fn from_coordinates(coordinates: [i64; 6]) -> Entry {
        if coordinates == [-1; 6] {
            return Entry::Nothing;
        }
        Move::from_coordinates(coordinates)
            .map_or_else(|fault| Entry::Unreadable(fault.to_string()), Entry::Move)
    }
}

/// What a turn brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The whole record: requests and own responses in turn, a request first and last.
    History(Vec<Entry>),
    /// The opponent's answer to our last move.
    Reply(Entry),
}

/// A game as the bot follows it, and the search that goes with it.
pub struct Session<T = SystemTime> {
    options: Options,
    time: T,
    search: Search,
    /// The bot's colour, once the first turn has told it.
    me: Option<Player>,
    /// All moves so far.
    record: Vec<Move>,
    answers: u64,
    /// The process's CPU time when the last answer went out.
    cpu_before: Duration,
}

impl Session {
    /// A session that waits for its first turn.
    #[must_use]
    pub fn new(options: Options) -> Session {
        Session::with_time(options, SystemTime::default())
    }
}

impl<T: TimeSource> Session<T> {
    /// The same with a time of its own.
    #[must_use]
    pub fn with_time(options: Options, time: T) -> Session<T> {
        let seed = options.seed.unwrap_or_else(seed_from_time);
        let search = Search::new(Board::start(), options.memory, seed, Params::default());
        Session {
            options,
            time,
            search,
            me: None,
            record: Vec::new(),
            answers: 0,
            cpu_before: Duration::ZERO,
        }
    }

    /// Plays until the input ends. Complaints about the input go to `log`.
    ///
    /// # Errors
    /// If the input can't be read or the output not written.
    pub fn run(
        mut self,
        mut input: impl BufRead,
        mut output: impl Write,
        mut log: impl Write,
    ) -> io::Result<()> {
        if let Some(shortage) = self.shortage() {
            writeln!(log, "{shortage}")?;
        }
        while let Some((form, turn)) = self.read_turn(&mut input, &mut log)? {
            let clock = Clock::start(self.time, self.options.time, self.cpu_before);
            self.follow(turn, &mut log)?;
            let answer = self.think(clock);
            self.write_answer(form, answer, clock, &mut output)?;
            self.cpu_before = self.time.cpu();
            self.answers += 1;
            let played = answer.map_or(Ok(()), |answer| self.play(answer));
            debug_assert_eq!(played, Ok(()), "the answer is legal");
        }
        Ok(())
    }

    /// What to say if the tree is smaller than it was to be.
    fn shortage(&self) -> Option<String> {
        let mib = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        let (wanted, got) = (self.options.memory, self.search.tree().capacity());
        (got + LINE_BYTES <= wanted).then(|| {
            format!(
                "wanted {} MiB for the tree, got {}; see --memory-mb",
                mib(wanted),
                mib(got)
            )
        })
    }

    /// Waits for the next turn; nothing when the input has ended.
    fn read_turn(
        &self,
        input: &mut impl BufRead,
        log: &mut impl Write,
    ) -> io::Result<Option<(Form, Turn)>> {
        let mut ignored = false;
        while let Some(line) = read_line(input)? {
            if line.starts_with('{') {
                return Ok(Some((Form::Json, json::turn(&line, self.me.is_some()))));
            }
            match simple::Line::parse(&line) {
                simple::Line::Number(turn) if self.me.is_none() && turn > 0 => {
                    return simple::history(turn, input)
                        .map(|entries| Some((Form::Simple, Turn::History(entries))));
                }
                simple::Line::Entry(entry) if self.me.is_none() => {
                    return Ok(Some((Form::Simple, Turn::History(vec![entry]))));
                }
                simple::Line::Entry(entry) => return Ok(Some((Form::Simple, Turn::Reply(entry)))),
                // Kept running, some drivers still send the number of the turn.
                simple::Line::Number(_) if self.me.is_some() => {}
                // Behind the first turn's record there may be lines of `data` and `globaldata`.
                _ if self.answers > 1 => {
                    let fault = Entry::Unreadable(format!("\"{line}\": expected six coordinates"));
                    return Ok(Some((Form::Simple, Turn::Reply(fault))));
                }
                _ => {
                    writeln!(
                        log,
                        "ignored \"{line}\": expected a turn number, six coordinates or a JSON object"
                    )?;
                    ignored = true;
                }
            }
        }
        // Whatever came was meant as a turn: answer it as well as possible.
        let unanswered = ignored && self.answers == 0;
        Ok(unanswered.then(|| (Form::Simple, Turn::History(Vec::new()))))
    }

    /// Brings board and tree to the position of a turn, with the bot to move.
    fn follow(&mut self, turn: Turn, log: &mut impl Write) -> io::Result<()> {
        match turn {
            Turn::History(entries) => {
                let game = Game::rebuild(&entries);
                for fault in &game.faults {
                    writeln!(log, "ignored {fault}")?;
                }
                self.me = Some(game.me);
                match game.record.split_last() {
                    // The game that the tree already knows, one move further.
                    Some((&last, known))
                        if game.faults.is_empty()
                            && self.answers > 0
                            && known == self.record
                            && self.play(last).is_ok() => {}
                    _ => {
                        self.search.set_board(game.board);
                        self.record = game.record;
                    }
                }
            }
            Turn::Reply(entry) => {
                let played = match entry {
                    Entry::Move(reply) => self
                        .play(reply)
                        .map_err(|fault| format!("move \"{reply}\": {fault}")),
                    Entry::Nothing => {
                        Err("a request without a move in the middle of the game".to_owned())
                    }
                    Entry::Unreadable(text) => Err(format!("request {text}")),
                };
                if let Err(fault) = played {
                    writeln!(log, "ignored {fault}")?;
                }
            }
        }
        self.take_the_turn();
        Ok(())
    }

    /// Makes it the bot's turn where the record, damaged, says otherwise.
    fn take_the_turn(&mut self) {
        let me = self.me.unwrap_or(Player::Black);
        if self.search.board().to_move() != me {
            let mut board = self.search.board().clone();
            board.set_to_move(me);
            self.search.set_board(board);
        }
    }

    /// Plays a move on the board and in the tree; an illegal one changes nothing.
    fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.search.advance_root(turn)?;
        self.record.push(turn);
        Ok(())
    }

    /// The move to answer with; nothing if there is none.
    fn think(&mut self, clock: Clock<T>) -> Option<Move> {
        let only = movegen::only_move(self.search.board());
        let first_turn = self.record.len() < 2;
        let mut clock = clock.with_budget(if first_turn {
            self.options.first_time
        } else {
            self.options.time
        });
        self.search.run_while(|done| {
            only.is_none()
                && self
                    .options
                    .iterations
                    .map_or_else(|| clock.allows(done.work), |limit| done.iterations < limit)
        });
        only.or_else(|| self.search.best_move())
    }

    /// Prints the answer and the marker at one stroke.
    fn write_answer(
        &self,
        form: Form,
        answer: Option<Move>,
        clock: Clock<T>,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let coordinates = answer.map_or([-1; 6], |answer| answer.coordinates().map(i64::from));
        let answer = match form {
            Form::Simple => simple::answer(coordinates),
            Form::Json => json::answer(
                coordinates,
                &debug_text(&self.search.report(), clock.elapsed()),
            ),
        };
        output.write_all(format!("{answer}\n{KEEP_RUNNING}\n").as_bytes())?;
        output.flush()
    }
}

/// What the replay shows beside a move.
fn debug_text(report: &Report, elapsed: Duration) -> String {
    let tenths = (1000.0 * report.win_probability) as u32;
    format!(
        "win probability {}.{}%, {} visits, {} iterations, depth {}, {} ms",
        tenths / 10,
        tenths % 10,
        report.visits,
        report.iterations,
        report.depth,
        elapsed.as_millis()
    )
}

/// Reads the next line that is not blank, without the white space around it; nothing at the end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes)? > 0 {
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim();
        if !line.is_empty() {
            return Ok(Some(line.to_owned()));
        }
        bytes.clear();
    }
    Ok(None)
}

/// A game rebuilt from a record.
struct Game {
    me: Player,
    board: Board,
    record: Vec<Move>,
    faults: Vec<String>,
}

impl Game {
    /// Rebuilds a game as well as a record, perhaps damaged, allows.
    fn rebuild(entries: &[Entry]) -> Game {
        match entries.first() {
            Some(Entry::Nothing) => Game::replay(entries, Player::Black),
            Some(Entry::Move(_)) => Game::replay(entries, Player::White),
            // The entry that tells the colour is damaged: the colour with which the rest makes more sense.
            _ => {
                let [black, white] =
                    [Player::Black, Player::White].map(|me| Game::replay(entries, me));
                if white.faults.len() < black.faults.len() {
                    white
                } else {
                    black
                }
            }
        }
    }

    /// Plays a record with the bot in the given colour, leaving out what is not legal.
    fn replay(entries: &[Entry], me: Player) -> Game {
        let mut game = Game {
            me,
            board: Board::start(),
            record: Vec::new(),
            faults: Vec::new(),
        };
        for (number, entry) in entries.iter().enumerate() {
            let mover = if number % 2 == 0 { !me } else { me };
            game.board.set_to_move(mover);
            let result = match entry {
                Entry::Move(turn) => game
                    .board
                    .play(*turn)
                    .map(|()| game.record.push(*turn))
                    .map_err(|fault| format!("move \"{turn}\": {fault}")),
                Entry::Nothing if number == 0 && me == Player::Black => Ok(()),
                Entry::Nothing => Err("no move in the middle of the game".to_owned()),
                Entry::Unreadable(text) => Err(text.clone()),
            };
            if let Err(fault) = result {
                let kind = if number % 2 == 0 {
                    "request"
                } else {
                    "response"
                };
                game.faults
                    .push(format!("{kind} {} of the record: {fault}", number / 2 + 1));
            }
        }
        game.board.set_to_move(me);
        game
    }
}
