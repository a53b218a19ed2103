//! Collects results, which come in any order, into games, in theirs.

use crate::tools::analysis::analysed::{Analysis, Source};
use crate::tools::analysis::position::Position;

/// A position to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Number of its game.
    pub game: usize,
    /// Plies before it.
    pub at: usize,
}

/// Results on some games.
pub struct Collected<'a> {
    sources: &'a [Source],
    /// Skipped plies of the first game.
    skipped: usize,
    /// By game, from the first wanted position on.
    positions: Vec<Vec<Option<Position>>>,
    /// Number of games that were handed on.
    taken: usize,
}

/// The unfinished game after an interrupted search.
pub struct Rest {
    /// Number of the first game that is not whole.
    pub game: usize,
    /// The plies of it that are done, if there are any.
    pub part: Option<Analysis>,
    /// The first ply that is not.
    pub next: usize,
}

impl<'a> Collected<'a> {
    /// An empty collection; so many plies of the first game are skipped.
    #[must_use]
    pub fn new(sources: &'a [Source], skipped: usize) -> Collected<'a> {
        let mut found = Collected {
            sources,
            skipped,
            positions: Vec::new(),
            taken: 0,
        };
        let wanted = |(game, source): (usize, &Source)| source.game.plies() + 1 - found.from(game);
        let counts = sources.iter().enumerate().map(wanted);
        found.positions = counts.map(|count| vec![None; count]).collect();
        found
    }

    /// All positions that are wanted, in order.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        let of_game = |(game, positions): (usize, &Vec<_>)| {
            let from = self.from(game);
            (from..from + positions.len()).map(move |at| Task { game, at })
        };
        let games = self.positions.iter().enumerate();
        games.flat_map(of_game).collect()
    }

    /// Plies of a game that are left out.
    const fn from(&self, game: usize) -> usize {
        if game == 0 { self.skipped } else { 0 }
    }

    /// Takes what was found in a position.
    pub fn put(&mut self, task: Task, position: Position) {
        let from = self.from(task.game);
        self.positions[task.game][task.at - from] = Some(position);
    }

    /// The next finished game, and where it comes from.
    pub fn next_whole(&mut self) -> Option<(&'a Source, Analysis)> {
        let positions = self.positions.get_mut(self.taken)?;
        if !positions.iter().all(Option::is_some) {
            return None;
        }
        let positions = positions.iter_mut().filter_map(Option::take).collect();
        let game = self.taken;
        self.taken += 1;
        let (source, from) = (&self.sources[game], self.from(game));
        Some((source, Analysis::new(source, from, positions)))
    }

    /// The first unfinished game; nothing if all are finished.
    #[must_use]
    pub fn rest(mut self) -> Option<Rest> {
        let (game, from) = (self.taken, self.from(self.taken));
        let positions = self.positions.get_mut(game)?.iter_mut();
        let positions: Vec<Position> = positions.map_while(Option::take).collect();
        // The last ply is not finished: its loss depends on the next one's.
        let done = positions.len().saturating_sub(1);
        Some(Rest {
            game,
            part: (done > 0).then(|| Analysis::new(&self.sources[game], from, positions)),
            next: from + done + 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::tools::analysis::position::{Searcher, means};
    use crate::tools::record::replayed::Replayed;
    use std::sync::atomic::AtomicBool;

    fn source(moves: &[&str]) -> Source {
        let moves = moves.iter().map(|turn| turn.parse().expect("a move"));
        Source {
            title: "a game".to_owned(),
            game: Replayed::of_moves(&moves.collect::<Vec<_>>()).expect("legal"),
        }
    }

    fn search(sources: &[Source], task: Task) -> Position {
        let stop = AtomicBool::new(false);
        let searcher = Searcher {
            budget: Budget::Iterations(5),
            means: means(1 << 20, 1),
            multipv: 1,
            stop: &stop,
        };
        let game = &sources[task.game].game;
        let position = searcher.position(&game.board_at(task.at), game.move_at(task.at));
        position.expect("not broken off")
    }

    /// Two games of two and three plies, the first one from its second ply on.
    #[test]
    fn games_come_in_order_and_an_unfinished_one_up_to_its_first_gap() {
        let moves = ["c1 c6 f6", "a6 a4 h4", "f1 f5 b5"];
        let sources = [source(&moves[..2]), source(&moves)];
        let mut found = Collected::new(&sources, 1);
        let tasks = found.tasks();
        let places: Vec<_> = tasks.iter().map(|task| (task.game, task.at)).collect();
        assert_eq!(places, [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (1, 3)]);
        // All but one of the second game, then the first game backwards.
        for at in [2, 3, 5, 1] {
            found.put(tasks[at], search(&sources, tasks[at]));
            assert!(found.next_whole().is_none());
        }
        found.put(tasks[0], search(&sources, tasks[0]));
        let (_, first) = found.next_whole().expect("whole");
        assert_eq!(first.summary.analysed, Some([2, 3]));
        let plies = first.plies.iter();
        let plies: Vec<_> = plies.map(|ply| (ply.ply, ply.loss.is_some())).collect();
        assert_eq!(plies, [(2, true), (3, false)]);
        assert!(found.next_whole().is_none());
        let rest = found.rest().expect("a game is not whole");
        assert_eq!((rest.game, rest.next), (1, 2));
        let part = rest.part.expect("a ply is done");
        assert_eq!(part.summary.analysed, Some([1, 1]));
        assert_eq!(part.plies.len(), 1);
        assert!(part.plies[0].loss.is_some());
    }

    #[test]
    fn whole_games_leave_no_rest_and_one_position_no_part() {
        let sources = [source(&["c1 c6 f6"])];
        let mut found = Collected::new(&sources, 0);
        let tasks = found.tasks();
        found.put(tasks[0], search(&sources, tasks[0]));
        found.put(tasks[1], search(&sources, tasks[1]));
        let (_, second) = found.next_whole().expect("whole");
        assert_eq!(second.summary.analysed, None);
        assert!(found.rest().is_none());
        let mut found = Collected::new(&sources, 0);
        found.put(tasks[0], search(&sources, tasks[0]));
        let rest = found.rest().expect("a game is not whole");
        assert!(rest.part.is_none());
        assert_eq!((rest.game, rest.next), (0, 1));
    }
}
