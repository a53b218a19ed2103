//! A mind: it chooses moves as strong as it is told to, follows a game, and studies positions, in the thread that calls it.

use super::level::{Method, Strength, glance};
use super::root_parallel::{Means, RootParallel};
use crate::board::{Board, Move, Player};
use crate::botzone::options::Options;
use crate::budget::Budget;
use crate::clock::Clock;
use crate::eval::{MAX_LOG_ODDS, evaluate_board, log_odds, probability};
use crate::mcts::seen_by;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::cell::Cell;
use std::time::Duration;

/// Iterations of a slice between two looks at the clock.
const ITERATIONS_PER_LOOK: u64 = 16;

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought {
    /// The move.
    pub turn: Move,
    /// Win probability of black.
    pub black_wins: f32,
}

impl Thought {
    /// Win probability of a player.
    #[must_use]
    pub fn win_probability(&self, player: Player) -> f32 {
        seen_by(player, self.black_wins)
    }
}

/// An engine that thinks. What it finds depends on what it was asked before and on nothing else, unless it is asked by time.
pub struct Mind {
    /// What it has to think with.
    pub(crate) means: Means,
    /// Whether a turn by a budget goes on with the trees of the turn before.
    keeps_trees: bool,
    /// The search of the last turn, or of the position that is studied.
    search: Option<RootParallel>,
    /// Iterations since that position was set.
    pub(crate) iterations: u64,
    /// Length of the longest path since then, in plies.
    pub(crate) depth: usize,
}

impl Mind {
    /// A mind that plays a game: its trees are kept from turn to turn.
    #[must_use]
    pub const fn new(means: Means) -> Mind {
        Mind {
            means,
            keeps_trees: true,
            search: None,
            iterations: 0,
            depth: 0,
        }
    }

    /// A mind that begins every turn anew, so that it is as strong after a hint or an undo as before. Only the uploaded bot's
    /// turns go on with its trees.
    #[must_use]
    pub fn forgetful(means: Means) -> Mind {
        Mind {
            keeps_trees: false,
            ..Mind::new(means)
        }
    }

    /// Chooses a move. Finds nothing where there is no move, or if it is broken off.
    pub fn think(
        &mut self,
        board: &Board,
        strength: Strength,
        broken_off: &dyn Fn() -> bool,
    ) -> Option<Thought> {
        if broken_off() {
            return None;
        }
        let is_level = matches!(strength, Strength::Level(_));
        match strength.method() {
            Method::Glance(count) => self.glance(board, count),
            Method::Uploaded => {
                let options = Options::default();
                self.think_on(board, |is_first| options.budget(is_first), broken_off)
            }
            Method::Search(budget) if self.keeps_trees && !is_level => {
                self.think_on(board, |_| budget, broken_off)
            }
            Method::Search(budget) => {
                // One thread is what the levels are measured with.
                let threads = if is_level { 1 } else { self.means.threads };
                let means = self.means.clone();
                let mut search = RootParallel::new(board, &Means { threads, ..means });
                decide(&mut search, budget, broken_off)
            }
        }
    }

    /// The best of some random moves. Which ones depends on the seed and the position alone.
    fn glance(&self, board: &Board, count: usize) -> Option<Thought> {
        let seed = self.means.seed ^ board.empty();
        let turn = glance(board, count, &mut SmallRng::seed_from_u64(seed))?;
        let log_odds = log_odds(evaluate_board(board).clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS));
        let black_wins = probability(log_odds);
        Some(Thought { turn, black_wins })
    }

    /// Chooses a move with the trees of the turn before, if one move leads from there to the board, and plays it in them.
    /// `budget`: that of a first turn or a later one.
    fn think_on(
        &mut self,
        board: &Board,
        budget: impl Fn(bool) -> Budget,
        broken_off: &dyn Fn() -> bool,
    ) -> Option<Thought> {
        let known = self.search.take();
        let known = known.and_then(|mut search| search.follow_turn(board).then_some(search));
        let budget = budget(known.is_none());
        let mut search = known.unwrap_or_else(|| RootParallel::new(board, &self.means));
        let thought = decide(&mut search, budget, broken_off)?;
        search.advance_root(thought.turn);
        self.search = Some(search);
        Some(thought)
    }

    /// Memory that the trees take, in bytes.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.search.as_ref().map_or(0, RootParallel::bytes_in_use)
    }

    /// Turns to a position, to study it. What is known is kept if it is known of this position, or of the one a move before.
    pub fn study(&mut self, board: &Board) {
        (self.iterations, self.depth) = (0, 0);
        match &mut self.search {
            Some(search) => search.follow(board),
            None => self.search = Some(RootParallel::new(board, &self.means)),
        }
    }

    /// The search of the position that is studied, if there is one.
    #[must_use]
    pub const fn search(&self) -> Option<&RootParallel> {
        self.search.as_ref()
    }

    /// Searches the position that is studied, and goes on with what it knows of it.
    ///
    /// # Panics
    /// If no position was set.
    pub fn go_on(&mut self, budget: Budget, broken_off: &dyn Fn() -> bool) -> &RootParallel {
        let search = self.search.as_mut().expect("a position is studied");
        search.spend(budget, broken_off);
        let report = search.report();
        self.iterations += report.iterations;
        self.depth = self.depth.max(report.depth);
        search
    }

    /// Goes on for some time, or until so many iterations are done since the position was set, or the winner is certain.
    ///
    /// # Panics
    /// If no position was set.
    pub fn slice(&mut self, time: Duration, most: u64) {
        let (clock, asked) = (Clock::of_wall(), Cell::new(0));
        let is_over = || {
            let number: u64 = asked.replace(asked.get() + 1);
            number.is_multiple_of(ITERATIONS_PER_LOOK) && clock.elapsed() >= time
        };
        let left = most.saturating_sub(self.iterations);
        self.go_on(Budget::Iterations(left), &is_over);
    }
}

