//! The commonest mistakes of bots, told from an illegal answer: which of them would make it legal?

use super::glossary::{Term, terms};
use engine::bitboard::{Slides, union};
use engine::board::{Board, Move, Player};
use record::judge::Coordinates;
use record::replayed::player_at;

terms! {
    COUNTED_FROM_ONE: "coordinates are off by one: they go from 0 to 7, not from 1 to 8", "坐标差一：应为 0 到 7，而不是 1 到 8";
    WRONG_COLOUR: "it moves the other side's amazons: who is asked first, by six times -1, is black", "走了对方的棋子：第一个请求是六个 -1 的一方执黑";
    SWAPPED_AXES: "x and y are exchanged: x is the column, y the row", "x 和 y 颠倒：x 是列，y 是行";
    MIRRORED_ROWS: "rows are counted from the other side: black begins on y = 0 and y = 2", "行从另一侧数起：黑方开局在 y = 0 和 y = 2";
    MIXED_ORDER: "the squares are in another order: first from, then to, the arrow last", "三个格子的顺序不对：先起点，再落点，最后是箭";
    LAST_MOVE_MISSING:
        "the opponent's last move is not on its board: the last request has to be played, too", "棋盘上缺少对方的最后一步：最后一个请求也要走上去";
    AMAZON_COPIED: "amazons stay on the squares that they left: a move empties its first square", "棋子离开后原格没有清空：每一步都要清空第一个格子";
    OPPONENT_IGNORED: "the opponent's moves are not on its board: every request is to be played", "棋盘上没有对方的着法：每个请求都要走上去";
    OWN_IGNORED: "its own moves are not on its board: every response is to be played, too", "棋盘上没有自己的着法：每个回答也要走上去";
    ARROW_ERASED:
        "arrows on the square that the amazon has just left are erased: empty that square first, then put the arrow", "落在棋子刚离开的格子上的箭被清掉了：先清空该格，再放箭";
    ARROWS_MISSING: "arrows are not on its board: every move of either side puts one on its third square", "棋盘上缺少箭：双方每一步都在第三个格子放箭";
    OTHER_GAME: "the answer fits another game: state is kept from one game to the next", "这个回答适合另一局棋：上一局的状态没有清除";
    JUMPS_OVER: "amazons or arrows jump over others: a line ends before the first taken square", "棋子或箭越过了障碍：遇到第一个有子的格子就要停下";
    FROM_START:
        "the answer fits the start of the game: all earlier moves are to be played before it thinks", "这个回答适合开局局面：思考之前要先走完此前的所有着法";
    FROM_EARLIER:
        "the answer fits an earlier position of this game: is every move played, and kept between turns?", "这个回答适合本局较早的局面：是否走了每一步，回合之间是否保留？";
}

/// A mistake of a bot, the most telling first: the fewer answers fit a mistake by chance, the earlier it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mistake {
    /// Coordinates are counted from 1, or one is subtracted without need.
    CountedFromOne,
    /// The other side's amazons are moved.
    WrongColour,
    /// Columns and rows are exchanged, in what is read of both sides or of one, or in what is written.
    SwappedAxes,
    /// Rows are counted from the other side, in what is read of both sides or of one, or in what is written.
    MirroredRows,
    /// The three squares are in another order.
    MixedOrder,
    /// The opponent's last move was not played.
    LastMoveMissing,
    /// Amazons were put on their new squares, and not taken from the old ones.
    AmazonCopied,
    /// No move of the opponent was played.
    OpponentIgnored,
    /// No move of its own was played.
    OwnIgnored,
    /// Amazons were taken from their old squares last, and with them arrows that landed there.
    ArrowErased,
    /// Arrows were not put on the board: all, or those of one side.
    ArrowsMissing,
    /// The answer is one for another game.
    OtherGame,
    /// Lines go on behind what stands in the way.
    JumpsOver,
    /// The answer is one for the start of the game.
    FromStart,
    /// The answer is one for an earlier position of the game.
    FromEarlier,
}

impl Mistake {
    /// All mistakes in order, each with what to look for in the bot's code.
    pub const ALL: [(Mistake, Term); 15] = [
        (Mistake::CountedFromOne, COUNTED_FROM_ONE),
        (Mistake::WrongColour, WRONG_COLOUR),
        (Mistake::SwappedAxes, SWAPPED_AXES),
        (Mistake::MirroredRows, MIRRORED_ROWS),
        (Mistake::MixedOrder, MIXED_ORDER),
        (Mistake::LastMoveMissing, LAST_MOVE_MISSING),
        (Mistake::AmazonCopied, AMAZON_COPIED),
        (Mistake::OpponentIgnored, OPPONENT_IGNORED),
        (Mistake::OwnIgnored, OWN_IGNORED),
        (Mistake::ArrowErased, ARROW_ERASED),
        (Mistake::ArrowsMissing, ARROWS_MISSING),
        (Mistake::OtherGame, OTHER_GAME),
        (Mistake::JumpsOver, JUMPS_OVER),
        (Mistake::FromStart, FROM_START),
        (Mistake::FromEarlier, FROM_EARLIER),
    ];

