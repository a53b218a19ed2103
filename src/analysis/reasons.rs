//! Explains in words why a move is good or bad, by its effect on amazons, territory and remaining moves.
//!
//! Each claim is tested on the search's line that begins with the move. A claim counts if it holds in the line's last two
//! positions, so that each player has moved once more. An effect that also follows the best move does not explain a mistake.

pub mod claim;
pub mod line;
mod wording;

use claim::Claim;
use engine::board::{Move, Player};
use line::Line;
use serde::Serialize;

/// Maximum number of sentences about one move.
const MAX_REASONS: usize = 2;

/// Minimum degree (0 to 1) to which a claim must hold to be reported.
const MIN_DEGREE: f32 = 0.67;
/// Maximum degree (0 to 1) to which a reported claim may hold in the line that is compared.
const MAX_OTHER_DEGREE: f32 = 0.34;

/// A sentence about a move, with the claim that supports the sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Move that the sentence is about.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Claim that the sentence states.
    #[serde(flatten)]
    pub claim: Claim,
    /// Sentence in both languages.
    pub text: Text,
}

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// English text.
    pub en: String,
    /// Chinese text.
    pub zh: String,
}

/// Returns sentences that say why `mistake` (if given) is bad, then why the best move is good.
#[must_use]
pub fn reasons(best: &Line, mistake: Option<&Line>) -> Vec<Reason> {
    let mover = best.before().to_move();
    let against = mistake.map(|mistake| line_reasons(mistake, Some(best), !mover));
    let mut reasons = against.unwrap_or_default();
    reasons.extend(line_reasons(best, mistake, mover));
    reasons
}

/// Tests if `claim` holds for `line`. A claim about a difference compares `line` with `other`.
#[must_use]
pub fn holds(claim: &Claim, line: &Line, other: Option<&Line>) -> bool {
    claim.degree(line, other) >= MIN_DEGREE
}

/// Returns what the first move of `line` achieves for `player` and the first move of `other` does not.
fn line_reasons(line: &Line, other: Option<&Line>, player: Player) -> Vec<Reason> {
    let mut claims: Vec<Claim> = Vec::new();
    for claim in Claim::all(line, other, player) {
        let is_true = holds(&claim, line, other);
        let is_known = claims
            .iter()
            .any(|known| overlap(known.squares(), claim.squares()));
        if is_true
            && !is_known
            && other.is_none_or(|other| claim.degree(other, Some(line)) <= MAX_OTHER_DEGREE)
        {
            claims.push(claim);
        }
    }
    claims.truncate(MAX_REASONS);
    let reason = |claim: Claim| Reason {
        turn: line.turn,
        text: wording::text(line, &claim),
        claim,
    };
    claims.into_iter().map(reason).collect()
}

/// Tests if at least half of the smaller set of squares lies in the other set.
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

    /// White's amazon on a1 has three squares to move to, and can leave them by the gap at b3 only.
    const POCKET: &str = "w.x....b ..x..... x.x..... ........ ....w... ......w. .......b .b..b.w.";

    /// Black's amazon on b2 has a pocket of nine squares, open at c4 only.
    const GAP: &str = "...x...w .b.x.... ...x...b xx.x.... ....w... ......w. .......b ....b.w.";

    /// Three amazons of each side are shut in. Black's fourth amazon has three squares left, white's has two.
    const COUNTED: &str = "b...xxxx xxxxxxxx xxxxxxxx bbbxxxxx xxxxxxxx wwwxxxxx xxxxxxxx xxxxx..w";

    /// White's amazon on a1 can leave by a2 or by the diagonal only.
    const DIAGONAL: &str =
        "wx...... ........ x....... ........ .......w ......w. .......b bb..b.w.";

    fn line(rows: &str, player: Player, moves: &str) -> Line {
        let board: Board = cells::read(&rows.replace(' ', ""), player).expect("a position");
        let moves = moves.split(';').map(|turn| turn.parse().expect("a move"));
        let moves: Vec<Move> = moves.collect();
        Line::new(&board, moves[0], &moves[1..], None)
    }

    fn english(reasons: &[Reason]) -> Vec<&str> {
        reasons.iter().map(|reason| &*reason.text.en).collect()
    }

    /// Returns an ownership by which black leads by `squares` squares.
    fn lead(squares: usize) -> Ownership {
        let mut owners = [0.0; 64];
        owners[..squares].fill(1.0);
        Ownership(owners)
    }

    /// Returns the sentences about the first move of a line that black begins, without comparing another line.
    fn praise(rows: &str, moves: &str) -> Vec<String> {
        let reasons = reasons(&line(rows, Player::Black, moves), None);
        reasons.into_iter().map(|reason| reason.text.en).collect()
    }

    #[test]
    fn effects_are_reported_only_if_they_hold() {
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
            // The amazon escapes before the line ends.
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
    fn reply_that_shuts_amazon_explains_mistake() {
        let white = |moves| line(POCKET, Player::White, moves);
        let mistake = white("g8 h8 g8;b8 b7 b3;e5 d5 e5");
        let better = white("a1 b2 a1;b8 b7 c7;e5 d5 e5");
        let found = reasons(&better, Some(&mistake));
        for fact in ["g8 h8 g8", "shut white’s amazon on a1", "b8 b7 b3"] {
            assert!(found[0].text.en.contains(fact), "{found:?}");
        }
        let json = serde_json::to_value(&found[0]).expect("JSON");
        assert_eq!(json["squares"], serde_json::json!(["b1", "a2", "b2"]));
        // An effect that also follows the best move does not explain the mistake.
        let same = reasons(&white("g6 h6 g6;b8 b7 b3;e5 d5 e5"), Some(&mistake));
        assert!(english(&same).iter().all(|said| !said.contains("shut")));
    }

    #[test]
    fn moves_are_counted_once_players_are_separated() {
        let best = line(COUNTED, Player::Black, "a1 b1 a1;h8 g8 h8");
        let mistake = line(COUNTED, Player::Black, "a1 c1 b1;h8 g8 h8");
        let found = reasons(&best, Some(&mistake));
        let [against, instead] = english(&found)[..] else {
            panic!("{found:?}")
        };
        assert!(against.contains("a1 c1 b1") && against.ends_with("black 1, white 2"));
        assert!(instead.contains("a1 b1 a1") && instead.ends_with("black 2, white 2"));
    }

    #[test]
    fn smaller_expected_ownership_costs_territory() {
        let mut best = line(GAP, Player::Black, "e8 d8 e8");
        let mut mistake = line(GAP, Player::Black, "h3 h4 h3");
        [best.expected_ownership, mistake.expected_ownership] = [lead(5), lead(2)];
        let costs = "h3 h4 h3 costs black territory";
        assert!(english(&reasons(&best, Some(&mistake))).contains(&costs));
        best.expected_ownership = lead(3);
        assert!(!english(&reasons(&best, Some(&mistake))).contains(&costs));
    }
}
