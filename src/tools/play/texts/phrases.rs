//! Messages of `amazons play` with named placeholders. Each message is a method of [`Texts`], whose arguments fill the
//! placeholders.

use super::Texts;
use analysis::glossary::Language;
use std::fmt::Display;

/// Defines messages as methods of [`Texts`]. Each line has a method's name and parameters, the English text and the
/// Chinese text. In the text, `{name}` stands for the argument of the parameter `name`.
macro_rules! phrases {
    ($($name:ident($($part:ident),+): $en:literal, $zh:literal;)*) => {
        impl Texts {
            $(
                #[doc = concat!("Returns the text “", $en, "” in the user's language.")]
                pub fn $name(self, $($part: impl Display),+) -> String {
                    match self.0 {
                        Language::En => format!($en),
                        Language::Zh => format!($zh),
                    }
                }
            )*
        }
    };
}

phrases! {
    // Messages about the game and its players, such as "black: human; white: bot, level 6".
    labelled(name, what): "{name}: {what}", "{name}：{what}";
    bot(name, strength): "{name}, {strength}", "{name}，{strength}";
    players(black, white): "black: {black}; white: {white}", "黑方：{black}；白方：{white}";
    percentages(black, white):
        "black {black:.1} %, white {white:.1} %", "黑方 {black:.1} %，白方 {white:.1} %";
    pieces(black, white, arrows):
        "black amazons: {black}; white amazons: {white}; arrows: {arrows}",
        "黑棋：{black}；白棋：{white}；箭：{arrows}";
    too_small(columns, rows, wide, high):
        "This terminal has {columns} columns and {rows} rows, the game needs {wide} and {high}. Make it larger, or press q.",
        "终端有 {columns} 列 {rows} 行，至少需要 {wide} 列 {high} 行。请放大窗口，或按 q 退出。";

    // Messages about the state of the game, such as what to choose next in a turn, and yes-or-no questions.
    position_after(ply, plies): "the position after {ply} of {plies}", "第 {ply} 步后的局面，共 {plies}";
    choose_destination(player, from):
        "{player}, {from} chosen: choose where it goes", "{player}选了 {from}：请选择落点";
    choose_arrow(player, from, to):
        "{player}, {from} to {to} chosen: choose where the arrow goes",
        "{player}从 {from} 到 {to}：请选择射箭的格子";
    overwrite(file):
        "{file} holds another game: overwrite it? y or n", "{file} 里是另一局棋，要覆盖吗？y 或 n";
    leave(what):
        "this game is not saved: {what} all the same? y or n",
        "这局棋还没有保存，仍要{what}吗？y 或 n";

    // Messages after a command has succeeded, such as "saved to game.json", and after an automatic save has failed.
    saved(file): "saved to {file}", "已保存到 {file}";
    loaded(turns, file): "{turns} loaded from {file}", "从 {file} 读取了 {turns}";
    step(number, of, title): "Step {number} of {of}: {title}", "第 {number} 步，共 {of} 步：{title}";
    autosave_failed(why): "the game can't be saved automatically, every turn tries again: {why}", "无法自动保存这局棋，每走一步都会重试：{why}";
    not_saved(state): "not saved; {state}", "未能自动保存；{state}";
    pace(seconds): "a turn between two bots takes {seconds} s at least", "电脑对弈时每步至少 {seconds} 秒";
    amazon_reaches(from): "{from} reaches ", "{from} 能到：";
    arrow_reaches(from): "the arrow from {from} reaches ", "箭从 {from} 能到：";

    // Messages that say why a command was rejected, such as "the amazon on c1 is shut in".
    not_done(why): "not done: {why}", "未执行：{why}";
    game_over(won): "the game is over, {won}: expected undo, new or quit", "对局已结束，{won}：可以 undo、new 或 quit";
    bots_turn(player):
        "it is {player}'s turn, played by a bot: expected go, undo or quit",
        "轮到{player}的电脑：可以 go、undo 或 quit";
    too_many_squares(given, missing):
        "{given} squares, expected at most {missing} more for this turn",
        "给了 {given} 个格子，这一步最多还需 {missing} 个";
    no_amazon(fault, legal): "{fault}; these can move: {legal}", "{fault}；可以走的棋子：{legal}";
    no_destination(fault, from, legal):
        "{fault}; from {from} it reaches {legal}", "{fault}；从 {from} 能到：{legal}";
    no_arrow(fault, from, legal):
        "{fault}; from {from} the arrow reaches {legal}", "{fault}；箭从 {from} 能到：{legal}";
    cannot_move(square): "the amazon on {square} is shut in", "{square} 上的棋子已被围住";
    no_such_turn(turns): "look: expected a number from 0 to {turns}", "look：后面应是 0 到 {turns} 的数";
    unknown(word):
        "\"{word}\": expected squares such as c1 c6 b5, or a command such as moves, hint, undo, save, new or quit; help lists them",
        "“{word}”：应输入格子（例如 c1 c6 b5）或命令（例如 moves、hint、undo、save、new、quit）；help 列出全部";
    expected(command, due): "{command}: expected {due} after it", "{command}：后面应是{due}";
    found(due, found): "{due}, found \"{found}\"", "{due}，而不是“{found}”";
    number(least, most): "a number from {least} to {most}", "{least} 到 {most} 的数";
    no_argument_expected(command, rest):
        "{command}: expected nothing after it, found \"{rest}\"", "{command}：后面不应有“{rest}”";
}
