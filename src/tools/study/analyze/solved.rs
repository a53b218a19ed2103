//! `amazons analyze --solve`: solves the positions of games, from the end backward, and prints the results as text or
//! JSON.

use super::{SearchArgs, for_each_game, json_lines};
use analysis::analysed::TitledGame;
use analysis::glossary::{DECIDED_AFTER, LAST_CHANCE, Language, NO_CHANCE, OPEN_END, THREW_AWAY};
use analysis::solved::{CertainWin, GivenAwayWin, Solved};
use base::error::Result;
use base::workers;
use engine::console::{escaped, with_noun};
use serde::Serialize;

/// Results of the solver for one game. With `--json`, they are printed as a line about the whole game, before a line
/// for each solved position.
#[derive(Debug, Serialize)]
struct SolvedGame {
    /// Title of the game.
    game: String,
    outcome: String,
    plies: usize,
    #[serde(flatten)]
    solved: Solved,
}

/// Solves the positions of each game backward from the end. Prints the results for a game as soon as it is done, as
/// text or, if `as_json` is true, as lines of JSON. `nodes` is the maximum number of nodes that the solver searches for
/// each position.
///
/// Returns the exit code: 130 after Ctrl-C, else 2 if a game could not be read, else 0.
///
/// # Errors
/// If standard output can't be written.
pub fn run(args: &SearchArgs, nodes: u64, as_json: bool) -> Result<u8> {
    let (sources, all_read) = args.input.read();
    let games: Vec<&TitledGame> = sources.iter().collect();
    let stop = workers::stop_on_interrupt()?;
    let work = |source: &TitledGame| {
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
    /// Formats the results as English text: the game's title and outcome, each move that threw away a proven win, and
    /// the ply after which the winner was certain.
    fn to_text(&self) -> String {
        const EN: Language = Language::En;
        let plies = with_noun(self.plies as u64, "ply", "plies");
        let mut text = format!("{}\n  {}; {plies}\n", escaped(&self.game), self.outcome);
        for GivenAwayWin { ply, player, turn } in &self.solved.wins_given_away {
            text += &format!("  ply {ply}  {player}  {turn}  {}\n", THREW_AWAY.text(EN));
        }
        let (Some(decided), Some(from)) = (self.solved.decided, self.solved.solved_after) else {
            return text + &format!("  {}\n", OPEN_END.text(EN));
        };
        let CertainWin { winner, after, .. } = decided;
        let chance = match decided.last_chance {
            Some(chance) => LAST_CHANCE.fill(EN, &[&!winner, &chance]),
            None => NO_CHANCE.fill(EN, &[&!winner, &from]),
        };
        let decided = DECIDED_AFTER.fill(EN, &[&after, &winner]);
        text + &format!("  {decided}\n  {chance}\n")
    }
}
