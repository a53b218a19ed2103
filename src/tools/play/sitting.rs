//! A game and its bot, as both faces see them: actions go in; notes and news come out, in no language yet.

mod storage;

use super::autosave::Autosave;
use super::command::{Action, Look};
use super::game::Game;
use super::message::{Note, Question, State};
use super::player_kind::{PlayerKind, Sitter};
use super::refusal::Refusal;
use super::selection::Selection;
use super::table::Table;
use super::thinker::Thinker;
use super::words::labels;
use crate::board::{Board, Move, Player, Square};
use crate::tools::analysis::glossary::Term;
use crate::tools::analysis::primer::STEPS;
use crate::tools::thinking::level::Strength;
use std::time::Duration;

/// A game and the bot beside it.
pub struct Sitting {
    /// The games in their order. Undo and redo go from one to the next.
    tables: Vec<Table>,
    /// Which of them is played.
    at: usize,
    pub thinker: Thinker,
    strength: Strength,
    /// What is asked before something would be lost.
    pub question: Option<Question>,
    /// Plies before the shown position, if it is not the present one.
    pub look: Option<usize>,
    autosave: Option<Autosave>,
    /// Whether the kept copy of the game is out of date, because it can't be written.
    pub is_unkept: bool,
    /// Notes to show at the next opportunity.
    news: Option<Note>,
    /// Whether it is time to end the program.
    pub has_ended: bool,
}

/// The outcome of an action, with its notes beside [`Sitting::state`].
pub type ActionResult = Result<Option<Note>, Refusal>;

impl Sitting {
    /// A sitting with a game from the start. `strength` is that of bots that take a seat later; `autosave` keeps the
    /// running game.
    #[must_use]
    pub fn new(
        seats: [PlayerKind; 2],
        strength: Strength,
        thinker: Thinker,
        autosave: Option<Autosave>,
    ) -> Sitting {
        Sitting {
            tables: vec![Table::new(Game::new(seats))],
            at: 0,
            thinker,
            strength,
            question: None,
            look: None,
            autosave,
            is_unkept: false,
            news: None,
            has_ended: false,
        }
    }

