//! Tests of the search: determinism, proofs against brute force, tree statistics, memory limits, advancing the root.

use crate::common::small::Exhaustive;
use crate::common::{Dice, random_board, walled_board};
use engine::bitboard::with_neighbours;
use engine::board::{Board, Move, Player};
use engine::inspect::{Edge, NodeId, Tree};
use engine::mcts::endgame::{Endgame, moves_left, prove_endgame};
use engine::mcts::{ITERATION_WORK, Params, Progress, Search};
use engine::{bench, movegen};
use proptest::prelude::*;
use std::collections::HashMap;

const MIB: usize = 1 << 20;

fn search(board: &Board, memory: usize, seed: u64) -> Search {
    Search::new(board.clone(), memory, seed, Params::default())
}

fn run(search: &mut Search, iterations: u64) {
    search.run(|done| done < iterations);
}

/// Generates late positions by playing random games until at most `empty` squares are empty.
fn late_boards(empty: u32) -> impl Iterator<Item = Board> {
    (0..)
        .map(move |seed| random_board(seed, (56 - empty) as usize))
        .filter(move |board| board.empty().count_ones() <= empty && movegen::count(board) > 1)
}

#[test]
fn late_positions_match_brute_force() {
    let mut known = Exhaustive::default();
    let mut wins = [0, 0];
    for (number, board) in late_boards(9).take(150).enumerate() {
        let winner = known.winner(&board);
        let mut search = search(&board, MIB, number as u64);
        run(&mut search, 100_000);
        assert_eq!(search.winner(), Some(winner), "position {number}\n{board}");
        let is_won = winner == board.to_move();
        let probability = search.report().win_probability;
        assert_eq!(probability, if is_won { 1.0 } else { 0.0 });
        wins[usize::from(is_won)] += 1;
        let best = search.best_move().expect("there are moves");
        let mut after = board.clone();
        after.play(best).expect("legal");
        if is_won {
            assert_eq!(known.winner(&after), winner, "the proven win is played");
        }
    }
    assert!(wins.iter().all(|&count| count > 20), "{wins:?}");
}

/// Checks that a won position has a winning move among those that the search tries, which leave out most moves in integer
/// regions.
#[test]
fn a_win_needs_few_moves_in_integer_regions() {
    let (mut known, mut endgame) = (Exhaustive::default(), Endgame::default());
    let mut wins = [0; 2];
    for board in late_boards(11).take(40_000) {
        endgame.reset_budget();
        let (needless, kept) = endgame.needless_amazons(&board);
        if needless == 0 || known.winner(&board) != board.to_move() {
            continue;
        }
        let mut is_tried_and_wins = |turn: &Move| {
            if needless & turn.from.bit() != 0 {
                let mut shooting = board.clone();
                shooting.move_amazon(turn.from, turn.to);
                let arrow = endgame.only_arrow(&shooting, turn.to);
                if kept.is_none_or(|kept| (kept.from, kept.to) != (turn.from, turn.to))
                    || arrow.is_some_and(|arrow| arrow != turn.arrow)
                {
                    return false;
                }
            }
            let mut after = board.clone();
            after.play(*turn).expect("legal");
            known.winner(&after) == board.to_move()
        };
        let moves = movegen::moves(&board);
        assert!(moves.iter().any(&mut is_tried_and_wins), "{board}");
        wins[usize::from(kept.is_some())] += 1;
    }
    assert!(wins.iter().all(|&count| count > 20), "{wins:?}");
}

#[test]
fn won_position_is_won_to_the_end() {
    let mut known = Exhaustive::default();
    let mut games = 0;
    for (number, board) in late_boards(10).enumerate().take(60) {
        let me = board.to_move();
        if known.winner(&board) != me {
            continue;
        }
        let mut dice = Dice::new(number as u64);
        let mut search = search(&board, MIB, 1);
        while movegen::count(search.board()) > 0 {
            let turn = if search.board().to_move() == me {
                run(&mut search, 20_000);
                search.best_move().expect("there are moves")
            } else {
                let replies = movegen::moves(search.board());
                replies[dice.below(replies.len())]
            };
            search.advance_root(turn).expect("legal");
        }
        assert_eq!(search.board().to_move(), !me, "game {number} from\n{board}");
        games += 1;
    }
    assert!(games > 10, "only {games} won positions");
}