/// Runs a search, and chooses its best move. Finds nothing where there is no move, or if it is broken off.
fn decide(
    search: &mut RootParallel,
    budget: Budget,
    broken_off: &dyn Fn() -> bool,
) -> Option<Thought> {
    search.spend(budget, broken_off);
    if broken_off() {
        return None;
    }
    let turn = search.best_move()?;
    let win_probability = search.report().win_probability;
    let black_wins = seen_by(search.board().to_move(), win_probability);
    Some(Thought { turn, black_wins })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::level::LEVELS;
    use super::*;
    use rand::RngExt;

    pub fn means(threads: usize) -> Means {
        Means::new(8 << 20, threads, 5)
    }

    const NEVER: &dyn Fn() -> bool = &|| false;

    pub fn few(iterations: u64) -> Strength {
        Strength::Budget(Budget::Iterations(iterations))
    }

    #[test]
    fn slices_of_any_size_find_what_the_whole_search_finds() {
        let mut random = SmallRng::seed_from_u64(1);
        let mut whole = Mind::new(means(1));
        whole.study(&Board::start());
        let found = whole.go_on(Budget::Iterations(2000), NEVER).turns();
        let mut sliced = Mind::new(means(1));
        sliced.study(&Board::start());
        let mut most = 0;
        while most < 2000 {
            most = 2000.min(most + random.random_range(0..400));
            sliced.slice(Duration::MAX, most);
            assert_eq!(sliced.iterations, most);
        }
        let search = sliced.search().expect("a position is studied");
        assert_eq!(format!("{:?}", search.turns()), format!("{found:?}"));
        assert_eq!(sliced.depth, whole.depth);
        sliced.slice(Duration::ZERO, u64::MAX);
        assert_eq!(sliced.iterations, 2000, "there was no time");
    }

    /// Only a mind that plays a game finds more on its second turn than a new one would.
    #[test]
    fn trees_are_kept_unless_a_mind_is_forgetful() {
        let mut board = Board::start();
        let mut minds = [Mind::new(means(1)), Mind::forgetful(means(1))];
        for mind in &mut minds {
            mind.think(&board, few(3000), NEVER);
        }
        let turn = minds[0].search().and_then(|search| {
            board = search.board().clone();
            search.best_move()
        });
        board.play(turn.expect("a move")).expect("legal");
        let anew = Mind::new(means(1)).think(&board, few(30), NEVER);
        let [kept, forgot] = minds
            .each_mut()
            .map(|mind| mind.think(&board, few(30), NEVER));
        assert_eq!(forgot, anew);
        assert_ne!(kept, anew);
    }

    /// Each level chooses as in a mind of its own that has never thought before, whatever the threads.
    #[test]
    fn a_level_is_as_strong_whoever_plays_it() {
        let mut game = Mind::new(means(3));
        let mut board = Board::start();
        for level in (1..=6).chain(1..=6) {
            let strength = Strength::Level(level);
            let thought = game.think(&board, strength, NEVER).expect("a move");
            let alone = Mind::forgetful(means(1)).think(&board, strength, NEVER);
            assert_eq!(Some(thought), alone);
            board.play(thought.turn).expect("legal");
        }
        for level in 7..=LEVELS.len() as u8 {
            let thought = game.think(&board, Strength::Level(level), NEVER);
            let thought = thought.expect("a move");
            board.play(thought.turn).expect("legal");
            assert!((0.0..=1.0).contains(&thought.black_wins));
        }
    }

    #[test]
    fn what_is_broken_off_finds_nothing() {
        let mut mind = Mind::new(means(2));
        let hours = Strength::Budget(Budget::Time(Duration::from_secs(86_400)));
        let levels = [1, 5, 15].map(Strength::Level);
        for strength in levels.into_iter().chain([hours]) {
            assert_eq!(mind.think(&Board::start(), strength, &|| true), None);
        }
    }
}
