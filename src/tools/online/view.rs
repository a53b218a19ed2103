//! What is shown of the matches under way, whatever shows it.

use super::seat::{Seat, Stage};
use super::session::Session;
use crate::board::{Board, Player};
use crate::tools::platform::address::Id;
use std::time::{Duration, Instant};

/// A match under way, as people see it.
#[derive(Clone, Debug)]
pub struct MatchView {
    /// The match.
    pub id: Id,
    /// Its position, our last answer played.
    pub board: Board,
    /// Number of plies played.
    pub plies: usize,
    /// Our colour, once it is known.
    pub colour: Option<Player>,
    /// Our win probability when we last moved.
    pub chance: Option<f32>,
    /// Whether we are to move.
    pub is_ours: bool,
    /// Time since the last move or request.
    pub clock: Duration,
}

/// What is kept of a match beside its seat.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// The last time that something happened.
    pub heard: Instant,
    /// When its log may be fetched next.
    pub next_log: Instant,
    /// Fetches of its log that brought nothing.
    pub fetches: u32,
    /// Our win probability when we last moved.
    pub chance: Option<f32>,
}

impl Detail {
    /// A match that begins.
    #[must_use]
    pub fn new() -> Detail {
        let now = Instant::now();
        Detail {
            heard: now,
            next_log: now,
            fetches: 0,
            chance: None,
        }
    }
}

impl Default for Detail {
    fn default() -> Detail {
        Detail::new()
    }
}

/// A match as people see it.
fn view(id: Id, seat: &Seat, detail: Detail) -> MatchView {
    let mut board = seat.board().clone();
    let answered = seat
        .answer()
        .is_some_and(|answer| board.play(answer).is_ok());
    MatchView {
        id,
        board,
        plies: seat.moves().len() + usize::from(answered),
        colour: seat.colour(),
        chance: detail.chance,
        is_ours: matches!(seat.stage(), Stage::Thinking | Stage::Due),
        clock: detail.heard.elapsed(),
    }
}

/// All matches as people see them.
#[must_use]
pub fn views(session: &Session, detail: impl Fn(Id) -> Detail) -> Vec<MatchView> {
    let seats = session.seats().iter();
    seats
        .map(|(&id, seat)| view(id, seat, detail(id)))
        .collect()
}