#[test]
fn same_seed_gives_the_same_search() {
    for board in bench::positions().iter().step_by(3) {
        let reports = [7, 7, 8].map(|seed| {
            let mut search = search(board, 8 * MIB, seed);
            run(&mut search, 3_000);
            search.report()
        });
        assert_eq!(reports[0], reports[1]);
        assert_ne!(reports[0], reports[2], "the seed matters");
    }
}

/// Returns the progress of a search before each of its `iterations` iterations, and at the end.
fn progress(board: &Board, iterations: u64) -> Vec<Progress> {
    let mut steps = Vec::new();
    search(board, MIB, 1).run_while(|done| {
        steps.push(done);
        done.iterations < iterations
    });
    steps
}

#[test]
fn iterations_without_endgame_counting_cost_constant_work() {
    for done in progress(&Board::start(), 1_000) {
        assert_eq!(done.work, ITERATION_WORK * done.iterations);
    }
}

/// Budgets are measured in work, so work must include the cost of counting endgames.
#[test]
fn endgame_counting_is_included_in_work() {
    let mut largest = 0;
    for board in (0..200).map(walled_board) {
        let steps = progress(&board, 50);
        assert_eq!(steps, progress(&board, 50), "work is no time\n{board}");
        for pair in steps.windows(2) {
            let work = pair[1].work - pair[0].work;
            assert!(work >= ITERATION_WORK, "an iteration costs something");
            largest = largest.max(work);
        }
    }
    assert!(largest > 100 * ITERATION_WORK, "at most {largest}");
}

#[test]
fn search_without_iterations_returns_a_legal_move() {
    let board = Board::start();
    let search = search(&board, MIB, 1);
    let best = search.best_move().expect("there are moves");
    assert_eq!(board.check(best), Ok(()));
    let report = search.report();
    assert_eq!((report.visits, report.iterations), (0, 0));
}

#[test]
fn side_without_moves_gets_no_best_move() {
    let mut boards = (0..).map(|seed| random_board(seed, 56));
    let board = boards.find(|board| movegen::count(board) == 0);
    let board = board.expect("games end");
    let mut search = search(&board, MIB, 1);
    run(&mut search, 100);
    assert_eq!(search.best_move(), None);
    assert_eq!(search.winner(), Some(!board.to_move()));
}

/// Checks the statistics below a node: visits add up, actions differ, and values are probabilities.
fn check_node(tree: &Tree, id: NodeId, visits: u32, nodes: &mut usize) {
    *nodes += 1;
    let (visited, all) = (tree.visited_edges(id), tree.edge_count(id));
    assert!(visited <= all);
    assert_eq!(tree.best_unvisited(id).is_some(), visited < all);
    let mut children: Vec<Edge> = Vec::new();
    tree.for_each_edge(id, |_, child| children.push(child));
    assert_eq!(children.len(), visited);
    let below: u32 = children.iter().map(|child| child.visits).sum();
    assert!(below <= visits, "{below} visits below {visits}");
    for (number, child) in children.iter().enumerate() {
        assert_eq!(tree.packed_edge(id, number).action(), child.action);
        let is_other = |other: &Edge| other.action != child.action;
        assert!(children[..number].iter().all(is_other));
        assert!(child.visits > 0);
        assert!((0.0..=1.0).contains(&child.prior), "{child:?}");
        let is_probability = (0.0..=1.0).contains(&child.mean);
        assert!(child.is_proven() || is_probability, "{child:?}");
        if let Some(node) = child.node {
            check_node(tree, node, child.visits, nodes);
        }
    }
}

fn check_tree(search: &Search) -> usize {
    let mut nodes = 0;
    if let Some(root) = search.tree().root() {
        check_node(search.tree(), root, search.tree().root_visits(), &mut nodes);
    }
    nodes
}

#[test]
fn fresh_tree_counts_every_iteration() {
    let mut search = search(&Board::start(), 32 * MIB, 1);
    run(&mut search, 20_000);
    let tree = search.tree();
    assert_eq!(tree.root_visits(), 20_000);
    let mut visits = 0;
    let root = tree.root().expect("expanded");
    tree.for_each_edge(root, |_, child| visits += child.visits);
    assert_eq!(visits, 20_000);
    assert!(check_tree(&search) > 10_000);
}

