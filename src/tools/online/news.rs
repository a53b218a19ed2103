//! What happens online, and how people are told, in English and in Chinese.

use super::client::Trouble;
use crate::board::{Move, Player};
use crate::console::visible;
use crate::tools::platform::address::{Id, MatchAddress};
use crate::tools::support::language::Language;
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
    /// The score against a bot.
    Score(Id, String),
    /// No new matches begin: the running ones are finished.
    Closing,
}

impl News {
    /// The news in a language, on one line.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match language {
            Language::En => self.english(),
            Language::Zh => self.chinese(),
        }
    }

    fn english(&self) -> String {
        let ms = Duration::as_millis;
        match self {
            News::Waiting => {
                "waiting for matches: open a table on Botzone with \"use my local AI\"".to_owned()
            }
            News::Started(id, game, colour, bot) => {
                format!("{id}  game {game} begins, {colour} against {bot}")
            }
            News::Resumed(id, plies) => format!("{id}  goes on after ply {plies}"),
            News::Theirs(id, ply, turn) => format!("{id}  ply {ply:2}  they play  {turn}"),
            News::Ours(id, ply, turn, chance, time) => {
                let chance = 100.0 * chance;
                format!(
                    "{id}  ply {ply:2}  we play    {turn}  {chance:.0} %  {} ms",
                    ms(time)
                )
            }
            News::Over(address, won) => format!("{}  {}", address.id, verdict(*won, ENGLISH)),
            News::Aborted(id) => format!("{id}  was aborted"),
            News::Unreadable(id, text) => {
                let text = crate::console::quoted(text);
                format!("{id}  \"{text}\", expected six numbers; nothing is sent")
            }
            News::Trouble(trouble, wait) => {
                let why = trouble.english();
                format!("{why}; again in {:.0} s", wait.as_secs_f32())
            }
            News::NotStarted(trouble, wait) => {
                let why = trouble.english();
                format!(
                    "no match begins: {why}; again in {:.0} s",
                    wait.as_secs_f32()
                )
            }
            News::NoLog(id, why) => format!("{id}  its log: {}", visible(why)),
            News::Score(bot, score) => format!("against {bot}: {score}"),
            News::Closing => {
                "no new matches; the running ones are finished; Ctrl-C again stops at once"
                    .to_owned()
            }
        }
    }

    fn chinese(&self) -> String {
        let ms = Duration::as_millis;
        let colour = |player: &Player| match player {
            Player::Black => "执黑",
            Player::White => "执白",
        };
        match self {
            News::Waiting => "等待对局:请在 Botzone 创建游戏桌,并勾选“用本地AI替代我”".to_owned(),
            News::Started(id, game, player, bot) => {
                format!("{id}  第 {game} 局开始,{},对手 {bot}", colour(player))
            }
            News::Resumed(id, plies) => format!("{id}  从第 {plies} 步之后继续"),
            News::Theirs(id, ply, turn) => format!("{id}  第 {ply:2} 步  对手  {turn}"),
            News::Ours(id, ply, turn, chance, time) => {
                let chance = 100.0 * chance;
                format!(
                    "{id}  第 {ply:2} 步  我方  {turn}  {chance:.0} %  {} 毫秒",
                    ms(time)
                )
            }
            News::Over(address, won) => format!("{}  {}", address.id, verdict(*won, CHINESE)),
            News::Aborted(id) => format!("{id}  对局中止"),
            News::Unreadable(id, text) => {
                let text = crate::console::quoted(text);
                format!("{id}  “{text}”不是六个数,不作回应")
            }
            News::Trouble(trouble, wait) => {
                format!("{};{:.0} 秒后重试", trouble.chinese(), wait.as_secs_f32())
            }
            News::NotStarted(trouble, wait) => {
                let why = trouble.chinese();
                format!("无法开始对局:{why};{:.0} 秒后重试", wait.as_secs_f32())
            }
            News::NoLog(id, why) => format!("{id}  对局日志:{}", visible(why)),
            News::Score(bot, score) => format!("对 {bot}:{score}"),
            News::Closing => "不再开始新对局,下完正在进行的对局;再按 Ctrl-C 立即停止".to_owned(),
        }
    }
}

/// Won, lost, without a winner: in English.
const ENGLISH: [&str; 3] = ["won", "lost", "over"];

/// Won, lost, without a winner: in Chinese.
const CHINESE: [&str; 3] = ["胜", "负", "结束"];

const fn verdict(won: Option<bool>, words: [&'static str; 3]) -> &'static str {
    match won {
        Some(true) => words[0],
        Some(false) => words[1],
        None => words[2],
    }
}

/// A match that is over, for the summary: its result and its public address.
#[must_use]
pub fn summary(address: &MatchAddress, won: Option<bool>, language: Language) -> String {
    let words = match language {
        Language::En => ENGLISH,
        Language::Zh => CHINESE,
    };
    format!("{:4}  {address}", verdict(won, words))
}

impl Trouble {
    /// What happened, in English.
    #[must_use]
    pub fn english(&self) -> String {
        match self {
            Trouble::Refused(why) | Trouble::Unwelcome(why) => why.clone(),
            Trouble::Maintenance => "the platform is closed for maintenance".to_owned(),
            Trouble::Silent => "no answer in time".to_owned(),
            Trouble::Passing { why, .. } => why.clone(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Trouble::Maintenance => "平台正在维护".to_owned(),
            Trouble::Silent => "没有及时得到回应".to_owned(),
            // What the network or the platform said stays in its words.
            other => format!("出错({})", other.english()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_have_written_steers_no_terminal() {
        let id: Id = "594553a2630d4c0758e2b2b1".parse().expect("an id");
        for language in [Language::En, Language::Zh] {
            let texts = [
                News::Unreadable(id, "\x1b[2J".to_owned()),
                News::NoLog(id, "\x1b[2J".to_owned()),
            ];
            for news in texts {
                let text = news.text(language);
                assert!(!text.chars().any(char::is_control), "{text:?}");
            }
        }
    }
}
