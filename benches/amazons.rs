//! Speed benchmarks of the bot: `cargo bench` first prints the iterations and evaluations per second of four searches, then measures
//! search, move generation, evaluation, policy network and value network with criterion.
//!
//! At its end, the benchmark prints the number of children in a full search tree.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use engine::bitboard::{Kernel, Lanes};
use engine::board::{Board, Player, Square};
use engine::eval::policy::PolicyLogits;
use engine::eval::{self, Batch, Features, MAX_BATCH, Phase};
use engine::inspect::{NodeId, Tree};
use engine::mcts::{Params, Search};
use engine::{bench, movegen};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Number of plies between two successive [`bench::positions`].
const PLIES_BETWEEN_POSITIONS: usize = 6;

/// Positions that are searched: a name, and the number of plies played in the benchmark's game.
const SEARCHES: [(&str, usize); 4] = [("start", 0), ("early", 12), ("middle", 24), ("late", 30)];

/// Memory of a search tree, in bytes; the same as in the uploaded bot.
const MEMORY: usize = 176 << 20;

/// Returns the position of the benchmark's game after `plies` plies, with one arrow on the board for each ply.
fn position(plies: usize) -> Board {
    let mut board = bench::positions()[plies / PLIES_BETWEEN_POSITIONS].clone();
    for _ in 0..plies % PLIES_BETWEEN_POSITIONS {
        let moves = movegen::moves(&board);
        board
            .play(moves[moves.len() / 2])
            .expect("a generated move is legal");
    }
    board
}

fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("moves");
    for plies in [0, 10, 20, 30, 40] {
        let board = position(plies);
        group.throughput(Throughput::Elements(movegen::count(&board)));
        group.bench_function(BenchmarkId::new("generate", plies), |bencher| {
            bencher.iter(|| {
                let mut checksum = 0;
                movegen::for_each_move(black_box(&board), |turn| {
                    checksum ^= turn.arrow.index() ^ turn.to.index()
                });
                checksum
            });
        });
    }
    group.finish();
}

/// Plays an amazon move without its arrow. Returns the position, and the sets of the single squares that the arrow can reach,
/// repeated until they fill a batch of the evaluation.
fn arrow_batch(board: &Board) -> (Board, Vec<u64>) {
    let moves = movegen::moves(board);
    let turn = moves[moves.len() / 2];
    let mut board = board.clone();
    board.move_amazon(turn.from, turn.to);
    let mut arrows = Vec::new();
    movegen::for_each_target(&board, turn.to, |target| arrows.push(target.bit()));
    (board, arrows.into_iter().cycle().take(MAX_BATCH).collect())
}

/// Kernel that computes the evaluation's features of the position after each arrow, one position at a time, for comparison
/// with the vectorised batch.
struct ScalarFeatures<'a>(&'a Board, &'a [u64]);

impl Kernel for ScalarFeatures<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u64 {
        let ScalarFeatures(board, arrows) = self;
        let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
        let mut sum = 0_u64;
        for arrow in arrows {
            let features = Features::compute(black, white, board.empty() & !arrow);
            sum = sum.wrapping_add(features.weighted_sum(&[1; 9]));
        }
        sum
    }
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluate");
    for plies in [0, 10, 20, 30, 40] {
        let (board, arrows) = arrow_batch(&position(plies));
        let phase = Phase::after_arrow(&board);
        let mut batch = Batch::default();
        batch.fill(&board, arrows.iter().copied());
        group.throughput(Throughput::Elements(arrows.len() as u64));
        group.bench_function(BenchmarkId::new("batch", plies), |bencher| {
            bencher.iter(|| {
                eval::evaluate(black_box(&mut batch), phase);
                batch.log_odds().max()
            });
        });
        group.bench_function(BenchmarkId::new("one by one, safe", plies), |bencher| {
            bencher.iter(|| ScalarFeatures(black_box(&board), black_box(&arrows)).run::<u64>());
        });
    }
    group.finish();
}

