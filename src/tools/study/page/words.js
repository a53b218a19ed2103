// The words of the page in English and Chinese. Places {0}, {1}, … are filled when a text is said.

const ENGLISH = {
  page: "Amazons", play: "Play", study: "Study", games: "Game", board: "Board", steps: "Step through the game", shown: "Shown on the board",
  first: "Start of the game", previous: "One move back", next: "One move on", last: "End of the line",
  lastMove: "Last move", best: "Best moves", ownership: "Territory", bar: "Win bar", probability: "Wins",
  visits: "Visits", line: "Line", curve: "Black’s win probability", review: "Review", moves: "Moves",
  black: "Black", white: "White", toMove: "to move", atStart: "Start, {0} to move", atMove: "Position after move {0}: {1} {2}, {3} to move",
  overAt: "The end after move {0}: {1} has no move and loses",
  inaccuracy: "Inaccuracy", mistake: "Mistake", blunder: "Blunder",
  lost: "{0} by {1}: {2} points lost. Better was ", chosen: "{0} played the best move.", kept: "{0} had {1}, and {2} after the move.",
  effort: "{0} iterations, depth {1}, {2} visits of the best move.", speed: "{0} iterations/s",
  unknown: "Nothing is known of this position yet.", proven: "The result is certain.", counted: "Settled by counting moves.",
  engine: "Engine", engineOn: "Engine on", engineOff: "Engine off", linesShown: "Lines", noEngine: "This page has no engine: it shows the analysis that is in it, and variations can be stepped through. scripts/page builds a page that thinks.",
  oldBrowser: "This browser can’t run the engine: it lacks WebAssembly or DecompressionStream. The board works, the bot and the analysis don’t. A current Firefox, Chrome, Edge or Safari has both.",
  engineFailed: "The engine stopped: {0}",
  accuracyOf: "accuracy over {0} moves", none: "No move that counts", counts: "inaccuracies {0}, mistakes {1}, blunders {2}",
  turning: "Turning points", leads: "{0} takes the lead", costs: "−{0} points, better {1}",
  legend: "Who is closer in queen moves and in king steps; the stronger the colour, the safer the square.",
  time: "Time of a turn", memory: "Memory", most: "at most {0}",
  won: "{0} won: {1}", running: "The game is running",
  about: "Probabilities are those of the player to move; the curve’s and the bar’s are black’s.",
  keys: "Keys:", endings: {
    "no move": "{0} has no move", INVALIDMOVE: "{0}’s answer was illegal", OK: "{0}’s answer was not a move", TLE: "{0} was late",
    MLE: "{0} used too much memory", RE: "{0} crashed", NJ: "{0}’s answer was not JSON", CE: "{0} could not be started",
    resigned: "{0} resigned", time: "{0} has no time left",
  },
  person: "Person", level: "Level {0}", levelFirst: "Level 1, for beginners", levelLast: "Level 10, the bot as uploaded", seconds: "{0} s a move",
  newGame: "New game", undo: "Undo", redo: "Redo", hint: "Hint", resign: "Resign", pause: "Pause", go: "Go on", pace: "Pace of two bots",
  paceOf: "{0} s a move", fastest: "As fast as they are", minutesOf: "{0} minutes a side", noLimit: "No time limit", limit: "Clock",
  yourTurn: "{0} to move: choose an amazon.", chooseTo: "Choose where the amazon goes.", chooseArrow: "Choose where the arrow goes.",
  thinking: "{0} thinks …", paused: "The bots wait.", hinted: "Hint: {0}", wins: "{0} has won: {1}.",
  sureNew: "A game is under way. Begin a new one and lose it?", yes: "Begin anew", no: "Keep playing", sureResign: "Resign this game?", yesResign: "Resign",
  studyThis: "Study this game", playThis: "Play on from here", setup: "New game with",
  typeMove: "Type a move", typeHelp: "for example c1 c6 f6", illegal: "“{0}” is no legal move here.", playIt: "Play",
  save: "Save as a file", load: "Open files", paste: "Or drop files on the page, or paste a match log or a link.", copy: "Copy link", copied: "The link is copied; the whole game is in it.",
  copyFailed: "The link stands in the address bar.", files: "Game file", notLog: "{0}: {1}", loaded: "{0}: {1} moves", notFromStart: "A match log begins at the start position; this game does not. A link holds it.",
  badLink: "The link holds no game.", notKept: "This browser keeps nothing: the game will be gone after a reload.",
  before: "Back to the study before",
  reviewGame: "Review the game", reviewing: "Position {0} of {1} …", stop: "Stop", iterations: "{0} iterations a position", reviewFromStart: "Only games from the start position can be reviewed.",
  previousMistake: "Previous mistake", nextMistake: "Next mistake", noMistakes: "No mistakes were found.",
  lesson: "Learn from mistakes", lessonOf: "Mistake {0} of {1}", find: "{0} played {1} here. Find a better move for {2}.", side: "Whose mistakes", both: "Both sides",
  judging: "The engine judges {0} …", good: "{0} is good: {1} points behind the best at most.", bestMove: "{0} is the best move.", notGood: "{0} loses {1} points. Try again.",
  notSeen: "{0} is not among the moves that were analysed. Try again.", solution: "Show the solution", solutionIs: "The best move is {0}.", again: "Try again", nextOne: "Next", quit: "End the lesson", lessonDone: "That was the last mistake.",
  editor: "Set up a position", brush: "Put on the board", amazonOf: "{0} amazon", arrow: "Arrow", empty: "Nothing", clear: "Empty board", startPosition: "Start position",
  done: "Study this position", cancel: "Cancel", lackingOf: "{0} has {1} amazons, expected 4.", mover: "To move",
  overview: "Games", accuracy: "Accuracy", outcome: "End", plies: "Moves", removeLine: "Delete from here", makeMain: "Make it the main line",
  benchRunning: "The fixed search of “amazons bench” runs: {0} iterations a position …",
  squareEmpty: "{0}, empty", squareArrow: "{0}, arrow", squareAmazon: "{0}, {1} amazon", target: "possible", pointed: "Move {0}: {1}", language: "Language",
};

