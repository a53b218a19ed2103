//! `amazons analyze --solve`: solves games backward from their ends and prints the results as text or JSON.

use super::{SearchArgs, for_each_game, json_lines};
use analysis::analysed::Source;
use analysis::glossary::{DECIDED_AFTER, LAST_CHANCE, Language, NO_CHANCE, OPEN_END, THREW_AWAY};
use analysis::solved::{CertainWin, GivenAwayWin, Solved};
use base::error::ToolError;
use base::workers;
use engine::console::{counted, visible};
use serde::Serialize;

/// Solved positions of one game, as its line of JSON.
#[derive(Debug, Serialize)]
struct SolvedGame {
    game: String,
    outcome: String,
    plies: usize,
    #[serde(flatten)]
    solved: Solved,
}

/// Solves games backward from their ends, with at most `nodes` nodes for each position. Prints the result of each game as soon
/// as it is done. Returns the exit code.
///
/// # Errors
/// If standard output can't be written.
pub fn run(args: &SearchArgs, nodes: u64, as_json: bool) -> Result<u8, ToolError> {
    let (sources, all_read) = args.input.read();
    let games: Vec<&Source> = sources.iter().collect();
    let stop = workers::stop_on_interrupt()?;
    let work = |source: &Source| {
        Some(SolvedGame {
            game: source.title.clone(),
            outcome: analysis::glossary::outcome_sentence(source.game.outcome()),
            plies: source.game.plies(),
            solved: Solved::of(&source.game, args.memory(), nodes, stop)?,
        })
    };
    for_each_game(args, all_read, &games, work, |game| match as_json {
        true => json_lines(&game.game, &game, &game.solved.positions),
        false => Ok(game.to_text()),
    })
}

impl SolvedGame {
    /// Returns the game, its outcome, and the moves that decided it, as text for people.
    fn to_text(&self) -> String {
        const EN: Language = Language::En;
        let plies = counted(self.plies as u64, "ply", "plies");
        let mut text = format!("{}\n  {}; {plies}\n", visible(&self.game), self.outcome);
        for GivenAwayWin { ply, player, turn } in &self.solved.wins_given_away {
            text += &format!("  ply {ply}  {player}  {turn}  {}\n", THREW_AWAY.text(EN));
        }
        let (Some(decided), Some(from)) = (self.solved.decided, self.solved.solved_after) else {
            return text + &format!("  {}\n", OPEN_END.text(EN));
        };
        let CertainWin { winner, after, .. } = decided;
        let chance = match decided.last_chance {
            Some(chance) => LAST_CHANCE.of(EN, &[&!winner, &chance]),
            None => NO_CHANCE.of(EN, &[&!winner, &from]),
        };
        let decided = DECIDED_AFTER.of(EN, &[&after, &winner]);
        text + &format!("  {decided}\n  {chance}\n")
    }
}
