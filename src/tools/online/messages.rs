//! Messages of `amazons online` for the user in English and Chinese, one line for each event. Error messages of the
//! network, of Botzone or about a log are not translated.

use analysis::glossary::terms;

terms! {
    WAITING_FOR_MATCHES: "waiting for matches: open a table on Botzone with \"use my local AI\"",
        "等待对局：请在 Botzone 创建游戏桌，并勾选“用本地AI替代我”";
    STARTED: "{0}  game {1} started, {2} against {3}", "{0}  第 {1} 局开始，{2}，对手 {3}";
    RESUMED: "{0}  resumed after ply {1}", "{0}  从第 {1} 步之后继续";
    OPPONENT_MOVE: "{0}  ply {1}  they play  {2}", "{0}  第 {1} 步  对手  {2}";
    OUR_MOVE: "{0}  ply {1}  we play    {2}  {3} %  {4} ms", "{0}  第 {1} 步  我方  {2}  {3} %  {4} 毫秒";
    WON: "{0}  won  {1}", "{0}  胜  {1}";
    LOST: "{0}  lost  {1}", "{0}  负  {1}";
    ABORTED: "{0}  aborted  {1}", "{0}  对局中止  {1}";
    POLL_FAILED: "{0}; retrying in {1} s", "出错（{0}）；{1} 秒后重试";
    START_FAILED: "no match started: {0}; retrying in {1} s", "无法开始对局（{0}）；{1} 秒后重试";
    START_UNCERTAIN: "game {0} may have started ({1}): checking the open matches first",
        "第 {0} 局可能已经开始（{1}）：先查询进行中的对局";
    LOG_NOT_READY: "{0}  waiting for its log: {1}; retrying in {2} s", "{0}  等待对局日志（{1}）；{2} 秒后重试";
    STRAY_REQUEST: "{0}  a request fits no known position, and its log does not explain it: {1}; fetching it again later",
        "{0}  请求与已知局面不符，对局日志也无法说明（{1}）；稍后再取";
    SCORE: "against {0}: {1}  {2}", "对 {0}：{1}  {2}";
    STATUS: "waiting: {0} matches running, {1} logs to fetch, {2} games to start",
        "等待：进行中 {0} 局，日志 {1} 份，未开始 {2} 局";
    CLOSING: "no new matches; running matches are played to their end; press Ctrl-C again to stop at once",
        "不再开始新对局，下完正在进行的对局；再按 Ctrl-C 立即停止";
}
