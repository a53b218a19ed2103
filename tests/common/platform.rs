//! A platform on this machine for tests: it speaks the local AI interface, judges with the judge module, and loses and
//! doubles what a wire may lose and double. It writes down whatever a client does wrong.

use super::Dice;
use engine::board::Player;
use engine::movegen;
use record::judge::{Coordinates, Demand, Judge, Verdict};
use record::log::{Answer, LogEntry, write_entry};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use Fault::*;

/// The user's part of the secret URL, and the secret.
const USER: &str = "5f0000000000000000000001";
pub const SECRET: &str = "s3cr3tW0rdThatNobodySees";

/// Bots that play random moves.
pub const BOT: &str = "b0000000000000000000000a";
pub const OTHER_BOT: &str = "b0000000000000000000000b";

/// What goes wrong on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    LostStart,  // the reply to a start, before a match has begun, or after
    Logs,       // the log of a match can't be had, or is behind
    LostBefore, // the reply to a poll, before its answers were taken
    LostAfter,  // the reply to a poll, after its answers were taken
    Gateway,    // a page of HTML with status 502, before the answers were taken
    Cut,        // the body is cut short
    Late,       // the reply comes later than the client waits
    Doubled,    // the request is shown once more with the reply to its answer
    Abort,      // a match is aborted
    TimeOut,    // we are said to be late: the match is over while we think
    Redirect,   // the reply leads to another path on the same host
}

/// All faults; those of polls follow the first two.
pub const FAULTS: [Fault; 11] = [
    LostStart, Logs, LostBefore, LostAfter, Gateway, Cut, Late, Doubled, Abort, TimeOut, Redirect,
];

/// One match.
struct Game {
    judge: Judge,
    log: Vec<LogEntry>,
    us: Player,
    is_json: bool,
    /// Our request that has no answer yet.
    pending: Option<Coordinates>,
    /// 0 black, 1 white.
    winner: Option<usize>,
    is_aborted: bool,
    is_told: bool,
}

/// What the platform knows.
pub struct State {
    games: BTreeMap<String, Game>,
    dice: Dice,
    faults: Vec<Fault>,
    /// Faults strike so many requests of so many.
    rate: (usize, usize),
    /// How often each fault has struck.
    pub counts: BTreeMap<Fault, usize>,
    /// What the client has done wrong.
    pub violations: Vec<String>,
    /// Number of polls so far.
    pub polls: usize,
    /// How long the reply is held back.
    delay: Duration,
    /// What every poll is answered with instead: a status and a text.
    pub answer: Option<(u16, &'static str)>,
}

/// A platform that listens.
pub struct Platform {
    port: u16,
    state: &'static Mutex<State>,
}

impl Platform {
    /// A platform where faults strike so many requests of so many.
    pub fn start(seed: u64, faults: &[Fault], rate: (usize, usize)) -> Platform {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Mutex::new(State {
            games: BTreeMap::new(),
            dice: Dice::new(seed),
            faults: faults.to_vec(),
            rate,
            counts: BTreeMap::new(),
            violations: Vec::new(),
            polls: 0,
            delay: Duration::ZERO,
            answer: None,
        });
        let state: &Mutex<State> = Box::leak(Box::new(state));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || serve(stream, state));
            }
        });
        Platform { port, state }
    }

    /// What the platform knows; nothing happens meanwhile.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }

    /// The secret URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/api/{USER}/{SECRET}/localai", self.port)
    }

    /// The public address of a match.
    pub fn address(&self, id: &str) -> String {
        format!("http://127.0.0.1:{}/match/{id}", self.port)
    }

    /// Begins so many matches at tables with "use my local AI".
    pub fn open_tables(&self, count: usize) {
        for number in 0..count {
            let us = [Player::Black, Player::White][number % 2];
            self.state().add(us, number % 3 == 0);
        }
    }

    /// Number of answers taken so far.
    pub fn plies(&self) -> usize {
        let state = self.state();
        state.games.values().map(|game| game.log.len() / 2).sum()
    }

    /// The ids of all matches, and whether they have ended.
    pub fn matches(&self) -> Vec<(String, bool)> {
        let state = self.state();
        let ids = state.games.keys().cloned();
        ids.zip(state.games.values().map(Game::is_over)).collect()
    }

    /// The moves of a match and who has won it, our colour, and whether it was aborted.
    pub fn outcome(&self, id: &str) -> (Vec<String>, Option<usize>, Player, bool) {
        let game = &self.state().games[id];
        let moves = game.log.iter().filter_map(|entry| match entry {
            LogEntry::Judge(output) => output.display.last_move.map(|turn| turn.to_string()),
            LogEntry::Bot(..) => None,
        });
        (moves.collect(), game.winner, game.us, game.is_aborted)
    }
}