    /// The mistake, and what to look for in the bot's code.
    #[must_use]
    pub const fn term(self) -> Term {
        Mistake::ALL[self as usize].1
    }
}

/// The mistakes that would make an illegal answer legal, the most telling first; none if it is legal.
///
/// `moves`: those played before, black's first. `others`: positions of other games that the bot was asked in.
///
/// # Panics
/// If the judge would not have accepted the moves.
#[must_use]
pub fn suspects(moves: &[Coordinates], answer: Coordinates, others: &[Board]) -> Vec<Mistake> {
    let case = Case {
        moves,
        answer,
        others,
        player: player_at(moves.len()),
    };
    if case.allows(case.whole(), same(answer)) {
        return Vec::new();
    }
    let all = Mistake::ALL.iter().map(|&(mistake, _)| mistake);
    all.filter(|&mistake| case.fits(mistake)).collect()
}

/// An illegal answer, and what came before it.
struct Case<'a> {
    moves: &'a [Coordinates],
    answer: Coordinates,
    others: &'a [Board],
    player: Player,
}

impl Case<'_> {
    /// Tests if the answer is legal under a mistake.
    fn fits(&self, mistake: Mistake) -> bool {
        let (whole, answer) = (self.whole(), same(self.answer));
        let plies = self.moves.len();
        // The player's own, but for the start and this one.
        let mut own_turns = (2 - plies % 2..plies.saturating_sub(1)).step_by(2);
        let after = |plies| self.allows(board_after(&self.moves[..plies], Reading::WHOLE), answer);
        let read = |reading| self.allows(board_after(self.moves, reading), answer);
        match mistake {
            Mistake::CountedFromOne => [-1, 1].iter().any(|&step| self.misread(shifted(step))),
            Mistake::WrongColour => self.allows(whole.exchanged(), answer),
            Mistake::SwappedAxes => self.misread(|turn| ordered(turn, [1, 0, 3, 2, 5, 4])),
            Mistake::MirroredRows => self.misread(mirrored),
            Mistake::MixedOrder => OTHER_ORDERS
                .iter()
                .any(|&order| self.allows(whole, ordered(self.answer, order))),
            Mistake::LastMoveMissing => plies > 0 && after(plies - 1),
            Mistake::AmazonCopied => RIGHT.into_iter().any(|vacated| {
                read(Reading {
                    vacated,
                    ..Reading::WHOLE
                })
            }),
            Mistake::OpponentIgnored => read(Reading::of(self.player)),
            Mistake::OwnIgnored => read(Reading::of(!self.player)),
            Mistake::ArrowErased => read(Reading {
                keeps_back_shots: false,
                ..Reading::WHOLE
            }),
            Mistake::ArrowsMissing => RIGHT.into_iter().any(|shot| {
                read(Reading {
                    shot,
                    ..Reading::WHOLE
                })
            }),
            Mistake::OtherGame => {
                answer.is_some_and(|turn| self.others.iter().any(|board| board.check(turn).is_ok()))
            }
            Mistake::JumpsOver => {
                answer.is_some_and(|turn| self.allows(whole.at_ends_of(turn), answer))
            }
            Mistake::FromStart => after(0),
            Mistake::FromEarlier => own_turns.any(after),
        }
    }

    /// Tests if the answer was written with its numbers changed, or the moves of both sides or of one were read so.
    fn misread(&self, change: impl Fn(Coordinates) -> Option<Move>) -> bool {
        let read = |right: [bool; 2], turn: Coordinates, ply: usize| match right
            [player_at(ply) as usize]
        {
            true => same(turn),
            false => change(turn),
        };
        let boards = RIGHT.into_iter().filter_map(|right| {
            let moves = self.moves.iter().zip(0..);
            let moves: Option<Vec<Move>> =
                moves.map(|(&turn, ply)| read(right, turn, ply)).collect();
            moves.map(|moves| replay(moves, Reading::WHOLE))
        });
        let answers = [same(self.answer), change(self.answer)];
        let mut boards = boards.chain([self.whole()]);
        boards.any(|board| answers.iter().any(|&answer| self.allows(board, answer)))
    }

    /// Tests if a bot that believes in a board may answer so.
    fn allows(&self, board: Belief, answer: Option<Move>) -> bool {
        answer.is_some_and(|turn| board.allows(self.player, turn))
    }

    /// The board as it is.
    fn whole(&self) -> Belief {
        board_after(self.moves, Reading::WHOLE)
    }
}

/// The orders of a move's numbers in which its squares are exchanged.
const OTHER_ORDERS: [[usize; 6]; 5] = [
    [0, 1, 4, 5, 2, 3],
    [2, 3, 0, 1, 4, 5],
    [2, 3, 4, 5, 0, 1],
    [4, 5, 0, 1, 2, 3],
    [4, 5, 2, 3, 0, 1],
];

/// The sides whose moves are played rightly by a bot that plays those of both or of one wrongly.
const RIGHT: [[bool; 2]; 3] = [[false, false], [true, false], [false, true]];

