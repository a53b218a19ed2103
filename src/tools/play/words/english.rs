//! What play says in English.

use super::{Labels, Words, file, lines, list};
use crate::board::{Board, Move, Player, squares};
use crate::console::quoted;
use crate::tools::play::command::{Action, CommandError, Expected};
use crate::tools::play::message::{Note, Question, State};
use crate::tools::play::refusal::{BrokenRule, Refusal};
use crate::tools::play::review::Findings;
use crate::tools::play::seat::Seat;
use crate::tools::play::selection::Selection;
use crate::tools::thinking::level::Strength;

/// English.
pub struct English;

const LABELS: Labels = Labels {
    title: "Amazons",
    players: "Players",
    record: "Record",
    no_moves: "no moves yet",
    help: ["Help", "Help, up and down for more"],
    review: ["Review", "Review, up and down for more"],
    headings: ["Keys", "Commands"],
    keys: [
        (
            "arrows, Enter",
            "move the cursor, choose a square; so does a click",
        ),
        ("Esc", "step back"),
        ("a1 to h8", "type squares or commands, then Enter"),
        ("Ctrl-U, Ctrl-W", "clear the line, the last word"),
        ("Tab", "hint"),
        ("Ctrl-Z, Ctrl-Y", "undo, redo"),
        ("[ and ]", "look at earlier positions; Esc for the present"),
        ("Ctrl-T", "whose the squares are, on and off"),
        ("Ctrl-P", "win probability on and off"),
        ("Ctrl-S, Ctrl-O", "save, load"),
        ("Page Up, Down", "look through the record"),
        ("Space", "let bots wait, or go on"),
        ("Ctrl-R, Ctrl-N", "review the game, begin another one"),
        ("?", "these lines"),
        ("q, Ctrl-C", "quit"),
    ],
    commands: [
        "move from c1 to c6, shoot to f6",
        "one square of a turn after the other",
        "say what can be chosen next",
        "say where the amazon on c1 can go",
        "show what the bot would play",
        "show the win probability",
        "show whose the squares are",
        "take back (against a bot a whole round), play again",
        "look at the position a turn earlier, later",
        "look at the position after turn 5, at the present one",
        "show the board, the moves so far",
        "the bots' level: 1 for a beginner, 10 the uploaded bot",
        "let the bot play black",
        "play white yourself",
        "let bots go on, wait",
        "at least half a second for a turn between two bots",
        "say how good the moves were",
        "write the game as a match log (save! FILE over another one)",
        "go on with a match log",
        "go on with the game that was left last",
        "begin another game; undo brings this one back",
        "show these lines, end the program",
    ],
    footer: [
        "Esc back  Tab hint  ^Z undo  ^Y redo  ^T territory  ^S save  ? help  q quit",
        "Enter  Esc  Tab hint  ? keys  q quit",
    ],
    answers: "y yes  n no",
    after_the_end: [
        "^R review  ^S save  ^N play again  q quit",
        "review, save FILE, new or quit?",
    ],
    welcome: "? shows the keys",
    no_chances: "win probability: thinking",
    looking_for_hint: "looking for a hint",
    on_screen: "it is on the screen",
    win: ["win probability on", "win probability off"],
    territory: [
        "territory on: each square marked in the colour that is closer",
        "territory off",
    ],
    territory_key: "b: black is closer; w: white is closer; x: an arrow",
    has_won: "has won",
};

/// A number of things.
fn count(number: usize, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{number} {noun}")
}

fn expected(expected: Expected) -> String {
    match expected {
        Expected::File => "a file".to_owned(),
        Expected::Number(least, most) => format!("a number from {least} to {most}"),
        Expected::Sitter => "human or bot".to_owned(),
    }
}

fn fault(fault: BrokenRule) -> String {
    match fault {
        BrokenRule::Rule(rule) => rule.to_string(),
        BrokenRule::ShutIn(square) => format!("the amazon on {square} is shut in"),
    }
}

