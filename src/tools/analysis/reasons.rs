//! Why a move is good or bad, in words: what it does to amazons, squares and moves left.
//!
//! A claim is looked for in the search's line that begins with the move. It counts if it holds in both of the line's last
//! positions, so that each player has moved since. What is said against a mistake must not come about behind the best move.

pub mod claim;
pub mod line;
mod words;

use crate::board::{Move, Player};
use claim::Claim;
use line::Line;
use serde::Serialize;

/// Greatest number of sentences on a move.
const MOST: usize = 2;

/// From this degree on a claim holds, and up to that one it does not.
const HOLDS: f32 = 0.67;
const NOT: f32 = 0.34;

/// A sentence on a move, with what bears it out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The move.
    #[serde(rename = "move")]
    pub turn: Move,
    /// What is claimed.
    #[serde(flatten)]
    pub claim: Claim,
    /// The sentence.
    pub text: Text,
}

/// A sentence in every language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// English.
    pub en: String,
    /// 中文.
    pub zh: String,
}

/// Why the best move is good, and why the move played is a mistake, if it is one: the played one's sentences first.
#[must_use]
pub fn reasons(best: &Line, mistake: Option<&Line>) -> Vec<Reason> {
    let mover = best.before().to_move();
    let against = mistake.map(|mistake| of_line(mistake, Some(best), !mover));
    let mut reasons = against.unwrap_or_default();
    reasons.extend(of_line(best, mistake, mover));
    reasons
}

/// Tests if a claim holds of a line; against another one, if it is about the difference.
#[must_use]
pub fn holds(claim: &Claim, line: &Line, other: Option<&Line>) -> bool {
    claim.degree(line, other) >= HOLDS
}

/// What a line's move does in a player's favour, and another line does not.
fn of_line(line: &Line, other: Option<&Line>, player: Player) -> Vec<Reason> {
    let mut told: Vec<Claim> = Vec::new();
    for claim in Claim::all(line, other, player) {
        let is_so = holds(&claim, line, other);
        let is_known = told
            .iter()
            .any(|known| overlap(known.squares(), claim.squares()));
        if is_so && !is_known && other.is_none_or(|other| claim.degree(other, Some(line)) <= NOT) {
            told.push(claim);
        }
    }
    told.truncate(MOST);
    let reason = |claim: Claim| Reason {
        turn: line.turn,
        text: words::text(line, &claim),
        claim,
    };
    told.into_iter().map(reason).collect()
}

