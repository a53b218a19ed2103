//! Texts of `amazons play` that are looked up by a constant: titles, key bindings, commands, short messages. Some have
//! numbered placeholders, such as `{0}`.

use analysis::glossary::{Term, terms};

// Each text is in English and Chinese.
terms! {
    // Titles and headings of the screen, of the panel, and of texts that cover the board.
    // `SCROLL_HINT` is appended to the title of a text that is too long for the screen.
    TITLE: "Amazons", "亚马逊棋";
    PLAYERS: "Players", "棋手";
    RECORD: "Record", "棋谱";
    HELP: "Help", "帮助";
    RULES: "The rules; press any key to continue", "规则（按任意键继续）";
    SCROLL_HINT: ", up and down for more", "（按上下键翻看）";
    KEYS_HEADING: "Keys", "按键";
    COMMANDS_HEADING: "Commands", "命令";

    // The last line of the screen, which lists the useful keys. `FOOTER` is for a wide terminal, `NARROW_FOOTER` for a
    // narrow one, `YES_NO_KEYS` for a yes-or-no question, `GAME_OVER_KEYS` for the end of the game.
    // `GAME_OVER_COMMANDS` is the line that the plain-text interface prints at the end of the game.
    FOOTER:
        "Esc back  Tab hint  ^Z undo  ^Y redo  ^T territory  ^S save  ? help  q quit",
        "Esc 退回  Tab 提示  ^Z 悔棋  ^Y 重走  ^T 领地  ^S 保存  ? 帮助  q 退出";
    NARROW_FOOTER: "Enter  Esc  Tab hint  ? keys  q quit", "Enter  Esc  Tab 提示  ? 按键  q 退出";
    YES_NO_KEYS: "y yes  n no", "y 是  n 否";
    GAME_OVER_KEYS:
        "^S save  ^N play again  q quit", "^S 保存  ^N 再来一局  q 退出";
    GAME_OVER_COMMANDS:
        "save FILE, new or quit?", "保存 save FILE，再来一局 new，退出 quit？";

    // The welcome, and short messages about the list of moves, the win probability and the hint (suggested move). The
    // `TERRITORY_…` messages are about the display that marks each empty square in the colour of the player who is
    // closer to it. `HAS_WON` follows the name of the winner.
    WELCOME: "? shows the keys", "按 ? 查看按键";
    NO_MOVES: "no moves yet", "还没有着法";
    WIN_PROBABILITY_PENDING: "win probability: thinking", "正在计算胜率";
    ADVICE: "{0}  ({1})", "{0}（{1}）";
    LOOKING_FOR_HINT: "looking for a hint", "正在寻找提示";
    ALREADY_SHOWN: "already on the screen", "已经显示在屏幕上";
    WIN_PROBABILITY_ON: "win probability on", "显示胜率";
    WIN_PROBABILITY_OFF: "win probability off", "不再显示胜率";
    TERRITORY_ON:
        "territory on: each square marked in the colour that is closer",
        "显示领地：格子用离它更近一方的颜色标出";
    TERRITORY_OFF: "territory off", "不再显示领地";
    TERRITORY_KEY:
        "b: black is closer; w: white is closer; x: an arrow", "b：黑方更近；w：白方更近；x：箭";
    HAS_WON: "has won", "获胜";

    // Parts of other messages, such as the word "human" in the description of a player.
    HUMAN: "human", "人";
    NONE: "none", "无";
    NOTHING: "nothing", "无";
    HELP_LISTS_COMMANDS: "; help lists the commands", "；输入 help 查看命令";
    THESE_CAN_MOVE: "these can move: ", "可以走的棋子：";
    A_FILE: "a file", "文件名";
    HUMAN_OR_BOT: "human or bot", "human（人）或 bot（电脑）";

    // Parts of the status line (what a bot does, what the user has to do). `BEGIN_ANOTHER`,
    // `QUIT` and `LOAD_OTHER` are parts of the question "this game is not saved: … all the same?".
    BOT_THINKS: "the bot thinks", "电脑在思考";
    BOT_PAUSED: "the bot waits for go", "电脑暂停，等待 go";
    CHOOSE_AMAZON: "choose an amazon", "请选择棋子";
    BEGIN_ANOTHER: "begin another game", "开始新的一局";
    QUIT: "quit", "退出";
    LOAD_OTHER: "load the other game", "读取另一局";

    // Messages about what a command has done, and about games that can be resumed. The placeholder `{0}` stands for a
    // number of turns, such as "2 turns".
    NEW_GAME: "a new game; undo returns to the previous game", "新的一局；undo 可以回到前一局";
    NOT_DONE: "nothing was done", "没有执行";
    UNDONE: "{0} taken back", "悔了 {0}";
    REDONE: "{0} played again", "重走了 {0}";
    BACK_IN_GAME: "back in the game of {0}", "回到 {0}的那一局";
    GAME_AUTOSAVED: "the game is saved automatically: amazons play --continue resumes it",
        "对局已保留：用 amazons play --continue 可以接着下";
    GAME_RESUMED: "resumed the game after {0}", "继续上次的对局，已有 {0}";
    UNFINISHED_GAME:
        "an unfinished game of {0}: continue resumes it",
        "上次有一局没下完（{0}）：输入 continue 继续";

    // The message after the last step of the rules tutorial.
    RULES_LEARNED:
        "These are all the rules. Now a game: level 1 is for beginners.",
        "规则就是这些。下面开始下棋：1 级给初学者。";

    // Messages that say why a command was rejected.
    NOTHING_TO_UNDO: "there is no turn to take back", "没有可悔的棋";
    NOTHING_TO_REDO: "no turn has been taken back", "没有悔过的棋";
    NO_BOTS:
        "no bot plays: expected black bot or white bot", "没有电脑在下：可以 black bot 或 white bot";
    NO_UNFINISHED_GAME: "there is no unfinished game", "没有未下完的对局";
}

