//! A game and the bot beside it, as both faces see them: actions go in, news come out.

use super::bot::{ADVICE, Bot, Thought};
use super::command::Action;
use super::file;
use super::game::{Game, Refusal, Selection, list};
use crate::board::{Move, Player, Square, squares};
use crate::tools::ToolError;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the bot is thinking for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Its own move.
    Play,
    /// A hint or the win probability.
    Advice,
}

/// What the bot has done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News {
    /// It has played a move for a colour.
    Played(Player, Move),
    /// Advice on the position is there.
    Advice(Thought),
}

/// A game and the bot beside it.
pub struct Session {
    game: Game,
    bot: Bot,
    purpose: Option<Purpose>,
    /// About the position on the board.
    advice: Option<Thought>,
    /// Win probability of black, from the last thought.
    black_wins: Option<f32>,
    /// Where the game was last saved to or loaded from.
    file: Option<PathBuf>,
}

impl Session {
    /// A session with a game.
    #[must_use]
    pub fn new(game: Game, seed: u64) -> Session {
        Session {
            game,
            bot: Bot::new(seed),
            purpose: None,
            advice: None,
            black_wins: None,
            file: None,
        }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// What the bot advises on the position, if it has been asked.
    #[must_use]
    pub const fn advice(&self) -> Option<Thought> {
        self.advice
    }

    /// Win probability of black as last known.
    #[must_use]
    pub fn black_wins(&self) -> Option<f32> {
        match self.game.winner() {
            Some(Player::Black) => Some(1.0),
            Some(Player::White) => Some(0.0),
            None => self.black_wins,
        }
    }

    /// Where the game was last saved to or loaded from.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// For how long the bot has been thinking about its move, if it is.
    #[must_use]
    pub fn thinking(&self) -> Option<Duration> {
        let plays = self.purpose == Some(Purpose::Play);
        self.bot.thinking().filter(|_| plays)
    }

    /// Does what was asked for; returns what there is to say beyond [`Session::state`].
    ///
    /// # Errors
    /// If it is against the rules or a file makes trouble; nothing has changed then.
    pub fn act(&mut self, action: &Action) -> Result<Option<String>, ToolError> {
        match action {
            Action::Choose(squares) => self.choose(|game| game.choose(squares)),
            Action::Moves(from) => self.moves(*from),
            Action::Undo => self.travel(Game::undo, "taken back"),
            Action::Redo => self.travel(Game::redo, "played again"),
            Action::Go => {
                self.game.go();
                Ok(None)
            }
            Action::New => {
                self.replace(Game::new(self.game.seats()));
                Ok(Some("a new game".to_owned()))
            }
            Action::Save(path) => self.save(path.clone()),
            Action::Load(path) => self.load(path),
        }
    }

    /// Chooses a square by cursor or mouse; see [`Game::pick`].
    ///
    /// # Errors
    /// If the square is no legal choice.
    pub fn pick(&mut self, square: Square) -> Result<Option<String>, ToolError> {
        self.choose(|game| game.pick(square))
    }

    /// Lets go of the square that was chosen last.
    pub fn step_back(&mut self) {
        self.game.step_back();
    }

    /// Asks for advice, unless it is there or on its way.
    ///
    /// # Errors
    /// If the game is over, or a bot thinks about its own move.
    pub fn ask_advice(&mut self) -> Result<(), Refusal> {
        if let Some(winner) = self.game.winner() {
            return Err(Refusal::Over { winner });
        }
        if self.game.bot_to_move().is_some() {
            return Err(Refusal::BotsTurn(self.game.to_move()));
        }
        if self.advice.is_none() && self.purpose.is_none() {
            self.bot.ask(self.game.board(), ADVICE);
            self.purpose = Some(Purpose::Advice);
        }
        Ok(())
    }

    /// Lets the bot begin, if it is to move; then waits so long for news of it.
    pub fn wait(&mut self, timeout: Duration) -> Option<News> {
        if let Some(strength) = self.game.bot_to_move()
            && self.purpose.is_none()
        {
            self.bot.ask(self.game.board(), strength);
            self.purpose = Some(Purpose::Play);
        }
        let thought = self.bot.wait(timeout)?;
        let news = match self.purpose.take()? {
            Purpose::Advice => {
                self.advice = Some(thought);
                News::Advice(thought)
            }
            Purpose::Play => {
                let player = self.game.to_move();
                self.game
                    .play(thought.turn)
                    .expect("the bot plays by the rules");
                self.advice = None;
                News::Played(player, thought.turn)
            }
        };
        self.black_wins = Some(thought.black_wins);
        Some(news)
    }

    /// Tests if the bot thinks or is about to.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.purpose.is_some() || self.game.bot_to_move().is_some()
    }

