//! The solver: who wins a position for certain, whatever both play.
//!
//! Depth-first proof-number search (Nagai 2002) with a transposition table, over turns in two halves like the tree of
//! [`Search`](engine::mcts::Search). Always that position is looked into next whose proof or disproof promises to be the least work. What a
//! position promises at first comes from the networks, the evaluation, and how many squares both players reach (`solver/edges.rs`).
//! Where the winner is certain by counting moves, or by small parts of the board that are searched alone (`solver/parts.rs`), nothing
//! is left to do; turns that have just won are tried where the other player shoots (`solver/replies.rs`). Positions with the same
//! essence (`solver/essence.rs`) count as one.
//!
//! A game grows by an arrow a turn: no position comes again, so what the table holds is true on every way to it. Several threads that
//! look into a position share the table, and nothing else.

mod edges;
mod essence;
mod parts;
mod replies;
mod table;

use edges::{Edge, Edges, Step};
use engine::board::{Board, Move, Player};
use engine::inspect::{Choice, Policy};
use engine::mcts::endgame::{certain_winner, moves_left};
use engine::movegen;
use essence::Essences;
use replies::Replies;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use table::{Key, Numbers};
pub use table::{Record, Table};

/// How much more work than the second-best edge the best one may cost before the search looks at the others again, as a factor
/// (Pawlewicz and Lew 2007).
const PATIENCE: f32 = 1.25;

/// The least step, as a factor, by which the work allowed exceeds the work expected.
const STEP: f32 = 1.01;

/// How much harder to win with an edge seems while another thread looks into it, as a factor. So the threads go different ways
/// (virtual loss, Chaslot et al. 2008; for proof numbers Kaneko 2010).
const BUSY_IS_HARDER: f32 = 3.0;

/// Who wins a position, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Who wins.
    pub winner: Player,
    /// Best play until the winner is certain by counting moves: moves of the winner that win, and of the loser the answers that
    /// took most work to refute.
    pub line: Vec<Move>,
}

/// By how many moves the winner wins: the largest number of turns that the loser could pass without winning. Once the players
/// are separated, that is how many moves the winner can still make when the loser has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margin {
    /// At least so many.
    pub least: u32,
    /// Whether it is not more.
    pub is_exact: bool,
}

/// What is open of a position while a [`Solver`] works on it: the first halves of the turn, amazons' moves. Those whose number of
/// moves is counted count as one.
pub struct FirstHalves {
    table: Arc<Table>,
    edges: Edges,
}

impl FirstHalves {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.edges.len()
    }

    /// How many are refuted by now: whatever arrow follows, the player to move loses.
    pub fn refuted(&mut self) -> usize {
        self.table.look_up(Choice::Amazon, &mut self.edges);
        let numbers = self.edges.iter().map(|edge| edge.numbers);
        numbers.filter(|&numbers| numbers == Numbers::LOST).count()
    }
}

/// Solves positions, and remembers what it finds for the next ones.
pub struct Solver {
    policy: Policy,
    essences: Essences,
    replies: Replies,
    table: Arc<Table>,
    /// Whether other threads use the table, too.
    is_shared: bool,
    /// The solvers of these threads, if this is the first of them.
    helpers: Vec<Solver>,
    nodes: u64,
    is_broken_off: bool,
}

/// Asked before each node of the calling thread, with the number of those done there; says no to end the work.
type GoOn<'a> = &'a mut dyn FnMut(u64) -> bool;

/// A position in which a half of a turn is to be chosen.
struct Node {
    board: Board,
    /// How many moves black has besides those on the board, less white's.
    besides: i32,
    choice: Choice,
    key: Key,
}

/// The edges of a node, summed up.
struct Summary {
    numbers: Numbers,
    /// The place of the edge that is the easiest to win with.
    best: usize,
    /// The proof number of the second-best one.
    second: f32,
}

