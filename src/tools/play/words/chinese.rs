//! What play says in Chinese.

use super::{Labels, Words, file, lines, list};
use crate::board::{Board, Cell, IllegalMove, Leg, Move, ParseMoveError, Player, squares};
use crate::budget::Budget;
use crate::console::quoted;
use crate::tools::play::command::{Action, CommandError, Expected};
use crate::tools::play::message::{Note, Question, State};
use crate::tools::play::refusal::{BrokenRule, Refusal};
use crate::tools::play::review::Findings;
use crate::tools::play::seat::Seat;
use crate::tools::play::selection::Selection;
use crate::tools::thinking::level::Strength;

/// Chinese.
pub struct Chinese;

const LABELS: Labels = Labels {
    title: "亚马逊棋",
    players: "棋手",
    record: "棋谱",
    no_moves: "还没有着法",
    help: ["帮助", "帮助(按上下键翻看)"],
    review: ["复盘", "复盘(按上下键翻看)"],
    headings: ["按键", "命令"],
    keys: [
        ("方向键、Enter", "移动光标,选择格子;也可用鼠标点击"),
        ("Esc", "退回一步"),
        ("a1 到 h8", "输入格子或命令,然后按 Enter"),
        ("Ctrl-U、Ctrl-W", "清空输入,删除最后一个词"),
        ("Tab", "提示"),
        ("Ctrl-Z、Ctrl-Y", "悔棋,重走"),
        ("[ 和 ]", "查看以前的局面;Esc 回到当前局面"),
        ("Ctrl-T", "显示或隐藏领地"),
        ("Ctrl-P", "显示或隐藏胜率"),
        ("Ctrl-S、Ctrl-O", "保存,读取"),
        ("Page Up、Down", "翻看棋谱"),
        ("空格", "让机器人暂停或继续"),
        ("Ctrl-R、Ctrl-N", "复盘,新的一局"),
        ("?", "显示本帮助"),
        ("q、Ctrl-C", "退出"),
    ],
    commands: [
        "从 c1 走到 c6,箭射到 f6",
        "一步棋也可以逐格输入",
        "列出下一步可选的格子",
        "列出 c1 的棋子能到的格子",
        "显示机器人会怎么走",
        "显示胜率",
        "显示领地",
        "悔棋(对机器人悔一个回合),重走",
        "查看前一步、后一步的局面",
        "查看第 5 步后的局面,回到当前局面",
        "显示棋盘,显示棋谱",
        "机器人的级别:1 级给初学者,10 级是上传的机器人",
        "让机器人执黑",
        "自己执白",
        "让机器人继续,暂停",
        "机器人对弈时每步至少半秒",
        "评价每步棋的好坏",
        "把对局存为日志(save! FILE 覆盖别的对局)",
        "读取日志继续下",
        "继续上次没下完的对局",
        "新的一局;undo 可以回到这一局",
        "显示本帮助,退出程序",
    ],
    footer: [
        "Esc 退回  Tab 提示  ^Z 悔棋  ^Y 重走  ^T 领地  ^S 保存  ? 帮助  q 退出",
        "Enter  Esc  Tab 提示  ? 按键  q 退出",
    ],
    answers: "y 是  n 否",
    after_the_end: [
        "^R 复盘  ^S 保存  ^N 再来一局  q 退出",
        "复盘 review,保存 save FILE,再来一局 new,退出 quit?",
    ],
    welcome: "按 ? 查看按键",
    no_chances: "正在计算胜率",
    looking_for_hint: "正在寻找提示",
    on_screen: "已经显示在屏幕上",
    win: ["显示胜率", "不再显示胜率"],
    territory: ["显示领地:格子用离它更近一方的颜色标出", "不再显示领地"],
    territory_key: "b:黑方更近;w:白方更近;x:箭",
    has_won: "获胜",
};

const fn player(player: Player) -> &'static str {
    match player {
        Player::Black => "黑方",
        Player::White => "白方",
    }
}

const fn cell(cell: Cell) -> &'static str {
    match cell {
        Cell::Empty => "空格",
        Cell::Amazon(Player::Black) => "黑棋",
        Cell::Amazon(Player::White) => "白棋",
        Cell::Arrow => "箭",
        Cell::Border => "棋盘边缘",
    }
}

const fn leg(leg: Leg) -> &'static str {
    match leg {
        Leg::Walk => "棋子",
        Leg::Shot => "箭",
    }
}

fn rule(rule: IllegalMove) -> String {
    match rule {
        IllegalMove::NotYourAmazon {
            square,
            player: mover,
            found,
        } => format!("{square} 上是{},应选{}的棋子", cell(found), player(mover)),
        IllegalMove::StandsStill { leg: part, square } => {
            format!("{}停在 {square},应到别的格子", leg(part))
        }
        IllegalMove::NotAQueenLine {
            leg: part,
            from,
            to,
        } => format!("{}从 {from} 到 {to},应走横线、竖线或斜线", leg(part)),
        IllegalMove::Blocked {
            leg: part,
            square,
            found,
        } => format!("{}在 {square} 被{}挡住", leg(part), cell(found)),
    }
}

