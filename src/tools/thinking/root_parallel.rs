//! One search by several threads: a tree each, whose findings are merged.
//!
//! Each thread searches an image of the position on its own (root parallelisation; Chaslot, Winands & van den Herik 2008).
//! The images are those of the board's symmetries: the network of values judges each a little differently, so the threads
//! do not all make the same mistakes. Visits of the same turn are added up, and means weighted by them. A proof of one is a
//! proof for all. One thread alone is the bot's search, bit for bit.

use crate::board::{Board, Move, Player, Square, squares};
use crate::budget::Budget;
use crate::clock::{Clock, SystemTime};
use crate::eval::order::{SYMMETRIES, turned};
use crate::mcts::{Edge, HalfMove, NodeId, Params, Report, Search};
use crate::movegen;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// A symmetry of the board, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symmetry(usize);

impl Symmetry {
    /// The symmetry that turns back.
    const fn inverse(self) -> Symmetry {
        match self.0 {
            // It swaps rows and columns first, so the mirrors change places.
            5 => Symmetry(6),
            6 => Symmetry(5),
            same => Symmetry(same),
        }
    }

    fn square(self, square: Square) -> Square {
        Square::wrapping(turned(square.index(), self.0) as u32)
    }

    fn turn(self, turn: Move) -> Move {
        Move {
            from: self.square(turn.from),
            to: self.square(turn.to),
            arrow: self.square(turn.arrow),
        }
    }

    fn board(self, board: &Board) -> Board {
        let image = |set| squares(set).fold(0, |image, square| image | self.square(square).bit());
        let [black, white] =
            [Player::Black, Player::White].map(|player| image(board.amazons(player)));
        Board::from_sets(black, white, image(board.arrows()), board.to_move())
            .expect("an image of a position is one")
    }
}

/// The search of one thread.
struct Member {
    search: Search,
    /// How its board is turned.
    symmetry: Symmetry,
}

impl Member {
    fn is_proven(&self) -> bool {
        self.search.winner().is_some()
    }

    fn best_move(&self) -> Option<Move> {
        let best = self.search.best_move()?;
        Some(self.symmetry.inverse().turn(best))
    }

    fn report(&self) -> Report {
        let mut report = self.search.report();
        self.turn_back(&mut report.principal_variation);
        report
    }

    fn turn_back(&self, line: &mut [Move]) {
        for turn in line {
            *turn = self.symmetry.inverse().turn(*turn);
        }
    }

    /// Calls `visit` with every amazon's move that was visited.
    fn for_each_amazon(&self, mut visit: impl FnMut(Edge)) {
        let (tree, back) = (self.search.tree(), self.symmetry.inverse());
        let Some(root) = tree.root() else { return };
        tree.for_each_edge(root, |_, edge| {
            let [from, to] = [edge.half_move.from(), edge.half_move.to()].map(|at| back.square(at));
            let half_move = HalfMove::amazon(from, to);
            visit(Edge { half_move, ..edge });
        });
    }

    /// Calls `visit` with every arrow behind an amazon's move that was visited.
    fn for_each_arrow(&self, amazon: HalfMove, mut visit: impl FnMut(Edge)) {
        let (tree, back) = (self.search.tree(), self.symmetry.inverse());
        let Some(node) = self.behind(amazon.from(), amazon.to()) else {
            return;
        };
        tree.for_each_edge(node, |_, edge| {
            let half_move = HalfMove::arrow(back.square(edge.half_move.to()));
            visit(Edge { half_move, ..edge });
        });
    }

    /// The node behind an amazon's move.
    fn behind(&self, from: Square, to: Square) -> Option<NodeId> {
        let tree = self.search.tree();
        let [from, to] = [from, to].map(|at| self.symmetry.square(at));
        let amazon = tree.find_edge(tree.root()?, HalfMove::amazon(from, to))?;
        tree.edge(amazon).node
    }

    /// The visits of a turn, and the principal variation behind it.
    fn line(&self, turn: Move) -> Option<(u32, Vec<Move>)> {
        let (tree, arrow) = (self.search.tree(), self.symmetry.square(turn.arrow));
        let node = self.behind(turn.from, turn.to)?;
        let arrow = tree.edge(tree.find_edge(node, HalfMove::arrow(arrow))?);
        let mut line = self.search.line(arrow.node, usize::MAX);
        self.turn_back(&mut line);
        Some((arrow.visits, line))
    }
}

