//! Symptoms of problems that `amazons check` detects in a bot ([`Symptom`]): their severity, description, and advice
//! for the bot's author.

use super::texts;
use analysis::glossary::Term;

/// Severity of a symptom. In the derived order, a worse severity is less than a milder one: `Fault < Warning < Note`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The bot loses the game on Botzone: for example, because its move is illegal, or because it exceeds the time
    /// limit.
    Fault,
    /// The symptom may make the bot lose a game on Botzone, or it is unknown how Botzone reacts to the symptom.
    Warning,
    /// The symptom does not by itself cost the bot a game on Botzone, but the bot's author should know of it.
    Note,
}

impl Severity {
    /// Returns the word for this severity in the report: "FAULT", "WARNING" or "NOTE" in English.
    #[must_use]
    pub const fn label(self) -> Term {
        match self {
            Severity::Fault => texts::FAULT,
            Severity::Warning => texts::WARNING,
            Severity::Note => texts::NOTE,
        }
    }
}

/// Description of a [`Symptom`] for reports: its severity, and texts for the user.
pub struct SymptomInfo {
    /// Severity of the symptom: whether it makes the bot lose games on Botzone.
    pub severity: Severity,
    /// Name of the symptom in JSON reports, such as `not flushed`. It does not depend on the user's language.
    pub key: &'static str,
    /// Description of the symptom for the user, in one sentence.
    pub description: Term,
    /// Advice to the bot's author on how to remove the symptom.
    pub advice: Term,
}

/// Declares the enum [`Symptom`], and the severity and texts of each symptom. The macro's argument is a list of
/// symptoms, most urgent first. Each has a name in Rust, a severity, a name in JSON, a description (English, Chinese)
/// and advice (English, Chinese).
macro_rules! symptoms {
    ($($name:ident, $severity:ident, $key:literal:
        $en:literal, $zh:literal; $do_en:literal, $do_zh:literal;)*) => {
        /// Symptom of a problem that a check can find in a bot, such as an illegal move. In the derived order, a more
        /// urgent symptom is less than a less urgent one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Symptom {
            $(#[doc = concat!("Symptom described as “", $en, "”.")] $name,)*
        }

        impl Symptom {
            /// All symptoms, most urgent first.
            pub const ALL: &[Symptom] = &[$(Symptom::$name),*];

            /// Returns the symptom's severity, name in JSON, description and advice.
            #[must_use]
            pub const fn info(self) -> SymptomInfo {
                match self {
                    $(Symptom::$name => SymptomInfo {
                        severity: Severity::$severity,
                        key: $key,
                        description: Term::new($en, $zh),
                        advice: Term::new($do_en, $do_zh),
                    },)*
                }
            }
        }
    };
}

