//! A platform on this machine for tests: it speaks the local AI interface as the page on it has it, judges with the
//! judge module, and plays tricks on the wire. A turn has its limit. It writes down whatever a client does wrong.

use super::Dice;
use amazons::board::{Move, Player};
use amazons::mcts::{Params, Search};
use amazons::movegen;
use amazons::tools::record::judge::{Coordinates, Demand, Judge, Verdict};
use amazons::tools::record::log::{Answer, LogEntry, write_entry};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The user's part of the secret URL, and the secret.
const USER: &str = "5f0000000000000000000001";
pub const SECRET: &str = "s3cr3tW0rdThatNobodySees";

/// A bot that plays random moves.
pub const RANDOM_BOT: &str = "b0000000000000000000000a";

/// A bot that searches a little.
pub const SEARCHING_BOT: &str = "b0000000000000000000000b";

/// What goes wrong on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The connection breaks before the answers in a poll were taken.
    DropBefore,
    /// It breaks after they were taken.
    DropAfter,
    /// 502, some times in a row, before the answers were taken.
    Gateway,
    /// 504 after they were taken.
    GatewayAfter,
    /// 503.
    Maintenance,
    /// A page of HTML with status 200, after they were taken.
    Page,
    /// The body is cut short, after they were taken.
    Cut,
    /// The same without a length by which one could tell.
    CutUnseen,
    /// The reply comes late.
    Late,
    /// The request is shown once more with the reply to its answer.
    Doubled,
    /// Requests and ends of matches that nobody knows, and a request that nobody can read.
    Strangers,
    /// A match is aborted.
    Abort,
    /// We are said to be late: the match is over while we think.
    TimeOut,
    /// A start is refused, breaks off before, or after the match has begun.
    Starts,
    /// The log of a match can't be had, or is behind.
    Logs,
    /// A request is left out of one reply.
    Withheld,
    /// The reply leads to another path on the same host.
    Redirect,
    /// 403 or 404, before the answers were taken.
    Gone,
    /// Every line of a reply stands there twice.
    Twice,
    /// A start is answered when its match has been played for a while, or has ended.
    LateStart,
    /// The judge's counts are missing in a log, or others.
    Counts,
}

impl Fault {
    pub const ALL: [Fault; 21] = [
        Fault::DropBefore,
        Fault::DropAfter,
        Fault::Gateway,
        Fault::GatewayAfter,
        Fault::Maintenance,
        Fault::Page,
        Fault::Cut,
        Fault::CutUnseen,
        Fault::Late,
        Fault::Doubled,
        Fault::Strangers,
        Fault::Abort,
        Fault::TimeOut,
        Fault::Starts,
        Fault::Logs,
        Fault::Withheld,
        Fault::Redirect,
        Fault::Gone,
        Fault::Twice,
        Fault::LateStart,
        Fault::Counts,
    ];
}

/// Seconds of a turn at a table. A machine would have to be very slow to need more.
const TABLE_SECONDS: u64 = 60;

/// One match.
struct Game {
    judge: Judge,
    log: Vec<LogEntry>,
    us: Player,
    bot: String,
    is_json: bool,
    /// Our request that has no answer yet.
    pending: Option<Coordinates>,
    /// The request that was answered last.
    answered: Option<Coordinates>,
    /// Time of a turn.
    limit: Duration,
    /// When the request came.
    asked: Instant,
    /// 0 black, 1 white.
    winner: Option<usize>,
    is_aborted: bool,
}