/// A search by one or more threads.
pub struct RootParallel {
    board: Board,
    /// Never empty. The first one's board is not turned.
    members: Vec<Member>,
    params: Params,
}

/// A turn that has been searched: its two halves, as all members together have seen them.
#[derive(Clone, Copy, Debug)]
pub struct SearchedTurn {
    /// The amazon's half.
    pub amazon: Edge,
    /// The arrow's half.
    pub arrow: Edge,
}

impl SearchedTurn {
    /// The turn.
    #[must_use]
    pub const fn turn(&self) -> Move {
        Move {
            from: self.amazon.half_move.from(),
            to: self.amazon.half_move.to(),
            arrow: self.arrow.half_move.to(),
        }
    }
}

impl RootParallel {
    /// A search from a position by so many threads, at least one; their trees share `memory` bytes.
    #[must_use]
    pub fn new(
        board: &Board,
        memory: usize,
        seed: u64,
        params: Params,
        threads: usize,
    ) -> RootParallel {
        let threads = threads.max(1);
        let member = |number: usize| {
            let symmetry = Symmetry(number % SYMMETRIES);
            let (board, seed) = (symmetry.board(board), seed.wrapping_add(number as u64));
            Member {
                search: Search::new(board, memory / threads, seed, params),
                symmetry,
            }
        };
        RootParallel {
            board: board.clone(),
            members: (0..threads).map(member).collect(),
            params,
        }
    }