symptoms! {
    NotFlushed, Fault, "not flushed":
        "the answer came only when the input ended: it was not flushed", "输入结束后回答才出现：没有刷新输出缓冲区";
        "flush standard output after the marker: `cout << endl`, `fflush(stdout)`, `print(…, flush=True)`",
        "在标记行之后刷新标准输出：`cout << endl`、`fflush(stdout)`、`print(…, flush=True)`";
    WaitsForEndOfInput, Fault, "waits for the end":
        "the answer came only when the input ended: the bot reads past its turn", "输入结束后回答才出现：程序读完本回合后仍在继续读";
        "read exactly the lines of the turn (2n − 1 after the number n; one line of JSON), then answer",
        "只读本回合的行（首行 n 之后 2n − 1 行；JSON 只有一行），然后回答";
    KeepsRunningUnasked, Fault, "goes on":
        "the bot answers, then neither exits nor asks to be kept running", "回答之后既不退出也没有请求长时运行";
        "exit, or print the line >>>BOTZONE_REQUEST_KEEP_RUNNING<<< after the answer and flush",
        "退出程序，或在回答之后输出一行 >>>BOTZONE_REQUEST_KEEP_RUNNING<<< 并刷新";
    WaitsForMore, Fault, "waits for more":
        "kept running, the bot waits for more input than the new request", "长时运行时程序在等待比新请求更多的输入";
        "later turns are one line: the opponent's move, without turn number and history",
        "之后每回合只有一行：对手的着法，没有回合数，也没有历史记录";
    MarkerLost, Fault, "marker lost":
        "kept running, the bot does not ask to be kept running again", "长时运行之后没有再次请求长时运行";
        "print the marker after every answer: without the marker, the platform waits until the time limit",
        "每次回答之后都要输出标记行：否则平台会一直等到超时";
    AnswerNotFirst, Fault, "answer not first":
        "something is printed before the answer", "回答之前输出了别的内容";
        "the answer is the first line; debug text goes to standard error, or under \"debug\" in JSON",
        "第一行必须是回答；调试信息写到标准错误，或放在 JSON 的 \"debug\" 中";
    NoMove, Fault, "no move":
        "the answer is not a move", "回答不是着法";
        "simple interaction: `x0 y0 x1 y1 x2 y2` with single blanks; JSON: {\"response\":{\"x0\":…,\"y2\":…}}",
        "简单交互：`x0 y0 x1 y1 x2 y2`，用一个空格分隔；JSON：{\"response\":{\"x0\":…,\"y2\":…}}";
    Crashed, Fault, "crash":
        "the bot crashes", "程序崩溃";
        "run the case again under a debugger or with -g -fsanitize=address", "用调试器或 -g -fsanitize=address 重跑这个用例";
    GaveUp, Fault, "gave up":
        "the bot finds no move, although legal moves exist", "有合法着法，程序却没有找到";
        "list the moves that the bot generates in the position drawn here, and see which legal moves are missing",
        "列出程序在这里画出的局面中生成的着法，看缺了哪些合法着法";
    Illegal, Fault, "illegal move":
        "the move is illegal", "着法违规";
        "compare the bot's board with the board drawn here", "把程序里的棋盘与这里画出的棋盘对照";
    Late, Fault, "late":
        "the bot is late", "超时";
        "start the clock when the line has been read, check it in every iteration, and stop well before the limit",
        "读完输入行后再开始计时，每次迭代都看时间，并留足余量";
    TooMuchMemory, Fault, "too much memory":
        "the bot uses too much memory", "内存超限";
        "limit the size of the tree, and continue searching when it is full", "给搜索树设上限，满了之后继续搜索";
    Ponders, Warning, "ponders":
        "the bot goes on computing between its turns", "回合之间仍在计算";
        "the platform charges that time to the next turn: end all threads before the marker",
        "平台会把这段时间算到下一回合：输出标记行之前结束所有线程";
    UnreadableAnswer, Note, "half an answer":
        "in one of the two interactions the answer can't be parsed", "其中一种交互的回答无法读取";
        "upload it for the other interaction", "上传时选择另一种交互";
    UnusualAnswer, Note, "unusual answer":
        "the judge accepts the answer, although it is not an object of six plain integers under \"response\"", "裁判接受了回答，但 \"response\" 中不是由六个普通整数组成的对象";
        "write {\"response\":{\"x0\":2,…,\"y2\":5}}: numbers without decimal point or exponent, no string, no \"content\"",
        "写成 {\"response\":{\"x0\":2,…,\"y2\":5}}：数不带小数点或指数，不用字符串，不用 \"content\"";
    TrailingBlank, Warning, "blank at the end":
        "a blank follows the last number", "最后一个数之后有空格";
        "remove the blank: the platform's judge splits at single blanks", "去掉它：平台的裁判按单个空格分割";
    Network, Warning, "network":
        "the bot opens sockets", "程序打开了网络套接字";
        "the platform has no network", "平台上没有网络";
    MemoryGrows, Note, "memory grows":
        "memory grows from turn to turn; at this rate a long game would exceed the limit", "内存逐回合增长；照此速度，长对局会不够用";
        "limit the size of the tree, or free the memory of the last turn", "确认搜索树有上限，或释放上一回合的内存";
    Processes, Note, "processes":
        "the bot runs several processes", "程序启动了多个进程";
        "the platform has one core and kills all processes", "平台只有一个核，并且会结束所有进程";
    Threads, Note, "threads":
        "the bot runs several threads", "程序使用了多个线程";
        "the platform has one core: their CPU times add up", "平台只有一个核：各线程的 CPU 时间会相加";
    Files, Note, "files":
        "the bot writes files to its folder", "程序在自己的目录里写了文件";
        "the platform keeps only files under data/", "平台只保留 data/ 下的文件";
    MissingMoves, Note, "never":
        "the bot never makes moves of a certain kind", "有一类着法程序从来不走";
        "unless the bot avoids such moves on purpose, check that it generates them", "如果不是有意避开，检查程序是否会生成它们";
    LongDebug, Note, "long debug":
        "the debug text is longer than the platform shows", "调试信息超过平台显示的长度";
        "keep the debug text below 1 KB", "控制在 1 KB 以内";
    WritesStderr, Note, "standard error":
        "the bot writes to standard error", "程序向标准错误输出了内容";
        "standard error becomes part of the match log", "它会进入对局日志";
}

impl Symptom {
    /// Tests if the severity of this symptom is [`Severity::Fault`]: it makes the bot lose the game in which it occurs.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self.info().severity == Severity::Fault
    }
}
