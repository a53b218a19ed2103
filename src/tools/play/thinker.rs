//! The bot's thoughts about a game: its moves, at a pace between bots, and advice for people.

use super::bot::{ADVICE, Bot, Thought};
use super::game::Game;
use super::refusal::Refusal;
use crate::board::Move;
use std::thread;
use std::time::{Duration, Instant};

/// The purpose of a thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Its own move.
    Play,
    /// A hint or the win probability.
    Advice,
}

/// The result of a thought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Found {
    /// The move of the bot that is to move.
    Turn(Move),
    /// Advice on the position.
    Advice(Thought),
}

/// The bot's thoughts about a game.
pub struct Thinker {
    bot: Bot,
    purpose: Option<Purpose>,
    /// About the position on the board.
    advice: Option<Thought>,
    /// Win probability of black, from the last thought.
    black_wins: Option<f32>,
    /// Least time of a turn between two bots.
    pace: Duration,
    /// When the last turn began.
    since: Instant,
    /// A move that is known but not due yet.
    held: Option<Move>,
}

impl Thinker {
    /// No thoughts yet; `pace` is the least time of a turn between two bots.
    #[must_use]
    pub fn new(bot: Bot, pace: Duration) -> Thinker {
        Thinker {
            bot,
            purpose: None,
            advice: None,
            black_wins: None,
            pace,
            since: Instant::now(),
            held: None,
        }
    }

    /// Advice on the position, if it was asked for and is known.
    #[must_use]
    pub const fn advice(&self) -> Option<Thought> {
        self.advice
    }

    /// Win probability of black as last known.
    #[must_use]
    pub const fn black_wins(&self) -> Option<f32> {
        self.black_wins
    }

    /// Time that the bot has been thinking about its move, if it is.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        let plays = self.purpose == Some(Purpose::Play);
        self.bot.thinking().filter(|_| plays)
    }

    /// Tests if the bot is busy with something.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.purpose.is_some() || self.held.is_some()
    }

    /// Least time of a turn between two bots.
    #[must_use]
    pub const fn pace(&self) -> Duration {
        self.pace
    }

    /// Sets the least time of a turn between two bots.
    pub fn set_pace(&mut self, pace: Duration) {
        self.pace = pace;
    }

    /// Asks for advice, unless it is known or on its way.
    ///
    /// # Errors
    /// If the game is over, or a bot is to move.
    pub fn ask_advice(&mut self, game: &Game) -> Result<(), Refusal> {
        if let Some(winner) = game.winner() {
            return Err(Refusal::Over { winner });
        }
        if game.bot_to_move().is_some() {
            return Err(Refusal::BotsTurn(game.to_move()));
        }
        if self.advice.is_none() && self.purpose.is_none() {
            self.bot.ask(game.board(), ADVICE);
            self.purpose = Some(Purpose::Advice);
        }
        Ok(())
    }

    /// Lets the bot begin if it is to move, then waits for news, with a time limit.
    pub fn wait(&mut self, game: &Game, timeout: Duration) -> Option<Found> {
        if let Some(turn) = self.held {
            return self.release(turn, timeout);
        }
        if let Some(strength) = game.bot_to_move()
            && self.purpose.is_none()
        {
            self.bot.ask(game.board(), strength);
            self.purpose = Some(Purpose::Play);
        }
        let thought = self.bot.wait(timeout)?;
        self.black_wins = Some(thought.black_wins);
        match self.purpose.take()? {
            Purpose::Advice => {
                self.advice = Some(thought);
                Some(Found::Advice(thought))
            }
            Purpose::Play if game.has_human() => self.play(thought.turn),
            Purpose::Play => {
                self.held = Some(thought.turn);
                self.release(thought.turn, Duration::ZERO)
            }
        }
    }

    /// Plays a move that was held back, if it is due within so much time.
    fn release(&mut self, turn: Move, timeout: Duration) -> Option<Found> {
        let early = self.pace.saturating_sub(self.since.elapsed());
        thread::sleep(early.min(timeout));
        (early <= timeout).then(|| self.play(turn))?
    }

    fn play(&mut self, turn: Move) -> Option<Found> {
        self.held = None;
        self.advice = None;
        self.since = Instant::now();
        Some(Found::Turn(turn))
    }

    /// Drops all thoughts about a position that is no longer on the board.
    pub fn forget(&mut self) {
        self.bot.cancel();
        self.purpose = None;
        self.advice = None;
        self.held = None;
        self.since = Instant::now();
    }

    /// The same where another game is on the board.
    pub fn forget_game(&mut self) {
        self.forget();
        self.black_wins = None;
    }
}
