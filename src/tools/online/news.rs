//! What happens online, and how people are told, in English and in Chinese.

use super::client::Trouble;
use crate::board::Player;
use crate::console::visible;
use crate::tools::analysis::glossary::{Language, Term, say, terms};
use crate::tools::platform::web::Fault;
use std::fmt::Display;

terms! {
    WAITING: "waiting for matches: open a table on Botzone with \"use my local AI\"",
        "等待对局：请在 Botzone 创建游戏桌，并勾选“用本地AI替代我”";
    STARTED: "{0}  game {1} begins, {2} against {3}", "{0}  第 {1} 局开始，{2}，对手 {3}";
    RESUMED: "{0}  goes on after ply {1}", "{0}  从第 {1} 步之后继续";
    THEIRS: "{0}  ply {1}  they play  {2}", "{0}  第 {1} 步  对手  {2}";
    OURS: "{0}  ply {1}  we play    {2}  {3} %  {4} ms", "{0}  第 {1} 步  我方  {2}  {3} %  {4} 毫秒";
    OVER: "{0}  {1}", "{0}  {1}";
    ABORTED: "{0}  was aborted", "{0}  对局中止";
    UNREADABLE: "{0}  \"{1}\", expected six numbers; nothing is sent", "{0}  “{1}”不是六个数，不作回应";
    TROUBLE: "{0}; again in {1} s", "{0}；{1} 秒后重试";
    NOT_STARTED: "no match begins: {0}; again in {1} s", "无法开始对局：{0}；{1} 秒后重试";
    NO_LOG: "{0}  its log: {1}", "{0}  对局日志：{1}";
    PUZZLING: "{0}  a request fits no known position, and its log doesn't help: {1}; it is asked again",
        "{0}  请求与已知局面不符，对局日志也无法说明：{1}；稍后再取";
    SCORE: "against {0}: {1}", "对 {0}：{1}";
    CLOSING: "no new matches; the running ones are finished; Ctrl-C again stops at once",
        "不再开始新对局，下完正在进行的对局；再按 Ctrl-C 立即停止";
}

/// News on one line. What others have written in it steers no terminal.
pub fn line(news: Term, language: Language, parts: &[&dyn Display]) -> String {
    visible(&news.of(language, parts)).to_string()
}

/// Our colour in a game.
pub fn side(colour: Player, language: Language) -> String {
    match (language, colour) {
        (Language::En, _) => colour.to_string(),
        (Language::Zh, Player::Black) => "执黑".to_owned(),
        (Language::Zh, Player::White) => "执白".to_owned(),
    }
}

/// Won, lost, without a winner.
pub const fn verdict(won: Option<bool>, language: Language) -> &'static str {
    let verdict = match won {
        Some(true) => Term::new("won", "胜"),
        Some(false) => Term::new("lost", "负"),
        None => Term::new("over", "结束"),
    };
    verdict.text(language)
}

impl Trouble {
    /// What happened, in a language.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        let why = match self {
            Trouble::Maintenance => {
                Term::new("the platform is closed for maintenance", "平台正在维护")
            }
            Trouble::Network(Fault::Silent) => Term::new("no answer in time", "没有及时得到回应"),
            // What the network or the platform said stays in its words.
            Trouble::Refused(why)
            | Trouble::Unwelcome(why)
            | Trouble::Network(Fault::NotSent(why) | Fault::Broken(why)) => {
                return say!(language, "{why}", "出错（{why}）");
            }
        };
        why.text(language).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_have_written_steers_no_terminal() {
        for language in Language::ALL {
            let text = line(NO_LOG, language, &[&"id", &"\x1b[2J"]);
            assert!(!text.chars().any(char::is_control), "{text:?}");
        }
    }
}
