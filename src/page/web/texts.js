// The page's texts in English and Chinese (`t`). Placeholders {0}, {1}, … are replaced by arguments. Terms that the
// command-line tools also use, such as judgements and endings, come from the tools' glossary, which is embedded in the
// page.

import { $ } from "./dom.js";

/** A language of the page: English or Chinese. @typedef {"en" | "zh"} Language */
/**
 * Key of a term in the glossary that the page shares with the command-line tools (../../analysis/glossary.rs).
 * @typedef {"black" | "white" | "inaccuracy" | "mistake" | "blunder" | "inaccuracies" |
 *   "mistakes" | "blunders" | "lost" | "better" | "review" | "accuracy" | "noneCounts" | "turningPoints" | "leads" | "running" |
 *   "toMove" | "won" | "decidedAfter" | "lastChance" | "noChance" | "openEnd" | "threwAway" | "hint" | "level"} TermKey
 */

/**
 * User-interface texts that the page shares with the command-line tools (../../analysis/glossary.rs), by language and
 * key. The program that builds the page embeds them in it as JSON.
 * @type {Record<Language, any>}
 */
const GLOSSARY = JSON.parse($("glossary").textContent);

/**
 * English texts on how a game can end, by the ending's key, such as `resigned`. The keys of this table are all possible
 * endings.
 * @type {Record<string, string>}
 */
export const ENDINGS = GLOSSARY.en.endings;

/**
 * User-interface texts of the page, by key. Each is a pair: first, the English text; second, the Chinese text. `t`
 * replaces the placeholders `{0}`, `{1}` and so on by its arguments.
 * @satisfies {Record<string, [string, string]>}
 */
