//! What play says of the state of the game and of what was done.

use super::{Words, file, list};
use crate::board::{Player, Square};
use crate::console::quoted;
use crate::tools::analysis::glossary::{self, say};
use crate::tools::play::command::Action;
use crate::tools::play::message::{Note, Question, State};
use crate::tools::play::selection::Selection;

impl Words {
    /// The state of the game.
    #[must_use]
    pub fn state(self, state: &State) -> String {
        match state {
            State::Asked(asked) => self.question(asked),
            State::Looking { ply, plies } => {
                let plies = self.turns(*plies);
                say!(
                    self.0,
                    "the position after {ply} of {plies}",
                    "第 {ply} 步后的局面,共 {plies}"
                )
            }
            State::Over { winner } => {
                let won = glossary::WON.of(self.0, &[&self.player(*winner)]);
                let why = glossary::NO_MOVE.of(self.0, &[&self.player(!*winner)]);
                self.named(&won, &why)
            }
            State::Thinking(player) => {
                self.to_move(*player, self.text("the bot thinks", "电脑在思考"))
            }
            State::Paused(player) => {
                let waits = self.text("the bot waits for go", "电脑暂停,等待 go");
                self.to_move(*player, waits)
            }
            State::Choose(player, selection) => self.choose(*player, *selection),
        }
    }

    /// Who is to move, and how that goes.
    fn to_move(self, player: Player, what: &str) -> String {
        let to_move = glossary::TO_MOVE.of(self.0, &[&self.player(player)]);
        self.named(&to_move, what)
    }

    /// What the player is to choose.
    fn choose(self, mover: Player, selection: Selection) -> String {
        let player = self.player(mover);
        match selection {
            Selection::Nothing => self.to_move(mover, self.text("choose an amazon", "请选择棋子")),
            Selection::Amazon(from) => say!(
                self.0,
                "{player}, {from} chosen: choose where it goes",
                "{player}选了 {from}:请选择落点"
            ),
            Selection::Walk { from, to } => say!(
                self.0,
                "{player}, {from} to {to} chosen: choose where the arrow goes",
                "{player}从 {from} 到 {to}:请选择射箭的格子"
            ),
        }
    }

    fn question(self, question: &Question) -> String {
        match question {
            Question::Overwrite(path) => say!(
                self.0,
                "{} holds another game: write over it? y or n",
                "{} 里是另一局棋,要覆盖吗?y 或 n",
                file(path)
            ),
            Question::Leave(action) => {
                let what = match action {
                    Action::New => self.text("begin another one", "开始新的一局"),
                    Action::Quit => self.text("quit", "退出"),
                    _ => self.text("load the other one", "读取另一局"),
                };
                say!(
                    self.0,
                    "this game is not saved: {what} all the same? y or n",
                    "这局棋还没有保存,仍要{what}吗?y 或 n"
                )
            }
        }
    }

    /// What was done.
    #[must_use]
    pub fn note(self, note: &Note) -> String {
        let turns = |turns: &usize| self.turns(*turns);
        match note {
            Note::Played(player, turn) => {
                glossary::PLAYED.of(self.0, &[&self.player(*player), turn])
            }
            Note::TakenBack(count) => say!(self.0, "{} taken back", "悔了 {}", turns(count)),
            Note::PlayedAgain(count) => say!(self.0, "{} played again", "重走了 {}", turns(count)),
            Note::BackInGame(count) => say!(
                self.0,
                "back in the game of {}",
                "回到 {}的那一局",
                turns(count)
            ),
            Note::Legal(selection, legal) => self.legal(*selection, legal),
            Note::NewGame => self
                .text(
                    "a new game; undo brings the one before back",
                    "新的一局;undo 可以回到前一局",
                )
                .to_owned(),
            Note::Saved(path) => say!(self.0, "saved to {}", "已保存到 {}", file(path)),
            Note::Loaded(count, path) => {
                let (turns, file) = (turns(count), file(path));
                say!(
                    self.0,
                    "{turns} loaded from {file}",
                    "从 {file} 读取了 {turns}"
                )
            }
            Note::Continued(count) => say!(
                self.0,
                "the game left after {}",
                "继续上次的对局,已有 {}",
                turns(count)
            ),
            Note::Left(count) => say!(
                self.0,
                "a game of {} was left: continue goes on with it",
                "上次有一局没下完({}):输入 continue 继续",
                turns(count)
            ),
            Note::Seats(seats) => self.seats(&seats.map(|seat| self.seat(seat))),
            Note::Pace(pace) => say!(
                self.0,
                "a turn between two bots takes {} s at least",
                "电脑对弈时每步至少 {} 秒",
                pace.as_secs_f32()
            ),
            Note::NotDone => self.text("nothing was done", "没有执行").to_owned(),
            Note::Advised(advice) => {
                let chances = self.chances(advice.black_wins);
                format!("{}  ({chances})", self.hint(advice.turn))
            }
            Note::Reviewing => self.text("reviewing the game", "正在复盘").to_owned(),
            Note::Reviewed(review) => {
                let rows = self.review(review);
                let rows = rows.iter().map(|(name, text)| format!("{name}  {text}"));
                rows.collect::<Vec<_>>().join("\n")
            }
            Note::NotKept(why) => say!(
                self.0,
                "the game can't be kept until it is saved: {}",
                "无法自动保存这局棋:{}",
                quoted(why)
            ),
        }
    }

    /// Which squares may be chosen next.
    fn legal(self, selection: Selection, legal: &[Square]) -> String {
        let what = match selection {
            Selection::Nothing => self.text("these can move: ", "可以走的棋子:").to_owned(),
            Selection::Amazon(from) => say!(self.0, "{from} reaches ", "{from} 能到:"),
            Selection::Walk { to, .. } => {
                say!(self.0, "the arrow from {to} reaches ", "箭从 {to} 能到:")
            }
        };
        match legal {
            [] => what + self.text("nothing", "无"),
            legal => what + &list(legal.iter().copied()),
        }
    }
}