/// Tests if half of either set lies in the other.
fn overlap(one: u64, other: u64) -> bool {
    let least = one.count_ones().min(other.count_ones());
    2 * (one & other).count_ones() >= least.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::tools::analysis::ownership::Ownership;
    use crate::tools::record::cells;

    /// White's amazon on a1 has three squares behind the wall, whose gap is b3.
    const POCKET: &str = "w.x....b ..x..... x.x..... ........ ....w... ......w. .......b .b..b.w.";

    /// Black's pocket of nine squares, whose gap is c4.
    const GAP: &str = "...x...w .b.x.... ...x...b xx.x.... ....w... ......w. .......b ....b.w.";

    /// Three amazons of each side are shut in; three squares are left to black's fourth and two to white's.
    const COUNTED: &str = "b...xxxx xxxxxxxx xxxxxxxx bbbxxxxx xxxxxxxx wwwxxxxx xxxxxxxx xxxxx..w";

    /// White's amazon on a1 leaves by a2 and the diagonal alone.
    const DIAGONAL: &str =
        "wx...... ........ x....... ........ .......w ......w. .......b bb..b.w.";

    fn line(rows: &str, player: Player, moves: &[&str]) -> Line {
        let board: Board = cells::read(&rows.replace(' ', ""), player).expect("a position");
        let moves = moves.iter().map(|turn| turn.parse().expect("a move"));
        let moves: Vec<Move> = moves.collect();
        Line::new(&board, moves[0], &moves[1..], None)
    }

    fn told(reasons: &[Reason]) -> Vec<&str> {
        reasons.iter().map(|reason| &*reason.text.en).collect()
    }

    /// Ownership by which black leads by so many squares.
    fn lead(squares: usize) -> Ownership {
        let mut owners = [0.0; 64];
        owners[..squares].fill(1.0);
        Ownership(owners)
    }

    /// What is said for the best move of a line.
    fn praise(rows: &str, player: Player, moves: &[&str]) -> Vec<String> {
        let reasons = reasons(&line(rows, player, moves), None);
        told(&reasons).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn an_amazon_is_shut_in_where_the_gap_is_closed() {
        let said = praise(POCKET, Player::Black, &["b8 b7 b3", "g8 h8 g8"]);
        assert_eq!(
            said[0],
            "b8 b7 b3 shuts white’s amazon on a1 into three squares"
        );
        let open = praise(POCKET, Player::Black, &["b8 b7 b4", "g8 h8 g8"]);
        assert!(open.iter().all(|said| !said.contains("shuts")), "{open:?}");
        // It gets out before the line ends.
        let out = praise(POCKET, Player::Black, &["b8 b7 b4", "a1 b2 a1"]);
        assert!(out.iter().all(|said| !said.contains("shuts")), "{out:?}");
    }

    #[test]
    fn a_mistake_lets_the_reply_shut_an_amazon_in() {
        let mistake = line(POCKET, Player::White, &["g8 h8 g8", "b8 b7 b3", "e5 d5 e5"]);
        let better = line(POCKET, Player::White, &["a1 b2 a1", "b8 b7 c7", "e5 d5 e5"]);
        let found = reasons(&better, Some(&mistake));
        let said = "g8 h8 g8 lets black shut white’s amazon on a1 into three squares: b8 b7 b3";
        assert_eq!(found[0].text.en, said);
        let json = serde_json::to_value(&found[0]).expect("JSON");
        assert_eq!(json["squares"], serde_json::json!(["b1", "a2", "b2"]));
        // What comes about behind the best move as well is no reason.
        let same = line(POCKET, Player::White, &["g6 h6 g6", "b8 b7 b3", "e5 d5 e5"]);
        assert!(
            told(&reasons(&same, Some(&mistake)))
                .iter()
                .all(|said| !said.contains("shut"))
        );
    }

    #[test]
    fn an_amazon_is_hemmed_in_that_reaches_little() {
        let said = praise(DIAGONAL, Player::Black, &["b8 b7 b2", "g8 h8 g8"]);
        let hemmed = "after b8 b7 b2 white’s amazon on a1 has one square to go to, eight before";
        assert!(said.iter().any(|said| said == hemmed), "{said:?}");
        let free = praise(DIAGONAL, Player::Black, &["b8 b7 b3", "g8 h8 g8"]);
        assert!(free.iter().all(|said| !said.contains("go to")), "{free:?}");
        let gone = praise(DIAGONAL, Player::Black, &["b8 b7 b2", "a1 a2 a1"]);
        assert!(gone.iter().all(|said| !said.contains("go to")), "{gone:?}");
    }

    #[test]
    fn squares_are_a_players_alone_where_the_gap_is_closed() {
        let said = praise(GAP, Player::Black, &["b2 c3 c4", "g8 h8 g8"]);
        let alone = "after b2 c3 c4 only black reaches the eight squares around b2";
        assert!(said.iter().any(|said| said == alone), "{said:?}");
        let open = praise(GAP, Player::Black, &["b2 c3 c2", "g8 h8 g8"]);
        assert!(open.iter().all(|said| !said.contains("only")), "{open:?}");
    }

    #[test]
    fn moves_are_counted_where_the_players_are_separated() {
        let best = line(COUNTED, Player::Black, &["a1 b1 a1", "h8 g8 h8"]);
        let mistake = line(COUNTED, Player::Black, &["a1 c1 b1", "h8 g8 h8"]);
        let found = reasons(&best, Some(&mistake));
        assert_eq!(
            told(&found),
            [
                "after a1 c1 b1 moves of their own left: black 1, white 2",
                "after a1 b1 a1 moves of their own left: black 2, white 2",
            ]
        );
        assert_eq!(
            found[0].text.zh,
            "a1 c1 b1 之后黑方还能走 1 步，白方还能走 2 步"
        );
        assert!(
            praise(POCKET, Player::Black, &["b8 b7 b3"])
                .iter()
                .all(|said| !said.contains("moves"))
        );
    }

    #[test]
    fn territory_is_lost_where_the_search_foresees_less_of_it() {
        let mut best = line(GAP, Player::Black, &["e8 d8 e8"]);
        let mut mistake = line(GAP, Player::Black, &["h3 h4 h3"]);
        [best.prospect, mistake.prospect] = [lead(5), lead(2)];
        let costs = "h3 h4 h3 costs black territory";
        assert!(told(&reasons(&best, Some(&mistake))).contains(&costs));
        best.prospect = lead(3);
        assert!(!told(&reasons(&best, Some(&mistake))).contains(&costs));
    }
}
