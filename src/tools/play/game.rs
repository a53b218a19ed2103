//! [`Game`], a game of `amazons play`: its moves with undo and redo, the squares chosen in the current turn, and who
//! plays each colour.

use super::player_kind::PlayerKind;
use super::selection::{legal_choices, movable_amazons};
use super::texts::Texts;
use analysis::level::Strength;
use engine::board::{Board, IllegalMove, Move, Player, Square};
use record::checked_game::player_at;

/// A game that is being played or is over. Also keeps the moves that were undone, so that they can be replayed.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who plays black and white, in this order.
    players: [PlayerKind; 2],
    /// Position before the first move.
    start: Board,
    /// All moves in order, including undone moves, which can be replayed.
    known_moves: Vec<Move>,
    /// Number of moves played to reach `board`. `known_moves[..ply]` are played; `known_moves[ply..]` are undone and
    /// can be replayed.
    ply: usize,
    board: Board,
    /// Squares chosen so far in the current turn: none, an amazon, or an amazon and its destination.
    chosen: Vec<Square>,
    /// True if the bots of this game make no moves until the user resumes them. The command `pause` sets it; so does
    /// undo or redo in a game between two bots.
    pub is_paused: bool,
}

impl Game {
    /// Creates a game from the start position; `players` says who plays black and white, in this order.
    #[must_use]
    pub fn new(players: [PlayerKind; 2]) -> Game {
        Game::from_position(Board::start(), players)
    }

    /// Creates a game that begins from the position `start`, without moves.
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

    /// Creates a game from the start position in which `moves` were played.
    ///
    /// # Errors
    /// If a move is illegal; the error describes the first such move.
    pub fn with_moves(players: [PlayerKind; 2], moves: Vec<Move>) -> Result<Game, IllegalMove> {
        let mut game = Game::new(players);
        moves.iter().try_for_each(|&turn| game.board.play(turn))?;
        game.ply = moves.len();
        game.known_moves = moves;
        Ok(game)
    }

    /// Creates a game between two people in which `moves` were played from the start position. Each move is written as
    /// its three squares, such as `c1 c6 f6`: amazon, destination, arrow.
    ///
    /// # Panics
    /// If a move can't be parsed or is illegal.
    #[cfg(test)]
    pub fn between_people(moves: &[&str]) -> Game {
        let moves = moves.iter().map(|turn| turn.parse().expect("a move"));
        Game::with_moves([PlayerKind::Human; 2], moves.collect()).expect("legal")
    }

    /// Returns the current position, without the amazon's move that a person may already have chosen in this turn.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the position to draw, and the last move played (`None` before the first move). If a person has already
    /// chosen an amazon and its destination in this turn, the amazon stands on the destination in the returned
    /// position.
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

    /// Returns who plays the colour `player` (black or white): a person, or the bot with its strength.
    #[must_use]
    pub const fn player_kind(&self, player: Player) -> PlayerKind {
        self.players[player as usize]
    }

    /// Changes who plays black and white, and clears the squares chosen in the current turn.
    pub fn set_players(&mut self, players: [PlayerKind; 2]) {
        self.players = players;
        self.chosen.clear();
    }

    /// Returns who plays black and white, in this order.
    #[must_use]
    pub const fn players(&self) -> [PlayerKind; 2] {
        self.players
    }