#[test]
fn search_continues_in_a_full_arena() {
    let memory = MIB;
    for board in bench::positions().iter().take(5) {
        let mut small = search(board, memory, 1);
        run(&mut small, 60_000);
        assert_eq!(small.report().iterations, 60_000);
        assert_eq!(small.tree().root_visits(), 60_000);
        let used = small.tree().bytes_in_use();
        assert!(used <= memory && used > memory / 2, "{used} of {memory}");
        assert!(check_tree(&small) > 500, "the tree is still a tree");
        let root = small.tree().root().expect("expanded");
        small.tree().for_each_edge(root, |_, child| {
            let is_kept = child.node.is_some() || child.visits < 100;
            assert!(is_kept, "given up in spite of its visits: {child:?}");
        });
        let best = small.best_move().expect("there are moves");
        assert_eq!(board.check(best), Ok(()));
    }
}

#[test]
fn advancing_keeps_the_subtree_of_the_move() {
    let mut search = search(&Board::start(), 32 * MIB, 1);
    run(&mut search, 20_000);
    let line = search.principal_variation(4);
    assert_eq!(line.len(), 4);
    for (played, &turn) in line.iter().enumerate() {
        let tree = search.tree();
        let root = tree.root().expect("expanded");
        let amazon = tree.find_amazon(root, turn.from, turn.to);
        let arrows = tree.edge(amazon.expect("visited")).node;
        let arrow = tree.find_arrow(arrows.expect("expanded"), turn.arrow);
        let kept = tree.edge(arrow.expect("visited"));
        search.advance_root(turn).expect("legal");
        assert_eq!(search.tree().root(), kept.node);
        assert_eq!(search.tree().root_visits(), kept.visits);
        let rest = &line[played + 1..];
        assert_eq!(search.principal_variation(10)[..rest.len()], *rest);
        check_tree(&search);
    }
}

/// After an illegal move, board, tree and proven winner must be unchanged.
#[test]
fn illegal_move_is_rejected_and_changes_nothing() {
    let board = Board::start();
    let mut with = search(&board, 8 * MIB, 1);
    let mut without = search(&board, 8 * MIB, 1);
    for search in [&mut with, &mut without] {
        run(search, 2_000);
    }
    let illegal = [
        // A move of the opponent's amazon along a free line.
        "a6 a5 b5",
        // A square without an amazon, a standstill, a knight's jump, an arrow onto an amazon, an arrow through an
        // amazon.
        "d4 d5 d6", "c1 c1 c2", "c1 d3 d4", "c1 d1 f1", "c1 d1 g1",
    ];
    for turn in illegal {
        let turn: Move = turn.parse().expect("readable");
        assert_eq!(with.advance_root(turn), Err(board.check(turn).unwrap_err()));
        assert_eq!(with.board(), &board);
        assert_eq!(with.tree().root(), without.tree().root());
        assert_eq!(with.report(), without.report());
    }
    // Both searches continue from their unchanged trees and find the same.
    for search in [&mut with, &mut without] {
        run(search, 2_000);
    }
    assert_eq!(with.report(), without.report());
    assert_eq!(with.tree().root_visits(), 4_000);
}

#[test]
fn advancing_by_an_unvisited_move_equals_fresh_search() {
    let turn: Move = "h3 h2 h1".parse().expect("readable");
    let mut after = Board::start();
    after.play(turn).expect("legal");
    let mut advanced = search(&Board::start(), 8 * MIB, 5);
    let mut fresh = search(&after, 8 * MIB, 5);
    advanced.advance_root(turn).expect("legal");
    for search in [&mut advanced, &mut fresh] {
        run(search, 2_000);
    }
    assert_eq!(advanced.report(), fresh.report());
    assert_eq!(advanced.board(), fresh.board());
}

#[test]
fn advanced_search_proves_late_positions_correctly() {
    let mut known = Exhaustive::default();
    for (number, board) in late_boards(11).take(40).enumerate() {
        let mut search = search(&board, MIB, 1);
        run(&mut search, 2_000);
        let moves = movegen::moves(&board);
        let turn = moves[number % moves.len()];
        search.advance_root(turn).expect("legal");
        let after = search.board().clone();
        run(&mut search, 100_000);
        if movegen::count(&after) > 0 {
            assert_eq!(search.winner(), Some(known.winner(&after)), "\n{after}");
        }
    }
}

/// Returns a search that has proven the winner of a late position, and this winner.
fn decided_search(board: &Board) -> (Search, Player) {
    let mut search = search(board, MIB, 1);
    run(&mut search, 100_000);
    let winner = search.winner().expect("small enough to be decided");
    (search, winner)
}

