//! A simulated platform for tests: it serves the local AI interface, judges games with the judge module, and loses and
//! repeats replies as a network may. It records a client's violations of the protocol.

use super::Dice;
use engine::board::Player;
use engine::movegen;
use record::judge::{Coordinates, Judge, OutputKind, Verdict};
use record::log::{Answer, LogEntry, write_entry};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use Fault::*;

/// User in the secret URL.
const USER: &str = "5f0000000000000000000001";
/// Secret in the secret URL.
pub const SECRET: &str = "s3cr3tW0rdThatNobodySees";

/// Ids of bots that play random moves.
pub const BOT: &str = "b0000000000000000000000a";
pub const OTHER_BOT: &str = "b0000000000000000000000b";

/// A fault of the network or of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    LostStart,  // the reply to a start is lost, before the match begins or after
    Logs,       // the log of a match is unavailable or outdated
    LostBefore, // a poll is lost before its answers are accepted
    LostAfter,  // the reply to a poll is lost after its answers are accepted
    BadGateway, // an HTML page with status 502, before the answers are accepted
    Truncated,  // the body is truncated
    Late,       // the reply comes after the client's timeout
    Repeated,   // the reply to an answer shows its request once more
    Abort,      // a match is aborted
    TimeOut,    // a match ends while the client thinks: time limit exceeded
    Redirect,   // the reply redirects to another path on the same host
}

/// All faults; the faults of polls follow the first two.
pub const FAULTS: [Fault; 11] = [
    LostStart, Logs, LostBefore, LostAfter, BadGateway, Truncated, Late, Repeated, Abort, TimeOut,
    Redirect,
];

/// A match.
struct Game {
    judge: Judge,
    log: Vec<LogEntry>,
    us: Player,
    is_json: bool,
    /// Request to the client that has no answer yet.
    pending: Option<Coordinates>,
    /// Winner: 0 black, 1 white.
    winner: Option<usize>,
    is_aborted: bool,
    is_reported: bool,
    log_requests: usize,
}