    /// The position.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Memory that the trees take, in bytes.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        let members = self.members.iter();
        members
            .map(|member| member.search.tree().bytes_in_use())
            .sum()
    }

    /// Searches until the budget is spent, `broken_off` returns true, or, if the budget is a time, a member knows the
    /// winner. Iterations are shared out, so that their number is that of all together.
    pub fn spend(
        &mut self,
        budget: Budget,
        clock: &Clock<SystemTime>,
        broken_off: impl Fn() -> bool,
    ) {
        let threads = self.members.len();
        let share = |number: usize| match budget {
            Budget::Time(time) => Budget::Time(time),
            Budget::Iterations(all) => {
                let all = all.saturating_add(threads as u64 - 1 - number as u64);
                Budget::Iterations(all / threads as u64)
            }
        };
        let is_over = AtomicBool::new(false);
        let search = |number: usize, member: &mut Member, broken_off: &dyn Fn() -> bool| {
            let over = || is_over.load(Ordering::Relaxed) || broken_off();
            share(number).spend(&mut member.search, clock, over);
            let is_decided = matches!(budget, Budget::Time(_)) && member.search.winner().is_some();
            if is_decided || broken_off() {
                is_over.store(true, Ordering::Relaxed);
            }
        };
        let (first, others) = self.members.split_at_mut(1);
        thread::scope(|scope| {
            for (number, member) in (1..).zip(others) {
                scope.spawn(move || search(number, member, &|| false));
            }
            search(0, &mut first[0], &broken_off);
        });
    }

    /// Plays a move and keeps what is known about the position after it.
    ///
    /// # Panics
    /// If the move breaks a rule.
    pub fn advance_root(&mut self, turn: Move) {
        self.board.play(turn).expect("a legal move");
        for Member { search, symmetry } in &mut self.members {
            let image = search.advance_root(symmetry.turn(turn));
            image.expect("legal on every image");
        }
    }

    /// Brings the search to a board. What is known is kept if the board is the same, or a move leads there.
    pub fn follow(&mut self, board: &Board) {
        if self.board == *board || self.follow_turn(board) {
            return;
        }
        self.board = board.clone();
        for Member { search, symmetry } in &mut self.members {
            search.set_board(symmetry.board(board));
        }
    }

    /// Plays the move that leads to a board, if there is one. Returns whether there is.
    pub fn follow_turn(&mut self, board: &Board) -> bool {
        let turn = movegen::moves(&self.board).into_iter().find(|&turn| {
            let mut after = self.board.clone();
            after.play(turn).is_ok() && after == *board
        });
        turn.map(|turn| self.advance_root(turn)).is_some()
    }

    /// The best move known, as [`Search::best_move`].
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        let merged = || self.best_turn().map(|best| best.turn());
        match self.authority() {
            Some(member) => member.best_move(),
            None => merged().or_else(|| self.members[0].best_move()),
        }
    }

    /// Whether the winner is certain.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.members.iter().any(Member::is_proven)
    }

    /// What the last run found: that of the member that decides alone, else of all together.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = self.authority().unwrap_or(&self.members[0]).report();
        if self.members.len() == 1 {
            return report;
        }
        let each = || self.members.iter().map(|member| member.search.report());
        report.iterations = each().map(|member| member.iterations).sum();
        report.evaluations = each().map(|member| member.evaluations).sum();
        report.depth = each().map(|member| member.depth).fold(0, usize::max);
        if self.authority().is_none()
            && let Some(best) = self.best_turn()
        {
            report.win_probability = best.amazon.mean.clamp(0.0, 1.0);
            report.principal_variation = self.line(best.turn());
        }
        if let Some(best) = report.principal_variation.first() {
            let half = HalfMove::amazon(best.from, best.to);
            let amazon = self
                .amazons()
                .into_iter()
                .find(|edge| edge.half_move == half);
            report.visits = amazon.map_or(0, |amazon| amazon.visits);
        }
        report
    }

    /// The member whose word counts alone: the only one, or one that knows the winner.
    fn authority(&self) -> Option<&Member> {
        match &self.members[..] {
            [only] => Some(only),
            members => members.iter().find(|member| member.is_proven()),
        }
    }

    /// The best turn by all members together: its amazon's half has the highest lower confidence bound, then its arrow's.
    fn best_turn(&self) -> Option<SearchedTurn> {
        let amazon = Search::best_of(self.amazons(), self.params)?;
        let arrow = Search::best_of(self.arrows(amazon.half_move), self.params)?;
        Some(SearchedTurn { amazon, arrow })
    }

    /// All turns that a member has looked at.
    #[must_use]
    pub fn turns(&self) -> Vec<SearchedTurn> {
        let of_amazon = |amazon: Edge| {
            let arrows = self.arrows(amazon.half_move).into_iter();
            arrows.map(move |arrow| SearchedTurn { amazon, arrow })
        };
        self.amazons().into_iter().flat_map(of_amazon).collect()
    }

    /// The amazon's moves that were visited.
    fn amazons(&self) -> Vec<Edge> {
        let mut all = Vec::new();
        for member in &self.members {
            member.for_each_amazon(|edge| merge(&mut all, edge));
        }
        all
    }

    /// The arrows behind an amazon's move that were visited.
    fn arrows(&self, amazon: HalfMove) -> Vec<Edge> {
        let mut all = Vec::new();
        for member in &self.members {
            member.for_each_arrow(amazon, |edge| merge(&mut all, edge));
        }
        all
    }

    /// The principal variation that begins with a turn, as the member knows it that visited the turn most.
    #[must_use]
    pub fn line(&self, turn: Move) -> Vec<Move> {
        let lines = self.members.iter().filter_map(|member| member.line(turn));
        let (_, reply) = lines.max_by_key(|line| line.0).unwrap_or_default();
        [vec![turn], reply].concat()
    }
}