fn policy(criterion: &mut Criterion) {
    let weights = eval::policy::parse(eval::policy::WEIGHTS).expect("the compiled-in weights");
    let policy = weights.network();
    let mut group = criterion.benchmark_group("policy");
    for plies in [0, 10, 20, 30, 40] {
        let board = position(plies);
        let turns = movegen::moves(&board).into_iter();
        let mut moves: Vec<(Square, Square)> = turns.map(|turn| (turn.from, turn.to)).collect();
        moves.dedup();
        let mut logits = PolicyLogits::default();
        group.bench_function(BenchmarkId::from_parameter(plies), |bencher| {
            bencher.iter(|| {
                logits.compute(&policy, black_box(&board), None, moves.iter().copied());
                let log_odds = |&(from, to)| i64::from(logits.log_odds(from, to));
                moves.iter().map(log_odds).sum::<i64>()
            });
        });
    }
    group.finish();
}

/// Number of positions that the value network evaluates in one measurement; all follow from the same board by one turn, as in
/// a search.
const VALUE_POSITIONS: usize = 64;

fn network(criterion: &mut Criterion) {
    let network = eval::value::parse(eval::value::WEIGHTS)
        .expect("the compiled-in network")
        .network();
    let mut group = criterion.benchmark_group("network");
    for arrows in [0, 10, 20, 30, 40] {
        let board = position(arrows);
        let moves = movegen::moves(&board);
        let boards: Vec<Board> = (0..VALUE_POSITIONS)
            .map(|number| {
                let mut board = board.clone();
                let turn = moves[number * moves.len() / VALUE_POSITIONS];
                board.play(turn).expect("a generated move is legal");
                board
            })
            .collect();
        group.throughput(Throughput::Elements(boards.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(arrows), |bencher| {
            bencher.iter(|| {
                let log_odds = |board| network.log_odds(black_box(board), 0);
                boards.iter().map(log_odds).max()
            });
        });
    }
    group.finish();
}

fn iterations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("iterations");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(4));
    for (name, plies) in SEARCHES {
        let board = position(plies);
        let new_search = || Search::new(board.clone(), MEMORY, 1, Params::default());
        let run = |mut search: Search| {
            search.run(|done| done < 100_000);
            search
        };
        // A search that proves the winner ends early. All searches of a position run equally many iterations.
        group.throughput(Throughput::Elements(run(new_search()).report().iterations));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(new_search, run, criterion::BatchSize::PerIteration);
        });
    }
    group.finish();
}

/// Searches each of [`SEARCHES`] for one second from an empty tree, and prints the iterations and evaluations per second.
fn print_search_speeds() {
    for (name, plies) in SEARCHES {
        let mut search = Search::new(position(plies), MEMORY, 1, Params::default());
        let start = Instant::now();
        search.run(|done| done % 64 != 0 || start.elapsed() < Duration::from_secs(1));
        let report = search.report();
        let per_second = |count: u64| count as f64 / start.elapsed().as_secs_f64();
        println!(
            "{name:>6} ({plies:2} arrows): {:8.0} iterations/s, {:9.0} evaluations/s",
            per_second(report.iterations),
            per_second(report.evaluations)
        );
    }
}

/// Returns the number of edges of a node and of all nodes in its subtree, including unvisited edges.
fn count_children(tree: &Tree, node: NodeId) -> usize {
    let mut count = tree.edge_count(node);
    tree.for_each_edge(node, |_, child| {
        count += child.node.map_or(0, |node| count_children(tree, node))
    });
    count
}

/// Searches until the tree's memory is full, and prints how many children the tree holds and how many bytes each one takes.
fn print_tree_size() {
    let mut search = Search::new(Board::start(), MEMORY, 1, Params::default());
    while search.tree().bytes_in_use() < MEMORY - MEMORY / 1000 {
        search.run(|done| done < 1000);
    }
    let (tree, visits) = (search.tree(), search.tree().root_visits());
    let children = tree.root().map_or(0, |root| count_children(tree, root));
    println!(
        "  full: {children} children in {} MB after {visits} iterations, {:.1} bytes a child",
        tree.bytes_in_use() / 1_000_000,
        tree.bytes_in_use() as f64 / children as f64
    );
}

criterion_group!(benches, iterations, generation, evaluation, policy, network);

fn main() {
    print_search_speeds();
    benches();
    Criterion::default().configure_from_args().final_summary();
    print_tree_size();
}
