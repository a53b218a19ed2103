//! State of the game on the board: moves with undo and redo, the squares chosen for the current turn, and who plays each
//! colour.

use super::player_kind::PlayerKind;
use super::selection::{legal_choices, movable_amazons};
use super::texts::Texts;
use analysis::level::Strength;
use engine::board::{Board, IllegalMove, Move, Player, Square};
use record::checked_game::player_at;

/// A running game.
#[derive(Clone, Debug)]
pub struct Game {
    players: [PlayerKind; 2],
    /// Position before the first move.
    start: Board,
    /// All known moves in order, including moves that were taken back.
    known_moves: Vec<Move>,
    /// Number of moves that are on the board; later moves of `known_moves` were taken back.
    ply: usize,
    board: Board,
    /// Squares chosen so far in the current turn: none, an amazon, or an amazon and its destination.
    chosen: Vec<Square>,
    /// Whether bots are paused.
    pub is_paused: bool,
}

impl Game {
    /// Creates a game from the start position; `players` says who plays black and white.
    #[must_use]
    pub fn new(players: [PlayerKind; 2]) -> Game {
        Game::from_position(Board::start(), players)
    }

    /// Creates a game that begins from the position `start`.
    #[must_use]
    pub fn from_position(start: Board, players: [PlayerKind; 2]) -> Game {
        Game {
            players,
            known_moves: Vec::new(),
            ply: 0,
            board: start.clone(),
            start,
            chosen: Vec::new(),
            is_paused: false,
        }
    }

    /// Creates a game and plays the moves `line` from the start position.
    ///
    /// # Errors
    /// The first move in `line` that is illegal.
    pub fn with_moves(players: [PlayerKind; 2], line: Vec<Move>) -> Result<Game, IllegalMove> {
        let mut game = Game::new(players);
        for &turn in &line {
            game.board.play(turn)?;
        }
        game.ply = line.len();
        game.known_moves = line;
        Ok(game)
    }

    /// Creates a game between two people after the moves `line`, such as `c1 c6 f6`.
    #[cfg(test)]
    pub fn between_people(line: &[&str]) -> Game {
        let line = line.iter().map(|turn| turn.parse().expect("a move"));
        Game::with_moves([PlayerKind::Human; 2], line.collect()).expect("legal")
    }

    /// Returns the position before the current turn, without the squares chosen so far.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the position to draw, with the chosen amazon on its chosen destination, and the last move played.
    #[must_use]
    pub fn shown_position(&self) -> (Board, Option<Move>) {
        let mut board = self.board.clone();
        if let [from, to] = *self.chosen {
            board.move_amazon(from, to);
        }
        (board, self.moves().last().copied())
    }

    /// Returns the side to move.
    #[must_use]
    pub const fn to_move(&self) -> Player {
        self.board.to_move()
    }

    /// Returns whether a person or the bot plays the colour `player`.
    #[must_use]
    pub const fn player_kind(&self, player: Player) -> PlayerKind {
        self.players[player as usize]
    }

    /// Changes who plays each colour, and clears the squares chosen in the current turn.
    pub fn set_players(&mut self, players: [PlayerKind; 2]) {
        self.players = players;
        self.chosen.clear();
    }

    /// Returns who plays black and white, in this order.
    #[must_use]
    pub const fn players(&self) -> [PlayerKind; 2] {
        self.players
    }