#[test]
fn proofs_do_not_carry_over_to_other_positions() {
    let mut known = Exhaustive::default();
    let mut mistakes = 0;
    for (number, board) in late_boards(9).take(60).enumerate() {
        for turn in movegen::moves(&board) {
            let (mut search, winner) = decided_search(&board);
            search.advance_root(turn).expect("legal");
            let after = search.board().clone();
            let truth = known.winner(&after);
            mistakes += usize::from(truth != winner);
            assert!(search.winner().is_none_or(|winner| winner == truth));
            let best = search.best_move();
            assert_eq!(best.is_some(), movegen::count(&after) > 0);
            assert!(best.is_none_or(|best| after.check(best).is_ok()));
        }
        let (mut search, _) = decided_search(&board);
        let other = random_board(number as u64, 4);
        search.set_board(other.clone());
        assert_eq!((search.winner(), search.board()), (None, &other));
        run(&mut search, 10);
        assert_eq!((search.winner(), search.report().iterations), (None, 10));
        assert_eq!(other.check(search.best_move().expect("moves")), Ok(()));
    }
    assert!(mistakes > 50, "only {mistakes} moves gave the win away");
}

/// Checks below a node with an amazon's move due that every proven win has a winning arrow, and that every lost arrow
/// has a winning reply. Returns the number of proven wins.
fn check_proofs(tree: &Tree, node: NodeId) -> usize {
    let mut wins = 0;
    tree.for_each_edge(node, |_, amazon| {
        let mut winning_arrow = false;
        if let Some(arrows) = amazon.node {
            tree.for_each_edge(arrows, |_, arrow| {
                winning_arrow |= arrow.mean == Edge::PROVEN_WIN;
                let Some(reply) = arrow.node else { return };
                wins += check_proofs(tree, reply);
                if arrow.mean == Edge::PROVEN_LOSS {
                    let mut refuted = false;
                    tree.for_each_edge(reply, |_, reply| refuted |= reply.mean == Edge::PROVEN_WIN);
                    assert!(refuted, "how a lost move is refuted is forgotten");
                }
            });
        }
        assert_eq!(amazon.mean == Edge::PROVEN_WIN, winning_arrow, "{amazon:?}");
        wins += usize::from(winning_arrow);
    });
    wins
}

/// Late positions, where much is proven below an unproven root, in a tree that is full most of the time.
#[test]
fn full_tree_keeps_the_winning_moves_of_proofs() {
    let mut wins = 0;
    for board in late_boards(26).take(130) {
        let mut search = search(&board, 0, 1);
        while search.winner().is_none() && search.tree().root_visits() < 10_000 {
            run(&mut search, 1_000);
            let root = search.tree().root();
            wins += root.map_or(0, |root| check_proofs(search.tree(), root));
        }
    }
    assert!(wins > 1_000, "only {wins} proven wins");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whichever moves are played and however long the search runs, the tree must match the board.
    #[test]
    fn tree_always_matches_the_board(seed: u64, budgets in prop::collection::vec(0_u64..800, 1..30)) {
        let mut dice = Dice::new(seed);
        let mut search = search(&Board::start(), MIB, seed);
        for budget in budgets {
            run(&mut search, budget);
            check_tree(&search);
            let mut board = search.board().clone();
            for turn in search.principal_variation(usize::MAX) {
                prop_assert_eq!(board.play(turn), Ok(()));
            }
            let moves = movegen::moves(search.board());
            if moves.is_empty() {
                break;
            }
            let turn = if dice.below(3) > 0 { search.best_move().expect("there are moves") } else { moves[dice.below(moves.len())] };
            search.advance_root(turn).expect("legal");
        }
    }
}

#[test]
fn parameters_are_set_by_name_within_range() {
    let mut params = Params::default();
    for &(name, default, min, max) in Params::TABLE {
        assert!((min..=max).contains(&default), "{name}");
        assert_eq!(params.set(name, min), Ok(()));
        assert!(params.set(name, max + 1.0).is_err());
    }
    assert_ne!(params, Params::default());
    let fault = params.set("nonsense", 1.0).expect_err("refused");
    assert_eq!(fault, "no parameter \"nonsense\"");
}

/// Checksum of the search printed by `amazons bench 2000`. It changes only if the bot's play changes, which requires a
/// match against the bot before the change.
const SIGNATURE: u32 = 23140050;