    /// Returns the moves played, without undone moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.known_moves[..self.ply]
    }

    /// Returns the squares chosen so far in the current turn: none, an amazon, or an amazon and its destination.
    #[must_use]
    pub fn chosen(&self) -> &[Square] {
        &self.chosen
    }

    /// Returns the winner if the game is over, that is, if the side to move has no legal move; otherwise `None`.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        (movable_amazons(&self.board) == 0).then_some(!self.to_move())
    }

    /// Returns the strength of the bot that is to move. `None` if a person is to move, if the bots are paused, or if
    /// the game is over.
    #[must_use]
    pub fn bot_to_move(&self) -> Option<Strength> {
        match self.player_kind(self.to_move()) {
            PlayerKind::Bot(strength) if !self.is_paused && self.winner().is_none() => {
                Some(strength)
            }
            _ => None,
        }
    }

    /// Returns the position after the first `ply` moves of the game, and the last of these moves (`None` if `ply` is
    /// 0). Undone moves are included, as they can be replayed.
    ///
    /// # Panics
    /// If `ply` is larger than the number of moves, undone moves included.
    #[must_use]
    pub fn position(&self, ply: usize) -> (Board, Option<Move>) {
        let mut board = self.start.clone();
        for &turn in &self.known_moves[..ply] {
            board.play(turn).expect("it was played before");
        }
        (board, ply.checked_sub(1).map(|last| self.known_moves[last]))
    }

    /// Returns the squares that a person may choose next in this turn, as a bitboard (bit n = square n; 0 = a1, 1 =
    /// b1). If no square is chosen yet, these are amazons that can move; after an amazon, its destinations; after a
    /// destination, the squares at which the amazon can shoot its arrow. Returns 0 if a bot is to move or the game is
    /// over.
    #[must_use]
    pub fn targets(&self) -> u64 {
        match self.player_kind(self.to_move()) {
            PlayerKind::Human => legal_choices(&self.board, &self.chosen),
            PlayerKind::Bot(_) => 0,
        }
    }

    /// Returns the squares that the amazon on `from` can reach in one move, as a bitboard (bit n = square n; 0 = a1, 1
    /// = b1).
    ///
    /// # Errors
    /// A message in the user's language, if no amazon of the side to move stands on `from`.
    pub fn reachable_squares(&self, from: Square, texts: Texts) -> Result<u64, String> {
        match self.board.amazons(self.to_move()) & from.bit() {
            0 => Err(texts.illegal_choice(&self.board, &[], from)),
            _ => Ok(legal_choices(&self.board, &[from])),
        }
    }

    /// Chooses `squares` in the current turn; a turn has three: amazon, destination, square for the arrow. One or two
    /// squares are added to those already chosen. Three squares replace those already chosen.
    ///
    /// If the turn is then complete, plays the move and returns it. Returns `None` if squares are still missing.
    ///
    /// # Errors
    /// A message in the user's language, with the game unchanged: the game is over, a bot is to move, there are too
    /// many squares, or a square is illegal.
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

    /// Chooses the square that the user clicked, or on which the user pressed Enter, as the next square of the turn
    /// (amazon, destination, square for the arrow). There are two exceptions:
    ///
    /// - If `square` is the square that was chosen last, deselects it.
    /// - If only an amazon is chosen, and another amazon that can move stands on `square`, chooses the other amazon
    ///   instead.
    ///
    /// If the turn is then complete, plays the move and returns it; otherwise returns `None`.
    ///
    /// # Errors
    /// A message in the user's language, with the game unchanged: the game is over, a bot is to move, or the square is
    /// illegal.
    pub fn pick(&mut self, square: Square, texts: Texts) -> Result<Option<Move>, String> {
        self.check_human_to_move(texts)?;
        match *self.chosen {
            [.., last] if last == square => self.deselect_last(),
            [_] if movable_amazons(&self.board) & square.bit() != 0 => self.chosen = vec![square],
            _ => return self.choose(&[square], texts),
        }
        Ok(None)
    }

    /// Deselects the square (amazon or destination) that was chosen last in the current turn. Does nothing if no square
    /// is chosen.
    pub fn deselect_last(&mut self) {
        self.chosen.pop();
    }

    /// Plays the move `turn` (the amazon's move and the arrow's shot) for the side to move, and discards the undone
    /// moves.
    ///
    /// # Errors
    /// If the move is illegal; the game is then unchanged.
    pub fn play(&mut self, turn: Move) -> Result<(), IllegalMove> {
        self.board.play(turn)?;
        self.known_moves.truncate(self.ply);
        self.known_moves.push(turn);
        self.ply += 1;
        self.chosen.clear();
        Ok(())
    }

    /// Undoes moves back to the last earlier position in which a person was to move. If both players are bots, undoes
    /// one move and pauses the bots.
    ///
    /// Returns whether moves were undone: false, with the game unchanged, if there is no such earlier position.
    pub fn undo(&mut self) -> bool {
        let target = (0..self.ply).rev().find(|&ply| self.undo_stops_at(ply));
        target.map(|ply| self.go_to_ply(ply)).is_some()
    }

    /// Replays undone moves up to the next position in which a person is to move, or replays all if there is none. If
    /// both players are bots, replays one move and pauses the bots. Returns whether moves were replayed.
    pub fn redo(&mut self) -> bool {
        let mut later = self.ply + 1..=self.known_moves.len();
        let target = later.find(|&ply| self.undo_stops_at(ply) || ply == self.known_moves.len());
        target.map(|ply| self.go_to_ply(ply)).is_some()
    }

    /// Tests if undo and redo may stop at the position after `ply` moves. They stop where a person is to move, or at
    /// every position if both players are bots.
    fn undo_stops_at(&self, ply: usize) -> bool {
        self.player_kind(player_at(ply)) == PlayerKind::Human || !self.has_human()
    }

    /// Undoes or replays moves until `ply` moves are played. If both players are bots, pauses them; otherwise they
    /// would make their next move at once.
    fn go_to_ply(&mut self, ply: usize) {
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
    ///
    /// # Errors
    /// A message in the user's language that the game is over, or that a bot is to move.
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