/** @type {typeof ENGLISH} */
const CHINESE = {
  page: "亚马逊棋", play: "对弈", study: "研究", games: "对局", board: "棋盘", steps: "逐步浏览", shown: "棋盘上显示",
  first: "开局", previous: "上一步", next: "下一步", last: "终点",
  lastMove: "上一着", best: "最佳着法", ownership: "领地", bar: "胜率条", probability: "胜率",
  visits: "访问", line: "变化", curve: "黑方胜率", review: "复盘", moves: "着法列表",
  black: "黑方", white: "白方", toMove: "行棋", atStart: "开局，轮到{0}", atMove: "第 {0} 步后的局面：{1} {2}，轮到{3}",
  overAt: "第 {0} 步后终局：{1}无着可走，告负",
  inaccuracy: "欠准", mistake: "失误", blunder: "大失误",
  lost: "{1}{0}：损失 {2} 个百分点。更好的是 ", chosen: "{0}走了最佳着法。", kept: "{0}着前 {1}，着后 {2}。",
  effort: "{0} 次迭代，深 {1} 步，最佳着法 {2} 次访问。", speed: "每秒 {0} 次迭代",
  unknown: "此局面尚无分析。", proven: "胜负已定。", counted: "由数着确定胜负。",
  engine: "引擎", engineOn: "引擎开", engineOff: "引擎关", linesShown: "变化数", noEngine: "本页没有引擎：只显示其中已有的分析，可以逐步浏览各变化。scripts/page 可生成带引擎的页面。",
  oldBrowser: "此浏览器无法运行引擎：缺少 WebAssembly 或 DecompressionStream。棋盘可用，电脑对手和分析不可用。新版 Firefox、Chrome、Edge 或 Safari 均可。",
  engineFailed: "引擎停止：{0}",
  accuracyOf: "准确率（{0} 步）", none: "无计入的着法", counts: "欠准 {0}，失误 {1}，大失误 {2}",
  turning: "转折点", leads: "{0}取得优势", costs: "−{0} 个百分点，宜走 {1}",
  legend: "按后步与王步的距离谁更近；颜色越深越稳。",
  time: "每步用时", memory: "内存", most: "最高 {0}",
  won: "{0}胜：{1}", running: "对局进行中",
  about: "胜率均为行棋方的胜率，曲线与胜率条为黑方胜率。",
  keys: "按键：", endings: {
    "no move": "{0}无着可走", INVALIDMOVE: "{0}着法违规", OK: "{0}的回答不是着法", TLE: "{0}超时",
    MLE: "{0}内存超限", RE: "{0}运行错误", NJ: "{0}的回答不是 JSON", CE: "{0}无法启动",
    resigned: "{0}认输", time: "{0}用时耗尽",
  },
  person: "人", level: "{0} 级", levelFirst: "1 级（初学者）", levelLast: "10 级（上传的完整程序）", seconds: "每步 {0} 秒",
  newGame: "新对局", undo: "悔棋", redo: "重做", hint: "提示", resign: "认输", pause: "暂停", go: "继续", pace: "电脑对弈速度",
  paceOf: "每步 {0} 秒", fastest: "尽快", minutesOf: "每方 {0} 分钟", noLimit: "不限时", limit: "时钟",
  yourTurn: "轮到{0}：请选择一个亚马逊。", chooseTo: "请选择亚马逊的去处。", chooseArrow: "请选择射箭的位置。",
  thinking: "{0}思考中……", paused: "电脑已暂停。", hinted: "提示：{0}", wins: "{0}胜：{1}。",
  sureNew: "有一局正在进行。开始新对局将丢失它，确定吗？", yes: "开始新对局", no: "继续下", sureResign: "确定认输？", yesResign: "认输",
  studyThis: "研究这局", playThis: "从这里接着下", setup: "新对局设置",
  typeMove: "输入着法", typeHelp: "例如 c1 c6 f6", illegal: "“{0}”不是合法着法。", playIt: "落子",
  save: "保存为文件", load: "打开文件", paste: "也可把文件拖到页面上，或粘贴对局记录或链接。", copy: "复制链接", copied: "链接已复制，整局都在其中。",
  copyFailed: "链接在地址栏中。", files: "对局文件", notLog: "{0}：{1}", loaded: "{0}：{1} 步", notFromStart: "对局记录须从开局局面开始，本局不是；链接可以保存它。",
  badLink: "链接中没有对局。", notKept: "此浏览器不保存任何内容：刷新后对局会丢失。",
  before: "回到之前的研究",
  reviewGame: "复盘本局", reviewing: "局面 {0} / {1} ……", stop: "停止", iterations: "每个局面 {0} 次迭代", reviewFromStart: "只能复盘从开局局面开始的对局。",
  previousMistake: "上一个失误", nextMistake: "下一个失误", noMistakes: "没有发现失误。",
  lesson: "从失误中学习", lessonOf: "失误 {0} / {1}", find: "{0}在此走了 {1}。请为{2}找出更好的着法。", side: "谁的失误", both: "双方",
  judging: "引擎正在判断 {0} ……", good: "{0} 不错：与最佳着法相差不超过 {1} 个百分点。", bestMove: "{0} 是最佳着法。", notGood: "{0} 损失 {1} 个百分点，再试一次。",
  notSeen: "{0} 不在已分析的着法之中，再试一次。", solution: "显示答案", solutionIs: "最佳着法是 {0}。", again: "再试一次", nextOne: "下一个", quit: "结束练习", lessonDone: "这是最后一个失误。",
  editor: "摆放局面", brush: "放置", amazonOf: "{0}亚马逊", arrow: "箭", empty: "清除", clear: "清空棋盘", startPosition: "开局局面",
  done: "研究此局面", cancel: "取消", lackingOf: "{0}有 {1} 个亚马逊，应为 4 个。", mover: "行棋方",
  overview: "对局总览", accuracy: "准确率", outcome: "结果", plies: "步数", removeLine: "删除此后着法", makeMain: "设为主变化",
  benchRunning: "正在运行 “amazons bench” 的固定搜索：每个局面 {0} 次迭代……",
  squareEmpty: "{0}，空", squareArrow: "{0}，箭", squareAmazon: "{0}，{1}亚马逊", target: "可选", pointed: "第 {0} 步：{1}", language: "语言",
};

const LANGUAGES = { en: ENGLISH, zh: CHINESE };

let chosen = /** @type {"en" | "zh"} */ ("en");

export const language = () => chosen;

/** Speaks a language from now on. @param {string} name a language's tag; what is not Chinese is English */
export function speak(name) {
  chosen = name.startsWith("zh") ? "zh" : "en";
}

/** A text of the chosen language. @param {Exclude<keyof typeof ENGLISH, "endings">} key @param {any[]} parts */
export const say = (key, ...parts) => fill(LANGUAGES[chosen][key], parts);

/** How a game ended for its loser. @param {string} ending @param {string} loser */
export const sayEnding = (ending, loser) => fill(LANGUAGES[chosen].endings[ending] ?? ending, [loser]);

function fill(text, parts) {
  return text.replace(/\{(\d)\}/g, (_, place) => parts[place]);
}
