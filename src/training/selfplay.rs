//! `amazons selfplay`: plays games of the engine against itself and stores them as training data for the networks and
//! the evaluation's weights.

use super::games::{self, Ply, SelfPlayGame, SelfPlaySettings, VisitShares};
use super::{book, merge};
use analysis::networks::NetworkFiles;
use base::error::Result;
use base::progress;
use base::schedule::{Shard, parse_shard};
use base::workers::{self, WorkerPool};
use engine::board::{Board, Move};
use engine::budget::Budget;
use engine::clock::Clock;
use engine::console::{escaped, print};
use engine::eval::Networks;
use engine::inspect::{Edge, NodeId, Tree};
use engine::mcts::{Params, Search};
use engine::movegen;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Memory limit, in bytes, of the search tree with which a self-play game is played.
const TREE_BYTES: usize = 4 << 20;

/// Let the engine play itself and write the games with their results
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Subcommand>,
    /// Number of games
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    games: u32,
    #[command(flatten)]
    settings: SelfPlaySettings,
    // `display_order` lists `--out` in the help directly after `--games` and `--iterations`, the other important
    // options.
    /// File to which games are appended; games that it already holds are not played again
    #[arg(long, value_name = "FILE", required = true, display_order = 3)]
    out: Option<PathBuf>,
    /// Number of games played at the same time, each on its own core [default: one per core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Play only part I of N of the games, for example 2/8, to divide them among machines
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = parse_shard)]
    shard: Shard,
    #[command(flatten)]
    networks: NetworkFiles,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// Merge files of games with the same settings, for example all parts of --shard, into one file, and list the
    /// missing games
    Merge(merge::Args),
    /// Write an opening book: the tree of the first plies of a file's games, with win probabilities from searches
    Book(book::Args),
}

/// Plays those games of the self-play run that the output file does not contain yet, or runs the subcommand `merge` or
/// `book`. Returns the exit code: 0, or 130 if Ctrl-C ended the command early.
///
/// # Errors
/// - If a file can't be read or written, or the output file contains games of a run with other settings.
/// - If `--min-plies` exceeds `--max-plies`, or the output file contains a game number not below `--games`.
pub fn run(args: &Args) -> Result<u8> {
    match &args.command {
        Some(Subcommand::Merge(args)) => return merge::run(args),
        Some(Subcommand::Book(args)) => return book::run(args),
        None => {}
    }
    let out = args.out.as_ref().ok_or("expected --out FILE")?;
    if args.settings.min_plies > args.settings.max_plies {
        return Err("--min-plies: expected no more than --max-plies".into());
    }
    let chosen = args.networks.read()?;
    let [value_network, policy_network] = chosen.checksums;
    let schedule = SelfPlaySettings {
        value_network,
        policy_network,
        ..args.settings
    };
    let stop = workers::stop_on_interrupt()?;
    let (mut file, existing) = games::open(out, schedule)?;
    let name = out.display().to_string();
    let mut plies: usize = existing.iter().map(|game| game.plies.len()).sum();
    let existing: HashSet<u32> = existing.iter().map(|game| game.number).collect();
    if let Some(surplus) = existing.iter().find(|&&number| number >= args.games) {
        let fault = format!("expected numbers below {}, as --games says", args.games);
        return Err(format!("{name}: game {surplus}: {fault}").into());
    }
    let in_shard = |number: &u32| *number as usize % args.shard.count == args.shard.index;
    let missing: Vec<u32> = (0..args.games)
        .filter(in_shard)
        .filter(|number| !existing.contains(number))
        .collect();
    let mut count = existing.len();
    let progress = progress::bar(missing.len() as u64, "games, {per_sec}, {eta} to go");
    let is_cancelled = || stop.load(Ordering::SeqCst);
    let play = |number: u32| play(schedule, &chosen.networks, number, is_cancelled);
    let threads = args.concurrency.map(usize::from);
    let pool = WorkerPool::for_tasks(threads, missing.len(), 1)?;
    pool.run(&missing, play, |game: SelfPlayGame| {
        file.append(&game.to_bytes())?;
        count += 1;
        plies += game.plies.len();
        progress.inc(1);
        Ok(())
    })?;
    progress.finish_and_clear();
    let name = escaped(&name);
    print(format_args!("{name}: {count} games, {plies} plies\n"))?;
    Ok(workers::exit_code(is_cancelled()))
}

/// Plays game number `number` of the self-play run with the settings `schedule`: first a random opening, then searched
/// moves until a player can't move. Returns `None` if `is_cancelled` returned true after a search.
///
/// # Panics
/// If the search returns an illegal move.
pub(super) fn play(
    schedule: SelfPlaySettings,
    networks: &Networks,
    number: u32,
    is_cancelled: impl Fn() -> bool,
) -> Option<SelfPlayGame> {
    let mut board = Board::start();
    let opening = schedule.opening(number);
    let opening_plies = opening.len() as u8;
    let mut plies = Vec::new();
    for turn in opening {
        board.play(turn).expect("an opening is legal");
        plies.push(Ply {
            turn,
            win_probability: 0.0,
            is_noise: false,
            shares: VisitShares::default(),
        });
    }
    let seed = schedule.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(number);
    let search = Search::new(board.clone(), TREE_BYTES, seed, Params::default());
    let mut search = search.with_networks(networks.clone());
    let clock = Clock::wall_only();
    let mut random = SmallRng::seed_from_u64(!seed);
    while movegen::count(&board) > 0 {
        Budget::Iterations(schedule.iterations).spend(&mut search, &clock, &is_cancelled);
        if is_cancelled() {
            return None;
        }
        let best = search.best_move().expect("there is a move");
        let turn = draw_noise_move(&search, schedule.noise, &mut random).unwrap_or(best);
        let report = search.report();
        plies.push(Ply {
            turn,
            win_probability: report.win_probability,
            is_noise: turn != best,
            shares: match report.iterations {
                0 => VisitShares::default(),
                _ => VisitShares::from_search(&search, turn),
            },
        });
        board.play(turn).expect("a searched move is legal");
        search.advance_root(turn).expect("a searched move is legal");
    }
    Some(SelfPlayGame {
        number,
        opening_plies,
        winner: !board.to_move() as u8,
        plies,
    })
}

/// Returns a random move (noise) with the probability `probability`, and otherwise `None`. The move consists of a
/// random amazon move that the search has visited and a random visited arrow shot after it.
///
/// Also returns `None` if the winner is proven. If the side to move has won, a random move could only lose the game; if
/// it has lost, no move changes the winner.
fn draw_noise_move(search: &Search, probability: f32, random: &mut SmallRng) -> Option<Move> {
    if !random.random_bool(probability.into()) || search.winner().is_some() {
        return None;
    }
    let tree = search.tree();
    let amazon = draw_visited_edge(tree, tree.root()?, random)?;
    let arrow = draw_visited_edge(tree, amazon.node?, random)?;
    Some(amazon.action.followed_by(arrow.action))
}

/// Draws one of the amazon moves or arrow shots that the search has visited in `node`, all with equal probability.
/// Returns the search tree's edge for it, or `None` if the search has visited none.
fn draw_visited_edge(tree: &Tree, node: NodeId, random: &mut SmallRng) -> Option<Edge> {
    let mut edges = Vec::new();
    tree.for_each_edge(node, |_, edge| edges.push(edge));
    edges.choose(random).copied()
}