impl Solver {
    /// A solver that remembers as much as fits into so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Solver {
        Solver::with_threads(memory, 1)
    }

    /// A solver of so many threads, at least one. With several, winners and margins are the same every time, but not lines and
    /// numbers of nodes.
    #[must_use]
    pub fn with_threads(memory: usize, threads: usize) -> Solver {
        let table = Arc::new(Table::of_bytes(memory));
        let one = || Solver::of_table(&table, threads > 1);
        Solver {
            helpers: (1..threads).map(|_| one()).collect(),
            ..one()
        }
    }

    /// A solver of one thread.
    fn of_table(table: &Arc<Table>, is_shared: bool) -> Solver {
        Solver {
            policy: Policy::default(),
            essences: Essences::default(),
            replies: Replies::default(),
            table: Arc::clone(table),
            helpers: Vec::new(),
            is_shared,
            nodes: 0,
            is_broken_off: false,
        }
    }

    /// Returns the table of all threads, to be read also while they work.
    #[must_use]
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Positions expanded so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes + self.helpers.iter().map(Solver::nodes).sum::<u64>()
    }

    /// The winner of a position, with best play; nothing if `go_on` says no before it is found. `go_on` is asked before each
    /// node of the calling thread, with the number of all that it has expanded.
    pub fn solve(&mut self, board: &Board, mut go_on: impl FnMut(u64) -> bool) -> Option<Solved> {
        let winner = self.winner(board, &mut go_on)?;
        Some(Solved {
            winner,
            line: self.line(board, winner, &mut go_on),
        })
    }

    /// The winner of a position; nothing if `go_on` says no before it is found.
    pub fn winner(&mut self, board: &Board, go_on: GoOn<'_>) -> Option<Player> {
        self.winner_besides(board, 0, go_on)
    }

    /// The first halves of a turn, to ask for what is open while the position is solved.
    pub fn first_halves(&mut self, board: &Board) -> FirstHalves {
        let root = self.turn(board.clone(), 0);
        FirstHalves {
            edges: self.edges(&root),
            table: Arc::clone(&self.table),
        }
    }

    /// By how many moves the winner of a position wins, as far as the solver gets before `go_on` says no.
    pub fn margin(
        &mut self,
        board: &Board,
        winner: Player,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Margin {
        let counted = counted_margin(board, winner);
        let mut margin = Margin {
            least: counted.unwrap_or(0),
            is_exact: counted.is_some(),
        };
        while !margin.is_exact {
            let passes = margin.least as i32 + 1;
            let besides = match winner {
                Player::Black => -passes,
                Player::White => passes,
            };
            match self.winner_besides(board, besides, &mut go_on) {
                Some(player) if player == winner => margin.least += 1,
                Some(_) => margin.is_exact = true,
                None => break,
            }
        }
        margin
    }

    /// The winner of a position in which black has so many moves besides those on the board, less white's.
    fn winner_besides(&mut self, board: &Board, besides: i32, go_on: GoOn<'_>) -> Option<Player> {
        let root = self.turn(board.clone(), besides);
        if let Some(winner) = self.certain_winner(&root) {
            return Some(winner);
        }
        self.is_broken_off = false;
        let known = self.table.get(root.key).filter(|known| known.is_proven());
        if known.is_none() && !self.goes_on(go_on) {
            return None;
        }
        match known.unwrap_or_else(|| self.search_together(&root, go_on)) {
            Numbers { win: 0.0, .. } => Some(board.to_move()),
            Numbers { loss: 0.0, .. } => Some(!board.to_move()),
            _ => None,
        }
    }

    /// Searches a node in all threads, until one of them has proven the winner or `go_on` says no in this one.
    fn search_together(&mut self, root: &Node, go_on: GoOn<'_>) -> Numbers {
        let mut helpers = std::mem::take(&mut self.helpers);
        let is_over = AtomicBool::new(false);
        let search = |solver: &mut Solver, go_on: GoOn<'_>| {
            solver.is_broken_off = false;
            let goes_on = &mut |nodes| !is_over.load(Relaxed) && go_on(nodes);
            let (numbers, _) = solver.search(root, Numbers::UNLIMITED, goes_on);
            is_over.store(true, Relaxed);
            numbers
        };
        let found = std::thread::scope(|scope| {
            let start = |helper| {
                let thread = std::thread::Builder::new();
                thread.spawn_scoped(scope, || search(helper, &mut |_| true))
            };
            // A thread that the system does not give is done without.
            let threads: Vec<_> = helpers.iter_mut().flat_map(start).collect();
            let own = search(self, go_on);
            let others = threads.into_iter().flat_map(|thread| thread.join());
            let proven = others.filter(|numbers| numbers.is_proven()).last();
            proven.filter(|_| !own.is_proven()).unwrap_or(own)
        });
        self.helpers = helpers;
        found
    }

    /// The winner of a node at which a turn begins, as far as it is certain.
    fn certain_winner(&mut self, node: &Node) -> Option<Player> {
        let essence = self.essences.of(&node.board, node.besides);
        self.essences.winner(&essence)
    }

    /// Best play from a position that is solved, as far as the solver gets before `go_on` says no.
    fn line(&mut self, board: &Board, winner: Player, go_on: GoOn<'_>) -> Vec<Move> {
        let mut node = self.turn(board.clone(), 0);
        let mut line = Vec::new();
        while certain_winner(&node.board).is_none() {
            let Some((turn, behind)) = self.best_turn(&node, winner, go_on) else {
                break;
            };
            line.push(turn);
            node = behind;
        }
        line
    }

    /// The winner's turn that wins, or the loser's on which most work was spent; and the node behind it.
    fn best_turn(&mut self, node: &Node, winner: Player, go_on: GoOn<'_>) -> Option<(Move, Node)> {
        let mut choose = |solver: &mut Solver, node: &Node| {
            let best = if node.board.to_move() == winner {
                let (_, easiest) = solver.search(node, Numbers::UNLIMITED, go_on);
                easiest.filter(|edge| edge.numbers.win == 0.0)
            } else {
                solver.most_refuted(node)
            };
            best.map(|Edge { step, key, .. }| (step, solver.follow(node, step, key)))
        };
        match choose(self, node) {
            None => self.counted_turn(node, winner, None, go_on),
            Some((Step::Fill, below)) => self.counted_turn(node, winner, Some(below.key), go_on),
            Some((step, below)) => {
                let (arrow, behind) = choose(self, &below)?;
                Some((step.turn_with(arrow)?, behind))
            }
        }
    }

    /// A turn in a region that is counted, and the node behind it: with this key, if there is one. Another one has to win, if the
    /// winner moves.
    fn counted_turn(
        &mut self,
        node: &Node,
        winner: Player,
        key: Option<Key>,
        go_on: GoOn<'_>,
    ) -> Option<(Move, Node)> {
        let counted = self.essences.of(&node.board, 0).counted;
        let mut turns = movegen::moves(&node.board);
        turns.retain(|turn| turn.from.bit() & counted != 0);
        let mut behind: Vec<_> = turns
            .into_iter()
            .map(|turn| {
                let mut board = node.board.clone();
                board.play(turn).expect("listed");
                (turn, self.turn(board, 0))
            })
            .collect();
        if let Some(at) = behind.iter().position(|(_, after)| Some(after.key) == key) {
            return Some(behind.swap_remove(at));
        }
        let is_losers = node.board.to_move() != winner;
        let mut wins = |after: &Node| self.winner(&after.board, go_on) == Some(winner);
        behind
            .into_iter()
            .find(|(_, after)| is_losers || wins(after))
    }

    /// The edge of a lost node on which most work was spent.
    fn most_refuted(&mut self, node: &Node) -> Option<Edge> {
        let edges = self.edges(node);
        let effort = |edge: &Edge| self.table.effort(edge.key);
        edges.iter().copied().max_by_key(effort)
    }

    /// Looks below a node until less than so much work proves neither side, or the winner is proven. Returns the numbers, and
    /// the edge with the least proof number: the winning one, if there is one.
    fn search(&mut self, node: &Node, limit: Numbers, go_on: GoOn<'_>) -> (Numbers, Option<Edge>) {
        self.nodes += 1;
        let nodes = self.nodes;
        let mut edges = self.edges(node);
        let found = loop {
            let Summary {
                numbers,
                best,
                second,
            } = Summary::of(&edges);
            let is_enough = numbers.win >= limit.win || numbers.loss >= limit.loss;
            if is_enough || numbers.is_proven() || !self.goes_on(go_on) {
                break (numbers, edges.get(best).copied());
            }
            let Edge {
                step,
                key,
                numbers: edge,
            } = edges[best];
            let below = self.follow(node, step, key);
            if self.is_shared {
                let busy = Numbers {
                    win: edge.win * BUSY_IS_HARDER,
                    ..edge
                };
                self.table.put(key, step.across(node.choice, busy), 0);
            }
            let allowed = Numbers {
                win: limit.win.min(second * PATIENCE).max(edge.win * STEP),
                loss: (limit.loss - (numbers.loss - edge.loss)).max(edge.loss * STEP),
            };
            let (found, easiest) = self.search(&below, step.across(node.choice, allowed), go_on);
            if node.choice == Choice::Amazon
                && let Some(arrow) = easiest.filter(|edge| edge.numbers == Numbers::WON)
                && let Some(turn) = step.turn_with(arrow.step)
            {
                self.replies.put(node.board.to_move(), turn);
            }
            edges[best].numbers = step.across(node.choice, found);
            if matches!(node.choice, Choice::Arrow(_)) && edges[best].numbers == Numbers::LOST {
                // The reply that has just won may win behind other arrows, too.
                self.try_replies(node, &mut edges, 1, |_| true);
            }
            if self.is_shared {
                self.table.look_up(node.choice, &mut edges);
            }
        };
        let effort = self.nodes - nodes;
        self.table.put(node.key, found.0, effort);
        found
    }

    /// Asks whether to look at one node more, until the answer is no.
    fn goes_on(&mut self, go_on: GoOn<'_>) -> bool {
        self.is_broken_off = self.is_broken_off || !go_on(self.nodes);
        !self.is_broken_off
    }

    /// The node at which a turn begins.
    fn turn(&mut self, board: Board, besides: i32) -> Node {
        let key = self.essences.of(&board, besides).key();
        Node {
            board,
            besides,
            choice: Choice::Amazon,
            key,
        }
    }

    /// The node behind an edge.
    fn follow(&self, node: &Node, step: Step, key: Key) -> Node {
        let (mut board, mut besides) = (node.board.clone(), node.besides);
        let mut choice = Choice::Amazon;
        match step {
            Step::Half(half_move) => choice = node.choice.play(&mut board, half_move),
            Step::Fill => {
                besides -= match board.to_move() {
                    Player::Black => 1,
                    Player::White => -1,
                };
                board.set_to_move(!board.to_move());
            }
        }
        Node {
            board,
            besides,
            choice,
            key,
        }
    }
}

impl Summary {
    /// To win, the easiest edge is enough. To lose, all edges have to.
    fn of(edges: &[Edge]) -> Summary {
        let mut summary = Summary {
            numbers: Numbers::LOST,
            best: 0,
            second: f32::INFINITY,
        };
        let numbers = &mut summary.numbers;
        for (at, edge) in edges.iter().enumerate() {
            let Numbers { win, loss } = edge.numbers;
            if win < numbers.win {
                (summary.second, numbers.win, summary.best) = (numbers.win, win, at);
            } else {
                summary.second = summary.second.min(win);
            }
            numbers.loss += loss;
        }
        summary
    }
}

/// By how many moves the winner wins, where both players' moves can be counted.
fn counted_margin(board: &Board, winner: Player) -> Option<u32> {
    let left = moves_left(board)?;
    let [own, other] = [winner, !winner].map(|player| left[player as usize]);
    // If both move in turn until the loser has no move, the winner has moved as often, or once more.
    Some(own - other - u32::from(winner == board.to_move()))
}