/// Adds an edge to the one of the same half-move. What one of them proves counts.
fn merge(all: &mut Vec<Edge>, edge: Edge) {
    let Some(known) = all
        .iter_mut()
        .find(|known| known.half_move == edge.half_move)
    else {
        all.push(edge);
        return;
    };
    let visits = known.visits.saturating_add(edge.visits);
    known.mean = match (known.is_proven(), edge.is_proven()) {
        (true, _) => known.mean,
        (false, true) => edge.mean,
        (false, false) => {
            let share = f64::from(edge.visits) / f64::from(visits.max(1));
            (f64::from(known.mean) + share * f64::from(edge.mean - known.mean)) as f32
        }
    };
    known.visits = visits;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use std::time::Duration;

    const MEMORY: usize = 16 << 20;

    fn searched(board: &Board, threads: usize, budget: Budget) -> RootParallel {
        let mut search = RootParallel::new(board, MEMORY, 7, Params::default(), threads);
        search.spend(budget, &Clock::of_wall(), || false);
        search
    }

    /// A position with few empty squares, and moves.
    fn nearly_over() -> Board {
        let played_to_the_end = |step: usize| {
            let mut board = Board::start();
            while board.empty().count_ones() > 9 {
                let moves = movegen::moves(&board);
                board.play(*moves.get(step % moves.len().max(1))?).ok()?;
            }
            (movegen::count(&board) > 1).then_some(board)
        };
        (1..).find_map(played_to_the_end).expect("some game")
    }

    #[test]
    fn every_symmetry_is_turned_back() {
        let board = nearly_over();
        for symmetry in (0..SYMMETRIES).map(Symmetry) {
            let image = symmetry.board(&board);
            assert_eq!(symmetry.inverse().board(&image), board);
            for turn in movegen::moves(&board) {
                assert_eq!(image.check(symmetry.turn(turn)), Ok(()));
            }
        }
    }

    #[test]
    fn one_thread_is_the_search_bit_for_bit() {
        let board = Board::start();
        let budget = Budget::Iterations(3000);
        let mut alone = Search::new(board.clone(), MEMORY, 7, Params::default());
        budget.spend(&mut alone, &Clock::of_wall(), || false);
        let one = searched(&board, 1, budget);
        assert_eq!(one.report(), alone.report());
        assert_eq!(one.best_move(), alone.best_move());
    }

    #[test]
    fn threads_share_the_iterations_and_the_memory() {
        let [first, second] =
            [(); 2].map(|()| searched(&Board::start(), 3, Budget::Iterations(3001)));
        let report = first.report();
        assert_eq!(report.iterations, 3001);
        assert_eq!(report, second.report(), "the same every time");
        assert!(first.bytes_in_use() < MEMORY);
        assert_eq!(
            report.principal_variation.first(),
            first.best_move().as_ref()
        );
        let visits: u32 = first.amazons().iter().map(|edge| edge.visits).sum();
        assert_eq!(visits, 3001, "every iteration is counted once");
        assert_ne!(
            first.members[0].report().visits,
            first.members[1].report().visits,
            "each looks at an image of its own"
        );
    }

    #[test]
    fn the_same_half_moves_are_added_up_and_proofs_count() {
        let edge = |to: u32, visits, mean| Edge {
            visits,
            mean,
            prior: 0.1,
            half_move: HalfMove::arrow(Square::wrapping(to)),
            node: None,
        };
        let mut all = Vec::new();
        for seen in [
            edge(1, 30, 0.5),
            edge(2, 5, 0.25),
            edge(1, 10, 0.9),
            edge(2, 1, Edge::WON),
            edge(2, 4, 0.5),
        ] {
            merge(&mut all, seen);
        }
        let found: Vec<_> = all.iter().map(|edge| (edge.visits, edge.mean)).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].0, 40);
        assert!((found[0].1 - 0.6).abs() < 1e-6, "{}", found[0].1);
        assert_eq!(found[1], (10, Edge::WON));
    }

    #[test]
    fn a_board_one_move_further_keeps_what_is_known() {
        let mut search = searched(&Board::start(), 2, Budget::Iterations(2000));
        let turn = search.best_move().expect("a move");
        let mut board = Board::start();
        board.play(turn).expect("legal");
        search.follow(&board);
        assert_eq!(search.board(), &board);
        assert!(!search.turns().is_empty());
        search.follow(&Board::start());
        assert_eq!(search.board(), &Board::start());
        assert!(search.turns().is_empty(), "no move leads back");
    }

    #[test]
    fn a_search_is_broken_off_and_ends_with_a_proof() {
        let budget = Budget::Time(Duration::from_secs(3600));
        let mut search = RootParallel::new(&Board::start(), MEMORY, 7, Params::default(), 2);
        search.spend(budget, &Clock::of_wall(), || true);
        assert!(!search.is_proven());
        let search = searched(&nearly_over(), 2, budget);
        assert!(search.is_proven());
        assert!([0.0, 1.0].contains(&search.report().win_probability));
        let best = search.best_move().expect("a move");
        assert_eq!(search.report().principal_variation.first(), Some(&best));
    }
}
