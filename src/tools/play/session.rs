//! [`PlaySession`], a session of `amazons play`, from its start until the user quits: runs commands on its games and
//! returns messages in the user's language. Both interfaces, full-screen and plain-text, use it.

mod storage;

use super::autosave::Autosave;
use super::command::{GameCommand, ViewTarget};
use super::engine_thread::{EngineThread, SearchResult};
use super::game::Game;
use super::play_state::PlayState;
use super::player_kind::{PlayerChoice, PlayerKind};
use super::texts::{Texts, labels};
use analysis::level::Strength;
use analysis::primer::STEPS;
use engine::board::{Board, Move, Player, Square};
use std::path::PathBuf;
use std::time::Duration;

/// A session of `amazons play`, from its start until the user quits. It consists of the games, the searches for bots'
/// moves and hints, the yes-or-no question that waits for an answer, and the choice of the position that is shown.
pub struct PlaySession {
    pub texts: Texts,
    /// Games of the session, in the order in which they began. Undo switches to the game before the current one if the
    /// current game has no move left to undo. Redo switches to the game after it if no move is left to replay.
    games: Vec<PlayState>,
    /// Index of the current game in `games`.
    current: usize,
    pub engine: EngineThread,
    /// Strength of a bot that later replaces a person, for example after the typed command `black bot`.
    strength: Strength,
    /// The yes-or-no question that waits for an answer; `None` if there is none.
    pub question: Option<Question>,
    /// Number of plies played before the shown position, if the user looks at an earlier position of the game. `None`
    /// if the current position is shown.
    pub viewed_ply: Option<usize>,
    /// Saves the games automatically, in a folder; `None` if automatic saves are off.
    autosave: Option<Autosave>,
    /// True if the last automatic save of a game failed, so that the file of the automatic save lacks the latest moves.
    pub has_autosave_failed: bool,
    /// Warning about a failed automatic save that the user has not seen yet; the next call of
    /// [`PlaySession::wait_for_message`] returns it. `None` if there is no such warning.
    pending_message: Option<String>,
    /// True if the user has typed the command `quit`, which ends the session; the interface then closes.
    pub has_quit: bool,
}

/// A yes-or-no question to the user, asked before a command would overwrite a file with another game or lose unsaved
/// moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Asks whether to overwrite the file with this path. The file contains another game: its moves are not the first
    /// moves of the game to save.
    Overwrite(PathBuf),
    /// Asks whether to carry out this command, such as `new` or `quit`. The command leaves the current game, which has
    /// unsaved moves.
    Leave(GameCommand),
}

/// Message to the user from a command or a search: a text, or that a hint was found.
pub enum Message {
    /// Text to show to the user, of one or more lines.
    Text(String),
    /// Text of the rules tutorial: feedback on the previous step, if there was one, and the next task. After the last
    /// step, feedback and the end of the tutorial.
    Lesson(String),
    /// A hint was found. The suggested move and the win probability are in [`EngineThread::advice`].
    Advice,
}

/// Result of a command. `Ok` has the message to show to the user, or `None` if the status line (text about the state of
/// the game) is enough. `Err` has the reason, in the user's language, why the command was not carried out.
pub type CommandResult = Result<Option<Message>, String>;

/// Returns the result of a command that succeeded and whose message to the user is `text`.
fn with_message(text: impl Into<String>) -> CommandResult {
    Ok(Some(Message::Text(text.into())))
}

impl PlaySession {
    /// Creates a session with one game, at the start position.
    ///
    /// - `players`: who plays black and white, in this order.
    /// - `strength`: strength of a bot that later replaces a person, for example after the typed command `black bot`.
    /// - `autosave`: saves the games automatically; with `None` they are not saved automatically.
    #[must_use]
    pub fn new(
        texts: Texts,
        players: [PlayerKind; 2],
        strength: Strength,
        engine: EngineThread,
        autosave: Option<Autosave>,
    ) -> PlaySession {
        PlaySession {
            texts,
            games: vec![PlayState::new(Game::new(players))],
            current: 0,
            engine,
            strength,
            question: None,
            viewed_ply: None,
            autosave,
            has_autosave_failed: false,
            pending_message: None,
            has_quit: false,
        }
    }

    /// Returns the current game of the session, with the names of its players and the files in which it is saved.
    #[must_use]
    pub fn state(&self) -> &PlayState {
        &self.games[self.current]
    }

    fn state_mut(&mut self) -> &mut PlayState {
        &mut self.games[self.current]
    }

