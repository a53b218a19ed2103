//! Texts of the report of `amazons check` in English and Chinese. The descriptions of symptoms are in `symptom.rs`.

use analysis::glossary::terms;

terms! {
    READY: "READY", "可以上传";
    INCOMPLETE: "no fault found, but not all cases had time (try --long)", "没有发现错误，但时间不够，没有全部检查（--long）";
    NOT_READY: "NOT READY", "还不能上传";
    OK: "ok", "正常";
    FAULT: "FAULT", "错误";
    WARNING: "warning", "警告";
    NOTE: "note", "提示";
    NOT_RUN: "-", "-";

    INTERACTION: "interaction", "交互";
    FIRST_TURNS: "first turns", "首回合";
    HISTORIES: "histories", "历史记录";
    RARE_POSITIONS: "rare positions", "罕见局面";
    GAMES: "games", "对局";
    TIME: "time", "时间";
    MEMORY: "memory", "内存";
    MANNERS: "manners", "其他";

    NO_INTERACTION: "no answer in either interaction", "两种交互都没有得到回答";
    BOTH: "simple and JSON", "简单交互和 JSON 交互";
    SIMPLE_ALONE: "only simple: tick \"simple interaction\"", "只支持简单交互：上传时勾选“简单交互”";
    JSON_ALONE: "only JSON: do not tick \"simple interaction\"", "只支持 JSON 交互：上传时不要勾选“简单交互”";
    KEPT_RUNNING: "; asks to be kept running", "；请求长时运行";
    NOT_KEPT_RUNNING: "; exits after its turn", "；每回合结束后退出";

    CASES: "{0} cases, {1} turns", "{0} 个用例，{1} 个回合";
    FAILED: "; {0} failed", "；{0} 个失败";
    NOT_PLAYED: "; no time for {0} more", "；还有 {0} 个因时间不够没有运行";
    TIMES: "first turn {0} of {1} ms, later {2} of {3} ms; CPU {4} and {5} ms", "首回合 {0} / {1} 毫秒，之后 {2} / {3} 毫秒；CPU {4} 和 {5} 毫秒";
    SLOWER: "; slowed down {0} times", "；已减慢到 {0} 分之一的速度";
    MEGABYTES: "at most {0} of {1} MB", "最多 {0} / {1} MB";

    FIX_FIRST: "Fix first", "先修这个";
    THEN: "Then", "其次";
    MAY_HURT: "May hurt", "可能有害";
    WORTH_KNOWING: "Worth knowing", "供参考";
    IN_CASES: "{0}, in {1} of {2} cases", "{0}（{2} 个用例中有 {1} 个）";
    ADVICE: "do: {0}", "做法：{0}";
    REPEAT_COMMAND: "again: {0}", "重现：{0}";
    FITS_ANSWERS: "{0} (fits {1} of {2})", "{0}（符合 {2} 个中的 {1} 个）";
    BYTES: "{0} bytes", "{0} 字节";
    LOGS: "The match logs of failed cases, for `amazons replay`, are in {0}.", "失败用例的对局日志在 {0} 中，可用 `amazons replay` 查看。";

    PASSED_TO_BOT: "{0} is passed to the bot; put options of check before the bot: amazons check {0} … -- {1}", "{0} 会传给程序；check 自己的选项写在程序之前：amazons check {0} … -- {1}";
    RANDOM_MOVES: "random moves", "随机着法";
    SENT: "turn {0}: the bot was sent", "第 {0} 回合：程序收到";
    PRINTED: "and printed, after {0} ms (CPU {1} ms, {2} MB, verdict {3})", "并输出（{0} 毫秒，CPU {1} 毫秒，{2} MB，裁定 {3}）";
    NO_OUTPUT: "nothing", "（无）";
    STDERR: "on standard error:", "标准错误：";
    POSITION: "{0}: {1} against {2}", "{0}：{1}执子，对手 {2}";
}