/// State of the platform.
pub struct PlatformState {
    games: BTreeMap<String, Game>,
    dice: Dice,
    faults: Vec<Fault>,
    /// Probability that a fault affects a request, as a fraction.
    rate: (usize, usize),
    /// Number of times that each fault occurred.
    pub fault_counts: BTreeMap<Fault, usize>,
    /// The client's violations of the protocol.
    pub violations: Vec<String>,
    /// Number of polls so far.
    pub polls: usize,
    /// Delay of the next reply.
    delay: Duration,
    /// If set, the reply to every poll: a status and a text.
    pub fixed_reply: Option<(u16, &'static str)>,
}

/// A simulated platform that listens on a local port.
pub struct Platform {
    port: u16,
    state: &'static Mutex<PlatformState>,
}

impl Platform {
    /// Starts a platform. A fault affects a request with probability `rate`, a fraction.
    pub fn start(seed: u64, faults: &[Fault], rate: (usize, usize)) -> Platform {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Mutex::new(PlatformState {
            games: BTreeMap::new(),
            dice: Dice::new(seed),
            faults: faults.to_vec(),
            rate,
            fault_counts: BTreeMap::new(),
            violations: Vec::new(),
            polls: 0,
            delay: Duration::ZERO,
            fixed_reply: None,
        });
        let state: &Mutex<PlatformState> = Box::leak(Box::new(state));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                thread::spawn(move || serve_connection(stream, state));
            }
        });
        Platform { port, state }
    }

    /// Locks the platform's state.
    pub fn state(&self) -> MutexGuard<'_, PlatformState> {
        self.state.lock().expect("no panic")
    }

    /// Returns the secret URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/api/{USER}/{SECRET}/localai", self.port)
    }

    /// Returns the public address of a match.
    pub fn address(&self, id: &str) -> String {
        format!("http://127.0.0.1:{}/match/{id}", self.port)
    }

    /// Starts `count` matches at tables with "use my local AI".
    pub fn open_tables(&self, count: usize) {
        for number in 0..count {
            let us = [Player::Black, Player::White][number % 2];
            self.state().add(us, number % 3 == 0);
        }
    }

    /// Counts the accepted answers of all matches.
    pub fn plies(&self) -> usize {
        let state = self.state();
        state.games.values().map(|game| game.log.len() / 2).sum()
    }

    /// Returns the ids of all matches, and whether they have ended.
    pub fn matches(&self) -> Vec<(String, bool)> {
        let state = self.state();
        let ids = state.games.keys().cloned();
        ids.zip(state.games.values().map(Game::is_over)).collect()
    }

    /// Returns a match's moves, its winner, the client's colour, and whether the match was aborted.
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

    /// Judges an answer. Returns what is wrong with it.
    fn answer(&mut self, verdict: Verdict, response: Option<Value>) -> Option<String> {
        let mover = self.judge.board().to_move();
        let output = self.judge.answer(Some(verdict), response.as_ref());
        let mut answer = Answer::good(response.unwrap_or_default());
        answer.verdict = Some(verdict);
        self.log.push(LogEntry::Bot(mover, answer));
        self.log.push(LogEntry::Judge(output.clone()));
        let display = output.display;
        match output.command {
            OutputKind::Finish => self.winner = display.winner.map(usize::from),
            OutputKind::Request => self.pending = display.last_move.filter(|_| mover != self.us),
        }
        display.err
    }

    /// Accepts the client's answer. Returns the answered request.
    fn accept_answer(&mut self, text: &str) -> Result<Coordinates, String> {
        let request = self.pending.ok_or("an answer without a request")?;
        let response = match self.is_json {
            true => serde_json::from_str(text).ok(),
            false => Coordinates::parse_words(text.split(' ')).map(Coordinates::to_value),
        };
        let fault = self.answer(Verdict::Ok, Some(response.ok_or("another form")?));
        fault.map_or(Ok(request), Err)
    }

    /// Returns the line that reports the result of a finished match.
    fn result_line(&self, id: &str) -> String {
        let slot = self.us as usize;
        match self.winner {
            Some(winner) => format!("{id} {slot} 2 {} {}\n", 2 - 2 * winner, 2 * winner),
            None => format!("{id} {slot} 0\n"),
        }
    }
}

impl PlatformState {
    /// Draws one of the faults `of`, or `None` for no fault.
    fn draw_fault(&mut self, of: &[Fault]) -> Option<Fault> {
        let mut possible = self.faults.clone();
        possible.retain(|fault| of.contains(fault));
        if possible.is_empty() || self.dice.below(self.rate.1) >= self.rate.0 {
            return None;
        }
        let fault = possible[self.dice.below(possible.len())];
        *self.fault_counts.entry(fault).or_default() += 1;
        Some(fault)
    }

    /// Adds a match. Returns its id.
    fn add(&mut self, us: Player, is_json: bool) -> String {
        let id = format!("{:024x}", 0x5945_53a2_630d_0000 + self.games.len());
        let judge = Judge::default();
        let game = Game {
            log: vec![LogEntry::Judge(judge.first_output())],
            judge,
            us,
            is_json,
            pending: (us == Player::Black).then_some(Coordinates::NONE),
            winner: None,
            is_aborted: false,
            is_reported: false,
            log_requests: 0,
        };
        self.games.insert(id.clone(), game);
        id
    }