fn fault(fault: BrokenRule) -> String {
    match fault {
        BrokenRule::Rule(broken) => rule(broken),
        BrokenRule::ShutIn(square) => format!("{square} 上的棋子已被围住"),
    }
}

fn expected(expected: Expected) -> String {
    match expected {
        Expected::File => "文件名".to_owned(),
        Expected::Number(least, most) => format!("{least} 到 {most} 的数"),
        Expected::Sitter => "human(人)或 bot(机器人)".to_owned(),
    }
}

fn question(question: &Question) -> String {
    match question {
        Question::Overwrite(path) => format!("{} 里是另一局棋,要覆盖吗?y 或 n", file(path)),
        Question::Leave(action) => {
            let what = match action {
                Action::New => "开始新的一局",
                Action::Quit => "退出",
                _ => "读取另一局",
            };
            format!("这局棋还没有保存,仍要{what}吗?y 或 n")
        }
    }
}

impl Words for Chinese {
    fn labels(&self) -> &'static Labels {
        &LABELS
    }

    fn player(&self, of: Player) -> &'static str {
        player(of)
    }

    fn strength(&self, strength: Strength) -> String {
        match strength {
            Strength::Level(level) => format!("{level} 级"),
            Strength::Budget(Budget::Time(time)) => format!("{} 毫秒", time.as_millis()),
            Strength::Budget(Budget::Iterations(iterations)) => format!("{iterations} 次迭代"),
        }
    }

    fn seat(&self, seat: Seat) -> String {
        match seat {
            Seat::Human => "人".to_owned(),
            Seat::Bot(strength) => format!("机器人,{}", self.strength(strength)),
        }
    }

    fn greeting(&self, [black, white]: [String; 2]) -> String {
        format!("黑方:{black};白方:{white};输入 help 查看命令")
    }

    fn turns(&self, turns: usize) -> String {
        format!("{turns} 步")
    }

    fn state(&self, state: &State) -> String {
        match state {
            State::Asked(asked) => question(asked),
            State::Looking { ply, plies } => format!("第 {ply} 步后的局面,共 {plies} 步"),
            State::Over { winner } => {
                format!("{}获胜:{}无棋可走", player(*winner), player(!*winner))
            }
            State::Thinking(mover) => format!("轮到{}:机器人在思考", player(*mover)),
            State::Paused(mover) => format!("轮到{}:机器人暂停,等待 go", player(*mover)),
            State::Choose(mover, Selection::Nothing) => {
                format!("轮到{}:请选择棋子", player(*mover))
            }
            State::Choose(mover, Selection::Amazon(from)) => {
                format!("{}选了 {from}:请选择落点", player(*mover))
            }
            State::Choose(mover, Selection::Walk { from, to }) => {
                format!("{}从 {from} 到 {to}:请选择射箭的格子", player(*mover))
            }
        }
    }

    fn note(&self, note: &Note) -> String {
        match note {
            Note::Played(mover, turn) => format!("{}走了 {turn}", player(*mover)),
            Note::TakenBack(turns) => format!("悔了 {turns} 步"),
            Note::PlayedAgain(turns) => format!("重走了 {turns} 步"),
            Note::BackInGame(turns) => format!("回到 {turns} 步的那一局"),
            Note::Legal(selection, legal) => {
                let what = match selection {
                    Selection::Nothing => "可以走的棋子:".to_owned(),
                    Selection::Amazon(from) => format!("{from} 能到:"),
                    Selection::Walk { to, .. } => format!("箭从 {to} 能到:"),
                };
                match legal.as_slice() {
                    [] => format!("{what}无"),
                    legal => format!("{what}{}", list(legal.iter().copied())),
                }
            }
            Note::NewGame => "新的一局;undo 可以回到前一局".to_owned(),
            Note::Saved(path) => format!("已保存到 {}", file(path)),
            Note::Loaded(turns, path) => format!("从 {} 读取了 {turns} 步", file(path)),
            Note::Continued(turns) => format!("继续上次的对局,已有 {turns} 步"),
            Note::Left(turns) => {
                format!("上次有一局没下完({turns} 步):输入 continue 继续")
            }
            Note::Seats([black, white]) => {
                format!("黑方:{};白方:{}", self.seat(*black), self.seat(*white))
            }
            Note::Pace(pace) => format!("机器人对弈时每步至少 {} 秒", pace.as_secs_f32()),
            Note::NotDone => "没有执行".to_owned(),
            Note::Reviewing => "正在复盘".to_owned(),
            Note::Reviewed(review) => lines(&self.review(review)),
            Note::NotKept(why) => format!("无法自动保存这局棋:{}", quoted(why)),
        }
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Over { winner } => {
                format!("对局已结束,{}获胜:可以 undo、new 或 quit", player(*winner))
            }
            Refusal::BotsTurn(mover) => {
                format!("轮到{}的机器人:可以 go、undo 或 quit", player(*mover))
            }
            Refusal::TooManySquares { given, missing } => {
                format!("给了 {given} 个格子,这一步最多还需 {missing} 个")
            }
            Refusal::Illegal {
                fault: broken,
                choice,
                legal,
            } => {
                let (fault, legal) = (fault(*broken), list(legal.iter().copied()));
                match choice {
                    Selection::Nothing => format!("{fault};可以走的棋子:{legal}"),
                    Selection::Amazon(from) => format!("{fault};从 {from} 能到:{legal}"),
                    Selection::Walk { to, .. } => format!("{fault};箭从 {to} 能到:{legal}"),
                }
            }
            Refusal::NothingToUndo => "没有可悔的棋".to_owned(),
            Refusal::NothingToRedo => "没有悔过的棋".to_owned(),
            Refusal::NoBots => "没有机器人在下:可以 black bot 或 white bot".to_owned(),
            Refusal::NoSuchTurn { turns } => format!("look:后面应是 0 到 {turns} 的数"),
            Refusal::NoFile => "save:后面应是文件名".to_owned(),
            Refusal::NothingLeft => "没有未下完的对局".to_owned(),
        }
    }

    fn command_error(&self, error: &CommandError) -> String {
        match error {
            CommandError::Unknown(word) => format!(
                "“{}”:应输入格子(例如 c1 c6 f6)或命令(例如 moves、hint、undo、save、new、quit);help 列出全部",
                quoted(word)
            ),
            CommandError::Expected {
                command,
                expected: due,
                found,
            } => {
                let due = expected(*due);
                match found.as_str() {
                    "" => format!("{command}:后面应是{due}"),
                    _ => format!("{command}:后面应是{due},而不是“{}”", quoted(found)),
                }
            }
            CommandError::TooMuch { command, rest } => {
                format!("{command}:后面不应有“{}”", quoted(rest))
            }
            CommandError::Square(ParseMoveError::OffBoard { x, y }) => {
                format!("({x}, {y}) 不在棋盘上:坐标是 0 到 7")
            }
            CommandError::Square(ParseMoveError::NotASquare(word)) => {
                format!("“{}”不是格子:应是 a1 到 h8", quoted(word))
            }
            CommandError::Square(ParseMoveError::WrongCount(count)) => {
                format!("应是六个坐标或三个格子,而不是 {count} 个格子")
            }
        }
    }

    fn not_done(&self, why: &str) -> String {
        format!("未执行:{why}")
    }

    fn chances(&self, black_wins: f32) -> String {
        let black = 100.0 * black_wins;
        format!("黑方 {black:.1} %,白方 {:.1} %", 100.0 - black)
    }

    fn win_probability(&self, black_wins: f32) -> String {
        format!("胜率:{}", self.chances(black_wins))
    }

    fn hint(&self, turn: Move) -> String {
        format!("提示:{turn}")
    }

    fn review(&self, review: &Findings) -> Vec<(String, String)> {
        let mut rows = Vec::new();
        for (of, side) in [Player::Black, Player::White]
            .into_iter()
            .zip(&review.sides)
        {
            let text = match side.accuracy {
                None => "没有可评价的着法".to_owned(),
                Some(accuracy) => format!(
                    "准确率 {accuracy:.1} %;败着 {},错着 {},缓着 {}",
                    side.blunders, side.mistakes, side.inaccuracies
                ),
            };
            rows.push((player(of).to_owned(), text));
        }
        rows.extend(review.mistakes.iter().map(|found| {
            let text = format!(
                "{}走了 {}:损失 {:.0} %;{} 更好",
                player(found.player),
                found.turn,
                100.0 * found.loss,
                found.better
            );
            (format!("第 {} 步", found.ply), text)
        }));
        rows
    }

    fn board(&self, board: &Board) -> String {
        let arrows = match board.arrows() {
            0 => "无".to_owned(),
            arrows => list(squares(arrows)),
        };
        format!(
            "黑棋:{};白棋:{};箭:{arrows}",
            list(squares(board.amazons(Player::Black))),
            list(squares(board.amazons(Player::White))),
        )
    }

    fn too_small(&self, [columns, rows]: [u16; 2], [wide, high]: [u16; 2]) -> String {
        format!(
            "终端有 {columns} 列 {rows} 行,至少需要 {wide} 列 {high} 行。请放大窗口,或按 q 退出。"
        )
    }
}
