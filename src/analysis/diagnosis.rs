//! Diagnoses a bot's illegal answer: finds common programming mistakes that would explain the answer.

use super::glossary::Term;
use engine::bitboard::{Slides, union};
use engine::board::{Board, Move, Player};
use record::checked_game::player_at;
use record::judge::Coordinates;

/// Defines [`Mistake`]. Each entry consists of a variant's documentation and name, and of a sentence for the bot's
/// author in English and Chinese.
macro_rules! define_mistakes {
    ($($(#[$about:meta])* $name:ident: $en:literal, $zh:literal;)*) => {
        /// A common programming mistake in bots. If several mistakes explain an illegal answer, they are reported in
        /// the order of declaration: first the mistakes with the fewest false positives, that is, explanations by mere
        /// chance.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Mistake {
            $($(#[$about])* $name,)*
        }

        impl Mistake {
            /// All mistakes in the order of declaration, with explanations. First: the mistake; second: a sentence in
            /// English and Chinese that explains the mistake to the bot's author.
            pub const ALL: [(Mistake, Term); 15] = [$((Mistake::$name, Term::new($en, $zh))),*];
        }
    };
}

define_mistakes! {
    /// Coordinates are off by one: the bot counts from 1 instead of 0, or subtracts 1 needlessly.
    CountedFromOne: "coordinates are off by one: they go from 0 to 7, not from 1 to 8", "坐标差一：应为 0 到 7，而不是 1 到 8";
    /// The bot moves an amazon of the opponent.
    WrongColour: "it moves the other side's amazons: who is asked first, by six times -1, is black", "走了对方的棋子：第一个请求是六个 -1 的一方执黑";
    /// The bot swaps x (column) and y (row): in its answer, or when it reads the earlier moves of one player or of both
    /// players.
    SwappedAxes: "x and y are exchanged: x is the column, y the row", "x 和 y 颠倒：x 是列，y 是行";
    /// The bot counts rows from rank 8 instead of rank 1: in its answer, or when it reads the earlier moves of one
    /// player or of both players.
    MirroredRows: "rows are counted from the other side: black begins on y = 0 and y = 2", "行从另一侧数起：黑方开局在 y = 0 和 y = 2";
    /// The answer's three squares are in a wrong order. The right order is: the amazon's start, its target, the arrow's
    /// target.
    MixedOrder: "the squares are in another order: first from, then to, the arrow last", "三个格子的顺序不对：先起点，再落点，最后是箭";
    /// The opponent's last move is missing on the bot's internal board.
    LastMoveMissing:
        "the opponent's last move is not on its board: the last request has to be played, too", "棋盘上缺少对方的最后一步：最后一个请求也要走上去";
    /// An amazon stays on the square that it left: the bot's internal board keeps it there after the move.
    AmazonCopied: "amazons stay on the squares that they left: a move empties its first square", "棋子离开后原格没有清空：每一步都要清空第一个格子";
    /// All moves of the opponent are missing on the bot's internal board.
    OpponentIgnored: "the opponent's moves are not on its board: every request is to be played", "棋盘上没有对方的着法：每个请求都要走上去";
    /// All of the bot's own moves are missing on its internal board.
    OwnIgnored: "its own moves are not on its board: every response is to be played, too", "棋盘上没有自己的着法：每个回答也要走上去";
    /// The bot puts the arrow on its internal board before it empties the square that the amazon left. So an arrow that
    /// is shot at this square disappears.
    ArrowErased:
        "arrows on the square that the amazon has just left are erased: empty that square first, then put the arrow", "落在棋子刚离开的格子上的箭被清掉了：先清空该格，再放箭";
    /// The arrows of one player or of both players are missing on the bot's internal board.
    ArrowsMissing: "arrows are not on its board: every move of either side puts one on its third square", "棋盘上缺少箭：双方每一步都在第三个格子放箭";
    /// The bot keeps its internal board from one game to the next: the answer would be legal in a position of another
    /// game.
    OtherGame: "the answer fits another game: state is kept from one game to the next", "这个回答适合另一局棋：上一局的状态没有清除";
    /// The amazon or the arrow of the answer passes over occupied squares.
    JumpsOver: "amazons or arrows jump over others: a line ends before the first taken square", "棋子或箭越过了障碍：遇到第一个有子的格子就要停下";
    /// The answer would be legal in the start position: all moves are missing on the bot's internal board.
    FromStart:
        "the answer fits the start of the game: all earlier moves are to be played before it thinks", "这个回答适合开局局面：思考之前要先走完此前的所有着法";
    /// The answer would be legal in an earlier position of the game: the moves after that position are missing on the
    /// bot's internal board.
    FromEarlier:
        "the answer fits an earlier position of this game: is every move played, and kept between turns?", "这个回答适合本局较早的局面：是否走了每一步，回合之间是否保留？";
}

impl Mistake {
    /// Returns a sentence in English and Chinese for the bot's author: what is wrong in the bot, and what it should do
    /// instead.
    #[must_use]
    pub const fn advice(self) -> Term {
        Mistake::ALL[self as usize].1
    }
}

/// Returns the programming mistakes that may explain an illegal `answer`: to a bot with such a mistake, the answer
/// would look legal. The likeliest come first (see [`Mistake::ALL`]). Empty if `answer` is legal, or if no mistake
/// explains it.
///
/// - `moves`: accepted moves before the answer, black's first.
/// - `others`: positions of the bot's other games in which it had to move; only [`Mistake::OtherGame`] needs them.
///
/// # Panics
/// If a square of `moves` is off the board.
#[must_use]
pub fn mistakes(moves: &[Coordinates], answer: Coordinates, others: &[Board]) -> Vec<Mistake> {
    let illegal = IllegalAnswer {
        moves,
        answer,
        others,
        player: player_at(moves.len()),
    };
    if illegal.allows(illegal.correct_board(), as_move(answer)) {
        return Vec::new();
    }
    let all = Mistake::ALL.iter().map(|&(mistake, _)| mistake);
    all.filter(|&mistake| illegal.is_due_to(mistake)).collect()
}

/// A bot's illegal answer, with the data needed to test which programming mistakes explain it: the moves before it,
/// positions of the bot's other games, and the bot's colour.
struct IllegalAnswer<'a> {
    moves: &'a [Coordinates],
    answer: Coordinates,
    others: &'a [Board],
    player: Player,
}

impl IllegalAnswer<'_> {
    /// Tests if `mistake` explains the illegal answer: a bot with this mistake would consider the answer legal.
    fn is_due_to(&self, mistake: Mistake) -> bool {
        let (correct, answer) = (self.correct_board(), as_move(self.answer));
        let plies = self.moves.len();
        // The bot's earlier turns in this game, each as the number of moves (by both players) played before it. The
        // turn in the start position (0 moves) is left out, because `Mistake::FromStart` tests it.
        let mut own_turns = (2 - plies % 2..plies.saturating_sub(1)).step_by(2);
        let board_after = |plies| bot_board(&self.moves[..plies], UpdateRules::CORRECT);
        let after = |plies| self.allows(board_after(plies), answer);
        let fits_bot = |updates| self.allows(bot_board(self.moves, updates), answer);
        match mistake {
            Mistake::CountedFromOne => [-1, 1].iter().any(|&step| self.fits_misread(shift(step))),
            Mistake::WrongColour => self.allows(correct.swap_colours(), answer),
            Mistake::SwappedAxes => self.fits_misread(|turn| permute(turn, [1, 0, 3, 2, 5, 4])),
            Mistake::MirroredRows => self.fits_misread(mirror_rows),
            Mistake::MixedOrder => WRONG_ORDERS
                .iter()
                .any(|&order| self.allows(correct, permute(self.answer, order))),
            Mistake::LastMoveMissing => plies > 0 && after(plies - 1),
            Mistake::AmazonCopied => CORRECT_BY_PLAYER.into_iter().any(|clears_from_square| {
                fits_bot(UpdateRules {
                    clears_from_square,
                    ..UpdateRules::CORRECT
                })
            }),
            Mistake::OpponentIgnored => fits_bot(UpdateRules::only_moves_of(self.player)),
            Mistake::OwnIgnored => fits_bot(UpdateRules::only_moves_of(!self.player)),
            Mistake::ArrowErased => fits_bot(UpdateRules {
                keeps_arrow_on_from_square: false,
                ..UpdateRules::CORRECT
            }),
            Mistake::ArrowsMissing => CORRECT_BY_PLAYER.into_iter().any(|records_arrow| {
                fits_bot(UpdateRules {
                    records_arrow,
                    ..UpdateRules::CORRECT
                })
            }),
            Mistake::OtherGame => {
                answer.is_some_and(|turn| self.others.iter().any(|board| board.check(turn).is_ok()))
            }
            Mistake::JumpsOver => {
                answer.is_some_and(|turn| self.allows(correct.keep_squares_of(turn), answer))
            }
            Mistake::FromStart => after(0),
            Mistake::FromEarlier => own_turns.any(after),
        }
    }

    /// Tests if the answer would be legal for a bot that makes the mistake `convert` when it reads or writes moves.
    /// `convert` turns a correct move into the wrong one.
    ///
    /// Tries all combinations of two choices: the answer is converted or not; the earlier moves of neither player, of
    /// one player or of both players are converted.
    fn fits_misread(&self, convert: impl Fn(Coordinates) -> Option<Move>) -> bool {
        let boards = CORRECT_BY_PLAYER.into_iter().filter_map(|is_correct| {
            let read = |(ply, &turn)| match is_correct[player_at(ply) as usize] {
                true => as_move(turn),
                false => convert(turn),
            };
            let moves: Option<Vec<Move>> = self.moves.iter().enumerate().map(read).collect();
            moves.map(|moves| replay(moves, UpdateRules::CORRECT))
        });
        let answers = [as_move(self.answer), convert(self.answer)];
        let mut boards = boards.chain([self.correct_board()]);
        boards.any(|board| answers.iter().any(|&answer| self.allows(board, answer)))
    }

    /// Tests if `answer` is a legal move for the bot's colour on `board`; false if `answer` is `None`.
    fn allows(&self, board: BotBoard, answer: Option<Move>) -> bool {
        answer.is_some_and(|turn| board.allows(self.player, turn))
    }

    /// Returns the internal board that a bot without mistakes has when it gives the answer.
    fn correct_board(&self) -> BotBoard {
        bot_board(self.moves, UpdateRules::CORRECT)
    }
}

/// All wrong orders of a move's three squares; the right order is start, target, arrow. Each element is a permutation
/// of the move's six coordinates: it lists indices into x0, y0, x1, y1, x2, y2.
const WRONG_ORDERS: [[usize; 6]; 5] = [
    [0, 1, 4, 5, 2, 3],
    [2, 3, 0, 1, 4, 5],
    [2, 3, 4, 5, 0, 1],
    [4, 5, 0, 1, 2, 3],
    [4, 5, 2, 3, 0, 1],
];

/// Combinations of players whose moves a faulty bot handles wrongly, for example reads with x and y swapped: both
/// players, only white, only black. Index 0 of each element: true if black's moves are handled correctly; index 1: true
/// if white's are.
const CORRECT_BY_PLAYER: [[bool; 2]; 3] = [[false, false], [true, false], [false, true]];

/// Rules by which a bot, perhaps a faulty one, updates its internal board after each move. The arrays are indexed by
/// the player who made the move: 0 is black, 1 is white.
#[derive(Clone, Copy)]
struct UpdateRules {
    /// For each player (index 0: black, 1: white): true if the bot updates its internal board after this player's
    /// moves.
    records_moves: [bool; 2],
    /// For each player (index 0: black, 1: white): true if the bot puts this player's arrows on its internal board.
    records_arrow: [bool; 2],
    /// For each player (index 0: black, 1: white): true if the bot, after a move of this player, removes the amazon
    /// from its start square on the bot's internal board. A faulty bot leaves it there and then sees two amazons.
    clears_from_square: [bool; 2],
    /// True if the bot's internal board keeps an arrow that is shot back at the square that the amazon has just left. A
    /// faulty bot empties this square after it has put the arrow there.
    keeps_arrow_on_from_square: bool,
}

impl UpdateRules {
    /// Update rules of a correct bot: every move of both players is recorded completely.
    const CORRECT: UpdateRules = UpdateRules {
        records_moves: [true; 2],
        records_arrow: [true; 2],
        clears_from_square: [true; 2],
        keeps_arrow_on_from_square: true,
    };

    /// Returns the rules by which a bot updates its internal board if it records the moves of `player`, but no moves of
    /// the opponent.
    fn only_moves_of(player: Player) -> UpdateRules {
        UpdateRules {
            records_moves: [Player::Black, Player::White].map(|side| side == player),
            ..UpdateRules::CORRECT
        }
    }
}

/// Internal board of a bot, perhaps a faulty one. Each set of squares is a bit set: bit n is square n, row by row from
/// a1. Unlike [`Board`], it may have more or fewer than four amazons of a player.
#[derive(Clone, Copy)]
struct BotBoard {
    amazons: [u64; 2],
    arrows: u64,
}

impl BotBoard {
    /// Sets the content of one square, given as `square`, a bit set that holds only this square. The new content is:
    ///
    /// - an amazon of the player `side`, if `amazon` is `Some(side)` and `arrow` is false,
    /// - an arrow, if `amazon` is `None` and `arrow` is true,
    /// - nothing, if `amazon` is `None` and `arrow` is false.
    ///
    /// Callers must not give both an amazon and an arrow.
    fn set_square(&mut self, square: u64, amazon: Option<Player>, arrow: bool) {
        for player in [Player::Black, Player::White] {
            let set = &mut self.amazons[player as usize];
            *set = *set & !square | if amazon == Some(player) { square } else { 0 };
        }
        self.arrows = self.arrows & !square | if arrow { square } else { 0 };
    }

    /// Makes the move `turn` on this board without checking the rules. The amazon on `turn.from` may be of either
    /// player.
    ///
    /// Puts the arrow on the board only if `records_arrow` is true, and empties `turn.from` only if
    /// `clears_from_square` is true.
    fn make_move(&mut self, turn: Move, records_arrow: bool, clears_from_square: bool) {
        let [from, to, arrow] = [turn.from, turn.to, turn.arrow].map(|square| square.bit());
        let players = [Player::Black, Player::White];
        let amazon = players
            .into_iter()
            .find(|&player| self.amazons[player as usize] & from != 0);
        if clears_from_square {
            self.set_square(from, None, false);
        }
        self.set_square(to, amazon, false);
        if records_arrow {
            self.set_square(arrow, None, true);
        }
    }

    /// Tests if `turn` is a legal move of `player` on this board.
    fn allows(&self, player: Player, turn: Move) -> bool {
        let [from, to, arrow] = [turn.from, turn.to, turn.arrow].map(|square| square.bit());
        let reached = |square, empty| union(Slides::over(empty).rays_from(square)) & empty;
        let empty = !(self.amazons[0] | self.amazons[1] | self.arrows);
        self.amazons[player as usize] & from != 0
            && reached(from, empty) & to != 0
            && reached(to, (empty | from) & !to) & arrow != 0
    }

    /// Returns a copy of this board in which all squares are empty except the three squares of the move `turn`. On this
    /// copy, nothing between these squares blocks the move.
    fn keep_squares_of(self, turn: Move) -> BotBoard {
        let ends = turn.from.bit() | turn.to.bit() | turn.arrow.bit();
        BotBoard {
            amazons: self.amazons.map(|set| set & ends),
            arrows: self.arrows & ends,
        }
    }

    /// Returns a copy of this board with the amazons of black and white exchanged.
    const fn swap_colours(mut self) -> BotBoard {
        self.amazons.swap(0, 1);
        self
    }
}

/// Plays `moves` from the start position, black's first, and returns a bot's internal board after them. `updates` says
/// what the bot records of each move: a faulty bot's board differs from the real position.
///
/// # Panics
/// If a square of `moves` is off the board.
fn bot_board(moves: &[Coordinates], updates: UpdateRules) -> BotBoard {
    let turn = |&turn: &Coordinates| as_move(turn).expect("the judge accepted it");
    replay(moves.iter().map(turn), updates)
}

/// Plays `moves` from the start position, black's first, and returns a bot's internal board after them. `updates` says
/// what the bot records of each move: a faulty bot's board differs from the real position.
fn replay(moves: impl IntoIterator<Item = Move>, updates: UpdateRules) -> BotBoard {
    let start = Board::start();
    let mut board = BotBoard {
        amazons: [Player::Black, Player::White].map(|player| start.amazons(player)),
        arrows: 0,
    };
    for (ply, turn) in moves.into_iter().enumerate() {
        let side = player_at(ply) as usize;
        if updates.records_moves[side] {
            let arrow_stays = updates.keeps_arrow_on_from_square || turn.arrow != turn.from;
            let records_arrow = updates.records_arrow[side] && arrow_stays;
            board.make_move(turn, records_arrow, updates.clears_from_square[side]);
        }
    }
    board
}

/// Converts a move from Botzone's coordinates; `None` if a square is off the board.
fn as_move(turn: Coordinates) -> Option<Move> {
    Move::from_coordinates(turn.numbers()).ok()
}

/// Returns a function that adds the number `step` to each of the six coordinates of a move. The function returns `None`
/// if a square of the result is off the board.
fn shift(step: i64) -> impl Fn(Coordinates) -> Option<Move> {
    move |turn| {
        let numbers = turn.numbers().map(|number| number.saturating_add(step));
        as_move(Coordinates::new(numbers))
    }
}

/// Permutes the six coordinates of the move `turn`: coordinate `i` of the result is coordinate `order[i]` of `turn`.
/// Returns `None` if a square of the result is off the board.
fn permute(turn: Coordinates, order: [usize; 6]) -> Option<Move> {
    let numbers = turn.numbers();
    as_move(Coordinates::new(order.map(|at| numbers[at])))
}

/// Mirrors the rows of a move: each y becomes 7 − y. Returns `None` if a square of the result is off the board.
fn mirror_rows(turn: Coordinates) -> Option<Move> {
    let [x0, y0, x1, y1, x2, y2] = turn.numbers();
    let [y0, y1, y2] = [y0, y1, y2].map(|row| 7_i64.saturating_sub(row));
    as_move(Coordinates::new([x0, y0, x1, y1, x2, y2]))
}
