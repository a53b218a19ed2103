//! Explains in words why a move is good or bad, by its effect on amazons, squares and remaining moves.
//!
//! A [`Claim`] states such an effect, for example “shuts in an amazon”. A claim becomes a sentence if two tests
//! succeed:
//! - The effect lasts: it is still there after the continuation that the search expects.
//! - It distinguishes the move: the move with which it is compared doesn't have the same effect.
//!
//! A mistake is explained by an effect in favour of the opponent, such as that of the opponent's best reply.

pub mod claim;
pub mod line;
mod wording;

use claim::{Claim, Effect};
use engine::board::{Move, Player};
use line::Line;
use serde::Serialize;

/// Maximum number of sentences that explain one move.
const MAX_REASONS: usize = 2;

/// Threshold: minimum degree of truth (0 to 1) at which a claim about the explained move becomes a sentence. Most
/// claims are tested in the last two positions of the expected continuation. A claim that is true in only one of the
/// two has the degree 0.5, below the threshold: see [`Claim::degree`].
const MIN_DEGREE: f32 = 0.67;
/// Threshold: a claim about the explained move is dropped if its degree of truth (0 to 1) for the alternative move is
/// above this number. Both moves then have the claimed effect, such as a shut-in amazon, so that the effect explains no
/// difference.
const MAX_OTHER_DEGREE: f32 = 0.34;

/// A sentence on why a move is good or bad, with its content as a [`Claim`] for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// Explained move: the move whose effect the sentence [`Reason::text`] states.
    #[serde(rename = "move")]
    pub turn: Move,
    /// Moves from the explained position to the first position in which the effect can be seen: the move `turn`,
    /// followed by the expected replies, if any are needed.
    pub line: Vec<Move>,
    /// Content of the sentence, in a form for programs: the effect, such as a shut-in amazon, and the player whom it
    /// favours.
    #[serde(flatten)]
    pub claim: Claim,
    /// Sentence that explains the move [`Reason::turn`], in English and Chinese.
    pub text: Text,
}

/// A text in English and Chinese.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// The text in English.
    pub en: String,
    /// The text in Chinese.
    pub zh: String,
}

/// Explains why the best move is good and why the played move is bad. Returns sentences on the played move, followed by
/// sentences on the best move.
///
/// - `best`: the best move with the replies expected after it.
/// - `mistake`: the played move with the replies expected after it; `None` to explain only the best move.
///
/// If `mistake` is given and no effect of either move is found, returns only one sentence, which says that the search
/// prefers the best move ([`unexplained`]).
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

/// Returns the sentence for a bad move that can't be explained: “The search prefers …, we can’t say why in words”.
///
/// - `mistake`: the bad move with the replies expected after it.
/// - `best`: move that the search prefers.
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

/// Tests if `claim`, a statement such as “shuts in an amazon”, is true of the line of play `line` (a move with the
/// replies expected after it). A claim counts as true if its degree of truth ([`Claim::degree`]) is at least 0.67.
/// `other` is the line of play after an alternative move. Only [`Effect::LittleRoom`] needs `other`, because it
/// compares both lines.
#[must_use]
pub fn holds(claim: &Claim, line: &Line, other: Option<&Line>) -> bool {
    claim.degree(line, other) >= MIN_DEGREE
}

/// Returns sentences on what the first move of `line` does in favour of `player`, such as “shuts in an amazon”: at most
/// [`MAX_REASONS`] sentences. If `other` is given, leaves out effects that the first move of `other` has, too. Of two
/// effects on largely the same squares, keeps only the first in the order of [`Claim::find_all`].
fn line_reasons(line: &Line, other: Option<&Line>, player: Player) -> Vec<Reason> {
    let mut claims: Vec<Claim> = Vec::new();
    for claim in Claim::find_all(line, other, player) {
        let is_true = holds(&claim, line, other);
        let mut known = claims.iter().map(Claim::squares);
        let is_known = known.any(|squares| do_overlap(squares, claim.squares()));
        let fails_for = |other| claim.degree(other, Some(line)) <= MAX_OTHER_DEGREE;
        if is_true && !is_known && other.is_none_or(fails_for) {
            claims.push(claim);
        }
    }
    claims.truncate(MAX_REASONS);
    let other = other.map(|other| other.turn);
    let reasons = claims.into_iter().map(|claim| reason(line, claim, other));
    reasons.collect()
}

