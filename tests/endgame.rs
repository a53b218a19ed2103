//! Tests of winners proven by counting moves or by searching subgames, against exhaustive search.

use crate::common::small::{Exhaustive, random_small_board};
use engine::mcts::endgame::{certain_winner, prove_endgame, subgames::SubgameSolver};

/// Maximum number of positions in the exhaustive search's table before a new table is started.
const MAX_TABLE_LEN: usize = 1 << 22;

/// Checks thousands of small boards of all shapes.
#[test]
fn certain_winners_match_exhaustive_search() {
    check_certain_winners(0..20_000, 9);
}

/// Checks millions of small boards. To be run after changes to the bounds on moves.
#[test]
#[ignore = "takes half a minute"]
fn certain_winners_match_on_millions_of_boards() {
    check_certain_winners(1_000_000..3_000_000, 10);
}

fn check_certain_winners(seeds: std::ops::Range<u64>, most_empty: u32) {
    let (mut subgames, mut exhaustive) = (SubgameSolver::default(), Exhaustive::default());
    let (mut certain, mut searched, mut by_mover, mut early, mut boards) = (0, 0, 0, 0, 0);
    for seed in seeds {
        let board = random_small_board(seed, most_empty);
        boards += 1;
        let (settled, winner) = (prove_endgame(&board), certain_winner(&board));
        assert!(settled.is_none() || settled == winner, "{board}");
        let solved = subgames.winner(&board).0;
        if exhaustive.len() > MAX_TABLE_LEN {
            exhaustive = Exhaustive::default();
        }
        for proven in winner.into_iter().chain(solved) {
            assert_eq!(exhaustive.winner(&board), proven, "seed {seed}\n{board}");
        }
        searched += usize::from(winner.is_none() && solved.is_some());
        let Some(winner) = winner else { continue };
        certain += 1;
        by_mover += usize::from(winner == board.to_move());
        early += usize::from(settled.is_none());
    }
    let lost = certain - by_mover;
    assert!(20 * searched > boards, "only {searched} solved by search");
    assert!(
        4 * certain > boards && 8 * early > certain && 4 * by_mover > certain && 4 * lost > certain,
        "of {boards} boards {certain} are certain, {early} of them not separated, {by_mover} won by the mover"
    );
}
