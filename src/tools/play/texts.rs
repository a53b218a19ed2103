//! Texts of `amazons play` and `amazons rules`, each in English and Chinese.

mod illegal_choice;
pub mod labels;
mod phrases;
mod status;

use super::play_state::PlayState;
use super::player_kind::PlayerKind;
use analysis::glossary::{self, Language, Term};
use analysis::level::Strength;
use engine::board::{Board, Move, Player, squares};
use engine::budget::Budget;
use engine::console::{escaped, with_noun};
use std::path::Path;

/// Formats the messages of `amazons play` in the user's language, which the field contains.
#[derive(Clone, Copy, Debug)]
pub struct Texts(pub Language);

impl Texts {
    /// Returns the text `term` (a pair of an English and a Chinese text) in the user's language. For texts with
    /// placeholders such as `{0}`, use `Term::fill` instead.
    #[must_use]
    pub const fn label(self, term: Term) -> &'static str {
        term.text(self.0)
    }

    /// Returns the name of the colour `player` in the user's language.
    #[must_use]
    pub fn player(self, player: Player) -> &'static str {
        self.label(player.into())
    }

    /// Describes how strong a bot plays: its level, or its time or number of search iterations for each turn.
    fn strength(self, strength: Strength) -> String {
        match (self.0, strength) {
            (Language::En, _) => strength.to_string(),
            (_, Strength::Level(level)) => glossary::LEVEL.fill(self.0, &[&level]),
            (_, Strength::Budget(Budget::Time(time))) => format!("{} 毫秒", time.as_millis()),
            (_, Strength::Budget(Budget::Iterations(most))) => format!("{most} 次迭代"),
        }
    }

    /// Describes who plays a colour: a person, such as `human`, or the bot and how strong it plays, such as
    /// `bot, level 6`.
    #[must_use]
    pub fn player_kind(self, kind: PlayerKind) -> String {
        match kind {
            PlayerKind::Human => self.label(labels::HUMAN).to_owned(),
            PlayerKind::Bot(strength) => {
                self.bot(self.label(glossary::BOT), self.strength(strength))
            }
        }
    }

    /// Describes who plays the colour `player` in the game of `state`, such as `human`. If the game's file has a name
    /// for the player, puts it in front: `Anna (human)`.
    #[must_use]
    pub fn named_player(self, state: &PlayState, player: Player) -> String {
        let kind = self.player_kind(state.game.player_kind(player));
        match &state.names[player as usize] {
            Some(name) => glossary::BRACKETS.fill(self.0, &[&escaped(name), &kind]),
            None => kind,
        }
    }

    /// Formats a number of turns with the noun, such as "1 turn" or "2 turns".
    #[must_use]
    pub fn turns(self, turns: usize) -> String {
        match self.0 {
            Language::En => with_noun(turns as u64, "turn", "turns"),
            Language::Zh => format!("{turns} 步"),
        }
    }

    /// Formats the win probabilities of both players, such as `black 61.5 %, white 38.5 %`. `black_wins` is black's win
    /// probability, from 0 to 1.
    #[must_use]
    pub fn win_percentages(self, black_wins: f32) -> String {
        self.percentages(100.0 * black_wins, 100.0 - 100.0 * black_wins)
    }

    /// Formats the win probabilities of both players with a heading, such as `win probability: black 61.5 %, white 38.5
    /// %`. `black_wins` is black's win probability, from 0 to 1.
    #[must_use]
    pub fn win_probability(self, black_wins: f32) -> String {
        let name = self.label(glossary::WIN_PROBABILITY);
        self.labelled(name, self.win_percentages(black_wins))
    }

    /// Formats the suggested move, such as `hint: c1 c6 b5` (amazon, destination, arrow).
    #[must_use]
    pub fn hint(self, turn: Move) -> String {
        self.labelled(self.label(glossary::HINT), turn)
    }

    /// Describes a position in words, for the option `--words`: lists the squares of the black amazons, of the white
    /// amazons, and of the arrows.
    #[must_use]
    pub fn board(self, board: &Board) -> String {
        let arrows = match board.arrows() {
            0 => self.label(labels::NONE).to_owned(),
            arrows => square_list(arrows),
        };
        let [black, white] = [Player::Black, Player::White].map(|player| board.amazons(player));
        self.pieces(square_list(black), square_list(white), arrows)
    }

    /// Formats `moves` as a numbered list with one line for each round: black's move, then white's. If there are no
    /// moves, returns a message that says so.
    #[must_use]
    pub fn move_list(self, moves: &[Move]) -> String {
        let rounds = moves.chunks(2).enumerate().map(|(number, turns)| {
            let turns: Vec<String> = turns.iter().map(Move::to_string).collect();
            format!("{:2}. {}", number + 1, turns.join("  "))
        });
        match moves {
            [] => self.label(labels::NO_MOVES).to_owned(),
            _ => rounds.collect::<Vec<_>>().join("\n"),
        }
    }
}

/// Formats a set of squares as names, such as `a1 c3`. `set` is a bitboard (bit n = square n; 0 = a1, 1 = b1).
fn square_list(set: u64) -> String {
    let names = squares(set).map(|square| square.to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// Returns the path as text to show to the user. Control characters in it are escaped, because they could change the
/// terminal's settings.
#[must_use]
pub fn display_path(path: &Path) -> String {
    escaped(&path.to_string_lossy()).to_string()
}
