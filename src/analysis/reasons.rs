//! Why a move is good or bad, in words: what it does to amazons, squares and moves left.
//!
//! A claim is looked for in the search's line that begins with the move. It counts if it holds in both of the line's last
//! positions, so that each player has moved since. What is said against a mistake must not come about behind the best move.

pub mod claim;
pub mod line;
mod words;

use claim::Claim;
use engine::board::{Move, Player};
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
    use crate::ownership::Ownership;
    use engine::board::Board;
    use record::cells;

    /// White's amazon on a1 has three squares behind the wall, whose gap is b3.
    const POCKET: &str = "w.x....b ..x..... x.x..... ........ ....w... ......w. .......b .b..b.w.";

    /// Black's pocket of nine squares, whose gap is c4.
    const GAP: &str = "...x...w .b.x.... ...x...b xx.x.... ....w... ......w. .......b ....b.w.";

    /// Three amazons of each side are shut in; three squares are left to black's fourth and two to white's.
    const COUNTED: &str = "b...xxxx xxxxxxxx xxxxxxxx bbbxxxxx xxxxxxxx wwwxxxxx xxxxxxxx xxxxx..w";

    /// White's amazon on a1 leaves by a2 and the diagonal alone.
    const DIAGONAL: &str =
        "wx...... ........ x....... ........ .......w ......w. .......b bb..b.w.";

    fn line(rows: &str, player: Player, moves: &str) -> Line {
        let board: Board = cells::read(&rows.replace(' ', ""), player).expect("a position");
        let moves = moves.split(';').map(|turn| turn.parse().expect("a move"));
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

    /// What is said for the best move of a line that black begins.
    fn praise(rows: &str, moves: &str) -> Vec<String> {
        let reasons = reasons(&line(rows, Player::Black, moves), None);
        reasons.into_iter().map(|reason| reason.text.en).collect()
    }

    #[test]
    fn what_a_move_does_is_said_where_it_is_so() {
        for (rows, moves, fact) in [
            (POCKET, "b8 b7 b3;g8 h8 g8", "a1 into three squares"),
            (DIAGONAL, "b8 b7 b2;g8 h8 g8", "a1 has one square"),
            (GAP, "b2 c3 c4;g8 h8 g8", "eight squares around b2"),
        ] {
            let said = praise(rows, moves);
            assert!(said.iter().any(|said| said.contains(fact)), "{said:?}");
        }
        for (rows, moves, fact) in [
            (POCKET, "b8 b7 b4;g8 h8 g8", "shuts"),
            // It gets out before the line ends.
            (POCKET, "b8 b7 b4;a1 b2 a1", "shuts"),
            (POCKET, "b8 b7 b3", "moves"),
            (DIAGONAL, "b8 b7 b3;g8 h8 g8", "go to"),
            (DIAGONAL, "b8 b7 b2;a1 a2 a1", "go to"),
            (GAP, "b2 c3 c2;g8 h8 g8", "only"),
        ] {
            let said = praise(rows, moves);
            assert!(said.iter().all(|said| !said.contains(fact)), "{said:?}");
        }
    }

    #[test]
    fn a_mistake_lets_the_reply_shut_an_amazon_in() {
        let white = |moves| line(POCKET, Player::White, moves);
        let mistake = white("g8 h8 g8;b8 b7 b3;e5 d5 e5");
        let better = white("a1 b2 a1;b8 b7 c7;e5 d5 e5");
        let found = reasons(&better, Some(&mistake));
        for fact in ["g8 h8 g8", "shut white’s amazon on a1", "b8 b7 b3"] {
            assert!(found[0].text.en.contains(fact), "{found:?}");
        }
        let json = serde_json::to_value(&found[0]).expect("JSON");
        assert_eq!(json["squares"], serde_json::json!(["b1", "a2", "b2"]));
        // What comes about behind the best move as well is no reason.
        let same = reasons(&white("g6 h6 g6;b8 b7 b3;e5 d5 e5"), Some(&mistake));
        assert!(told(&same).iter().all(|said| !said.contains("shut")));
    }

    #[test]
    fn moves_are_counted_where_the_players_are_separated() {
        let best = line(COUNTED, Player::Black, "a1 b1 a1;h8 g8 h8");
        let mistake = line(COUNTED, Player::Black, "a1 c1 b1;h8 g8 h8");
        let found = reasons(&best, Some(&mistake));
        let [against, instead] = told(&found)[..] else {
            panic!("{found:?}")
        };
        assert!(against.contains("a1 c1 b1") && against.ends_with("black 1, white 2"));
        assert!(instead.contains("a1 b1 a1") && instead.ends_with("black 2, white 2"));
    }

    #[test]
    fn territory_is_lost_where_the_search_foresees_less_of_it() {
        let mut best = line(GAP, Player::Black, "e8 d8 e8");
        let mut mistake = line(GAP, Player::Black, "h3 h4 h3");
        [best.prospect, mistake.prospect] = [lead(5), lead(2)];
        let costs = "h3 h4 h3 costs black territory";
        assert!(told(&reasons(&best, Some(&mistake))).contains(&costs));
        best.prospect = lead(3);
        assert!(!told(&reasons(&best, Some(&mistake))).contains(&costs));
    }
}