    /// Returns the current game of the session.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.state().game
    }

    /// Returns the position to draw, and the move that led to it (`None` at the start of the game). If the user looks
    /// at an earlier position, returns that position. Otherwise returns the current position: if the user has already
    /// chosen an amazon's destination in this turn, the amazon stands there.
    #[must_use]
    pub fn shown_position(&self) -> (Board, Option<Move>) {
        match self.viewed_ply {
            Some(ply) => self.game().position(ply),
            None => self.game().shown_position(),
        }
    }

    /// Returns the win probability of black, from 0 to 1. In a finished game it is 0 or 1. Otherwise it is what the
    /// last search for a hint or a bot's move in this game found; `None` before the first such search is finished.
    #[must_use]
    pub fn black_win_probability(&self) -> Option<f32> {
        match self.game().winner() {
            Some(Player::Black) => Some(1.0),
            Some(Player::White) => Some(0.0),
            None => self.engine.black_win_probability,
        }
    }

    /// Tests if the status line (text about the state of the game) says that the game is over. Returns false if the
    /// line is about a question or an earlier position instead.
    #[must_use]
    pub fn shows_game_over(&self) -> bool {
        self.question.is_none() && self.viewed_ply.is_none() && self.game().winner().is_some()
    }

    /// Tests if a call of [`PlaySession::wait_for_message`] can return a message: a warning about a failed automatic
    /// save, the result of a running search, or the move of a bot that is to move.
    #[must_use]
    pub fn has_pending_events(&self) -> bool {
        self.pending_message.is_some()
            || self.engine.is_busy()
            || self.game().bot_to_move().is_some()
    }

    /// Runs a command of the user. Does not carry it out yet if it would lose unsaved moves or overwrite a file that
    /// has another game; then asks the user ([`PlaySession::question`]).
    ///
    /// While the question about lost moves is open, the same command again means yes. Every other command closes an
    /// open question, as if the answer were no.
    ///
    /// # Errors
    /// A message in the user's language, with the games unchanged: the command breaks the rules, is impossible now, or
    /// fails to read or write a file.
    pub fn run_command(&mut self, command: &GameCommand) -> CommandResult {
        let asked = self.question.take();
        let leaves = matches!(
            command,
            GameCommand::New | GameCommand::Load(_) | GameCommand::Continue | GameCommand::Quit
        );
        let question = Question::Leave(command.clone());
        let would_lose_moves =
            self.state().has_unsaved_moves() && self.autosave_message().is_none();
        if leaves && would_lose_moves && asked.as_ref() != Some(&question) {
            self.question = Some(question);
            return Ok(None);
        }
        self.perform(command)
    }

    /// Returns the message that the current game is saved automatically and can be resumed later. `None` if the game is
    /// not saved automatically, if the last automatic save failed, or if the game is over.
    #[must_use]
    pub fn autosave_message(&self) -> Option<&'static str> {
        let is_autosaved = self.state().autosaved.is_some() && self.game().winner().is_none();
        (is_autosaved && !self.has_autosave_failed)
            .then(|| self.texts.label(labels::GAME_AUTOSAVED))
    }

    /// Answers the open yes-or-no question; does nothing if no question is open. If `yes`, carries out the command that
    /// led to the question.
    ///
    /// # Errors
    /// A message in the user's language, if the command is carried out and fails.
    pub fn answer(&mut self, yes: bool) -> CommandResult {
        match self.question.take() {
            Some(_) if !yes => with_message(self.texts.label(labels::NOT_DONE)),
            Some(Question::Leave(command)) => self.perform(&command),
            Some(Question::Overwrite(path)) => self.save(Some(path), true),
            None => Ok(None),
        }
    }

    fn perform(&mut self, command: &GameCommand) -> CommandResult {
        let outcome = match command {
            GameCommand::Choose(squares) => self.choose(|game, texts| game.choose(squares, texts)),
            GameCommand::Moves(from) => self.list_moves(*from),
            GameCommand::Undo => self.undo_or_redo(-1),
            GameCommand::Redo => self.undo_or_redo(1),
            GameCommand::Look(look) => self.view_position(*look),
            GameCommand::Go => {
                self.state_mut().game.is_paused = false;
                Ok(None)
            }
            GameCommand::Pause if self.game().players() == [PlayerKind::Human; 2] => {
                Err(self.texts.label(labels::NO_BOTS).to_owned())
            }
            GameCommand::Pause => {
                self.state_mut().game.is_paused = true;
                self.engine.cancel();
                Ok(None)
            }
            GameCommand::Pace(pace) => {
                self.engine.pace = *pace;
                with_message(self.texts.pace(pace.as_secs_f32()))
            }
            GameCommand::Level(level) => self.set_level(*level),
            GameCommand::SetPlayer(player, choice) => self.set_player(*player, *choice),
            GameCommand::Rules => {
                self.start_game(PlayState::at_tutorial_step(0));
                Ok(Some(Message::Lesson(self.texts.tutorial_task(0))))
            }
            GameCommand::New => {
                self.start_game(PlayState::new(Game::new(self.game().players())));
                with_message(self.texts.label(labels::NEW_GAME))
            }
            GameCommand::Save { path, replace } => self.save(path.clone(), *replace),
            GameCommand::Load(path) => self.load(path),
            GameCommand::Continue => self.resume_unfinished_game(),
            GameCommand::Quit => {
                self.has_quit = true;
                Ok(None)
            }
        };
        self.update_autosave();
        outcome
    }

    /// Chooses the square that the user clicked, or on which the user pressed Enter, as the next square of the turn:
    /// the amazon, its destination, or the square for the arrow. [`Game::pick`] states two exceptions, such as
    /// deselecting. If an earlier position is shown, chooses nothing and shows the current position again.
    ///
    /// If a yes-or-no question to the user ([`Question`]) is unanswered, withdraws it: its command is not carried out.
    ///
    /// # Errors
    /// A message in the user's language: the square is illegal, the game is over, or a bot is to move.
    pub fn pick(&mut self, square: Square) -> CommandResult {
        self.question = None;
        if self.viewed_ply.take().is_some() {
            return Ok(None);
        }
        let outcome = self.choose(|game, texts| game.pick(square, texts));
        self.update_autosave();
        outcome
    }

    /// Goes back one step, for the Esc key. Does the first of these that is possible: drops the open question; shows
    /// the current position instead of an earlier one; deselects the square chosen last in the current turn.
    pub fn step_back(&mut self) {
        if self.question.take().is_none() && self.viewed_ply.take().is_none() {
            self.state_mut().game.deselect_last();
        }
    }

    /// Starts a search for a hint (suggested move) and a win probability in the current position. Does nothing if a
    /// search is running, or if the hint is already known.
    ///
    /// # Errors
    /// A message in the user's language that the game is over, or that a bot is to move.
    pub fn request_advice(&mut self) -> Result<(), String> {
        let (game, texts) = (&self.games[self.current].game, self.texts);
        if let Some(winner) = game.winner() {
            return Err(texts.game_over(texts.won(winner)));
        }
        if game.bot_to_move().is_some() {
            return Err(texts.bots_turn(texts.player(game.to_move())));
        }
        self.engine.request_advice(game.board());
        Ok(())
    }

    /// Waits up to `timeout` for the next message, and returns it: a warning about a failed automatic save, the news
    /// that a hint was found, or a bot's move. Returns `None` if no message arrives in this time.
    ///
    /// If a bot is to move and no search is running, starts the search for its move. When the move is found and the
    /// turn has lasted its minimum duration, plays the move.
    pub fn wait_for_message(&mut self, timeout: Duration) -> Option<Message> {
        if let Some(message) = self.pending_message.take() {
            return Some(Message::Text(message));
        }
        let game = &mut self.games[self.current].game;
        match self.engine.wait_for_result(game, timeout)? {
            SearchResult::Advice => Some(Message::Advice),
            SearchResult::Move(turn) => {
                let player = game.to_move();
                game.play(turn).expect("the bot plays by the rules");
                self.update_autosave();
                Some(Message::Text(self.texts.played(player, turn)))
            }
        }
    }

    fn choose(
        &mut self,
        choose: impl FnOnce(&mut Game, Texts) -> Result<Option<Move>, String>,
    ) -> CommandResult {
        let (player, texts) = (self.game().to_move(), self.texts);
        let turn = choose(&mut self.state_mut().game, texts)?;
        self.viewed_ply = None;
        let Some(turn) = turn else { return Ok(None) };
        self.engine.cancel();
        match self.state().tutorial_step {
            Some(step) => Ok(Some(self.check_tutorial_move(step, turn))),
            None => with_message(texts.played(player, turn)),
        }
    }

    /// Checks the move `turn` that the learner has played in step `step` (index from 0) of the rules tutorial, and
    /// returns the text to show to the learner.
    ///
    /// - If the move does not solve the step's task, starts the same step again.
    /// - If it does, starts the next step.
    /// - After the last step, goes back to the game before the tutorial, or starts a new game if there was none.
    fn check_tutorial_move(&mut self, step: usize, turn: Move) -> Message {
        if !STEPS[step].is_solved_by(turn) {
            *self.state_mut() = PlayState::at_tutorial_step(step);
            return Message::Text(self.texts.label(STEPS[step].missed).to_owned());
        }
        if step + 1 < STEPS.len() {
            *self.state_mut() = PlayState::at_tutorial_step(step + 1);
            return Message::Lesson(self.texts.tutorial_task(step + 1));
        }
        let players = [PlayerKind::Human, PlayerKind::Bot(self.strength)];
        self.games.remove(self.current);
        if self.games.is_empty() {
            self.games.push(PlayState::new(Game::new(players)));
        }
        self.current = self.current.saturating_sub(1);
        let next = self.texts.label(labels::RULES_LEARNED);
        Message::Lesson(format!("{}\n\n{next}", self.texts.label(STEPS[step].done)))
    }

    /// Returns a message that lists the squares to which the amazon on `from` can move. If `from` is `None`, lists the
    /// squares that may be chosen next in the current turn; no message if there are none.
    ///
    /// # Errors
    /// If no amazon of the side to move stands on `from`.
    fn list_moves(&self, from: Option<Square>) -> CommandResult {
        let (game, texts) = (self.game(), self.texts);
        match from {
            Some(from) => {
                with_message(texts.legal_squares(&[from], game.reachable_squares(from, texts)?))
            }
            None if game.targets() == 0 => Ok(None),
            None => with_message(texts.legal_squares(game.chosen(), game.targets())),
        }
    }

    /// Carries out the command `undo` or `redo` in the current game. If the game has no move to undo or replay,
    /// switches to the session's previous game (undo) or next game (redo).
    ///
    /// `step` is -1 for undo, 1 for redo; added to the index of the current game, it gives the game to switch to.
    ///
    /// # Errors
    /// If there are no moves to undo or replay, and no game to switch to.
    fn undo_or_redo(&mut self, step: isize) -> CommandResult {
        let (undo_or_redo_in, done, nothing): (fn(&mut Game) -> bool, _, _) = match step {
            -1 => (Game::undo, labels::UNDONE, labels::NOTHING_TO_UNDO),
            _ => (Game::redo, labels::REDONE, labels::NOTHING_TO_REDO),
        };
        let before = self.game().moves().len();
        let other = self.current.checked_add_signed(step);
        let (term, turns) = if undo_or_redo_in(&mut self.state_mut().game) {
            (done, before.abs_diff(self.game().moves().len()))
        } else if let Some(other) = other.filter(|&at| at < self.games.len()) {
            self.current = other;
            self.engine.black_win_probability = None;
            (labels::BACK_IN_GAME, self.game().moves().len())
        } else {
            return Err(self.texts.label(nothing).to_owned());
        };
        self.reset_after_position_change();
        with_message(self.texts.with_turns(term, turns))
    }

    /// Ends the view of an earlier position, cancels the running search, and discards the hint. Call this function
    /// after the current position has changed.
    fn reset_after_position_change(&mut self) {
        self.viewed_ply = None;
        self.engine.cancel();
    }

    fn view_position(&mut self, look: ViewTarget) -> CommandResult {
        let plies = self.game().moves().len();
        let at = self.viewed_ply.unwrap_or(plies);
        let ply = match look {
            ViewTarget::Back => at.saturating_sub(1),
            ViewTarget::Forward => at + 1,
            ViewTarget::After(ply) if ply > plies => return Err(self.texts.no_such_turn(plies)),
            ViewTarget::After(ply) => ply,
            ViewTarget::Current => plies,
        };
        self.viewed_ply = (ply < plies).then_some(ply);
        Ok(None)
    }

    /// Sets the level of all bots in the current game, and of every bot that replaces a person later. `level` is from 1
    /// to 15. Returns a message that names the players.
    fn set_level(&mut self, level: u8) -> CommandResult {
        self.strength = Strength::Level(level);
        self.set_players(self.game().players().map(|kind| match kind {
            PlayerKind::Bot(_) => PlayerKind::Bot(self.strength),
            PlayerKind::Human => PlayerKind::Human,
        }))
    }

    fn set_player(&mut self, player: Player, choice: PlayerChoice) -> CommandResult {
        let mut players = self.game().players();
        players[player as usize] = choice.with_strength(self.strength);
        self.state_mut().names[player as usize] = None;
        self.set_players(players)
    }

    /// Sets who plays black and white, in this order, in the current game. Cancels the running search. Returns a
    /// message that says who plays each colour.
    pub fn set_players(&mut self, players: [PlayerKind; 2]) -> CommandResult {
        self.state_mut().game.set_players(players);
        self.engine.cancel();
        let [black, white] = players.map(|kind| self.texts.player_kind(kind));
        with_message(self.texts.players(black, white))
    }

    /// Makes the game of `state` the current game of the session. It comes after the game that was current before, to
    /// which undo can return; but if that game has no moves, it is dropped. All later games of the session are dropped,
    /// too.
    fn start_game(&mut self, state: PlayState) {
        self.games.truncate(self.current + 1);
        self.games.pop_if(|state| state.game.moves().is_empty());
        self.games.push(state);
        self.current = self.games.len() - 1;
        for kind in self.game().players() {
            if let PlayerKind::Bot(strength) = kind {
                self.strength = strength;
            }
        }
        self.reset_after_position_change();
        self.engine.black_win_probability = None;
    }
}
