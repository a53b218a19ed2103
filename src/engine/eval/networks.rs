//! [`Networks`], a value network and a policy network for a search: compiled into the program or parsed from text.

use super::policy::{self, PolicyNetwork};
use super::value::{self, ValueNetwork};
use super::{evaluate_board, log_odds, probability};
use crate::board::{Board, Player};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// A value network and a policy network for a [`Search`](crate::mcts::Search). Cloning is cheap, because clones share
/// the weights.
///
/// The default networks are compiled in. Others can be parsed from the text files that `amazons train` writes:
///
/// ```no_run
/// use engine::{board::Board, eval::Networks, mcts::{Params, Search}};
///
/// let text = std::fs::read_to_string("weights.txt")?;
/// let networks = Networks::default().with_value(&text)?;
/// let search = Search::new(Board::start(), 32 << 20, 1, Params::default()).with_networks(networks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Networks {
    /// Value network, which evaluates the leaves of the search tree.
    pub(crate) value: Arc<ValueNetwork>,
    /// Policy network, which predicts how a search distributes its visits over the moves of a position's amazons, or
    /// over the arrow shots after an amazon's move.
    pub(crate) policy: Arc<PolicyNetwork>,
}

/// Networks that are compiled into the program as text. The text is parsed when they are used for the first time.
static COMPILED: LazyLock<Networks> = LazyLock::new(|| {
    let value = value::parse(value::WEIGHTS).expect("`amazons train` wrote the file");
    let policy = policy::parse(policy::WEIGHTS).expect("`amazons train policy` wrote the file");
    Networks {
        value: Arc::new(value.network()),
        policy: Arc::new(policy.network()),
    }
});

impl Default for Networks {
    fn default() -> Networks {
        COMPILED.clone()
    }
}

impl Networks {
    /// Replaces the value network by the network in `text`, the contents of a file that `amazons train` has written.
    ///
    /// # Errors
    /// If `text` is not a value network or is damaged; the message says what was expected.
    pub fn with_value(self, text: &str) -> Result<Networks, String> {
        let value = Arc::new(value::parse(text)?.network());
        Ok(Networks { value, ..self })
    }

    /// Replaces the policy network by the network in `text`, the contents of a file that `amazons train policy` has
    /// written.
    ///
    /// # Errors
    /// If `text` is not a policy network or is damaged; the message says what was expected.
    pub fn with_policy(self, text: &str) -> Result<Networks, String> {
        let policy = Arc::new(policy::parse(text)?.network());
        Ok(Networks { policy, ..self })
    }

    /// Returns the probability, from 0 to 1, that the side to move wins, by the value network without a search. The
    /// side to move must have a legal move. [`evaluate_board`] is faster but less accurate, and returns the log-odds
    /// that black wins.
    ///
    /// ```
    /// use engine::{board::Board, eval::Networks};
    ///
    /// let mut board = Board::start();
    /// board.play("c1 c6 f6".parse()?)?;
    /// let white_wins = Networks::default().win_probability(&board);
    /// # assert!((0.3..0.7).contains(&white_wins));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn win_probability(&self, board: &Board) -> f32 {
        let linear = match board.to_move() {
            Player::Black => evaluate_board(board),
            Player::White => -evaluate_board(board),
        };
        probability(log_odds(self.value.log_odds(board, linear)))
    }
}

impl fmt::Debug for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Networks").finish_non_exhaustive()
    }
}
