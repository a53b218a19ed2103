//! The bot's thoughts about a game: its moves, at a pace between bots, and advice for people.

use super::game::Game;
use super::message::Note;
use super::refusal::Refusal;
use crate::board::Move;
use crate::botzone::options::Options;
use crate::budget::Budget;
use crate::tools::thinking::level::Strength;
use crate::tools::thinking::mind::{Mind, Thought};
use crate::tools::thinking::root_parallel::Means;
use crate::tools::thinking::worker::Worker;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Budget of the search for hints and win probabilities.
const ADVICE: Strength = Strength::Budget(Budget::Iterations(40_000));

/// A question to the bot.
struct Question {
    /// Whether it is about the bot's own move, not for advice.
    plays: bool,
    since: Instant,
    answer: Receiver<Thought>,
}

/// The bot's thoughts about a game.
pub struct Thinker {
    bot: Worker,
    question: Option<Question>,
    /// Advice on the position, if it was asked for and is known.
    pub advice: Option<Thought>,
    /// Win probability of black, from the last thought.
    pub black_wins: Option<f32>,
    /// Least time of a turn between two bots.
    pub pace: Duration,
    /// When the last turn began.
    since: Instant,
    /// A move that is known but not due yet.
    held: Option<Move>,
}

impl Thinker {
    /// Starts the bot; `seed` decides all its random choices. With a budget of its own, or as strong as it is uploaded, it
    /// searches by so many `threads`. `pace` is the least time of a turn between two bots.
    ///
    /// # Panics
    /// If the system gives no thread.
    #[must_use]
    pub fn new(seed: u64, threads: usize, pace: Duration) -> Thinker {
        let means = Means::new(Options::default().memory, threads, seed);
        Thinker {
            bot: Worker::start(Mind::forgetful(means)).expect("a thread"),
            question: None,
            advice: None,
            black_wins: None,
            pace,
            since: Instant::now(),
            held: None,
        }
    }

    /// Time that the bot has been thinking about its move, if it is.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        let question = self.question.as_ref().filter(|question| question.plays);
        question.map(|question| question.since.elapsed())
    }

    /// Tests if the bot is busy with something.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.question.is_some() || self.held.is_some()
    }

    /// Asks for advice, unless it is known or on its way.
    ///
    /// # Errors
    /// If the game is over, or a bot is to move.
    pub fn ask_advice(&mut self, game: &Game) -> Result<(), Refusal> {
        if let Some(winner) = game.winner() {
            return Err(Refusal::Over(winner));
        }
        if game.bot_to_move().is_some() {
            return Err(Refusal::BotsTurn(game.to_move()));
        }
        if self.advice.is_none() && self.question.is_none() {
            self.ask(game, ADVICE, false);
        }
        Ok(())
    }

    fn ask(&mut self, game: &Game, strength: Strength, plays: bool) {
        let (sender, answer) = mpsc::channel();
        self.bot.ask(game.board(), strength, move |thought| {
            // A receiver that has gone wants no thought.
            let _ = sender.send(thought);
        });
        self.question = Some(Question {
            plays,
            since: Instant::now(),
            answer,
        });
    }

    /// Lets the bot begin if it is to move, then waits for advice or its move, with a time limit.
    pub fn wait(&mut self, game: &Game, timeout: Duration) -> Option<Note> {
        if let Some(turn) = self.held {
            return self.release(game, turn, timeout);
        }
        if let Some(strength) = game.bot_to_move()
            && self.question.is_none()
        {
            self.ask(game, strength, true);
        }
        let thought = self.question.as_ref()?.answer.recv_timeout(timeout).ok()?;
        self.black_wins = Some(thought.black_wins);
        if !self.question.take()?.plays {
            self.advice = Some(thought);
            return Some(Note::Advised(thought));
        }
        if game.has_human() {
            return Some(self.play(game, thought.turn));
        }
        self.held = Some(thought.turn);
        self.release(game, thought.turn, Duration::ZERO)
    }

    /// Plays a move that was held back, if it is due within so much time.
    fn release(&mut self, game: &Game, turn: Move, timeout: Duration) -> Option<Note> {
        let early = self.pace.saturating_sub(self.since.elapsed());
        thread::sleep(early.min(timeout));
        (early <= timeout).then(|| self.play(game, turn))
    }

    fn play(&mut self, game: &Game, turn: Move) -> Note {
        self.held = None;
        self.advice = None;
        self.since = Instant::now();
        Note::Played(game.to_move(), turn)
    }

    /// Drops all thoughts about a position that is no longer on the board.
    pub fn forget(&mut self) {
        self.bot.cancel();
        self.question = None;
        self.advice = None;
        self.held = None;
        self.since = Instant::now();
    }
}
