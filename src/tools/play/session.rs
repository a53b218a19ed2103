//! A session of play: carries out actions on games and returns messages in the user's language, for both interfaces.

mod storage;

use super::autosave::Autosave;
use super::command::{Action, Look};
use super::engine_thread::{Answer, EngineThread};
use super::game::Game;
use super::play_state::PlayState;
use super::player_kind::{PlayerChoice, PlayerKind};
use super::words::{Words, labels};
use analysis::glossary::Term;
use analysis::level::Strength;
use analysis::primer::STEPS;
use engine::board::{Board, Move, Player, Square};
use std::path::PathBuf;
use std::time::Duration;

/// A session of play: the current game, earlier games, and the bot.
pub struct PlaySession {
    pub words: Words,
    /// Games of the session, in the order in which they began. Undo and redo also move between games.
    games: Vec<PlayState>,
    /// Index of the current game in `tables`.
    at: usize,
    pub engine: EngineThread,
    strength: Strength,
    /// An open yes-or-no question, asked before something would be lost.
    pub question: Option<Question>,
    /// Number of plies before the position shown, if an earlier position is shown.
    pub look: Option<usize>,
    autosave: Option<Autosave>,
    /// Whether the last automatic save failed, so that the saved file is out of date.
    pub is_unkept: bool,
    /// A message that the next call of [`PlaySession::wait`] returns.
    news: Option<String>,
    /// Whether the user has quit.
    pub has_ended: bool,
}

/// A yes-or-no question, asked before something would be lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether to overwrite this file, which holds another game.
    Overwrite(PathBuf),
    /// Whether to leave an unsaved game in order to carry out this action.
    Leave(Action),
}

/// Something to show to the user.
pub enum Note {
    /// A one-line message.
    Said(String),
    /// Text of the rules tutorial: a step's explanation and task, or the closing words.
    Lesson(String),
    /// The engine has found a hint; see [`EngineThread::advice`].
    Advice,
}

/// Result of an action: a message, if [`Words::status`] doesn't say enough, or the reason why the action was rejected.
pub type ActionResult = Result<Option<Note>, String>;

/// Returns the result of a successful action, with the message `text`.
fn with_message(text: impl Into<String>) -> ActionResult {
    Ok(Some(Note::Said(text.into())))
}

impl PlaySession {
    /// Creates a session with a game from the start position. `strength` is for bots that join the game later; `autosave` saves
    /// the running game automatically.
    #[must_use]
    pub fn new(
        words: Words,
        seats: [PlayerKind; 2],
        strength: Strength,
        engine: EngineThread,
        autosave: Option<Autosave>,
    ) -> PlaySession {
        PlaySession {
            words,
            games: vec![PlayState::new(Game::new(seats))],
            at: 0,
            engine,
            strength,
            question: None,
            look: None,
            autosave,
            is_unkept: false,
            news: None,
            has_ended: false,
        }
    }

    /// Returns the current game with its file, its names and its saved state.
    #[must_use]
    pub fn table(&self) -> &PlayState {
        &self.games[self.at]
    }

    fn table_mut(&mut self) -> &mut PlayState {
        &mut self.games[self.at]
    }