impl Game {
    fn is_over(&self) -> bool {
        self.is_aborted || self.winner.is_some()
    }

    /// Judges an answer. Returns the fault.
    fn answer(&mut self, verdict: Verdict, response: Option<Value>) -> Option<String> {
        let mover = self.judge.board().to_move();
        let output = self.judge.answer(Some(verdict), response.as_ref());
        let mut answer = Answer::good(response.unwrap_or_default());
        answer.verdict = Some(verdict);
        self.log.push(LogEntry::Bot(mover, answer));
        self.log.push(LogEntry::Judge(output.clone()));
        let display = output.display;
        match output.command {
            Demand::Finish => self.winner = display.winner.map(usize::from),
            Demand::Request => self.pending = display.last_move.filter(|_| mover != self.us),
        }
        display.err
    }

    /// Takes our answer as it came over the wire. Returns the request that it was for.
    fn take(&mut self, text: &str) -> Result<Coordinates, String> {
        let request = self.pending.ok_or("an answer without a request")?;
        let response = match self.is_json {
            true => serde_json::from_str(text).ok(),
            false => Coordinates::of_words(text.split(' ')).map(Coordinates::to_value),
        };
        let fault = self.answer(Verdict::Ok, Some(response.ok_or("another form")?));
        fault.map_or(Ok(request), Err)
    }

    /// The line of a match that has ended.
    fn ending(&self, id: &str) -> String {
        let slot = self.us as usize;
        match self.winner {
            Some(winner) => format!("{id} {slot} 2 {} {}\n", 2 - 2 * winner, 2 * winner),
            None => format!("{id} {slot} 0\n"),
        }
    }
}

impl State {
    /// Returns the fault that strikes, if one does of those that may.
    fn fault(&mut self, of: &[Fault]) -> Option<Fault> {
        let mut possible = self.faults.clone();
        possible.retain(|fault| of.contains(fault));
        if possible.is_empty() || self.dice.below(self.rate.1) >= self.rate.0 {
            return None;
        }
        let fault = possible[self.dice.below(possible.len())];
        *self.counts.entry(fault).or_default() += 1;
        Some(fault)
    }

    /// Adds a match. Returns its id.
    fn add(&mut self, us: Player, is_json: bool) -> String {
        let id = format!("{:024x}", 0x5945_53a2_630d_0000 + self.games.len());
        let judge = Judge::default();
        let game = Game {
            log: vec![LogEntry::Judge(judge.opening())],
            judge,
            us,
            is_json,
            pending: (us == Player::Black).then_some(Coordinates::NONE),
            winner: None,
            is_aborted: false,
            is_told: false,
        };
        self.games.insert(id.clone(), game);
        id
    }

    fn poll(&mut self, request: &Request, is_led: bool) -> String {
        self.polls += 1;
        if let Some((status, text)) = self.answer {
            return reply(status, text);
        }
        let possible = if is_led { &[] } else { &FAULTS[2..] };
        let fault = self.fault(possible);
        match fault {
            Some(LostBefore) => return String::new(),
            Some(Gateway) => return reply(502, "<html>Bad Gateway</html>"),
            Some(Redirect) => {
                let to = format!(" X\r\nLocation: /api/{USER}/{SECRET}/again");
                return reply(302, "").replace(" X", &to);
            }
            _ => {}
        }
        let answered = self.take_answers(request);
        self.move_bots();
        self.break_off(fault);
        let text = reply(200, &self.news(answered.filter(|_| fault == Some(Doubled))));
        self.delay = Duration::from_millis(1500 * u64::from(fault == Some(Late)));
        match fault {
            Some(LostAfter) => String::new(),
            Some(Cut) => text[..text.len() - 1 - self.dice.below(20)].to_owned(),
            _ => text,
        }
    }

    /// Takes the answers in a poll. Returns the last one's match, and the request.
    fn take_answers(&mut self, request: &Request) -> Option<(String, Coordinates)> {
        let mut answered = None;
        for (name, value) in request {
            let id = name.strip_prefix("x-match-").unwrap_or_default();
            let game = self.games.get_mut(id).filter(|game| !game.is_over());
            let Some(game) = game else { continue };
            match game.take(value) {
                Ok(request) => answered = Some((id.to_owned(), request)),
                Err(why) => self.violations.push(format!("{id}: {why}: {value}")),
            }
        }
        answered
    }

    /// Lets all bots move that are to.
    fn move_bots(&mut self) {
        let games = self.games.values_mut().filter(|game| !game.is_over());
        for game in games.filter(|game| game.judge.board().to_move() != game.us) {
            let moves = movegen::moves(game.judge.board());
            let turn = moves[self.dice.below(moves.len())];
            game.answer(Verdict::Ok, Some(Coordinates::from(turn).to_value()));
        }
    }