fn question(question: &Question) -> String {
    match question {
        Question::Overwrite(path) => {
            format!("{} holds another game: write over it? y or n", file(path))
        }
        Question::Leave(action) => {
            let what = match action {
                Action::New => "begin another one",
                Action::Quit => "quit",
                _ => "load the other one",
            };
            format!("this game is not saved: {what} all the same? y or n")
        }
    }
}

impl Words for English {
    fn labels(&self) -> &'static Labels {
        &LABELS
    }

    fn player(&self, player: Player) -> &'static str {
        match player {
            Player::Black => "black",
            Player::White => "white",
        }
    }

    fn strength(&self, strength: Strength) -> String {
        strength.to_string()
    }

    fn seat(&self, seat: Seat) -> String {
        seat.to_string()
    }

    fn greeting(&self, [black, white]: [String; 2]) -> String {
        format!("black: {black}; white: {white}; help lists the commands")
    }

    fn turns(&self, turns: usize) -> String {
        count(turns, "turn", "turns")
    }

    fn state(&self, state: &State) -> String {
        match state {
            State::Asked(asked) => question(asked),
            State::Looking { ply, plies } => {
                format!("the position after {ply} of {}", self.turns(*plies))
            }
            State::Over { winner } => format!("{winner} has won: {} has no move", !*winner),
            State::Thinking(player) => format!("{player} to move: the bot thinks"),
            State::Paused(player) => format!("{player} to move: the bot waits for go"),
            State::Choose(player, Selection::Nothing) => {
                format!("{player} to move: choose an amazon")
            }
            State::Choose(player, Selection::Amazon(from)) => {
                format!("{player}, {from} chosen: choose where it goes")
            }
            State::Choose(player, Selection::Walk { from, to }) => {
                format!("{player}, {from} to {to} chosen: choose where the arrow goes")
            }
        }
    }

    fn note(&self, note: &Note) -> String {
        match note {
            Note::Played(player, turn) => format!("{player} played {turn}"),
            Note::TakenBack(turns) => format!("{} taken back", self.turns(*turns)),
            Note::PlayedAgain(turns) => format!("{} played again", self.turns(*turns)),
            Note::BackInGame(turns) => {
                format!("back in the game of {}", self.turns(*turns))
            }
            Note::Legal(selection, legal) => {
                let what = match selection {
                    Selection::Nothing => "these can move:".to_owned(),
                    Selection::Amazon(from) => format!("{from} reaches"),
                    Selection::Walk { to, .. } => format!("the arrow from {to} reaches"),
                };
                match legal.as_slice() {
                    [] => format!("{what} nothing"),
                    legal => format!("{what} {}", list(legal.iter().copied())),
                }
            }
            Note::NewGame => "a new game; undo brings the one before back".to_owned(),
            Note::Saved(path) => format!("saved to {}", file(path)),
            Note::Loaded(turns, path) => {
                format!("{} loaded from {}", self.turns(*turns), file(path))
            }
            Note::Continued(turns) => format!("the game left after {}", self.turns(*turns)),
            Note::Left(turns) => format!(
                "a game of {} was left: continue goes on with it",
                self.turns(*turns)
            ),
            Note::Seats([black, white]) => format!("black: {black}; white: {white}"),
            Note::Pace(pace) => {
                format!(
                    "a turn between two bots takes {} s at least",
                    pace.as_secs_f32()
                )
            }
            Note::NotDone => "nothing was done".to_owned(),
            Note::Reviewing => "reviewing the game".to_owned(),
            Note::Reviewed(review) => lines(&self.review(review)),
            Note::NotKept(why) => {
                format!("the game can't be kept until it is saved: {}", quoted(why))
            }
        }
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Over { winner } => {
                format!("the game is over, {winner} has won: expected undo, new or quit")
            }
            Refusal::BotsTurn(player) => {
                format!("it is {player}'s turn, a bot's: expected go, undo or quit")
            }
            Refusal::TooManySquares { given, missing } => format!(
                "{}, expected at most {missing} more for this turn",
                count(*given, "square", "squares")
            ),
            Refusal::Illegal {
                fault: broken,
                choice,
                legal,
            } => {
                let (fault, legal) = (fault(*broken), list(legal.iter().copied()));
                match choice {
                    Selection::Nothing => format!("{fault}; these can move: {legal}"),
                    Selection::Amazon(from) => format!("{fault}; from {from} it reaches {legal}"),
                    Selection::Walk { to, .. } => {
                        format!("{fault}; from {to} the arrow reaches {legal}")
                    }
                }
            }
            Refusal::NothingToUndo => "there is no turn to take back".to_owned(),
            Refusal::NothingToRedo => "no turn has been taken back".to_owned(),
            Refusal::NoBots => "no bot plays: expected black bot or white bot".to_owned(),
            Refusal::NoSuchTurn { turns } => format!("look: expected a number from 0 to {turns}"),
            Refusal::NoFile => "save: expected a file after it".to_owned(),
            Refusal::NothingLeft => "no game was left".to_owned(),
        }
    }

    fn command_error(&self, error: &CommandError) -> String {
        match error {
            CommandError::Unknown(word) => format!(
                "\"{}\": expected squares such as c1 c6 f6, or a command such as moves, hint, undo, save, new or \
                 quit; help lists them",
                quoted(word)
            ),
            CommandError::Expected {
                command,
                expected: due,
                found,
            } => {
                let due = expected(*due);
                match found.as_str() {
                    "" => format!("{command}: expected {due} after it"),
                    _ => format!(
                        "{command}: expected {due} after it, found \"{}\"",
                        quoted(found)
                    ),
                }
            }
            CommandError::TooMuch { command, rest } => {
                format!(
                    "{command}: expected nothing after it, found \"{}\"",
                    quoted(rest)
                )
            }
            CommandError::Square(error) => quoted(&error.to_string()).to_string(),
        }
    }

    fn not_done(&self, why: &str) -> String {
        format!("not done: {why}")
    }

    fn chances(&self, black_wins: f32) -> String {
        let black = 100.0 * black_wins;
        format!("black {black:.1} %, white {:.1} %", 100.0 - black)
    }

    fn win_probability(&self, black_wins: f32) -> String {
        format!("win probability: {}", self.chances(black_wins))
    }

    fn hint(&self, turn: Move) -> String {
        format!("hint: {turn}")
    }

    fn review(&self, review: &Findings) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        for (player, side) in [Player::Black, Player::White]
            .into_iter()
            .zip(&review.sides)
        {
            let text = match side.accuracy {
                None => "no move that counts".to_owned(),
                Some(accuracy) => format!(
                    "accuracy {accuracy:.1} %; {}, {}, {}",
                    count(side.blunders, "blunder", "blunders"),
                    count(side.mistakes, "mistake", "mistakes"),
                    count(side.inaccuracies, "inaccuracy", "inaccuracies"),
                ),
            };
            rows.push((player.to_string(), text));
        }
        rows.extend(review.mistakes.iter().map(|found| {
            let text = format!(
                "{} played {}: {:.0} % lost; better {}",
                found.player,
                found.turn,
                100.0 * found.loss,
                found.better
            );
            (format!("turn {}", found.ply), text)
        }));
        rows
    }

    fn board(&self, board: &Board) -> String {
        let arrows = match board.arrows() {
            0 => "none".to_owned(),
            arrows => list(squares(arrows)),
        };
        format!(
            "black amazons: {}; white amazons: {}; arrows: {arrows}",
            list(squares(board.amazons(Player::Black))),
            list(squares(board.amazons(Player::White))),
        )
    }

    fn too_small(&self, [columns, rows]: [u16; 2], [wide, high]: [u16; 2]) -> String {
        format!(
            "This terminal has {columns} columns and {rows} rows, the game needs {wide} and {high}. Make it larger, or \
             press q."
        )
    }
}
