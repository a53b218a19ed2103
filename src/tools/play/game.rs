//! The game that both faces show: the moves with undo and redo, the selection, the seats.

use super::player_kind::PlayerKind;
use super::selection::{choices, movable};
use super::words::Words;
use analysis::level::Strength;
use engine::board::{Board, IllegalMove, Move, Player, Square};
use record::replayed::player_at;

/// A game under way.
#[derive(Clone, Debug)]
pub struct Game {
    seats: [PlayerKind; 2],
    /// The position before the first move.
    start: Board,
    /// All known moves, including those taken back.
    line: Vec<Move>,
    /// Number of moves on the board.
    ply: usize,
    board: Board,
    /// The squares of the turn under way: an amazon and its destination, as far as they are chosen.
    chosen: Vec<Square>,
    /// Whether the bots wait.
    pub paused: bool,
}

impl Game {
    /// A game from the start, with the seats of black and white.
    #[must_use]
    pub fn new(seats: [PlayerKind; 2]) -> Game {
        Game::at(Board::start(), seats)
    }

    /// A game from a position.
    #[must_use]
    pub fn at(start: Board, seats: [PlayerKind; 2]) -> Game {
        Game {
            seats,
            line: Vec::new(),
            ply: 0,
            board: start.clone(),
            start,
            chosen: Vec::new(),
            paused: false,
        }
    }

    /// The game after the given moves; nothing has been taken back.
    ///
    /// # Errors
    /// The first move that breaks a rule.
    pub fn with_moves(seats: [PlayerKind; 2], line: Vec<Move>) -> Result<Game, IllegalMove> {
        let mut game = Game::new(seats);
        for &turn in &line {
            game.board.play(turn)?;
        }
        game.ply = line.len();
        game.line = line;
        Ok(game)
    }

    /// A game of two people after moves in text.
    #[cfg(test)]
    pub fn of_people(line: &[&str]) -> Game {
        let line = line.iter().map(|turn| turn.parse().expect("a move"));
        Game::with_moves([PlayerKind::Human; 2], line.collect()).expect("legal")
    }

    /// The position before the turn under way.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The position with the chosen amazon on its destination, and the move that was played last.
    #[must_use]
    pub fn shown(&self) -> (Board, Option<Move>) {
        let mut board = self.board.clone();
        if let [from, to] = *self.chosen {
            board.move_amazon(from, to);
        }
        (board, self.moves().last().copied())
    }