    /// Ends a match that waits for us, if that is the fault.
    fn break_off(&mut self, fault: Option<Fault>) {
        let mut games = self.games.values_mut().filter(|game| !game.is_over());
        match (fault, games.find(|game| game.pending.is_some())) {
            (Some(Abort), Some(game)) => game.is_aborted = true,
            (Some(TimeOut), Some(game)) => drop(game.answer(Verdict::TimeLimitExceeded, None)),
            _ => {}
        }
    }

    /// The text of a reply, in any order. `doubled`: a request that is shown once more.
    fn news(&mut self, doubled: Option<(String, Coordinates)>) -> String {
        let mut requests = Vec::new();
        for (id, game) in self.games.iter().filter(|(_, game)| !game.is_over()) {
            let again = doubled.iter().find(|(other, _)| other == id);
            let shown = again.map(|&(_, request)| request).or(game.pending);
            requests.extend(shown.map(|request| match game.is_json {
                true => format!("{id}\n{}\n", request.to_value()),
                false => format!("{id}\n{request}\n"),
            }));
        }
        for at in (1..requests.len()).rev() {
            requests.swap(at, self.dice.below(at + 1));
        }
        let mut endings = Vec::new();
        for (id, game) in self.games.iter_mut().filter(|(_, game)| game.is_over()) {
            endings.extend((!game.is_told).then(|| game.ending(id)));
            game.is_told = true;
        }
        let head = format!("{} {}\n", requests.len(), endings.len());
        head + &requests.concat() + &endings.concat()
    }

    fn start(&mut self, request: &Request) -> String {
        let header = |name: &str| request.get(name).map_or("", String::as_str);
        let (us, bot) = match [header("x-player-0"), header("x-player-1")] {
            ["me", bot] => (Player::Black, bot),
            [bot, _] => (Player::White, bot),
        };
        let asked = ["x-game", "x-usesimpleio", "x-player-1", "x-player-0"].map(header);
        let is_known = asked[..2] == ["Amazons", "true"] && asked[2..].contains(&"me");
        if !is_known || ![BOT, OTHER_BOT].contains(&bot) {
            return reply(400, "no such game or bot");
        }
        if self.games.values().filter(|game| !game.is_over()).count() >= 4 {
            return reply(400, "too many matches are running");
        }
        let is_lost = self.fault(&[LostStart]).is_some();
        if is_lost && self.dice.below(3) == 0 {
            return reply(502, "");
        }
        let id = self.add(us, false);
        match is_lost {
            true => String::new(),
            false => reply(200, &id),
        }
    }

    fn abort(&mut self, id: &str) -> String {
        let Some(game) = self.games.get_mut(id).filter(|game| !game.is_over()) else {
            return reply(400, "no such match");
        };
        game.is_aborted = true;
        reply(200, "")
    }

    fn log(&mut self, path: &str) -> String {
        let is_struck = self.fault(&[Logs]).is_some();
        let id = path.trim_start_matches("/match/");
        let Some(game) = self.games.get(id.trim_end_matches("?lite=true")) else {
            return reply(404, "no such match");
        };
        if is_struck && self.dice.below(2) == 0 {
            return reply(502, "");
        }
        let behind = 2.min(game.log.len() - 1) * usize::from(is_struck);
        let entries = game.log[..game.log.len() - behind].iter().map(write_entry);
        let entries: Vec<Value> = entries.collect();
        reply(200, &json!({ "logs": entries }).to_string())
    }
}

/// The headers of a request, by their names in lower case.
type Request = BTreeMap<String, String>;

/// Reads a request: its path and its headers.
fn read(stream: &TcpStream) -> Option<(String, Request)> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let mut headers = Request::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ")?;
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    Some((path, headers))
}

/// A reply as it goes over the wire.
fn reply(status: u16, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

fn serve(mut stream: TcpStream, shared: &Mutex<State>) {
    let (path, request) = read(&stream).unwrap_or_default();
    let ours = format!("/api/{USER}/{SECRET}/");
    let mut state = shared.lock().expect("no panic");
    let text = match path.strip_prefix(&ours) {
        Some(what @ ("localai" | "again")) => state.poll(&request, what == "again"),
        Some("runmatch") => state.start(&request),
        Some("abortmatch") => state.abort(&request["x-matchid"]),
        _ if path.starts_with("/api/") => reply(401, &format!("Wrong secret in {path}")),
        _ => state.log(&path),
    };
    let delay = std::mem::take(&mut state.delay);
    drop(state);
    thread::sleep(delay);
    let _ = stream.write_all(text.as_bytes());
}