/// Which parts of black's and of white's moves a bot plays.
#[derive(Clone, Copy)]
struct Reading {
    /// The move at all.
    played: [bool; 2],
    /// Its arrow.
    shot: [bool; 2],
    /// Whether the amazon leaves its old square.
    vacated: [bool; 2],
    /// Whether an arrow stays that lands on the amazon's old square.
    keeps_back_shots: bool,
}

impl Reading {
    /// Everything.
    const WHOLE: Reading = Reading {
        played: [true; 2],
        shot: [true; 2],
        vacated: [true; 2],
        keeps_back_shots: true,
    };

    /// The moves of one player alone.
    fn of(player: Player) -> Reading {
        Reading {
            played: [Player::Black, Player::White].map(|side| side == player),
            ..Reading::WHOLE
        }
    }
}

/// A board as a bot may believe it to be. It need not be a position: amazons may be doubled or lost.
#[derive(Clone, Copy)]
struct Belief {
    amazons: [u64; 2],
    arrows: u64,
}

impl Belief {
    /// Puts an amazon of a player, an arrow or nothing on a square.
    fn put(&mut self, square: u64, amazon: Option<Player>, arrow: bool) {
        for player in [Player::Black, Player::White] {
            let set = &mut self.amazons[player as usize];
            *set = *set & !square | if amazon == Some(player) { square } else { 0 };
        }
        self.arrows = self.arrows & !square | if arrow { square } else { 0 };
    }

    /// Plays a move as bots do, without looking at the rules: whatever stands on its first square moves.
    fn play(&mut self, turn: Move, shot: bool, vacated: bool) {
        let [from, to, arrow] = [turn.from, turn.to, turn.arrow].map(|square| square.bit());
        let players = [Player::Black, Player::White];
        let amazon = players
            .into_iter()
            .find(|&player| self.amazons[player as usize] & from != 0);
        if vacated {
            self.put(from, None, false);
        }
        self.put(to, amazon, false);
        if shot {
            self.put(arrow, None, true);
        }
    }

    /// Tests if a move of a player is legal.
    fn allows(&self, player: Player, turn: Move) -> bool {
        let [from, to, arrow] = [turn.from, turn.to, turn.arrow].map(|square| square.bit());
        let reached = |square, empty| union(Slides::over(empty).from(square)) & empty;
        let empty = !(self.amazons[0] | self.amazons[1] | self.arrows);
        self.amazons[player as usize] & from != 0
            && reached(from, empty) & to != 0
            && reached(to, (empty | from) & !to) & arrow != 0
    }

    /// The board with nothing between the three squares of a move.
    fn at_ends_of(self, turn: Move) -> Belief {
        let ends = turn.from.bit() | turn.to.bit() | turn.arrow.bit();
        Belief {
            amazons: self.amazons.map(|set| set & ends),
            arrows: self.arrows & ends,
        }
    }

    /// The board with the colours exchanged.
    const fn exchanged(self) -> Belief {
        let [black, white] = self.amazons;
        Belief {
            amazons: [white, black],
            ..self
        }
    }
}

/// The board after moves that the judge accepted.
fn board_after(moves: &[Coordinates], reading: Reading) -> Belief {
    let turn = |&turn: &Coordinates| same(turn).expect("the judge accepted it");
    replay(moves.iter().map(turn), reading)
}

/// The board after the moves of black and white in turn, as far as a bot plays them.
fn replay(moves: impl IntoIterator<Item = Move>, reading: Reading) -> Belief {
    let start = Board::start();
    let mut board = Belief {
        amazons: [Player::Black, Player::White].map(|player| start.amazons(player)),
        arrows: 0,
    };
    for (ply, turn) in moves.into_iter().enumerate() {
        let side = player_at(ply) as usize;
        if reading.played[side] {
            let is_kept = reading.keeps_back_shots || turn.arrow != turn.from;
            board.play(turn, reading.shot[side] && is_kept, reading.vacated[side]);
        }
    }
    board
}

/// The move of six numbers as they are.
fn same(turn: Coordinates) -> Option<Move> {
    Move::from_coordinates(turn.numbers()).ok()
}

/// The move with a number added to each of its coordinates.
fn shifted(step: i64) -> impl Fn(Coordinates) -> Option<Move> {
    move |turn| {
        let numbers = turn.numbers().map(|number| number.saturating_add(step));
        same(Coordinates::new(numbers))
    }
}

/// The move with its numbers in another order.
fn ordered(turn: Coordinates, order: [usize; 6]) -> Option<Move> {
    let numbers = turn.numbers();
    same(Coordinates::new(order.map(|at| numbers[at])))
}

/// The move with rows counted from the other side.
fn mirrored(turn: Coordinates) -> Option<Move> {
    let [x0, y0, x1, y1, x2, y2] = turn.numbers();
    let [y0, y1, y2] = [y0, y1, y2].map(|row| 7_i64.saturating_sub(row));
    same(Coordinates::new([x0, y0, x1, y1, x2, y2]))
}
