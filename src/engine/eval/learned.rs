//! The two networks that a search asks: those that are compiled in, or others, read while the program runs.

use super::network::{self, Network};
use super::order::{self, Order};
use super::{evaluate_board, log_odds, probability};
use crate::board::{Board, Player};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// A value network and an order network for a [`Search`](crate::mcts::Search). Copies share the weights.
///
/// By default those that are compiled in. Others are read from the text that `amazons train` writes:
///
/// ```no_run
/// use amazons_engine::{board::Board, eval::Networks, mcts::{Params, Search}};
///
/// let text = std::fs::read_to_string("weights.txt")?;
/// let networks = Networks::default().with_value(&text)?;
/// let search = Search::new(Board::start(), 32 << 20, 1, Params::default()).with_networks(networks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Networks {
    /// Judges the position at which an iteration ends.
    pub(crate) value: Arc<Network>,
    /// Orders amazon's moves and arrows.
    pub(crate) order: Arc<Order>,
}

/// The networks that are compiled in.
static COMPILED: LazyLock<Networks> = LazyLock::new(|| {
    let value = network::parse(network::WEIGHTS).expect("`amazons train` wrote the file");
    let order = order::parse(order::WEIGHTS).expect("`amazons train order` wrote the file");
    Networks {
        value: Arc::new(value.network()),
        order: Arc::new(order.order()),
    }
});

impl Default for Networks {
    fn default() -> Networks {
        COMPILED.clone()
    }
}

impl Networks {
    /// These with the value network of a text.
    ///
    /// # Errors
    /// If the text holds none; the message says what was expected.
    pub fn with_value(self, text: &str) -> Result<Networks, String> {
        let value = Arc::new(network::parse(text)?.network());
        Ok(Networks { value, ..self })
    }

    /// These with the order network of a text.
    ///
    /// # Errors
    /// If the text holds none; the message says what was expected.
    pub fn with_order(self, text: &str) -> Result<Networks, String> {
        let order = Arc::new(order::parse(text)?.order());
        Ok(Networks { order, ..self })
    }

    /// Win probability of the player to move, who has a move, by the value network: what a search starts from. Nothing is
    /// searched. [`evaluate_board`] is cheaper, judges worse and says how *black* stands.
    ///
    /// ```
    /// use amazons_engine::{board::Board, eval::Networks};
    ///
    /// let mut board = Board::start();
    /// board.play("c1 c6 f6".parse()?)?;
    /// let white_wins = Networks::default().win_probability(&board);
    /// # assert!((0.3..0.7).contains(&white_wins));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win_probability(&self, board: &Board) -> f32 {
        let cheap = match board.to_move() {
            Player::Black => evaluate_board(board),
            Player::White => -evaluate_board(board),
        };
        probability(log_odds(self.value.log_odds(board, cheap)))
    }
}

impl fmt::Debug for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Networks").finish_non_exhaustive()
    }
}