    /// Returns the moves on the board, without moves that were taken back.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.known_moves[..self.ply]
    }

    /// Returns the squares chosen so far in the current turn: none, an amazon, or an amazon and its destination.
    #[must_use]
    pub fn chosen(&self) -> &[Square] {
        &self.chosen
    }

    /// Returns the winner, if the side to move has no legal move.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        (movable_amazons(&self.board) == 0).then_some(!self.to_move())
    }

    /// Returns the strength of the bot that is to move now; `None` if a person is to move, bots are paused, or the game is
    /// over.
    #[must_use]
    pub fn bot_to_move(&self) -> Option<Strength> {
        match self.player_kind(self.to_move()) {
            PlayerKind::Bot(strength) if !self.is_paused && self.winner().is_none() => {
                Some(strength)
            }
            _ => None,
        }
    }

    /// Returns the position after the first `ply` known moves, and the last of these moves.
    ///
    /// # Panics
    /// If fewer than `ply` moves are known.
    #[must_use]
    pub fn position(&self, ply: usize) -> (Board, Option<Move>) {
        let mut board = self.start.clone();
        for &turn in &self.known_moves[..ply] {
            board.play(turn).expect("it was played before");
        }
        (board, ply.checked_sub(1).map(|last| self.known_moves[last]))
    }

    /// Returns the set of squares that may be chosen next, as a bitboard: amazons, destinations or squares for the arrow.
    ///
    /// Empty if a bot is to move.
    #[must_use]
    pub fn targets(&self) -> u64 {
        match self.player_kind(self.to_move()) {
            PlayerKind::Human => legal_choices(&self.board, &self.chosen),
            PlayerKind::Bot(_) => 0,
        }
    }

    /// Returns the set of squares that the amazon on `from` can reach, as a bitboard.
    ///
    /// # Errors
    /// If no amazon of the side to move stands on `from`.
    pub fn reachable_squares(&self, from: Square, texts: Texts) -> Result<u64, String> {
        match self.board.amazons(self.to_move()) & from.bit() {
            0 => Err(texts.illegal_choice(&self.board, &[], from)),
            _ => Ok(legal_choices(&self.board, &[from])),
        }
    }

    /// Chooses the next squares of the current turn in order. Three squares are a whole turn and replace those chosen before.
    ///
    /// Returns the move if its last square was chosen and the move was played.
    ///
    /// # Errors
    /// If no person is to move, there are too many squares, or one of them is illegal; the game is then unchanged.
    pub fn choose(&mut self, squares: &[Square], texts: Texts) -> Result<Option<Move>, String> {
        self.check_human_to_move(texts)?;
        let mut chosen = match squares.len() {
            3 => Vec::new(),
            _ => self.chosen.clone(),
        };
        let missing = 3 - chosen.len();
        if squares.len() > missing {
            return Err(texts.too_many_squares(squares.len(), missing));
        }
        for &square in squares {
            if legal_choices(&self.board, &chosen) & square.bit() == 0 {
                return Err(texts.illegal_choice(&self.board, &chosen, square));
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

    /// Chooses a square by cursor or mouse. Picking the last chosen square again releases it; picking another amazon replaces
    /// the chosen amazon.
    ///
    /// # Errors
    /// Those of [`Game::choose`].
    pub fn pick(&mut self, square: Square, texts: Texts) -> Result<Option<Move>, String> {
        self.check_human_to_move(texts)?;
        match *self.chosen {
            [.., last] if last == square => self.step_back(),
            [_] if movable_amazons(&self.board) & square.bit() != 0 => self.chosen = vec![square],
            _ => return self.choose(&[square], texts),
        }
        Ok(None)
    }

    /// Releases the last chosen square of the current turn.
    pub fn step_back(&mut self) {
        self.chosen.pop();
    }

    /// Plays a legal move of the side to move, and discards the moves that were taken back.
    pub fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.known_moves.truncate(self.ply);
        self.known_moves.push(turn);
        self.ply += 1;
        self.chosen.clear();
        Ok(())
    }

    /// Takes moves back to the previous turn of a person. If two bots play, takes one move back and pauses the bots.
    ///
    /// Returns false if no such turn exists.
    pub fn undo(&mut self) -> bool {
        let target = (0..self.ply).rev().find(|&ply| self.is_undo_stop(ply));
        target.map(|ply| self.go_to(ply)).is_some()
    }

    /// Replays moves that were taken back, up to the next turn of a person. Returns false if no moves were taken back.
    pub fn redo(&mut self) -> bool {
        let mut later = self.ply + 1..=self.known_moves.len();
        let target = later.find(|&ply| self.is_undo_stop(ply) || ply == self.known_moves.len());
        target.map(|ply| self.go_to(ply)).is_some()
    }

    /// Tests if undo and redo may stop after `ply` moves: if a person moves next, or if two bots play.
    fn is_undo_stop(&self, ply: usize) -> bool {
        self.player_kind(player_at(ply)) == PlayerKind::Human || !self.has_human()
    }

    /// Returns to the position after `ply` moves. If two bots play, pauses them so that a person can study the position.
    fn go_to(&mut self, ply: usize) {
        (self.board, _) = self.position(ply);
        self.ply = ply;
        self.chosen.clear();
        self.is_paused = !self.has_human();
    }

    /// Tests if a person plays at least one colour.
    #[must_use]
    pub fn has_human(&self) -> bool {
        self.players.contains(&PlayerKind::Human)
    }

    /// Checks that the game is not over and that a person is to move.
    fn check_human_to_move(&self, texts: Texts) -> Result<(), String> {
        if let Some(winner) = self.winner() {
            return Err(texts.game_over(texts.won(winner)));
        }
        match self.player_kind(self.to_move()) {
            PlayerKind::Human => Ok(()),
            PlayerKind::Bot(_) => Err(texts.bots_turn(texts.player(self.to_move()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::budget::Budget;

    const BOT: PlayerKind = PlayerKind::Bot(Strength::Budget(Budget::Iterations(1)));

    #[test]
    fn undo_returns_to_the_last_human_turn() {
        let plies = |players: [PlayerKind; 2], ply: usize| {
            let mut game = Game::between_people(&["c1 c6 f6", "f8 f7 e7", "c6 c5 c6"][..ply]);
            game.set_players(players);
            game.undo().then(|| (game.moves().len(), game.is_paused))
        };
        let human = PlayerKind::Human;
        for (players, ply, expected) in [
            ([human; 2], 3, Some((2, false))),
            ([human, BOT], 2, Some((0, false))),
            ([human, BOT], 3, Some((2, false))),
            ([BOT, human], 3, Some((1, false))),
            ([BOT, human], 1, None),
            ([BOT, BOT], 3, Some((2, true))),
            ([human; 2], 0, None),
        ] {
            assert_eq!(plies(players, ply), expected, "{players:?} after {ply}");
        }
    }
}
