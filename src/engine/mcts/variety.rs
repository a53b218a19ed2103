//! Variety where a game begins: one of the moves that are as good as the best, so that whoever has won once can't win
//! again by the same moves.

use super::{Search, puct};
use crate::board::{Board, Move, Square};
use rand::Rng;

/// Plies of a game that vary.
const VARIED_PLIES: usize = 6;

/// How much lower than the highest the lower confidence bound of a move is that is as good, at most, in win probability: a
/// hundredth in the mean, and something for fewer visits.
const TOLERANCE: f32 = 0.0125;

impl Search {
    /// The move to play: [`Search::best_move`], but in the first six plies of a game one of those that are as good, each
    /// with the same chance. The start is its own mirror image: there the image of a move is as good as the move.
    ///
    /// Nothing if the player to move has no move.
    pub fn varied_move(&mut self) -> Option<Move> {
        if self.board.arrow_count() >= VARIED_PLIES {
            return self.best_move();
        }
        let moves = self.moves_as_good();
        let turn = match moves.len() as u32 {
            0 => self.best_move()?,
            count => moves[(self.rng.next_u32() % count) as usize],
        };
        let turned = self.board == Board::start() && self.rng.next_u32().is_multiple_of(2);
        Some(if turned { mirrored(turn) } else { turn })
    }

    /// The moves whose lower confidence bounds are highest, within the tolerance. None if no whole turn was searched.
    fn moves_as_good(&self) -> Vec<Move> {
        let (mut highest, mut moves) = (f32::NEG_INFINITY, Vec::new());
        for amazon in self.tree.root().iter().flat_map(|root| self.edges(*root)) {
            for arrow in amazon.node.iter().flat_map(|node| self.edges(*node)) {
                let bound = puct::lower_confidence_bound(&arrow, self.params.lcb_width);
                highest = highest.max(bound);
                moves.push((bound, amazon.half_move.then(arrow.half_move)));
            }
        }
        moves.retain(|(bound, _)| *bound >= highest - TOLERANCE);
        moves.into_iter().map(|(_, turn)| turn).collect()
    }
}

/// A move on the mirror image of the board, left for right.
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

    /// A search of the start position with arrows on these squares.
    fn searched(arrows: u64, iterations: u64) -> Search {
        let start = Board::start();
        let [black, white] = [Player::Black, Player::White].map(|player| start.amazons(player));
        let board = Board::from_sets(black, white, arrows, Player::Black).expect("a position");
        let mut search = Search::new(board, 64 << 20, 1, Params::default());
        search.run(|done| done < iterations);
        search
    }

    /// Which moves two hundred draws play.
    fn drawn(search: &mut Search) -> HashSet<Move> {
        let draws = (0..200).map(|_| search.varied_move().expect("a move"));
        draws.collect()
    }

    #[test]
    fn at_the_start_every_move_as_good_as_the_best_is_played_now_and_then_or_its_image() {
        let mut search = searched(0, 10_000);
        let moves = search.moves_as_good();
        assert!((2..=6).contains(&moves.len()), "{moves:?}");
        assert!(moves.contains(&search.best_move().expect("a move")));
        let images = moves.iter().copied().map(mirrored);
        assert_eq!(
            drawn(&mut search),
            moves.iter().copied().chain(images).collect()
        );
    }

    #[test]
    fn after_six_plies_the_best_move_is_played() {
        // The arrows are their own mirror image, so that moves come in equal pairs.
        for (arrows, is_varied) in [(0x8100_4200, true), (0xc3_0018_0000_0000, false)] {
            let mut search = searched(arrows, 30_000);
            let moves = search.moves_as_good();
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
    fn what_was_not_searched_gets_a_legal_move() {
        let turn = searched(0, 0).varied_move().expect("a move");
        assert_eq!(Board::start().check(turn), Ok(()));
    }
}