/// What the platform knows.
struct State {
    games: BTreeMap<String, Game>,
    endings: Vec<String>,
    dice: Dice,
    faults: Vec<Fault>,
    /// A fault strikes one poll in so many.
    one_in: usize,
    storm: usize,
    counts: BTreeMap<Fault, usize>,
    violations: Vec<String>,
    most_running: usize,
    /// Matches to begin without being asked for: tables with "use my local AI".
    tables: usize,
    polls: usize,
    starts: usize,
    /// What every poll is answered with instead.
    answer: Option<(u16, &'static str)>,
}

/// A platform that listens.
pub struct Platform {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Platform {
    /// A platform with some faults, each of which strikes one poll in so many.
    pub fn start(seed: u64, faults: &[Fault], one_in: usize) -> Platform {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State {
            games: BTreeMap::new(),
            endings: Vec::new(),
            dice: Dice::new(seed),
            faults: faults.to_vec(),
            one_in,
            storm: 0,
            counts: BTreeMap::new(),
            violations: Vec::new(),
            most_running: 4,
            tables: 0,
            polls: 0,
            starts: 0,
            answer: None,
        }));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || serve(&stream, &shared));
            }
        });
        Platform { port, state }
    }

    fn state(&self) -> MutexGuard<'_, State> {
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

    /// Begins so many matches at tables.
    pub fn open_tables(&self, count: usize) {
        self.state().tables = count;
    }

    /// Answers every poll with a status and a text.
    pub fn answer_polls(&self, status: u16, text: &'static str) {
        self.state().answer = Some((status, text));
    }

    /// Number of polls so far.
    pub fn polls(&self) -> usize {
        self.state().polls
    }

    /// Number of answers taken so far.
    pub fn plies(&self) -> usize {
        self.state()
            .games
            .values()
            .map(|game| game.log.len() / 2)
            .sum()
    }

    /// How often each fault has struck.
    pub fn counts(&self) -> BTreeMap<Fault, usize> {
        self.state().counts.clone()
    }

    /// What the client has done wrong.
    pub fn violations(&self) -> Vec<String> {
        self.state().violations.clone()
    }

    /// The ids of all matches, and whether they have ended.
    pub fn matches(&self) -> Vec<(String, bool)> {
        let state = self.state();
        let games = state.games.iter();
        games
            .map(|(id, game)| (id.clone(), game.is_over()))
            .collect()
    }

    /// The moves of a match and who has won it, our colour, and whether it was aborted.
    pub fn outcome(&self, id: &str) -> (Vec<String>, Option<usize>, Player, bool) {
        let state = self.state();
        let game = &state.games[id];
        let moves = game.log.iter().filter_map(|entry| match entry {
            LogEntry::Judge(output) => output.display.last_move,
            LogEntry::Bot(..) => None,
        });
        let written = |turn: Coordinates| turn.numbers().map(|n| n.to_string()).join(" ");
        (
            moves.map(written).collect(),
            game.winner,
            game.us,
            game.is_aborted,
        )
    }
}

impl Game {
    fn new(us: Player, bot: &str, is_json: bool, seconds: u64) -> Game {
        let judge = Judge::default();
        let log = vec![LogEntry::Judge(judge.opening())];
        Game {
            pending: (us == Player::Black).then_some(Coordinates::NONE),
            judge,
            log,
            us,
            bot: bot.to_owned(),
            is_json,
            answered: None,
            limit: Duration::from_secs(seconds),
            asked: Instant::now(),
            winner: None,
            is_aborted: false,
        }
    }

    fn is_over(&self) -> bool {
        self.is_aborted || self.winner.is_some()
    }

    /// Judges an answer. Returns the fault.
    fn answer(&mut self, verdict: Verdict, response: Option<Value>) -> Option<String> {
        let mover = self.judge.board().to_move();
        let output = self.judge.answer(Some(verdict), response.as_ref());
        let answer = Answer {
            verdict: Some(verdict),
            response,
            ..Answer::default()
        };
        self.log.push(LogEntry::Bot(mover, answer));
        let err = output.display.err.clone();
        if mover == self.us {
            self.answered = self.pending.take();
        } else if output.command == Demand::Request {
            self.pending = output.display.last_move;
            self.asked = Instant::now();
        }
        if output.command == Demand::Finish {
            self.winner = output.display.winner.map(usize::from);
        }
        self.log.push(LogEntry::Judge(output));
        err
    }

    /// Tests if our turn has taken too long.
    fn is_late(&self) -> bool {
        !self.is_over() && self.pending.is_some() && self.asked.elapsed() > self.limit
    }