const TEXTS = {
  namely: ["{0}: {1}", "{0}：{1}"],
  and: [", ", "，"],
  page: ["Amazons", "亚马逊棋"],
  play: ["Play", "对弈"],
  study: ["Study", "研究"],
  rules: ["Rules", "规则"],
  learn: ["Learn", "练习"],
  games: ["Game", "对局"],
  board: ["Board", "棋盘"],
  steps: ["Step through the game", "逐步浏览"],
  shown: ["Shown on the board", "棋盘上显示"],
  first: ["Start of the game", "开局"],
  previous: ["One move back", "上一步"],
  next: ["One move on", "下一步"],
  last: ["End of the line", "终点"],
  flip: ["Flip the board", "翻转棋盘"],
  look: ["Appearance", "外观"],
  theme: ["Theme", "主题"],
  boardColours: ["Board", "棋盘"],
  sand: ["Sand", "沙色"],
  green: ["Green", "绿色"],
  blue: ["Blue", "蓝色"],
  grey: ["Grey", "灰色"],
  auto: ["As the system", "跟随系统"],
  light: ["Light", "浅色"],
  dark: ["Dark", "深色"],
  fullScreen: ["Full screen", "全屏"],
  sounds: ["Sounds", "音效"],
  close: ["Close", "关闭"],
  lastMove: ["Last move", "上一着"],
  best: ["Best moves", "最佳着法"],
  ownership: ["Territory", "领地"],
  bar: ["Win bar", "胜率条"],
  probability: ["Wins", "胜率"],
  visits: ["Visits", "访问"],
  line: ["Line", "变化"],
  curve: ["Black’s win probability", "黑方胜率"],
  moves: ["Moves", "着法列表"],
  onMove: ["to move", "行棋"],
  atStart: ["Start, {0}", "开局，{0}"],
  atMove: ["Position after move {0}: {1} {2}, {3}", "第 {0} 步后的局面：{1} {2}，{3}"],
  overAt: ["The end after move {0}: {1}", "第 {0} 步后终局：{1}"],
  fullStop: [". ", "。"],
  afterMove: ["The position after {0}", "{0} 之后的局面"],
  squaresMeant: ["The squares that are meant", "所说的格子"],
  verdict: ["{0} by {1}: {2}. Better was ", "{1}{0}：{2}。更好的是 "],
  chosen: ["{0} played the best move.", "{0}走了最佳着法。"],
  why: ["Why", "原因"],
  kept: ["{0} had {1}, and {2} after the move.", "{0}着前 {1}，着后 {2}。"],
  effort: ["{0} iterations, depth {1}.", "{0} 次迭代，深 {1} 步。"],
  speed: ["{0} iterations/s", "每秒 {0} 次迭代"],
  unknown: ["Nothing is known of this position yet.", "此局面尚无分析。"],
  proven: ["The result is certain.", "胜负已定。"],
  certain: ["{0} wins for certain", "{0}必胜"],
  certainMarks: [
    "Thick line, moves underlined with dots: the winner is proven. Elsewhere probabilities are estimates.",
    "粗线和点状下划线的着法：胜者已证明，其余为估计。",
  ],
  winsSurely: ["won", "必胜"],
  losesSurely: ["lost", "必败"],
  solvedEnd: ["The end, solved", "终局求解"],
  counted: ["Settled by counting moves.", "由数着确定胜负。"],
  engine: ["Engine", "引擎"],
  linesShown: ["Lines", "变化数"],
  noEngine: [
    "This page has no engine: it shows the analysis that is in it, and variations can be stepped through. scripts/page builds a page that thinks.",
    "本页没有引擎：只显示其中已有的分析，可以逐步浏览各变化。scripts/page 可生成带引擎的页面。",
  ],
  oldBrowser: [
    "This browser can’t run the engine: it lacks WebAssembly or DecompressionStream. The board works, the bot and the analysis don’t. A current Firefox, Chrome, Edge or Safari has both.",
    "此浏览器无法运行引擎：缺少 WebAssembly 或 DecompressionStream。棋盘可用，电脑对手和分析不可用。新版 Firefox、Chrome、Edge 或 Safari 均可。",
  ],
  engineFailed: ["The engine stopped: {0}", "引擎停止：{0}"],
  engineSilent: ["it says nothing any more", "没有任何回应"],
  retry: ["Try again", "重试"],
  takeOver: ["A person plays on", "改由人来下"],
  accuracyOf: ["{0} over {1} moves", "{0}（{1} 步）"],
  legend: [
    "Who is closer in queen moves and in king steps; the stronger the colour, the safer the square.",
    "按后步与王步的距离谁更近；颜色越深越稳。",
  ],
  time: ["Time of a turn", "每步用时"],
  memory: ["Memory", "内存"],
  most: ["at most {0}", "最高 {0}"],
  about: [
    "Probabilities are those of the player to move; the curve’s and the bar’s are black’s.",
    "胜率均为行棋方的胜率，曲线与胜率条为黑方胜率。",
  ],
  help: ["Keys", "按键"],
  keySteps: ["One move back or on", "后退或前进一步"],
  keyEnds: ["Start of the game, end of the line", "开局，终点"],
  wheel: ["Wheel", "滚轮"],
  keyWheel: ["Over the board: steps through the game", "在棋盘上：逐步浏览"],
  keyTab: ["To the board, and from one control to the next", "进入棋盘，或到下一个控件"],
  keySquares: ["On the board, after Enter: from square to square", "在棋盘上按 Enter 后：移动到相邻的格"],
  keyChoose: ["Chooses the square", "选择所在的格"],
  keyRelease: ["Releases what is chosen and leaves the squares; closes a dialog", "取消选择，离开选格；关闭对话框"],
  person: ["Person", "人"],
  levelFirst: ["{0}, for beginners", "{0}（初学者）"],
  levelLast: ["{0}, the bot as uploaded", "{0}（上传的完整程序）"],
  warnings: ["Warn me of", "提醒我"],
  warnNone: ["nothing", "不提醒"],
  warnBlunders: ["blunders", "大失误"],
  warnMistakes: ["mistakes and worse", "失误及以上"],
  warnInaccuracies: ["inaccuracies and worse", "欠准及以上"],
  warned: ["{0}: {1}, {2}", "{0}：{1}，{2}"],
  botWaits: ["Take the move back, or play on?", "悔棋，还是继续下？"],
  seconds: ["{0} s a move", "每步 {0} 秒"],
  newGame: ["New game", "新对局"],
  undo: ["Undo", "悔棋"],
  redo: ["Redo", "重做"],
  resign: ["Resign", "认输"],
  pause: ["Pause", "暂停"],
  go: ["Go on", "继续"],
  pace: ["Pace of two bots", "电脑对弈速度"],
  paceOf: ["{0} s a move", "每步 {0} 秒"],
  fastest: ["As fast as they are", "尽快"],
  minutesAndMore: ["{0} minutes a side, {1} s more a move", "每方 {0} 分钟，每步加 {1} 秒"],
  minutesOf: ["{0} minutes a side", "每方 {0} 分钟"],
  noLimit: ["No time limit", "不限时"],
  limit: ["Clock", "时钟"],
  yourTurn: ["{0}: choose an amazon.", "{0}：请选择一个棋子。"],
  chooseTo: ["Choose where the amazon goes.", "请选择棋子的去处。"],
  chooseArrow: ["Choose where the arrow goes.", "请选择射箭的位置。"],
  thinking: ["{0} thinks …", "{0}思考中……"],
  paused: ["The bots wait.", "电脑已暂停。"],
  rematch: ["Rematch", "再来一局"],
  switchSides: ["Switch sides", "交换先后手"],
  endedAfter: ["{0}, after {1} moves.", "{0}，共 {1} 步。"],
  takeBack: ["{0} asks to take back, to the position after move {1}. Does {2} agree?", "{0}请求悔棋，退回第 {1} 步之后。{2}同意吗？"],
  agree: ["Agree", "同意"],
  decline: ["Play on", "继续下"],
  wins: ["{0} has won: {1}.", "{0}胜：{1}。"],
  sureNew: ["A game is under way. Begin a new one and lose it?", "有一局正在进行。开始新对局将丢失它，确定吗？"],
  yes: ["Begin anew", "开始新对局"],
  no: ["Keep playing", "继续下"],
  sureResign: ["Resign this game?", "确定认输？"],
  yesResign: ["Resign", "认输"],
  studyThis: ["Study this game", "研究这局"],
  playThis: ["Play from here", "从这里接着下"],
  begin: ["Begin", "开始"],
  typeMove: ["Type a move", "输入着法"],
  illegal: ["“{0}” is no legal move here.", "“{0}”不是合法着法。"],
  playIt: ["Play", "落子"],
  save: ["Save as a file", "保存为文件"],
  saveAs: ["Format of the file", "文件格式"],
  asWhole: ["SGF: everything", "SGF：全部内容"],
  asLog: ["Match log", "对局记录"],
  asMoves: ["Moves", "着法文本"],
  asContest: ["Contest (CCGC)", "竞赛棋谱（CCGC）"],
  load: ["Open files", "打开文件"],
  paste: [
    "Or drop files on the page, or paste a match log, SGF, moves or a link.",
    "也可把文件拖到页面上，或粘贴对局记录、SGF、着法或链接。",
  ],
  copy: ["Copy link", "复制链接"],
  savedLess: [
    "Saved is the line alone. Variations, comments, reviews and who gave up stand in an SGF file only.",
    "仅保存了主线。变化、评注、复盘和认输只能存入 SGF 文件。",
  ],
  gap: [" ", ""],
  copied: ["The link is copied.", "链接已复制。"],
  linkWhole: ["All moves are in it.", "所有着法都在其中。"],
  linkLess: ["{0} moves of variations found no room in it: a file holds them.", "变化中有 {0} 步放不下，可保存为文件。"],
  linkMoves: ["Not in it: {0}. An SGF file holds them.", "其中没有：{0}。SGF 文件可以保存。"],
  comments: ["comments and marks", "评注和标记"],
  badNotes: ["The comments in the link can’t be read: they are left out.", "链接中的评注无法读取，已略去。"],
  times: ["times", "用时"],
  reviews: ["the review", "复盘"],
  otherData: ["other data of the file", "文件中的其他数据"],
  linkOnDisk: [
    "It begins with your own disk: others open their amazons.html and paste the link there, or type it where moves are typed.",
    "链接以你的磁盘地址开头：对方应打开自己的 amazons.html，把链接粘贴到页面上或着法输入框中。",
  ],
  copyFailed: ["The link stands in the address bar.", "链接在地址栏中。"],
  reading: ["File {0} of {1} …", "文件 {0} / {1} ……"],
  filesRead: ["{0} games opened", "已打开 {0} 局"],
  filesMore: ["and {0} more", "另有 {0} 个"],
  unreadable: ["a folder, or a file that can’t be read", "是文件夹，或无法读取"],
  files: ["Game file", "对局文件"],
  fileShort: ["File", "文件"],
  loaded: ["{0}: {1} moves", "{0}：{1} 步"],
  notFromStart: [
    "A game in this format begins at the start position; this one does not. SGF and a link hold it.",
    "这种格式的对局须从开局局面开始，本局不是；SGF 和链接可以保存它。",
  ],
  badPlace: ["The link asks for position “{0}” of a game of {1} moves.", "链接要求第“{0}”步，而对局共 {1} 步。"],
  badLink: ["The link holds no game.", "链接中没有对局。"],
  misfit: [
    "What this browser kept ({0}) does not fit this page: it is set aside, and what can’t be had is as at first.",
    "浏览器保存的内容（{0}）与本页不符：已另存，无法恢复的部分按初始状态显示。",
  ],
  findingsNotKept: [
    "This browser has too little room: what the engine said of the games will be gone after a reload. Save as a file what you need.",
    "浏览器存储空间不足：刷新后引擎的分析会丢失，请把需要的对局保存为文件。",
  ],
  beforeNotKept: [
    "There is no room to keep the studies before this one: they will be gone after a reload.", "空间不足，无法保存之前的研究：刷新后会丢失。",
  ],
  othersNotKept: [
    "This browser has too little room: only the game that is shown outlasts a reload. Save the others as files.",
    "浏览器存储空间不足：刷新后只保留当前显示的对局，请把其他对局保存为文件。",
  ],
  notKept: ["This browser keeps nothing: the game will be gone after a reload.", "此浏览器不保存任何内容：刷新后对局会丢失。"],
  before: ["Back to the study before", "回到之前的研究"],
  faultTitle: ["The judge rejected the answer", "裁判拒绝了这一回答"],
  undoEdit: ["Undo the change", "撤销改动"],
  reviewGame: ["Review the game", "复盘本局"],
  reviewing: ["Position {0} of {1} …", "局面 {0} / {1} ……"],
  solving: ["Solving backward: the position after ply {0} …", "向前求解：第 {0} 步之后的局面……"],
  stop: ["Stop", "停止"],
  iterations: ["{0} iterations a position", "每个局面 {0} 次迭代"],
  reviewFromStart: ["Only games from the start position can be reviewed.", "只能复盘从开局局面开始的对局。"],
  mistakeSteps: ["Mistakes", "失误"],
  previousMistake: ["Previous mistake", "上一个失误"],
  nextMistake: ["Next mistake", "下一个失误"],
  noMistakes: ["No mistakes were found.", "没有发现失误。"],
  lesson: ["Find better moves", "寻找更好的着法"],
  lessonNote: [
    "Find better moves: at each mistake you look for a better move yourself. Make puzzles: mistakes with one clearly best move come up again under “Learn”.",
    "寻找更好的着法：在每个失误处自己找出更好的着法。制作习题：只有一步明显最好的失误会加入“练习”，日后再现。",
  ],
  lessonOf: ["Mistake {0} of {1}", "失误 {0} / {1}"],
  find: ["{0} played {1} here. Find a better move for {2}.", "{0}在此走了 {1}。请为{2}找出更好的着法。"],
  side: ["Whose mistakes", "谁的失误"],
  both: ["Both sides", "双方"],
  judging: ["The engine judges {0} …", "引擎正在判断 {0} ……"],
  good: ["{0} is good: {1} points behind the best at most.", "{0} 不错：与最佳着法相差不超过 {1} 个百分点。"],
  bestMove: ["{0} is the best move.", "{0} 是最佳着法。"],
  notGood: ["{0} loses {1} points. Try again.", "{0} 损失 {1} 个百分点，再试一次。"],
  notSeen: ["{0} is not among the moves that were analysed. Try again.", "{0} 不在已分析的着法之中，再试一次。"],
  stepOf: ["Step {0} of {1}: {2}", "第 {0} 步，共 {1} 步：{2}"],
  chooseAmazon: ["Choose an amazon.", "请选择一个棋子。"],
  stepBack: ["One step back", "上一节"],
  firstGame: ["Play a first game", "下第一局"],
  isNew: ["New to the game?", "第一次玩？"],
  learnRules: ["The rules in a minute", "一分钟学会规则"],
  noThanks: ["No, thanks", "不用了"],
  solution: ["Show the solution", "显示答案"],
  solutionIs: ["The best move is {0}.", "最佳着法是 {0}。"],
  again: ["Try again", "再试一次"],
  nextOne: ["Next", "下一个"],
  quit: ["End the lesson", "结束练习"],
  lessonDone: ["That was the last mistake.", "这是最后一个失误。"],
  book: ["Opening book", "开局库"],
  share: ["Share", "占比"],
  bookShort: ["Book", "开局库"],
  noBook: ["The opening book has no moves of this position.", "开局库中没有此局面的着法。"],
  oneMove: [
    "The engine plays nearly always the same move here; its random moves are left out. The probability is that after the move.",
    "引擎在此几乎总走同一着（随机着法未列出）；胜率为走后的胜率。",
  ],
  bookNote: ["What the engine plays against itself here, one move in twenty at random, and the win probability behind each.", "引擎自我对弈时在此的选择（其中二十分之一为随机），以及每步之后的胜率。"],
  puzzles: ["Puzzles", "习题"],
  kindToday: ["Due and new", "到期与新题"],
  kindWall: ["Wall in", "围困"],
  kindOut: ["Break out", "突围"],
  kindSplit: ["Split", "分割"],
  kindCount: ["Win the count", "数步取胜"],
  kindOnly: ["Only move", "唯一着"],
  kindOwn: ["My mistakes", "我的失误"],
  easy: ["easy", "易"],
  medium: ["medium", "中"],
  hard: ["hard", "难"],
  findBest: ["{0} to move. One move is clearly best: find it.", "轮到{0}。有一步明显最好，请找出来。"],
  nothingDue: ["All done for today. Choose a kind to go on.", "今天的都做完了。可选一类继续。"],
  right: ["{0} is right. {1}", "{0} 正确。{1}"],
  solvedBy: ["Win probability {0} %; after the next best, {1}, {2} %.", "胜率 {0} %，次佳 {1} 之后为 {2} %。"],
  whyWall: ["It shuts an amazon of the other side in.", "它困住了对方的棋子。"],
  whyOut: ["It keeps an amazon of yours from being shut in.", "它使己方棋子免于被困。"],
  whySplit: ["It leaves you more squares that you alone reach.", "它为己方留下更多只有自己能到达的格子。"],
  whyCount: ["The sides are soon separated, and your moves last longer.", "双方即将隔开，而你的步数更多。"],
  whyOnly: ["All other moves lose the lead.", "其他着法都会失去优势。"],
  notIt: ["{0} is not it. Try again.", "不是 {0}，再试一次。"],
  goodButNot: ["{0} is good, but one move is better. Try again.", "{0} 不错，但还有更好的，再试一次。"],
  hintFrom: ["The amazon on {0} moves.", "走 {0} 的棋子。"],
  hintTo: ["It goes to {0}.", "走到 {0}。"],
  hintArrow: ["Its arrow goes to {0}.", "箭射到 {0}。"],
  skip: ["Skip", "跳过"],
  puzzlesKnown: ["Solved without help: {0} of {1}. Due today: {2}.", "独立解出 {0} / {1}，今天到期 {2}。"],
  practise: ["Make puzzles", "制作习题"],
  practising: ["Mistake {0} of {1}: is one move clearly best?", "失误 {0} / {1}：是否有一步明显最好？"],
  practised: ["New puzzles under “Learn”: {0} of {1} mistakes, those with one clearly best move.", "已加入“练习”：{1} 个失误中的 {0} 个，其中有一步明显最好。"],
  editor: ["Set up a position", "摆放局面"],
  brush: ["Put on the board", "放置"],
  amazonOf: ["{0} amazon", "{0}棋子"],
  arrow: ["Arrow", "箭"],
  empty: ["Nothing", "清除"],
  clear: ["Empty board", "清空棋盘"],
  startPosition: ["Start position", "开局局面"],
  done: ["Study this position", "研究此局面"],
  cancel: ["Cancel", "取消"],
  lackingOf: ["{0} has {1} amazons, expected 4.", "{0}有 {1} 个棋子，应为 4 个。"],
  mover: ["To move", "行棋方"],
  rooms: ["Panels", "面板"],
  overview: ["Games", "对局总览"],
  noGames: [
    "Open several files at once, or a file with several games: they are listed here, and “Review all” judges them one after another.",
    "一次打开多个文件，或含多局的文件：所有对局会列在这里，“全部复盘”依次分析各局。",
  ],
  reviewAll: ["Review all", "全部复盘"],
  reviewedOf: ["{0} of {1} games reviewed", "已复盘 {0} / {1} 局"],
  accuracyBlack: ["Acc. B", "黑准确率"],
  accuracyWhite: ["Acc. W", "白准确率"],
  turned: ["Turn", "转折"],
  decided: ["Decided", "定局"],
  lostIn: ["Worst", "失分"],
  sums: ["By player", "按棋手汇总"],
  tableNote: [
    "Acc.: accuracy in percent. Turn: the last move that changed the lead. Decided: after so many moves the solver proves the winner. Worst: the moves in which the loser lost most.",
    "准确率以百分比表示。转折：最后一次易主的步数。定局：求解器证明胜者的步数。失分：负方失分最多的阶段（步数）。",
  ],
  sumsNote: [
    "Columns of moves: points lost per game in this phase. A point is 1 % of win probability.",
    "各列为该阶段（步数）平均每局损失的百分点，1 个百分点即 1 % 的胜率。",
  ],
  player: ["Player", "棋手"],
  wonGames: ["Won", "胜局"],
  meanAccuracy: ["Accuracy", "准确率"],
  notes: ["Notes", "笔记"],
  noteHere: ["Comment on this position", "对此局面的评注"],
  symbols: ["Annotation symbol", "着法标记"],
  draw: ["Draw on the board", "在棋盘上标记"],
  drawClear: ["Remove the marks", "清除标记"],
  drawNote: [
    "Press a square to mark it, or drag an arrow. With the right mouse button this works at any time.",
    "点击格子做标记，拖动画箭头；用鼠标右键可随时标记。",
  ],
  rightButton: ["Right button", "右键"],
  keyDraw: ["Over the board, in the study: marks a square or draws an arrow", "研究时在棋盘上：标记格子或画箭头"],
  turnOffer: ["Black’s amazons begin at the top.", "黑方棋子在上方。"],
  outcome: ["End", "结果"],
  plies: ["Moves", "步数"],
  removeLine: ["Delete from here", "删除此后着法"],
  makeMain: ["Make it the main line", "设为主变化"],
  benchRunning: [
    "The fixed search of “amazons bench” runs: {0} iterations a position …",
    "正在运行 “amazons bench” 的固定搜索：每个局面 {0} 次迭代……",
  ],
  squareEmpty: ["{0}, empty", "{0}，空"],
  squareArrow: ["{0}, arrow", "{0}，箭"],
  squareAmazon: ["{0}, {1} amazon", "{0}，{1}棋子"],
  target: ["possible", "可选"],
  pointed: ["Move {0}: {1}", "第 {0} 步：{1}"],
  language: ["Language", "语言"],
};