/// Tests if two bit sets of squares have at least half of the squares of the smaller set in common. Returns false if a
/// set is empty.
fn do_overlap(one: u64, other: u64) -> bool {
    let least = one.count_ones().min(other.count_ones());
    2 * (one & other).count_ones() >= least.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::board::Board;
    use record::cells;

    /// Position (rows from rank 1 on) in which white's amazon on a1 has three squares (b1, a2, b2), and can leave them
    /// only by way of b3.
    const POCKET: &str = "w.x....b ..x..... x.x..... ........ ....w... ......w. .......b .b..b.w.";

    /// Position (rows from rank 1 on) in which black's amazon on b2 can reach nine squares, from which c4 is the only
    /// way to the rest of the board.
    const GAP: &str = "...x...w .b.x.... ...x...b xx.x.... ....w... ......w. .......b ....b.w.";

    /// Position (rows from rank 1 on) in which three amazons of each side are shut in. Black's fourth amazon has three
    /// squares left, white's has two.
    const COUNTED: &str = "b...xxxx xxxxxxxx xxxxxxxx bbbxxxxx xxxxxxxx wwwxxxxx xxxxxxxx xxxxx..w";

    fn line(rows: &str, player: Player, moves: &str) -> Line {
        let board: Board = cells::read(&rows.replace(' ', ""), player).expect("a position");
        line_from(&board, moves)
    }

    /// Parses a line of play from `board`, with semicolons between moves.
    fn line_from(board: &Board, moves: &str) -> Line {
        let moves = moves.split(';').map(|turn| turn.parse().expect("a move"));
        let moves: Vec<Move> = moves.collect();
        Line::new(board, moves[0], &moves[1..])
    }

    fn english(reasons: &[Reason]) -> Vec<&str> {
        reasons.iter().map(|reason| &*reason.text.en).collect()
    }

    /// Explains in English why black's first move is good, without comparing it with another move. `rows` is the
    /// position, from rank 1 on, with blanks between rows. `moves` is a line of play, with semicolons between moves:
    /// black's first move, then white's and black's moves in turn.
    fn english_texts(rows: &str, moves: &str) -> Vec<String> {
        let reasons = reasons(&line(rows, Player::Black, moves), None);
        reasons.into_iter().map(|reason| reason.text.en).collect()
    }

    #[test]
    fn effects_are_reported_only_if_they_hold() {
        for (rows, moves, fact) in [
            (POCKET, "b8 b7 b3;g8 h8 g8", "a1 into three squares"),
            (GAP, "b2 c3 c4;g8 h8 g8", "eight squares around b2"),
        ] {
            let said = english_texts(rows, moves);
            assert!(said.iter().any(|said| said.contains(fact)), "{said:?}");
        }
        for (rows, moves, fact) in [
            (POCKET, "b8 b7 b4;g8 h8 g8", "shuts"),
            // Black's arrow on b4 leaves b3 open to white's amazon on a1. So no sentence may say that the move shuts
            // the amazon in.
            (POCKET, "b8 b7 b4;a1 b2 a1", "shuts"),
            (POCKET, "b8 b7 b3", "moves"),
            (GAP, "b2 c3 c2;g8 h8 g8", "only"),
        ] {
            let said = english_texts(rows, moves);
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
        // Here, the best move is g6 h6 g6. After this move, as after the mistake, black's reply b8 b7 b3 shuts in
        // white's amazon on a1. So the shut-in amazon can't explain why the mistake is worse.
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
        // In the mistake, black's amazon moves from its start square c1 to b1. White's reply then shoots an arrow at b2
        // beside it.
        let board = Board::start();
        let mistake = line_from(&board, "c1 b1 d3;f8 f2 b2;h3 d7 c7;c8 b7 g2");
        let best = line_from(&board, "f1 f7 g7;c8 c2 b2;c1 f4 g5;f8 e7 b4");
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
            "After c1 b1 d3 and f8 f2 b2 black’s amazon on {amazon} reaches {left} squares within two moves ({before} before, {other} after f1 f7 g7)"
        );
        assert_eq!(found[0].text.en, text);
        assert_eq!(amazon.to_string(), "b1");
        assert_eq!(found[0].line.len(), 2);
        // A move compared with itself has no effect of its own. So the only sentence says that the search prefers the
        // move.
        let same = reasons(&mistake, Some(&mistake));
        assert_eq!(
            english(&same),
            ["The search prefers c1 b1 d3, we can’t say why in words"]
        );
    }
}