    /// Returns the current game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.table().game
    }

    /// Returns the position to draw and the move that led to it. The current position includes the squares chosen so far.
    #[must_use]
    pub fn shown(&self) -> (Board, Option<Move>) {
        match self.look {
            Some(ply) => self.game().position(ply),
            None => self.game().shown(),
        }
    }

    /// Returns the win probability of black from 0 to 1: exact if the game is over, otherwise from the last search.
    #[must_use]
    pub fn black_wins(&self) -> Option<f32> {
        match self.game().winner() {
            Some(Player::Black) => Some(1.0),
            Some(Player::White) => Some(0.0),
            None => self.engine.black_wins,
        }
    }

    /// Tests if the status line reports the end of the game, and not a question or an earlier position.
    #[must_use]
    pub fn shows_end(&self) -> bool {
        self.question.is_none() && self.look.is_none() && self.game().winner().is_some()
    }

    /// Tests if [`PlaySession::wait`] can return something without further input: a message, a search result, or a bot's move.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.news.is_some() || self.engine.is_busy() || self.game().bot_to_move().is_some()
    }

    /// Carries out an action. If moves would be lost, asks a question instead; repeating the action answers the question with
    /// yes, and any other action answers it with no.
    ///
    /// # Errors
    /// If the action breaks the rules or a file operation fails; the session is then unchanged.
    pub fn act(&mut self, action: &Action) -> ActionResult {
        let asked = self.question.take();
        let leaves = matches!(
            action,
            Action::New | Action::Load(_) | Action::Continue | Action::Quit
        );
        let question = Question::Leave(action.clone());
        if leaves && self.would_lose() && asked.as_ref() != Some(&question) {
            self.question = Some(question);
            return Ok(None);
        }
        self.perform(action)
    }

    /// Tests if leaving the game would lose moves, because they are saved neither by the user nor automatically.
    fn would_lose(&self) -> bool {
        self.table().is_unsaved() && self.kept().is_none()
    }

    /// Returns a message that the game was saved automatically and can be resumed later, if that is the case.
    #[must_use]
    pub fn kept(&self) -> Option<&'static str> {
        let is_kept = self.table().kept.is_some() && self.game().winner().is_none();
        (is_kept && !self.is_unkept).then(|| self.words.label(labels::KEPT))
    }

    /// Answers the open question; if `yes`, carries out the action that the question was about. Fails as [`PlaySession::act`] does.
    pub fn answer(&mut self, yes: bool) -> ActionResult {
        match self.question.take() {
            Some(_) if !yes => with_message(self.words.label(labels::NOT_DONE)),
            Some(Question::Leave(action)) => self.perform(&action),
            Some(Question::Overwrite(path)) => self.save(Some(path), true),
            None => Ok(None),
        }
    }

    fn perform(&mut self, action: &Action) -> ActionResult {
        let done = match action {
            Action::Choose(squares) => self.choose(|game, words| game.choose(squares, words)),
            Action::Moves(from) => self.moves(*from),
            Action::Undo => {
                let terms = [labels::TAKEN_BACK, labels::NOTHING_TO_UNDO];
                self.travel(Game::undo, -1, terms)
            }
            Action::Redo => {
                let terms = [labels::PLAYED_AGAIN, labels::NOTHING_TO_REDO];
                self.travel(Game::redo, 1, terms)
            }
            Action::Look(look) => self.look_at(*look),
            Action::Go => {
                self.table_mut().game.paused = false;
                Ok(None)
            }
            Action::Pause if self.game().seats() == [PlayerKind::Human; 2] => {
                Err(self.words.label(labels::NO_BOTS).to_owned())
            }
            Action::Pause => {
                self.table_mut().game.paused = true;
                self.engine.forget();
                Ok(None)
            }
            Action::Pace(pace) => {
                self.engine.pace = *pace;
                with_message(self.words.pace(pace.as_secs_f32()))
            }
            Action::Level(level) => self.set_level(*level),
            Action::Seat(player, sitter) => self.seat(*player, *sitter),
            Action::Rules => {
                self.replace(PlayState::of_step(0));
                Ok(Some(Note::Lesson(self.words.task(0))))
            }
            Action::New => {
                self.replace(PlayState::new(Game::new(self.game().seats())));
                with_message(self.words.label(labels::NEW_GAME))
            }
            Action::Save { path, replace } => self.save(path.clone(), *replace),
            Action::Load(path) => self.load(path),
            Action::Continue => self.go_on_with_left(),
            Action::Quit => {
                self.has_ended = true;
                Ok(None)
            }
        };
        self.keep();
        done
    }

    /// Chooses a square by cursor or mouse; see [`Game::pick`]. If an earlier position is shown, only returns to the current
    /// position.
    ///
    /// # Errors
    /// If the square is an illegal choice.
    pub fn pick(&mut self, square: Square) -> ActionResult {
        self.question = None;
        if self.look.take().is_some() {
            return Ok(None);
        }
        let done = self.choose(|game, words| game.pick(square, words));
        self.keep();
        done
    }

    /// Dismisses the open question; if there is none, leaves the earlier position; otherwise releases the last chosen square.
    pub fn step_back(&mut self) {
        if self.question.take().is_none() && self.look.take().is_none() {
            self.table_mut().game.step_back();
        }
    }

    /// Starts a search for a hint, unless any search is running or a hint is available.
    ///
    /// # Errors
    /// If the game is over or a bot is to move.
    pub fn ask_advice(&mut self) -> Result<(), String> {
        let (game, words) = (&self.games[self.at].game, self.words);
        if let Some(winner) = game.winner() {
            return Err(words.over(words.won(winner)));
        }
        if game.bot_to_move().is_some() {
            return Err(words.bots_turn(words.player(game.to_move())));
        }
        self.engine.ask_advice(game.board());
        Ok(())
    }

    /// Starts the search of a bot that is to move; then waits up to `timeout` for a message, a hint, or the bot's move.
    pub fn wait(&mut self, timeout: Duration) -> Option<Note> {
        if let Some(news) = self.news.take() {
            return Some(Note::Said(news));
        }
        let game = &mut self.games[self.at].game;
        match self.engine.wait(game, timeout)? {
            Answer::Advice => Some(Note::Advice),
            Answer::Move(turn) => {
                let player = game.to_move();
                game.play(turn).expect("the bot plays by the rules");
                self.keep();
                Some(Note::Said(self.words.played(player, turn)))
            }
        }
    }

    fn choose(
        &mut self,
        choose: impl FnOnce(&mut Game, Words) -> Result<Option<Move>, String>,
    ) -> ActionResult {
        let (player, words) = (self.game().to_move(), self.words);
        let turn = choose(&mut self.table_mut().game, words)?;
        self.look = None;
        let Some(turn) = turn else { return Ok(None) };
        self.engine.forget();
        match self.table().step {
            Some(at) => Ok(Some(self.learn(at, turn))),
            None => with_message(words.played(player, turn)),
        }
    }

    /// Checks the learner's `turn` in step `at` of the rules tutorial. If it solves the task, shows the next step; if not,
    /// repeats the step.
    fn learn(&mut self, at: usize, turn: Move) -> Note {
        if !STEPS[at].is_done_by(turn) {
            *self.table_mut() = PlayState::of_step(at);
            return Note::Said(self.words.label(STEPS[at].missed).to_owned());
        }
        if at + 1 < STEPS.len() {
            *self.table_mut() = PlayState::of_step(at + 1);
            return Note::Lesson(self.words.task(at + 1));
        }
        let seats = [PlayerKind::Human, PlayerKind::Bot(self.strength)];
        self.games.remove(self.at);
        if self.games.is_empty() {
            self.games.push(PlayState::new(Game::new(seats)));
        }
        self.at = self.at.saturating_sub(1);
        let learned = self.words.label(labels::LEARNED);
        Note::Lesson(format!("{}\n\n{learned}", self.words.label(STEPS[at].done)))
    }

    /// Returns a message that lists the squares that may be chosen next, or the squares that the amazon on `from` can reach.
    fn moves(&self, from: Option<Square>) -> ActionResult {
        let (game, words) = (self.game(), self.words);
        match from {
            Some(from) => with_message(words.legal(&[from], game.reach(from, words)?)),
            None if game.targets() == 0 => Ok(None),
            None => with_message(words.legal(game.chosen(), game.targets())),
        }
    }

    /// Undoes or redoes moves by calling `travel`. If the current game has no such moves, switches to the game `step` places
    /// further in the session. `done` is the message for success; `nothing` is the error if there is no such game.
    fn travel(
        &mut self,
        travel: fn(&mut Game) -> bool,
        step: isize,
        [done, nothing]: [Term; 2],
    ) -> ActionResult {
        let before = self.game().moves().len();
        let other = self.at.checked_add_signed(step);
        let (term, turns) = if travel(&mut self.table_mut().game) {
            (done, before.abs_diff(self.game().moves().len()))
        } else if let Some(other) = other.filter(|&at| at < self.games.len()) {
            self.at = other;
            self.engine.black_wins = None;
            (labels::BACK_IN_GAME, self.game().moves().len())
        } else {
            return Err(self.words.label(nothing).to_owned());
        };
        self.reset_position_state();
        with_message(self.words.of_turns(term, turns))
    }

    /// Resets what belongs to the previous position, after another position has come onto the board.
    fn reset_position_state(&mut self) {
        self.look = None;
        self.engine.forget();
    }

    fn look_at(&mut self, look: Look) -> ActionResult {
        let plies = self.game().moves().len();
        let at = self.look.unwrap_or(plies);
        let ply = match look {
            Look::Back => at.saturating_sub(1),
            Look::Forward => at + 1,
            Look::After(ply) if ply > plies => return Err(self.words.no_such_turn(plies)),
            Look::After(ply) => ply,
            Look::Present => plies,
        };
        self.look = (ply < plies).then_some(ply);
        Ok(None)
    }

    /// Sets the level of all bots in the game, and of bots that join later.
    fn set_level(&mut self, level: u8) -> ActionResult {
        self.strength = Strength::Level(level);
        self.reseat(self.game().seats().map(|seat| match seat {
            PlayerKind::Bot(_) => PlayerKind::Bot(self.strength),
            PlayerKind::Human => PlayerKind::Human,
        }))
    }

    fn seat(&mut self, player: Player, sitter: PlayerChoice) -> ActionResult {
        let mut seats = self.game().seats();
        seats[player as usize] = sitter.with(self.strength);
        self.table_mut().names[player as usize] = None;
        self.reseat(seats)
    }

    /// Changes who plays each colour, and returns a message with the new players.
    pub fn reseat(&mut self, seats: [PlayerKind; 2]) -> ActionResult {
        self.table_mut().game.reseat(seats);
        self.engine.forget();
        let [black, white] = seats.map(|seat| self.words.seat(seat));
        with_message(self.words.seats(black, white))
    }

    /// Makes `table` the current game, after the game played so far; undo returns to that game.
    fn replace(&mut self, table: PlayState) {
        self.games.truncate(self.at + 1);
        self.games.pop_if(|table| table.game.moves().is_empty());
        self.games.push(table);
        self.at = self.games.len() - 1;
        for seat in self.game().seats() {
            if let PlayerKind::Bot(strength) = seat {
                self.strength = strength;
            }
        }
        self.reset_position_state();
        self.engine.black_wins = None;
    }
}