    /// The player whose turn it is.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.board.to_move()
    }

    /// Who plays a colour.
    #[must_use]
    pub const fn seat(&self, player: Player) -> PlayerKind {
        self.seats[player as usize]
    }

    /// Changes who plays, and begins the turn anew.
    pub fn reseat(&mut self, seats: [PlayerKind; 2]) {
        self.seats = seats;
        self.chosen.clear();
    }

    /// Who plays black and white.
    #[must_use]
    pub const fn seats(&self) -> [PlayerKind; 2] {
        self.seats
    }

    /// The moves on the board.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.line[..self.ply]
    }

    /// The squares of the turn under way: an amazon and its destination, as far as they are chosen.
    #[must_use]
    pub fn chosen(&self) -> &[Square] {
        &self.chosen
    }

    /// The winner, if the game is over.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        (movable(&self.board) == 0).then_some(!self.to_move())
    }

    /// The strength of the bot to move, if a bot is.
    #[must_use]
    pub fn bot_to_move(&self) -> Option<Strength> {
        match self.seat(self.to_move()) {
            PlayerKind::Bot(strength) if !self.paused && self.winner().is_none() => Some(strength),
            _ => None,
        }
    }

    /// The position after so many of the known plies, and the move that led to it.
    ///
    /// # Panics
    /// If fewer are known.
    #[must_use]
    pub fn position(&self, ply: usize) -> (Board, Option<Move>) {
        let mut board = self.start.clone();
        for &turn in &self.line[..ply] {
            board.play(turn).expect("it was played before");
        }
        (board, ply.checked_sub(1).map(|last| self.line[last]))
    }

    /// The set of squares that may be chosen next: an amazon, its destination, or the arrow's.
    ///
    /// Empty if no person is to choose.
    #[must_use]
    pub fn targets(&self) -> u64 {
        match self.seat(self.to_move()) {
            PlayerKind::Human => choices(&self.board, &self.chosen),
            PlayerKind::Bot(_) => 0,
        }
    }

    /// The set of squares that the amazon of the player to move on a square reaches.
    ///
    /// # Errors
    /// If no such amazon stands there.
    pub fn reach(&self, from: Square, words: Words) -> Result<u64, String> {
        match self.board.amazons(self.to_move()) & from.bit() {
            0 => Err(words.illegal(&self.board, &[], from)),
            _ => Ok(choices(&self.board, &[from])),
        }
    }

    /// Chooses squares one after the other, from the state of the turn on; three squares begin it anew.
    ///
    /// Returns the move if it became complete and was played.
    ///
    /// # Errors
    /// If one of the squares is no legal choice; nothing has changed then.
    pub fn choose(&mut self, squares: &[Square], words: Words) -> Result<Option<Move>, String> {
        self.check_turn(words)?;
        let mut chosen = match squares.len() {
            3 => Vec::new(),
            _ => self.chosen.clone(),
        };
        let missing = 3 - chosen.len();
        if squares.len() > missing {
            return Err(words.too_many_squares(squares.len(), missing));
        }
        for &square in squares {
            if choices(&self.board, &chosen) & square.bit() == 0 {
                return Err(words.illegal(&self.board, &chosen, square));
            }
            chosen.push(square);
        }
        if let [from, to, arrow] = *chosen {
            let turn = Move { from, to, arrow };
            self.play(turn).expect("every square was legal");
            return Ok(Some(turn));
        }
        self.chosen = chosen;
        Ok(None)
    }

    /// Chooses a square by cursor or mouse. A chosen square is released; another amazon replaces the chosen one.
    ///
    /// # Errors
    /// As [`Game::choose`].
    pub fn pick(&mut self, square: Square, words: Words) -> Result<Option<Move>, String> {
        self.check_turn(words)?;
        match *self.chosen {
            [.., last] if last == square => self.step_back(),
            [_] if movable(&self.board) & square.bit() != 0 => self.chosen = vec![square],
            _ => return self.choose(&[square], words),
        }
        Ok(None)
    }

    /// Releases the square chosen last.
    pub fn step_back(&mut self) {
        self.chosen.pop();
    }

    /// Plays a legal move of the player to move. Moves that were taken back are forgotten.
    pub fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.line.truncate(self.ply);
        self.line.push(turn);
        self.ply += 1;
        self.chosen.clear();
        Ok(())
    }

    /// Takes moves back to the last turn of a person. Between bots it takes back a single turn, and the bots wait.
    ///
    /// Returns whether there is such a turn.
    pub fn undo(&mut self) -> bool {
        let target = (0..self.ply).rev().find(|&ply| self.is_stop(ply));
        target.map(|ply| self.go_to(ply)).is_some()
    }

    /// Plays moves that were taken back again, up to the next turn of a person. Returns whether there are any.
    pub fn redo(&mut self) -> bool {
        let mut later = self.ply + 1..=self.line.len();
        let target = later.find(|&ply| self.is_stop(ply) || ply == self.line.len());
        target.map(|ply| self.go_to(ply)).is_some()
    }

    /// Tests if undo and redo may stop after so many plies.
    fn is_stop(&self, ply: usize) -> bool {
        self.seat(player_at(ply)) == PlayerKind::Human || !self.has_human()
    }

    /// Shows the position after so many plies. Bots among themselves wait, so that the person can look about.
    fn go_to(&mut self, ply: usize) {
        (self.board, _) = self.position(ply);
        self.ply = ply;
        self.chosen.clear();
        self.paused = !self.has_human();
    }

    /// Tests if somebody at the terminal plays.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.seats.contains(&PlayerKind::Human)
    }

    /// Tests if somebody at the terminal is to choose.
    fn check_turn(&self, words: Words) -> Result<(), String> {
        if let Some(winner) = self.winner() {
            return Err(words.over(words.won(winner)));
        }
        match self.seat(self.to_move()) {
            PlayerKind::Human => Ok(()),
            PlayerKind::Bot(_) => Err(words.bots_turn(words.player(self.to_move()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::budget::Budget;

    const BOT: PlayerKind = PlayerKind::Bot(Strength::Budget(Budget::Iterations(1)));

    #[test]
    fn undo_goes_to_the_last_turn_of_a_human() {
        let plies = |seats: [PlayerKind; 2], ply: usize| {
            let mut game = Game::of_people(&["c1 c6 f6", "f8 f7 e7", "c6 c5 c6"][..ply]);
            game.reseat(seats);
            game.undo().then(|| (game.moves().len(), game.paused))
        };
        let human = PlayerKind::Human;
        for (seats, ply, expected) in [
            ([human; 2], 3, Some((2, false))),
            ([human, BOT], 2, Some((0, false))),
            ([human, BOT], 3, Some((2, false))),
            ([BOT, human], 3, Some((1, false))),
            ([BOT, human], 1, None),
            ([BOT, BOT], 3, Some((2, true))),
            ([human; 2], 0, None),
        ] {
            assert_eq!(plies(seats, ply), expected, "{seats:?} after {ply}");
        }
    }
}