#[test]
fn bench_signature_is_unchanged() {
    let [first, second, longer] =
        [2000, 2000, 2001].map(|iterations| bench::run(iterations).signature);
    assert_eq!([first, second], [SIGNATURE; 2]);
    assert_ne!(first, longer);
}

/// Returns the maximum number of moves that the side to move can make if the opponent always passes, by brute force.
fn most_moves(board: &Board, known: &mut HashMap<(u64, u64), u32>) -> u32 {
    let mover = board.to_move();
    let key = (board.amazons(mover), board.empty());
    if let Some(&most) = known.get(&key) {
        return most;
    }
    let mut most = 0;
    for turn in movegen::moves(board) {
        let mut after = board.clone();
        after.play(turn).expect("legal");
        let [black, white] = [Player::Black, Player::White].map(|player| after.amazons(player));
        let alone = Board::from_bitboards(black, white, !(black | white | after.empty()), mover)
            .expect("the same amazons");
        most = most.max(1 + most_moves(&alone, known));
    }
    known.insert(key, most);
    most
}

/// Tests if the two players' territories are not even adjacent, so that neither player needs guards.
fn is_walled_off(board: &Board) -> bool {
    let reached = |player| {
        let mut reached = board.amazons(player);
        loop {
            let further = reached | with_neighbours(reached) & board.empty();
            if further == reached {
                return reached;
            }
            reached = further;
        }
    };
    with_neighbours(reached(Player::Black)) & reached(Player::White) == 0
}

/// Counted moves must equal those found by brute force, and the player with more moves must win.
#[test]
fn counted_moves_match_brute_force() {
    let mut known = HashMap::new();
    let (mut counted, mut walled) = (0, 0);
    for empty in 4..=10 {
        for board in late_boards(empty).take(1200) {
            let Some(left) = moves_left(&board) else {
                continue;
            };
            let mover = board.to_move();
            let is_won = left[mover as usize] > left[!mover as usize];
            let winner = if is_won { mover } else { !mover };
            assert_eq!(prove_endgame(&board), Some(winner), "\n{board}");
            counted += 1;
            if is_walled_off(&board) {
                let tried = [Player::Black, Player::White].map(|player| {
                    let mut board = board.clone();
                    board.set_to_move(player);
                    most_moves(&board, &mut known)
                });
                assert_eq!(left, tried, "\n{board}");
                walled += 1;
            }
        }
    }
    assert!(counted > 2000 && walled > 500, "{counted}, {walled}");
}

/// Plays thousands of separated positions against random moves. A winner who fills must keep the win; a loser who fills
/// must make the maximum number of moves.
#[test]
fn winner_keeps_the_win_loser_fills_completely() {
    let (mut won, mut lost) = (0, 0);
    let (mut known, mut solved) = (HashMap::new(), Exhaustive::default());
    let mut bot = search(&Board::start(), MIB, 1);
    for empty in 4..=11 {
        for (number, start) in late_boards(empty).take(500).enumerate() {
            let Some(winner) = prove_endgame(&start) else {
                continue;
            };
            for filler in [winner, !winner] {
                if filler != winner && !is_walled_off(&start) {
                    continue;
                }
                let mut dice = Dice::new(number as u64);
                let mut board = start.clone();
                let mut plies = 0;
                let mut most = None;
                while movegen::count(&board) > 0 {
                    let turn = if board.to_move() == filler {
                        most.get_or_insert_with(|| most_moves(&board, &mut known));
                        plies += 1;
                        bot.set_board(board.clone());
                        run(&mut bot, 1_000);
                        bot.best_move().expect("there are moves")
                    } else {
                        let moves = movegen::moves(&board);
                        moves[dice.below(moves.len())]
                    };
                    board.play(turn).expect("legal");
                    if filler == winner && empty <= 8 {
                        let best_play = solved.winner(&board);
                        assert_eq!(best_play, winner, "\n{start}\n{board}");
                    }
                }
                if filler == winner {
                    assert_eq!(!board.to_move(), winner, "\n{start}");
                    won += 1;
                } else if board.to_move() == filler {
                    assert_eq!(Some(plies), most.or(Some(0)), "\n{start}");
                    lost += 1;
                }
            }
        }
    }
    assert!(won > 1000 && lost > 30, "{won} won, {lost} lost");
}