    /// The line of a match that has ended.
    fn ending(&self, id: &str) -> String {
        let slot = self.us as usize;
        match self.winner {
            Some(winner) => format!("{id} {slot} 2 {} {}", 2 * (1 - winner), 2 * winner),
            None => format!("{id} {slot} 0"),
        }
    }

    /// The bot's move.
    fn reply(&self, dice: &mut Dice) -> Move {
        let board = self.judge.board();
        if self.bot == SEARCHING_BOT {
            let mut search = Search::new(board.clone(), 1 << 20, 1, Params::default());
            search.run(|iterations| iterations < 100);
            return search
                .best_move()
                .expect("it is asked only where there is one");
        }
        let moves = movegen::moves(board);
        moves[dice.below(moves.len())]
    }
}

/// A request as it was read.
struct Request {
    path: String,
    headers: Vec<(String, String)>,
}

impl Request {
    fn header(&self, name: &str) -> &str {
        let found = self
            .headers
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }
}

fn read(mut stream: &TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let count = stream.read(&mut part).ok().filter(|&count| count > 0)?;
        bytes.extend_from_slice(&part[..count]);
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        if request.parse(&bytes).ok()?.is_complete() {
            let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
            let headers = request.headers.iter();
            return Some(Request {
                path: request.path?.to_owned(),
                headers: headers
                    .map(|header| (header.name.to_owned(), text(header.value)))
                    .collect(),
            });
        }
    }
}

/// What goes back over the wire.
enum Response {
    Text(u16, String),
    /// With a header.
    Redirect(String),
    /// The first bytes of a text, with the length of the whole or without any.
    Cut(String, bool),
    Nothing,
}

fn send(mut stream: &TcpStream, response: &Response) {
    let head = |status: u16, length: usize| {
        format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n")
    };
    let text = match response {
        Response::Text(status, body) => format!("{}\r\n{body}", head(*status, body.len())),
        Response::Redirect(path) => format!("{}Location: {path}\r\n\r\n", head(302, 0)),
        Response::Cut(body, true) => format!("{}\r\n{body}", head(200, body.len() + 7)),
        Response::Cut(body, false) => format!("HTTP/1.1 200 X\r\nConnection: close\r\n\r\n{body}"),
        Response::Nothing => String::new(),
    };
    let _ = stream.write_all(text.as_bytes());
    let _ = stream.shutdown(Shutdown::Both);
}

fn serve(stream: &TcpStream, shared: &Mutex<State>) {
    let Some(request) = read(stream) else { return };
    let ours = format!("/api/{USER}/{SECRET}/");
    let response = match request.path.strip_prefix(&ours) {
        Some("localai" | "again") => poll(&request, shared),
        Some("runmatch") => start(&request, shared),
        Some("abortmatch") => abort(request.header("X-Matchid"), shared),
        Some(_) => Response::Text(404, String::new()),
        None if request.path.starts_with("/api/") => {
            Response::Text(401, format!("Wrong secret in {}", request.path))
        }
        None => log(&request.path, shared),
    };
    send(stream, &response);
}

fn poll(request: &Request, shared: &Mutex<State>) -> Response {
    let (fault, response) = {
        let mut state = shared.lock().expect("no panic");
        state.polls += 1;
        if let Some((status, text)) = state.answer {
            return Response::Text(status, text.to_owned());
        }
        let fault = state.fault(request);
        (fault, state.poll(request, fault))
    };
    // Nothing of the client's depends on how long these take.
    thread::sleep(match fault {
        Some(Fault::Late) => Duration::from_millis(60),
        _ => Duration::from_micros(300),
    });
    response
}

impl State {
    /// The fault that strikes a poll.
    fn fault(&mut self, request: &Request) -> Option<Fault> {
        if self.storm > 0 {
            self.storm -= 1;
            return Some(Fault::Gateway);
        }
        if self.faults.is_empty()
            || request.path.ends_with("again")
            || self.dice.below(self.one_in) > 0
        {
            return None;
        }
        let fault = self.faults[self.dice.below(self.faults.len())];
        *self.counts.entry(fault).or_default() += 1;
        if fault == Fault::Gateway {
            self.storm = self.dice.below(4);
        }
        Some(fault)
    }