/** The language in which the page shows its texts. */
let currentLanguage = /** @type {Language} */ ("en");

/** Returns the language in which the page shows its texts. */
export const language = () => currentLanguage;

/**
 * Selects the language of the page's texts. The caller must update the page.
 * @param {string} name language tag such as `zh-CN`; every tag that is not Chinese selects English
 */
export function setLanguage(name) {
  currentLanguage = name.startsWith("zh") ? "zh" : "en";
}

/**
 * Returns the text with a key in the page's language, from `TEXTS` or else from the glossary. A glossary text gets a
 * capital first letter. `parts` replace the placeholders `{0}`, `{1}` and so on.
 * @param {keyof typeof TEXTS | TermKey} key @param {any[]} parts
 */
export function t(key, ...parts) {
  if (key in TEXTS) return insertParts(TEXTS[key][currentLanguage === "en" ? 0 : 1], parts);
  const text = term(/** @type {TermKey} */ (key), ...parts);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * Returns a glossary term in the page's language, in lower case for use inside a sentence. `parts` replace the
 * placeholders `{0}`, `{1}` and so on.
 * @param {TermKey} key @param {any[]} parts
 */
export const term = (key, ...parts) => insertParts(GLOSSARY[currentLanguage][key], parts);

/**
 * Returns the part of a sentence that says how a game ended, in the page's language: for example, that the loser has
 * resigned.
 * @param {string} ending key of `ENDINGS`, such as `resigned` @param {string} loser displayed name of the loser
 */
export const endingText = (ending, loser) => insertParts(GLOSSARY[currentLanguage].endings[ending] ?? ending, [loser]);

/**
 * Replaces the placeholders `{0}`, `{1}` and so on in a text by the elements of `parts`. Where this gives a plural such
 * as “1 moves”, corrects it to “1 move”.
 */
function insertParts(text, parts) {
  const whole = text.replace(/\{(\d)\}/g, (_, place) => parts[place]);
  return /\{\d\} moves/.test(text) ? whole.replace(/\b1 moves\b/, "1 move") : whole;
}
