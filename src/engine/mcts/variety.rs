//! Opening variety ([`Search::varied_move`]): in the first six plies (whole turns) of a game, the bot draws its move at
//! random among those that are almost as good as the best one. So an opponent cannot win again by repeating the moves
//! of a game.

use super::{Search, Word, puct};
use crate::board::{Board, Move, Square};
use rand::Rng;

/// Number of plies (whole turns) at the start of a game in which the bot draws its move at random among those that are
/// almost as good as the best one.
const VARIED_PLIES: usize = 6;

/// Threshold, in win probability, for the moves among which the bot draws at random. It is the maximum difference
/// between the best move's lower confidence bound and that of a drawn move. Of this amount, 0.01 allows for a lower
/// mean win probability, 0.0025 for a wider confidence interval because of fewer visits.
const MAX_BOUND_DIFFERENCE: f32 = 0.0125;

impl<W: Word> Search<W> {
    /// Returns the move to play. In the first six plies (whole turns) of a game, draws it at random among the moves
    /// whose lower confidence bound is at most 0.0125 (in win probability) below the highest one. In the start
    /// position, which is symmetric, also replaces the move by its mirror image with probability 1/2. From the seventh
    /// ply on, returns [`Search::best_move`].
    ///
    /// Returns `None` if the side to move has no legal move.
    pub fn varied_move(&mut self) -> Option<Move> {
        if self.shared.board.arrow_count() >= VARIED_PLIES {
            return self.best_move();
        }
        let moves = self.nearly_best_moves();
        let turn = match moves.len() as u32 {
            0 => self.best_move()?,
            count => moves[(self.workers[0].rng.next_u32() % count) as usize],
        };
        let turned =
            self.shared.board == Board::start() && self.workers[0].rng.next_u32().is_multiple_of(2);
        Some(if turned { mirrored(turn) } else { turn })
    }

    /// Returns the searched moves (whole turns) whose lower confidence bound of the win probability is at most
    /// [`MAX_BOUND_DIFFERENCE`] below the highest one. Returns an empty list if no whole turn was searched.
    fn nearly_best_moves(&self) -> Vec<Move> {
        let (mut highest, mut moves) = (f32::NEG_INFINITY, Vec::new());
        for amazon in self.edges(self.tree().root()).iter() {
            for arrow in self.edges(amazon.node).iter() {
                let bound = puct::lower_confidence_bound(arrow, self.shared.params.lcb_width);
                highest = highest.max(bound);
                moves.push((bound, amazon.action.followed_by(arrow.action)));
            }
        }
        moves.retain(|(bound, _)| *bound >= highest - MAX_BOUND_DIFFERENCE);
        moves.into_iter().map(|(_, turn)| turn).collect()
    }
}

/// Returns the mirror image of the move `turn`: columns a to h become h to a, rows stay.
fn mirrored(turn: Move) -> Move {
    let image = |square: Square| Square::wrapping(square.index() as u32 ^ 7);
    Move {
        from: image(turn.from),
        to: image(turn.to),
        arrow: image(turn.arrow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Player;
    use crate::mcts::Params;
    use std::collections::HashSet;

    /// Searches a position with `iterations` iterations, and returns the search. The position is the start position
    /// with additional arrows on the squares of the bitboard `arrows`.
    fn searched(arrows: u64, iterations: u64) -> Search {
        let start = Board::start();
        let [black, white] = [Player::Black, Player::White].map(|player| start.amazons(player));
        let board = Board::from_bitboards(black, white, arrows, Player::Black).expect("a position");
        let mut search = Search::new(board, 64 << 20, 1, Params::default());
        search.run(|done| done < iterations);
        search
    }

    /// Calls [`Search::varied_move`] 200 times, and returns the set of the moves that it returned.
    fn drawn(search: &mut Search) -> HashSet<Move> {
        let draws = (0..200).map(|_| search.varied_move().expect("a move"));
        draws.collect()
    }

    #[test]
    fn start_position_draws_good_moves_and_mirror_images() {
        let mut search = searched(0, 30_000);
        let moves = search.nearly_best_moves();
        assert!((2..=6).contains(&moves.len()), "{moves:?}");
        assert!(moves.contains(&search.best_move().expect("a move")));
        let images = moves.iter().copied().map(mirrored);
        assert_eq!(
            drawn(&mut search),
            moves.iter().copied().chain(images).collect()
        );
    }

    #[test]
    fn plays_the_best_move_after_six_plies() {
        // Adds arrows symmetrically, so the mirror image of each move is as good as the move itself. With four arrows,
        // the move must be drawn at random; with six arrows, the best move must be returned.
        for (arrows, is_varied) in [(0x1800_8100, true), (0xc3_0018_0000_0000, false)] {
            let mut search = searched(arrows, 30_000);
            let moves = search.nearly_best_moves();
            assert!(moves.len() > 1, "{arrows:x}");
            let expected = if is_varied {
                moves
            } else {
                Vec::from_iter(search.best_move())
            };
            assert_eq!(drawn(&mut search), expected.into_iter().collect());
        }
    }

    #[test]
    fn unsearched_position_gets_a_legal_move() {
        let turn = searched(0, 0).varied_move().expect("a move");
        assert_eq!(Board::start().check(turn), Ok(()));
    }
}