    fn poll(&mut self, request: &Request, fault: Option<Fault>) -> Response {
        match fault {
            Some(Fault::DropBefore) => return Response::Nothing,
            Some(Fault::Gateway) => return page(502),
            Some(Fault::Maintenance) => return page(503),
            Some(Fault::Gone) => return page([403, 404][self.dice.below(2)]),
            Some(Fault::Redirect) => {
                return Response::Redirect(request.path.replace("localai", "again"));
            }
            _ => {}
        }
        self.watch_the_time();
        let answered = self.take_answers(request);
        let text = self.reply(fault, &answered);
        let cut = self.dice.below(text.len());
        match fault {
            Some(Fault::DropAfter) => Response::Nothing,
            Some(Fault::GatewayAfter) => page(504),
            Some(Fault::Page) => page(200),
            Some(Fault::Cut) => Response::Cut(text[..cut].to_owned(), true),
            Some(Fault::CutUnseen) => Response::Cut(text[..cut].to_owned(), false),
            _ => Response::Text(200, text),
        }
    }

    /// Ends the matches in which our turn has taken too long.
    fn watch_the_time(&mut self) {
        let late = self.games.iter_mut().filter(|(_, game)| game.is_late());
        for (id, game) in late {
            self.violations.push(format!("{id}: a late turn"));
            game.answer(Verdict::TimeLimitExceeded, None);
            self.endings.push(game.ending(id));
        }
    }

    /// Takes the answers in a poll. Returns the matches and the requests that they were for.
    fn take_answers(&mut self, request: &Request) -> Vec<(String, Coordinates)> {
        let mut answered = Vec::new();
        for (name, value) in &request.headers {
            let lower = name.to_lowercase();
            let Some(id) = lower.strip_prefix("x-match-") else {
                continue;
            };
            match self.take_answer(id, value) {
                Ok(Some(request)) => answered.push((id.to_owned(), request)),
                Ok(None) => {}
                Err(violation) => self.violations.push(format!("{id}: {violation}: {value}")),
            }
        }
        answered
    }

    fn take_answer(&mut self, id: &str, value: &str) -> Result<Option<Coordinates>, String> {
        let game = self
            .games
            .get_mut(id)
            .ok_or("an answer in an unknown match")?;
        if game.is_over() {
            return Ok(None);
        }
        let request = game.pending.ok_or("an answer without a request")?;
        let response = match game.is_json {
            true => serde_json::from_str(value).map_err(|_| "an answer that is not JSON")?,
            false => {
                let numbers: Vec<i64> = value
                    .split(' ')
                    .map(|word| word.parse().map_err(|_| "an answer that is not simple"))
                    .collect::<Result<_, _>>()?;
                let numbers: [i64; 6] = numbers.try_into().map_err(|_| "not six numbers")?;
                serde_json::to_value(Coordinates::new(numbers)).expect("numbers")
            }
        };
        match game.answer(Verdict::Ok, Some(response)) {
            Some(err) => Err(err),
            None => {
                if game.is_over() {
                    self.endings.push(game.ending(id));
                }
                Ok(Some(request))
            }
        }
    }