    /// Who is to choose what, or who has won.
    #[must_use]
    pub fn state(&self) -> String {
        let game = &self.game;
        let player = game.to_move();
        if let Some(winner) = game.winner() {
            return format!("{winner} has won: {player} has no move");
        }
        if game.bot_to_move().is_some() {
            return format!("{player} to move: the bot thinks");
        }
        if game.is_paused() {
            return format!("{player} to move: the bots wait for go");
        }
        match game.selection() {
            Selection::Nothing => format!("{player} to move: choose an amazon"),
            Selection::Amazon(from) => format!("{player}, {from} chosen: choose where it goes"),
            Selection::Walk { from, to } => {
                format!("{player}, {from} to {to} chosen: choose where the arrow goes")
            }
        }
    }

    fn choose(
        &mut self,
        choose: impl FnOnce(&mut Game) -> Result<Option<Move>, Refusal>,
    ) -> Result<Option<String>, ToolError> {
        let player = self.game.to_move();
        let Some(turn) = choose(&mut self.game)? else {
            return Ok(None);
        };
        self.forget();
        Ok(Some(format!("{player} played {turn}")))
    }

    fn moves(&self, from: Option<Square>) -> Result<Option<String>, ToolError> {
        let (what, set) = match (from, self.game.selection()) {
            (Some(from), _) => (format!("{from} reaches"), self.game.reach(from)?),
            (None, _) if self.game.targets() == 0 => return Ok(None),
            (None, Selection::Nothing) => ("these can move:".to_owned(), self.game.targets()),
            (None, Selection::Amazon(from)) => (format!("{from} reaches"), self.game.targets()),
            (None, Selection::Walk { to, .. }) => {
                (format!("the arrow from {to} reaches"), self.game.targets())
            }
        };
        let squares: Vec<Square> = squares(set).collect();
        Ok(Some(match squares.is_empty() {
            true => format!("{what} nothing"),
            false => format!("{what} {}", list(&squares)),
        }))
    }

    fn travel(
        &mut self,
        travel: impl FnOnce(&mut Game) -> Result<(), Refusal>,
        what: &str,
    ) -> Result<Option<String>, ToolError> {
        let before = self.game.moves().len();
        travel(&mut self.game)?;
        self.forget();
        Ok(Some(match self.game.moves().len().abs_diff(before) {
            1 => format!("1 turn {what}"),
            turns => format!("{turns} turns {what}"),
        }))
    }

    fn save(&mut self, path: Option<PathBuf>) -> Result<Option<String>, ToolError> {
        let path = path.or_else(|| self.file.clone());
        let path = path.ok_or("save: expected a file after it")?;
        file::save(&path, &self.game)?;
        let message = format!("saved to {}", path.display());
        self.file = Some(path);
        Ok(Some(message))
    }

    /// Goes on with the game in a file.
    ///
    /// # Errors
    /// If the file can't be read or is damaged; the game is then as before.
    pub fn load(&mut self, path: &Path) -> Result<Option<String>, ToolError> {
        let line = file::read(path)?;
        let plies = line.len();
        self.replace(Game::with_moves(self.game.seats(), line)?);
        self.file = Some(path.to_owned());
        Ok(Some(format!(
            "{plies} turns loaded from {}",
            path.display()
        )))
    }

    fn replace(&mut self, game: Game) {
        self.game = game;
        self.black_wins = None;
        self.forget();
    }

    /// Drops what the bot thinks about a position that is no longer on the board.
    fn forget(&mut self) {
        self.bot.cancel();
        self.purpose = None;
        self.advice = None;
    }
}
