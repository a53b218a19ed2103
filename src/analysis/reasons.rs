//! Explains in words why a move is good or bad, by its effect on amazons, squares and remaining moves.
//!
//! A mistake is explained by its refutation: the opponent's reply, and what the reply does. Each claim is tested some plies later
//! in the search's line that begins with the move. An effect that also follows the best move does not explain a mistake.

pub mod claim;
pub mod line;
mod wording;

use claim::{Claim, Effect};
use engine::board::{Move, Player};
use line::Line;
use serde::Serialize;

/// Maximum number of sentences about one move.
const MAX_REASONS: usize = 2;

/// Minimum degree (0 to 1) to which a claim must hold to be reported.
const MIN_DEGREE: f32 = 0.67;
/// Maximum degree (0 to 1) to which a reported claim may hold in the other line, with which a move's line is compared.
const MAX_OTHER_DEGREE: f32 = 0.34;

/// A sentence about a move, with the claim that supports the sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Move that the sentence is about.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Moves from the position before `turn` to the position that shows the effect: `turn`, then the replies.
    pub line: Vec<Move>,
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

/// Returns sentences that say why `mistake` (if given) is bad, then why the best move is good. If `mistake` is
/// given and there is no such sentence about either move, returns the sentence of [`unexplained`].
#[must_use]
pub fn reasons(best: &Line, mistake: Option<&Line>) -> Vec<Reason> {
    let mover = best.before().to_move();
    let against = mistake.map(|mistake| line_reasons(mistake, Some(best), !mover));
    let mut reasons = against.unwrap_or_default();
    reasons.extend(line_reasons(best, mistake, mover));
    match mistake {
        Some(mistake) if reasons.is_empty() => vec![unexplained(mistake, best.turn)],
        _ => reasons,
    }
}

/// Returns the sentence that the search prefers the move `best` to `mistake`, without saying why.
#[must_use]
pub fn unexplained(mistake: &Line, best: Move) -> Reason {
    let claim = Claim {
        effect: Effect::Unexplained,
        player: !mistake.before().to_move(),
        plies: 1,
        squares: None,
    };
    reason(mistake, claim, Some(best))
}

fn reason(line: &Line, claim: Claim, other: Option<Move>) -> Reason {
    Reason {
        turn: line.turn,
        line: line.moves(claim.plies),
        text: wording::text(line, &claim, other),
        claim,
    }
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
    let other = other.map(|other| other.turn);
    let reasons = claims.into_iter().map(|claim| reason(line, claim, other));
    reasons.collect()
}

/// Tests if at least half of the smaller set of squares lies in the other set.
fn overlap(one: u64, other: u64) -> bool {
    let least = one.count_ones().min(other.count_ones());
    2 * (one & other).count_ones() >= least.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::board::Board;
    use record::cells;

    /// White's amazon on a1 has three squares to move to, and can leave them by the gap at b3 only.
    const POCKET: &str = "w.x....b ..x..... x.x..... ........ ....w... ......w. .......b .b..b.w.";

    /// Black's amazon on b2 has a pocket of nine squares, open at c4 only.
    const GAP: &str = "...x...w .b.x.... ...x...b xx.x.... ....w... ......w. .......b ....b.w.";

    /// Three amazons of each side are shut in. Black's fourth amazon has three squares left, white's has two.
    const COUNTED: &str = "b...xxxx xxxxxxxx xxxxxxxx bbbxxxxx xxxxxxxx wwwxxxxx xxxxxxxx xxxxx..w";

    fn line(rows: &str, player: Player, moves: &str) -> Line {
        let board: Board = cells::read(&rows.replace(' ', ""), player).expect("a position");
        let moves = moves.split(';').map(|turn| turn.parse().expect("a move"));
        let moves: Vec<Move> = moves.collect();
        Line::new(&board, moves[0], &moves[1..])
    }

    fn english(reasons: &[Reason]) -> Vec<&str> {
        reasons.iter().map(|reason| &*reason.text.en).collect()
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
    fn amazon_with_little_room_explains_mistake() {
        // From the start, black's amazon moves to the corner b1, and white's reply closes its way over b2.
        let board = Board::start();
        let line = |moves: &str| {
            let moves: Vec<Move> = moves
                .split(';')
                .map(|turn| turn.parse().expect("a move"))
                .collect();
            Line::new(&board, moves[0], &moves[1..])
        };
        let mistake = line("c1 b1 d3;f8 f2 b2;h3 d7 c7;c8 b7 g2");
        let best = line("f1 f7 g7;c8 c2 b2;c1 f4 g5;f8 e7 b4");
        let found = reasons(&best, Some(&mistake));
        let Effect::LittleRoom {
            amazon,
            before,
            other,
            ..
        } = found[0].claim.effect
        else {
            panic!("{found:?}")
        };
        let left = found[0].claim.squares.expect("squares").0.count_ones();
        let text = format!(
            "After c1 b1 d3 and f8 f2 b2 black’s amazon on {amazon} reaches {left} squares within two moves"
        );
        assert!(found[0].text.en.starts_with(&text), "{found:?}");
        assert!(
            found[0]
                .text
                .en
                .ends_with(&format!("({before} before, {other} after f1 f7 g7)"))
        );
        assert_eq!(
            (amazon.to_string().as_str(), found[0].line.len()),
            ("b1", 2)
        );
        // The same lines against each other explain nothing.
        let same = reasons(&mistake, Some(&mistake));
        assert_eq!(
            english(&same),
            ["The search prefers c1 b1 d3, we can’t say why in words"]
        );
    }
}