    /// The game that is played, with what belongs to it.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.tables[self.at]
    }

    fn table_mut(&mut self) -> &mut Table {
        &mut self.tables[self.at]
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.table().game
    }

    /// The position to show, and the move that led to it: the present one with what is chosen, or an earlier one.
    #[must_use]
    pub fn shown(&self) -> (Board, Option<Move>) {
        match self.look {
            Some(ply) => self.game().position(ply),
            None => self.game().shown(),
        }
    }

    /// Win probability of black as last known.
    #[must_use]
    pub fn black_wins(&self) -> Option<f32> {
        match self.game().winner() {
            Some(Player::Black) => Some(1.0),
            Some(Player::White) => Some(0.0),
            None => self.thinker.black_wins,
        }
    }

    /// Tests if an event can come without an action.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.news.is_some() || self.thinker.is_busy() || self.game().bot_to_move().is_some()
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self) -> State {
        let game = self.game();
        if let Some(question) = &self.question {
            return State::Asked(question.clone());
        }
        if let Some(ply) = self.look {
            let plies = game.moves().len();
            return State::Looking { ply, plies };
        }
        if let Some(winner) = game.winner() {
            return State::Over(winner);
        }
        match game.seat(game.to_move()) {
            PlayerKind::Bot(_) if game.paused => State::Paused(game.to_move()),
            PlayerKind::Bot(_) => State::Thinking(game.to_move()),
            PlayerKind::Human => State::Choose(game.to_move(), game.selection()),
        }
    }

    /// Carries out an action, or asks first if something would be lost. An open question is answered with no, unless
    /// the same action comes again.
    ///
    /// # Errors
    /// If it is against the rules or a file fails; nothing has changed then.
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

    /// Tests if turns would be lost with the game. One that is kept can be gone on with.
    fn would_lose(&self) -> bool {
        self.table().is_unsaved() && self.kept().is_none()
    }

    /// That the game is kept, if it can be gone on with another time.
    #[must_use]
    pub fn kept(&self) -> Option<Note> {
        let is_kept = self.table().kept.is_some() && self.game().winner().is_none();
        (is_kept && !self.is_unkept).then_some(Note::Said(labels::KEPT))
    }

    /// Answers the question that is open, as [`Sitting::act`].
    pub fn answer(&mut self, yes: bool) -> ActionResult {
        match self.question.take() {
            Some(_) if !yes => Ok(Some(Note::Said(labels::NOT_DONE))),
            Some(Question::Leave(action)) => self.perform(&action),
            Some(Question::Overwrite(path)) => self.save(Some(path), true),
            None => Ok(None),
        }
    }

    fn perform(&mut self, action: &Action) -> ActionResult {
        let done = match action {
            Action::Choose(squares) => self.choose(|game| game.choose(squares)),
            Action::Moves(from) => self.moves(*from),
            Action::Undo => self.travel(Game::undo, -1, labels::TAKEN_BACK),
            Action::Redo => self.travel(Game::redo, 1, labels::PLAYED_AGAIN),
            Action::Look(look) => self.look_at(*look),
            Action::Go => {
                self.table_mut().game.paused = false;
                Ok(None)
            }
            Action::Pause => {
                self.table_mut().game.pause()?;
                self.thinker.forget();
                Ok(None)
            }
            Action::Pace(pace) => {
                self.thinker.pace = *pace;
                Ok(Some(Note::Pace(*pace)))
            }
            Action::Level(level) => Ok(Some(self.set_level(*level))),
            Action::Seat(player, sitter) => Ok(Some(self.seat(*player, *sitter))),
            Action::Rules => {
                self.replace(Table::of_step(0));
                Ok(Some(Note::Task(0)))
            }
            Action::New => {
                self.replace(Table::new(Game::new(self.game().seats())));
                Ok(Some(Note::Said(labels::NEW_GAME)))
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

    /// Chooses a square by cursor or mouse; see [`Game::pick`]. From an earlier position it goes back to the present one.
    ///
    /// # Errors
    /// If the square is no legal choice.
    pub fn pick(&mut self, square: Square) -> ActionResult {
        self.question = None;
        if self.look.take().is_some() {
            return Ok(None);
        }
        let done = self.choose(|game| game.pick(square));
        self.keep();
        done
    }

    /// Dismisses the question, the earlier position, or the square chosen last.
    pub fn step_back(&mut self) {
        if self.question.take().is_none() && self.look.take().is_none() {
            self.table_mut().game.step_back();
        }
    }

    /// Asks for advice, unless it is known or on its way.
    ///
    /// # Errors
    /// If the game is over, or a bot thinks about its own move.
    pub fn ask_advice(&mut self) -> Result<(), Refusal> {
        self.thinker.ask_advice(&self.tables[self.at].game)
    }

    /// Lets the bot begin if it is to move, then waits for news, with a time limit.
    pub fn wait(&mut self, timeout: Duration) -> Option<Note> {
        if let Some(note) = self.news.take() {
            return Some(note);
        }
        let game = &mut self.tables[self.at].game;
        let note = self.thinker.wait(game, timeout)?;
        if let Note::Played(_, turn) = note {
            game.play(turn).expect("the bot plays by the rules");
            self.keep();
        }
        Some(note)
    }

    fn choose(
        &mut self,
        choose: impl FnOnce(&mut Game) -> Result<Option<Move>, Refusal>,
    ) -> ActionResult {
        let player = self.game().to_move();
        let turn = choose(&mut self.table_mut().game)?;
        self.look = None;
        if turn.is_some() {
            self.thinker.forget();
        }
        Ok(turn.map(|turn| match self.table().step {
            Some(at) => self.learn(at, turn),
            None => Note::Played(player, turn),
        }))
    }

    /// Judges a turn in a step of the primer: the next step follows, or the same one again.
    fn learn(&mut self, at: usize, turn: Move) -> Note {
        if !STEPS[at].is_done_by(turn) {
            *self.table_mut() = Table::of_step(at);
            return Note::Said(STEPS[at].missed);
        }
        if at + 1 < STEPS.len() {
            *self.table_mut() = Table::of_step(at + 1);
            return Note::Task(at + 1);
        }
        let seats = [PlayerKind::Human, PlayerKind::Bot(self.strength)];
        self.tables.remove(self.at);
        if self.tables.is_empty() {
            self.tables.push(Table::new(Game::new(seats)));
        }
        self.at = self.at.saturating_sub(1);
        Note::Learned
    }

    fn moves(&self, from: Option<Square>) -> ActionResult {
        let game = self.game();
        let (selection, set) = match from {
            Some(from) => (Selection::Amazon(from), game.reach(from)?),
            None if game.targets() == 0 => return Ok(None),
            None => (game.selection(), game.targets()),
        };
        Ok(Some(Note::Legal(selection, set)))
    }

    /// Takes back or plays again, and says so by `term`. From an end of a game it goes `step` games on.
    fn travel(
        &mut self,
        travel: fn(&mut Game) -> Result<(), Refusal>,
        step: isize,
        term: Term,
    ) -> ActionResult {
        let before = self.game().moves().len();
        let done = travel(&mut self.table_mut().game);
        let other = self.at.checked_add_signed(step);
        let other = other.filter(|&at| at < self.tables.len());
        if let (Err(_), Some(at)) = (&done, other) {
            self.at = at;
            self.moved();
            self.thinker.black_wins = None;
            let turns = self.game().moves().len();
            return Ok(Some(Note::OfTurns(labels::BACK_IN_GAME, turns)));
        }
        done?;
        self.moved();
        let turns = before.abs_diff(self.game().moves().len());
        Ok(Some(Note::OfTurns(term, turns)))
    }

    /// Another position is on the board.
    fn moved(&mut self) {
        self.look = None;
        self.thinker.forget();
    }

    fn look_at(&mut self, look: Look) -> ActionResult {
        let plies = self.game().moves().len();
        let at = self.look.unwrap_or(plies);
        let ply = match look {
            Look::Back => at.saturating_sub(1),
            Look::Forward => at + 1,
            Look::After(ply) if ply > plies => return Err(Refusal::NoSuchTurn(plies)),
            Look::After(ply) => ply,
            Look::Present => plies,
        };
        self.look = (ply < plies).then_some(ply);
        Ok(None)
    }

    /// Sets the level of all bots.
    fn set_level(&mut self, level: u8) -> Note {
        self.strength = Strength::Level(level);
        self.reseat(self.game().seats().map(|seat| match seat {
            PlayerKind::Bot(_) => PlayerKind::Bot(self.strength),
            PlayerKind::Human => PlayerKind::Human,
        }))
    }

    fn seat(&mut self, player: Player, sitter: Sitter) -> Note {
        let mut seats = self.game().seats();
        seats[player as usize] = sitter.with(self.strength);
        self.table_mut().names[player as usize] = None;
        self.reseat(seats)
    }

    /// Changes who plays.
    pub fn reseat(&mut self, seats: [PlayerKind; 2]) -> Note {
        self.table_mut().game.reseat(seats);
        self.thinker.forget();
        Note::Seats(seats)
    }

    /// Goes on with another game; undo brings this one back.
    fn replace(&mut self, table: Table) {
        self.tables.truncate(self.at + 1);
        self.tables.pop_if(|table| table.game.moves().is_empty());
        self.tables.push(table);
        self.at = self.tables.len() - 1;
        let bots = self.game().seats().into_iter();
        let mut strength = bots.filter_map(|seat| match seat {
            PlayerKind::Bot(strength) => Some(strength),
            PlayerKind::Human => None,
        });
        self.strength = strength.next_back().unwrap_or(self.strength);
        self.moved();
        self.thinker.black_wins = None;
    }
}