    fn poll(&mut self, request: &Request, is_redirected: bool) -> String {
        self.polls += 1;
        if let Some((status, text)) = self.fixed_reply {
            return reply(status, text);
        }
        let possible = if is_redirected { &[] } else { &FAULTS[2..] };
        let fault = self.draw_fault(possible);
        match fault {
            Some(LostBefore) => return String::new(),
            Some(BadGateway) => return reply(502, "<html>Bad Gateway</html>"),
            Some(Redirect) => {
                let to = format!(" X\r\nLocation: /api/{USER}/{SECRET}/again");
                return reply(302, "").replace(" X", &to);
            }
            _ => {}
        }
        let answered = self.take_answers(request);
        self.move_bots();
        self.end_match(fault);
        let text = reply(
            200,
            &self.body(answered.filter(|_| fault == Some(Repeated))),
        );
        self.delay = Duration::from_millis(1500 * u64::from(fault == Some(Late)));
        match fault {
            Some(LostAfter) => String::new(),
            Some(Truncated) => text[..text.len() - 1 - self.dice.below(20)].to_owned(),
            _ => text,
        }
    }

    /// Accepts the answers in a poll. Returns the last answer's match and request.
    fn take_answers(&mut self, request: &Request) -> Option<(String, Coordinates)> {
        let mut answered = None;
        for (name, value) in request {
            let id = name.strip_prefix("x-match-").unwrap_or_default();
            let game = self.games.get_mut(id).filter(|game| !game.is_over());
            let Some(game) = game else { continue };
            match game.accept_answer(value) {
                Ok(request) => answered = Some((id.to_owned(), request)),
                Err(why) => self.violations.push(format!("{id}: {why}: {value}")),
            }
        }
        answered
    }

    /// Plays random moves for all bots that are to move.
    fn move_bots(&mut self) {
        let games = self.games.values_mut().filter(|game| !game.is_over());
        for game in games.filter(|game| game.judge.board().to_move() != game.us) {
            let moves = movegen::moves(game.judge.board());
            let turn = moves[self.dice.below(moves.len())];
            game.answer(Verdict::Ok, Some(Coordinates::from(turn).to_value()));
        }
    }

    /// Ends a match that waits for the client, if `fault` requires it.
    fn end_match(&mut self, fault: Option<Fault>) {
        let mut games = self.games.values_mut().filter(|game| !game.is_over());
        match (fault, games.find(|game| game.pending.is_some())) {
            (Some(Abort), Some(game)) => game.is_aborted = true,
            (Some(TimeOut), Some(game)) => drop(game.answer(Verdict::TimeLimitExceeded, None)),
            _ => {}
        }
    }

    /// Returns the body of a reply to a poll, with requests in random order. `repeated`: a request that is shown once more.
    fn body(&mut self, repeated: Option<(String, Coordinates)>) -> String {
        let mut requests = Vec::new();
        for (id, game) in self.games.iter().filter(|(_, game)| !game.is_over()) {
            let again = repeated.iter().find(|(other, _)| other == id);
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
            endings.extend((!game.is_reported).then(|| game.result_line(id)));
            game.is_reported = true;
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
        let is_lost = self.draw_fault(&[LostStart]).is_some();
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
        let id = path.trim_start_matches("/match/");
        let id = id.trim_end_matches("?lite=true");
        let Some(game) = self.games.get_mut(id) else {
            return reply(404, "no such match");
        };
        game.log_requests += 1;
        // Never eight faults in a row for one match: the client would rightly give up.
        let has_fault = game.log_requests % 8 != 0 && self.draw_fault(&[Logs]).is_some();
        let game = &self.games[id];
        if has_fault && self.dice.below(2) == 0 {
            return reply(502, "");
        }
        let behind = 2.min(game.log.len() - 1) * usize::from(has_fault);
        let entries = game.log[..game.log.len() - behind].iter().map(write_entry);
        let entries: Vec<Value> = entries.collect();
        reply(200, &json!({ "logs": entries }).to_string())
    }
}

/// The headers of a request, by their names in lower case.
type Request = BTreeMap<String, String>;

/// Reads a request: its path and its headers.
fn read_head(stream: &TcpStream) -> Option<(String, Request)> {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let mut headers = Request::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(": ")?;
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    Some((path, headers))
}

/// Returns an HTTP response.
fn reply(status: u16, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
}

fn serve_connection(mut stream: TcpStream, shared: &Mutex<PlatformState>) {
    let (path, request) = read_head(&stream).unwrap_or_default();
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