/// Builds the entries of the help: an array of pairs of a key or command and its description. An entry is written
/// `"name" => "English description", "Chinese description";`. If the name is translated, too, both names stand before
/// the arrow: `"English name", "Chinese name" => …`.
macro_rules! help_entries {
    ($($name:literal => $en:literal, $zh:literal;)*) => {
        [$(($name, Term::new($en, $zh))),*]
    };
    ($($name_en:literal, $name_zh:literal => $en:literal, $zh:literal;)*) => {
        [$((Term::new($name_en, $name_zh), Term::new($en, $zh))),*]
    };
}

/// Keys of the full-screen interface, in the order in which the help lists them. First: the keys. Second: what the keys
/// do.
pub const KEYS: [(Term, Term); 15] = help_entries! {
    "arrows, Enter", "方向键、Enter" =>
        "move the cursor, choose a square; so does a click",
        "移动光标，选择格子；也可用鼠标点击";
    "Esc", "Esc" => "step back", "退回一步";
    "a1 to h8", "a1 到 h8" => "type squares or commands, then Enter", "输入格子或命令，然后按 Enter";
    "Ctrl-U, Ctrl-W", "Ctrl-U、Ctrl-W" => "clear the line, the last word", "清空输入，删除最后一个词";
    "Tab", "Tab" => "hint", "提示";
    "Ctrl-Z, Ctrl-Y", "Ctrl-Z、Ctrl-Y" => "undo, redo", "悔棋，重走";
    "[ and ]", "[ 和 ]" => "look at earlier positions; Esc for the present", "查看以前的局面；Esc 回到当前局面";
    "Ctrl-T", "Ctrl-T" => "territory on and off", "显示或隐藏领地";
    "Ctrl-P", "Ctrl-P" => "win probability on and off", "显示或隐藏胜率";
    "Ctrl-S, Ctrl-O", "Ctrl-S、Ctrl-O" => "save, load", "保存，读取";
    "Page Up, Down", "Page Up、Down" => "scroll the record", "翻看棋谱";
    "Space", "空格" => "pause or resume the bots", "让电脑暂停或继续";
    "Ctrl-N", "Ctrl-N" => "begin another game", "新的一局";
    "?", "?" => "this help", "显示本帮助";
    "q, Ctrl-C", "q、Ctrl-C" => "quit", "退出";
};

/// Commands that the user can type, in the order in which the help lists them. First: an example of the command.
/// Second: what the command does.
pub const COMMANDS: [(&str, Term); 22] = help_entries! {
    "c1 c6 b5" => "move from c1 to c6, shoot to b5", "从 c1 走到 c6，箭射到 b5";
    "c1" => "choose one square of a turn at a time", "一步棋也可以逐格输入";
    "moves" => "list what can be chosen next", "列出下一步可选的格子";
    "moves c1" => "list where the amazon on c1 can go", "列出 c1 的棋子能到的格子";
    "hint" => "show what the bot would play", "显示电脑会怎么走";
    "win" => "show the win probability", "显示胜率";
    "territory" => "show who owns each square", "显示领地";
    "undo, redo" => "take back (against a bot a whole round), play again", "悔棋（对电脑悔一个回合），重走";
    "back, forward" => "look at the position a turn earlier, later", "查看前一步、后一步的局面";
    "look 5, look" => "look at the position after turn 5, at the present one", "查看第 5 步后的局面，回到当前局面";
    "board, record" => "show the board, the moves so far", "显示棋盘，显示棋谱";
    "level 3" =>
        "the bots' level: 1 for a beginner, 15 the uploaded bot",
        "电脑的级别：1 级给初学者，15 级是上传的完整程序";
    "black bot" => "let the bot play black", "让电脑执黑";
    "white human" => "play white yourself", "自己执白";
    "go, pause" => "resume the bots, pause them", "让电脑继续，暂停";
    "pace 0.5" => "at least half a second for a turn between two bots", "电脑对弈时每步至少半秒";
    "save FILE" =>
        "write the game as a match log (save! FILE overwrites another game)",
        "把对局存为日志（save! FILE 覆盖别的对局）";
    "load FILE" => "resume a match log", "读取日志继续下";
    "continue" => "resume the last unfinished game", "继续上次没下完的对局";
    "rules" => "learn the rules in a minute", "一分钟学会规则";
    "new" => "begin another game; undo returns to this one", "新的一局；undo 可以回到这一局";
    "help, quit" => "show this help, end the program", "显示本帮助，退出程序";
};