    /// Lets the bots move, and tells what there is.
    fn reply(&mut self, fault: Option<Fault>, answered: &[(String, Coordinates)]) -> String {
        self.sit_down();
        self.move_bots();
        match fault {
            Some(Fault::Abort) => self.break_off(|game| game.is_aborted = true),
            Some(Fault::TimeOut) => self.break_off(|game| {
                game.answer(Verdict::TimeLimitExceeded, None);
            }),
            _ => {}
        }
        let mut requests = Vec::new();
        for (id, game) in self.games.iter().filter(|(_, game)| !game.is_over()) {
            let doubled = answered
                .iter()
                .find(|(other, _)| other == id && fault == Some(Fault::Doubled));
            let shown = doubled.map(|&(_, request)| request).or(game.pending);
            if let Some(request) = shown {
                requests.push(format!("{id}\n{}", written(request, game.is_json)));
            }
        }
        let mut endings = std::mem::take(&mut self.endings);
        match fault {
            Some(Fault::Withheld) if !requests.is_empty() => {
                requests.remove(self.dice.below(requests.len()));
            }
            Some(Fault::Strangers) => {
                requests.push("aaaaaaaaaaaaaaaaaaaaaaaa\n3 3 3 4 3 5".to_owned());
                requests.push("aaaaaaaaaaaaaaaaaaaaaaab\nwhat is this?".to_owned());
                endings.push("aaaaaaaaaaaaaaaaaaaaaaac 0 2 2 0".to_owned());
                endings.push("aaaaaaaaaaaaaaaaaaaaaaad 1 0".to_owned());
            }
            _ => {}
        }
        if fault == Some(Fault::Twice) {
            requests.extend(requests.clone());
            endings.extend(endings.clone());
        }
        for at in (1..requests.len()).rev() {
            requests.swap(at, self.dice.below(at + 1));
        }
        let head = format!("{} {}", requests.len(), endings.len());
        let lines: Vec<String> = std::iter::once(head)
            .chain(requests)
            .chain(endings)
            .collect();
        lines.join("\n") + "\n"
    }

    /// Begins the matches of tables.
    fn sit_down(&mut self) {
        while self.tables > 0 {
            self.tables -= 1;
            let us = [Player::Black, Player::White][self.tables % 2];
            let is_json = self.tables.is_multiple_of(3);
            self.add(Game::new(us, RANDOM_BOT, is_json, TABLE_SECONDS));
        }
    }

    /// Adds a match. Returns its id.
    fn add(&mut self, game: Game) -> String {
        let id = format!(
            "{:024x}",
            0x5945_53a2_630d_0000_u64 + self.games.len() as u64
        );
        self.games.insert(id.clone(), game);
        id
    }

    /// Lets about half of the bots move that are to.
    fn move_bots(&mut self) {
        for (id, game) in &mut self.games {
            let is_bots = game.judge.board().to_move() != game.us;
            if game.is_over() || !is_bots || self.dice.below(2) > 0 {
                continue;
            }
            let turn = Coordinates::from(game.reply(&mut self.dice));
            game.answer(Verdict::Ok, serde_json::to_value(turn).ok());
            if game.is_over() {
                self.endings.push(game.ending(id));
            }
        }
    }

    /// Ends a match that waits for us.
    fn break_off(&mut self, end: impl Fn(&mut Game)) {
        let waiting = |game: &&mut Game| !game.is_over() && game.pending.is_some();
        let mut games = self.games.iter_mut();
        if let Some((id, game)) = games.find(|(_, game)| waiting(game)) {
            end(game);
            self.endings.push(game.ending(id));
        }
    }

    fn running(&self) -> usize {
        self.games.values().filter(|game| !game.is_over()).count()
    }
}

/// A request in the form that a match has.
fn written(request: Coordinates, is_json: bool) -> String {
    match is_json {
        true => serde_json::to_string(&request).expect("numbers"),
        false => request.numbers().map(|number| number.to_string()).join(" "),
    }
}

fn page(status: u16) -> Response {
    let text = "<html><head><title>nginx</title></head><body>Bad Gateway</body></html>";
    Response::Text(status, text.to_owned())
}

