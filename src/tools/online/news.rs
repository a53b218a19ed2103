//! What happens online, and how people are told, in English and in Chinese.

use super::client::Trouble;
use crate::board::{Move, Player};
use crate::console::{quoted, visible};
use crate::tools::analysis::glossary::say;
use crate::tools::analysis::glossary::{Language, Term};
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::platform::web::Fault;
use std::time::Duration;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// The program waits for matches.
    Waiting,
    /// A game of the schedule has begun: its number from 1, and the bot.
    Started(Id, usize, Player, Id),
    /// A match goes on that an earlier run has begun.
    Resumed(Id, usize),
    /// The opponent has moved: ply, move.
    Theirs(Id, usize, Move),
    /// We have decided: ply, move, our win probability, time.
    Ours(Id, usize, Move, f32, Duration),
    /// A match has ended: whether we won, and its address.
    Over(MatchAddress, Option<bool>),
    /// A match was aborted.
    Aborted(Id),
    /// A request could not be read.
    Unreadable(Id, String),
    /// Something went wrong; it is tried again after a while.
    Trouble(Trouble, Duration),
    /// A match could not be started; it is tried again after a while.
    NotStarted(Trouble, Duration),
    /// The log of a match that is over can't be used: why.
    NoLog(Id, String),
    /// A request fits no known position, and the log of the match doesn't help: why.
    Puzzling(Id, String),
    /// The score against a bot.
    Score(Id, String),
    /// No new matches begin: the running ones are finished.
    Closing,
}

impl News {
    /// The news in a language, on one line.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            News::Waiting => say!(
                language,
                "waiting for matches: open a table on Botzone with \"use my local AI\"",
                "等待对局:请在 Botzone 创建游戏桌,并勾选“用本地AI替代我”"
            ),
            News::Started(id, game, colour, bot) => {
                let colour = side(*colour, language);
                say!(
                    language,
                    "{id}  game {game} begins, {colour} against {bot}",
                    "{id}  第 {game} 局开始,{colour},对手 {bot}"
                )
            }
            News::Resumed(id, plies) => say!(
                language,
                "{id}  goes on after ply {plies}",
                "{id}  从第 {plies} 步之后继续"
            ),
            News::Theirs(id, ply, turn) => say!(
                language,
                "{id}  ply {ply:2}  they play  {turn}",
                "{id}  第 {ply:2} 步  对手  {turn}"
            ),
            News::Ours(id, ply, turn, chance, time) => {
                let (chance, ms) = (100.0 * chance, time.as_millis());
                say!(
                    language,
                    "{id}  ply {ply:2}  we play    {turn}  {chance:.0} %  {ms} ms",
                    "{id}  第 {ply:2} 步  我方  {turn}  {chance:.0} %  {ms} 毫秒"
                )
            }
            News::Over(address, won) => format!("{}  {}", address.id, verdict(*won, language)),
            News::Aborted(id) => say!(language, "{id}  was aborted", "{id}  对局中止"),
            News::Unreadable(id, text) => {
                let text = quoted(text);
                say!(
                    language,
                    "{id}  \"{text}\", expected six numbers; nothing is sent",
                    "{id}  “{text}”不是六个数,不作回应"
                )
            }
            News::Trouble(trouble, wait) => {
                let (why, seconds) = (trouble.text(language), wait.as_secs_f32());
                say!(
                    language,
                    "{why}; again in {seconds:.0} s",
                    "{why};{seconds:.0} 秒后重试"
                )
            }
            News::NotStarted(trouble, wait) => {
                let (why, seconds) = (trouble.text(language), wait.as_secs_f32());
                say!(
                    language,
                    "no match begins: {why}; again in {seconds:.0} s",
                    "无法开始对局:{why};{seconds:.0} 秒后重试"
                )
            }
            News::NoLog(id, why) => {
                let why = visible(why);
                say!(language, "{id}  its log: {why}", "{id}  对局日志:{why}")
            }
            News::Puzzling(id, why) => {
                let why = visible(why);
                say!(
                    language,
                    "{id}  a request fits no known position, and its log doesn't help: {why}; it is asked again",
                    "{id}  请求与已知局面不符,对局日志也无法说明:{why};稍后再取"
                )
            }
            News::Score(bot, score) => say!(language, "against {bot}: {score}", "对 {bot}:{score}"),
            News::Closing => say!(
                language,
                "no new matches; the running ones are finished; Ctrl-C again stops at once",
                "不再开始新对局,下完正在进行的对局;再按 Ctrl-C 立即停止"
            ),
        }
    }
}

/// Our colour in a game.
pub(super) fn side(colour: Player, language: Language) -> String {
    match (language, colour) {
        (Language::En, _) => colour.to_string(),
        (Language::Zh, Player::Black) => "执黑".to_owned(),
        (Language::Zh, Player::White) => "执白".to_owned(),
    }
}

/// Won, lost, without a winner.
const fn verdict(won: Option<bool>, language: Language) -> &'static str {
    let verdict = match won {
        Some(true) => Term::new("won", "胜"),
        Some(false) => Term::new("lost", "负"),
        None => Term::new("over", "结束"),
    };
    verdict.text(language)
}

/// A match that is over, for the summary: its result and its public address.
#[must_use]
pub fn summary(address: &MatchAddress, won: Option<bool>, language: Language) -> String {
    format!("{:4}  {address}", verdict(won, language))
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
                return say!(language, "{why}", "出错({why})");
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
        let id: Id = "594553a2630d4c0758e2b2b1".parse().expect("an id");
        for language in Language::ALL {
            let texts = [
                News::Unreadable(id, "\x1b[2J".to_owned()),
                News::NoLog(id, "\x1b[2J".to_owned()),
                News::Puzzling(id, "\x1b[2J".to_owned()),
            ];
            for news in texts {
                let text = news.text(language);
                assert!(!text.chars().any(char::is_control), "{text:?}");
            }
        }
    }
}