fn start(request: &Request, shared: &Mutex<State>) -> Response {
    let mut state = shared.lock().expect("no panic");
    let players = [request.header("X-Player-0"), request.header("X-Player-1")];
    let (us, bot) = match players {
        ["me", bot] => (Player::Black, bot.to_owned()),
        [bot, "me"] => (Player::White, bot.to_owned()),
        _ => return Response::Text(400, "who plays?".to_owned()),
    };
    let seconds = request.header("X-Timelimit").parse();
    let is_good =
        request.header("X-Game") == "Amazons" && request.header("X-UseSimpleIO") == "true";
    let (true, Ok(seconds)) = (is_good, seconds) else {
        return Response::Text(400, "what is asked?".to_owned());
    };
    if ![RANDOM_BOT, SEARCHING_BOT].contains(&bot.as_str()) {
        return Response::Text(400, "no such game or bot".to_owned());
    }
    if state.running() >= state.most_running {
        return Response::Text(400, "too many matches are running".to_owned());
    }
    let kind = match state.faults.contains(&Fault::Starts) {
        true => state.dice.below(10),
        false => 9,
    };
    state.starts += 1;
    if kind < 3 {
        *state.counts.entry(Fault::Starts).or_default() += 1;
    }
    match kind {
        0 => return page(502),
        1 => return Response::Nothing,
        _ => {}
    }
    let id = state.add(Game::new(us, &bot, false, seconds));
    if state.faults.contains(&Fault::LateStart) {
        *state.counts.entry(Fault::LateStart).or_default() += 1;
        // Some games are over by then.
        let polls = match state.starts % 16 {
            2 => 200,
            _ => [0, 1, 3, 10][state.dice.below(4)],
        };
        let polls = state.polls + polls;
        drop(state);
        let begin = Instant::now();
        while shared.lock().expect("no panic").polls < polls && begin.elapsed() < LATE_START {
            thread::sleep(Duration::from_millis(1));
        }
    }
    match kind {
        2 => Response::Nothing,
        _ => Response::Text(200, id),
    }
}

/// Longest time until a late start is answered; nothing of the client's depends on it.
const LATE_START: Duration = Duration::from_secs(2);

fn abort(id: &str, shared: &Mutex<State>) -> Response {
    let mut state = shared.lock().expect("no panic");
    let state = &mut *state;
    match state.games.get_mut(id).filter(|game| !game.is_over()) {
        Some(game) => {
            game.is_aborted = true;
            state.endings.push(game.ending(id));
            Response::Text(200, String::new())
        }
        None => Response::Text(400, "no such match".to_owned()),
    }
}

/// Takes the judge's counts out of a log, or writes others.
fn spoil_counts(entries: &mut [Value], is_missing: bool) {
    for display in entries
        .iter_mut()
        .filter_map(|entry| entry.pointer_mut("/output/display"))
    {
        let display = display.as_object_mut().expect("an object");
        for name in ["blackCount", "whiteCount"] {
            display.remove(name);
            if !is_missing {
                display.insert(name.to_owned(), Value::from("many"));
            }
        }
    }
}

fn log(path: &str, shared: &Mutex<State>) -> Response {
    let mut state = shared.lock().expect("no panic");
    let id = path
        .strip_prefix("/match/")
        .and_then(|path| path.strip_suffix("?lite=true"));
    let Some(id) = id.map(str::to_owned) else {
        return Response::Text(404, "nothing here".to_owned());
    };
    let kind = match state.faults.contains(&Fault::Logs) {
        true => state.dice.below(6),
        false => 9,
    };
    let Some(game) = state.games.get(&id) else {
        return Response::Text(404, "no such match".to_owned());
    };
    let behind = if kind == 0 {
        2.min(game.log.len() - 1)
    } else {
        0
    };
    let entries = &game.log[..game.log.len() - behind];
    let mut entries: Vec<_> = entries.iter().map(write_entry).collect();
    if state.faults.contains(&Fault::Counts) {
        *state.counts.entry(Fault::Counts).or_default() += 1;
        let is_missing = state.dice.below(2) == 0;
        spoil_counts(&mut entries, is_missing);
    }
    if kind < 2 {
        *state.counts.entry(Fault::Logs).or_default() += 1;
    }
    match kind {
        1 => page(502),
        2 | 3 => Response::Text(200, serde_json::json!({ "logs": entries }).to_string()),
        _ => Response::Text(200, Value::from(entries).to_string()),
    }
}
