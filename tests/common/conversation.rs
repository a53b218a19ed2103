//! Runs whole sessions of the bot with an erratic platform, which sends valid and damaged turns in both protocols. The
//! [model](super::model) checks each answer.

use super::dialogue;
use super::model::{Coords, Entry, Model, NO_MOVE, Side};
use engine::botzone::KEEP_RUNNING;
use serde_json::{Value, json};

/// A source of choices.
pub trait Choose {
    /// Chooses a number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize;

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == number - 1
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Statistics of sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionStats {
    pub turns: usize,
    pub whole_records: usize,
    /// Records of several lines in the simple protocol, to a process that was kept running.
    pub simple_records: usize,
    pub damaged: usize,
    pub without_move: usize,
}

/// Runs one session of at most `turns` turns.
///
/// # Panics
/// If the bot doesn't answer each turn exactly once, with a legal move as long as there is one.
pub fn run(choose: impl Choose, turns: usize) -> SessionStats {
    let mut state = Conversation {
        choose,
        model: Model::start(Side::Black),
        record: Vec::new(),
        turns_left: turns,
        awaited_protocol: None,
        is_last: false,
        transcript: String::new(),
        stats: SessionStats::default(),
    };
    let (rest, _) = dialogue::run(dialogue::quick(), |output| state.next_turn(&output));
    state.check(&rest);
    state.stats
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Protocol {
    Simple,
    Json,
}

/// State of the erratic platform.
struct Conversation<C> {
    choose: C,
    /// Expected state of the bot.
    model: Model,
    /// Requests and answers alternately, as sent.
    record: Vec<Entry>,
    turns_left: usize,
    /// The protocol in which an answer is expected.
    awaited_protocol: Option<Protocol>,
    /// Whether the current turn is the last. Nothing follows it, not even its line break.
    is_last: bool,
    transcript: String,
    stats: SessionStats,
}

/// Lines that belong to no turn.
const JUNK: [&str; 12] = [
    "nonsense",
    "1 2",
    "0 0 0 0 0",
    "1 2 3 4 5 6 7",
    "2 0 2 6 6 x",
    "3.0 1 2 3 4 5",
    "[1,2,3]",
    "\"{}\"",
    "\u{1b}[2J\u{7}",
    "99999999999999999999 0 0 0 0 0",
    "亚马逊棋",
    "-",
];

impl<C: Choose> Conversation<C> {
    /// Checks the bot's output and returns the input of the next turn.
    fn next_turn(&mut self, output: &str) -> Option<Vec<u8>> {
        if self.is_last {
            return None;
        }
        self.check(output);
        self.turns_left = self.turns_left.checked_sub(1)?;
        let mut text = if self.stats.turns == 0 {
            self.first_turn()
        } else {
            self.later_turn()
        };
        self.stats.turns += 1;
        if self.turns_left == 0 && self.choose.one_in(4) {
            self.is_last = true;
            text.truncate(text.trim_end().len());
        }
        while self.choose.one_in(8) {
            let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
            let starts = [&[0], &starts[..]].concat();
            text.insert(self.choose.pick(&starts), '\u{feff}');
        }
        self.transcript += &text;
        Some(text.into_bytes())
    }

    /// Checks that the bot answers exactly if an answer is expected, and that the answer is legal.
    fn check(&mut self, output: &str) {
        self.transcript += output;
        let lines: Vec<&str> = output.lines().collect();
        let Some(protocol) = self.awaited_protocol.take() else {
            assert!(output.is_empty(), "unexpected answer\n{}", self.transcript);
            return;
        };
        let [answer, KEEP_RUNNING] = lines[..] else {
            panic!("expected one answer and the marker\n{}", self.transcript)
        };
        let coords = match protocol {
            Protocol::Simple => read_simple(answer),
            Protocol::Json => read_json(answer),
        };
        let Some(coords) = coords else {
            panic!("unreadable answer\n{}", self.transcript)
        };
        let bot = self.model.bot;
        if self.model.can_move(bot) {
            let legal = self.model.play(bot, Entry::Move(coords));
            assert!(legal, "illegal answer of {bot:?}\n{}", self.transcript);
        } else {
            assert_eq!(coords, NO_MOVE, "{}", self.transcript);
            self.stats.without_move += 1;
        }
        self.record.push(Entry::Move(coords));
    }

    /// Returns the input of a process's first turn.
    fn first_turn(&mut self) -> String {
        let mut noise = String::new();
        while self.choose.one_in(8) {
            noise += &(self.choose.pick(&JUNK).to_owned() + "\n");
        }
        let mut record = self.random_record();
        if self.choose.one_in(3) {
            self.damage(&mut record);
        }
        noise
            + &match self.choose.below(8) {
                0..4 => self.simple_history(record, false),
                4..7 => self.json_history(record, false),
                _ => {
                    let entry = self.random_entry();
                    self.single_request(entry, None)
                }
            }
    }

    /// Returns the input of a later turn of a process that was kept running.
    fn later_turn(&mut self) -> String {
        let opponent = self.model.bot.other();
        let (noise, number) = self.noise();
        let mut record = self.record.clone();
        noise
            + &match self.choose.below(14) {
                0..5 => {
                    let reply = self.legal_move(opponent);
                    self.single_request(reply, Some(number))
                }
                5..8 => {
                    self.stats.damaged += 1;
                    let entry = self.random_entry();
                    self.single_request(entry, Some(number))
                }
                8..10 => {
                    record.push(self.legal_move(opponent));
                    self.whole_record(record)
                }
                10 => {
                    record.push(self.legal_move(opponent));
                    self.damage(&mut record);
                    self.whole_record(record)
                }
                11 => {
                    record.truncate(self.choose.below(record.len()));
                    end_with_request(&mut record);
                    self.whole_record(record)
                }
                _ => {
                    let record = self.random_record();
                    self.whole_record(record)
                }
            }
    }

    /// Returns a whole record for a process that was kept running. In the simple protocol, its first entry must begin a record.
    fn whole_record(&mut self, record: Vec<Entry>) -> String {
        if self.model.begins_record(record[0]) && self.choose.one_in(2) {
            self.simple_history(record, true)
        } else {
            self.json_history(record, true)
        }
    }

    /// Returns lines that may come before a later turn without belonging to it, and the last turn number in them.
    fn noise(&mut self) -> (String, usize) {
        let (mut noise, mut number) = (String::new(), 0);
        while self.choose.one_in(4) {
            match self.choose.below(3) {
                0 => noise += "\n",
                1 => {
                    number = self.choose.below(40);
                    noise += &format!("{number}\n");
                }
                // Data after the first turn.
                _ if self.stats.turns == 1 => noise += &(self.choose.pick(&JUNK).to_owned() + "\n"),
                _ => noise += " \t\r\n",
            }
        }
        (noise, number)
    }

    /// Returns the record of a random game, as the platform would send it to one of the players.
    fn random_record(&mut self) -> Vec<Entry> {
        let bot = self.choose.pick(&[Side::Black, Side::White]);
        let mut record = match bot {
            Side::Black => vec![Entry::Move(NO_MOVE)],
            Side::White => Vec::new(),
        };
        let longest = self.choose.pick(&[1, 3, 9, 60]);
        let plies = self.choose.below(longest);
        let mut model = Model::start(bot);
        let mut side = Side::Black;
        for _ in 0..plies {
            let Some(coords) = model.random_move(side, |bound| self.choose.below(bound)) else {
                break;
            };
            let turn = Entry::Move(coords);
            model.play(side, turn);
            record.push(turn);
            side = side.other();
        }
        end_with_request(&mut record);
        record
    }

    /// Damages a record: omits, repeats, swaps or replaces entries.
    fn damage(&mut self, record: &mut Vec<Entry>) {
        self.stats.damaged += 1;
        for _ in 0..=self.choose.below(3) {
            if record.is_empty() {
                break;
            }
            let at = self.choose.below(record.len());
            match self.choose.below(4) {
                0 => drop(record.remove(at)),
                1 => record.insert(at, record[at]),
                2 => {
                    let other = self.choose.below(record.len());
                    record.swap(at, other);
                }
                _ => record[at] = self.random_entry(),
            }
        }
        end_with_request(record);
    }

    /// Returns a random legal move of a side, or [`NO_MOVE`] if there is none.
    fn legal_move(&mut self, side: Side) -> Entry {
        let choose = |bound| self.choose.below(bound);
        Entry::Move(self.model.random_move(side, choose).unwrap_or(NO_MOVE))
    }

    /// Returns a random entry, usually illegal.
    fn random_entry(&mut self) -> Entry {
        let opponent = self.model.bot.other();
        match self.choose.below(6) {
            0 => Entry::Unreadable,
            1 => Entry::Move(NO_MOVE),
            2 => self.legal_move(self.model.bot),
            3 if !self.record.is_empty() => {
                let at = self.choose.below(self.record.len());
                self.record[at]
            }
            4 => Entry::Move(NO_MOVE.map(|_| self.choose.below(11) as i64 - 2)),
            _ => {
                let mut entry = self.legal_move(opponent);
                if let Entry::Move(coords) = &mut entry {
                    coords[self.choose.below(6)] = self.choose.below(8) as i64;
                }
                entry
            }
        }
    }

    /// Returns a turn that contains only the opponent's move. `number` is the turn number before it, 0 if there is none;
    /// `None` in the first turn.
    fn single_request(&mut self, entry: Entry, number: Option<usize>) -> String {
        let junk_is_data = entry == Entry::Unreadable && self.stats.turns < 2;
        let protocol = match self.choose.pick(&[Protocol::Simple, Protocol::Json]) {
            Protocol::Simple if junk_is_data => Protocol::Json,
            protocol => protocol,
        };
        let mut is_record = number.is_none();
        let line = match protocol {
            Protocol::Simple => {
                let number = number.unwrap_or(0);
                is_record |= number > 0 && self.model.begins_record(entry);
                // The rest of the record is missing.
                self.is_last |= number > 1 && is_record;
                self.simple_line(entry)
            }
            Protocol::Json => {
                let (text, has_responses) = self.json_line(entry, number.is_some());
                is_record |= has_responses && self.model.begins_record(entry);
                if entry == Entry::Unreadable && self.choose.one_in(2) {
                    self.truncate_json(&text)
                } else {
                    text
                }
            }
        };
        self.awaited_protocol = Some(protocol);
        if is_record {
            self.start_game(vec![entry]);
        } else {
            self.model.play(self.model.bot.other(), entry);
            self.record.push(entry);
        }
        line + self.choose.pick(&["\n", "\r\n", " \n\n"])
    }

    /// Truncates a JSON text.
    fn truncate_json(&mut self, text: &str) -> String {
        let mut end = 1 + self.choose.below(text.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text[..end].to_owned()
    }

    /// Returns a line of JSON with a single request, and whether it has a list of responses.
    fn json_line(&mut self, entry: Entry, is_running: bool) -> (String, bool) {
        let value = self.json_entry(entry);
        let (value, has_responses) = match self.choose.below(4) {
            0 if value.is_object() => (value, false),
            1 if is_running => (json!({"requests": [value]}), false),
            2 if is_running => (
                json!({"requests": [value], "responses": [], "data": "x"}),
                true,
            ),
            _ => (json!({"request": value, "time_limit": 1.0}), false),
        };
        (value.to_string(), has_responses)
    }

    /// Returns a turn in the simple protocol with a whole record: its number and the record. `is_running`: the bot has answered
    /// before.
    fn simple_history(&mut self, record: Vec<Entry>, is_running: bool) -> String {
        self.stats.whole_records += 1;
        self.stats.simple_records += usize::from(is_running && record.len() > 1);
        let mut turn = record.len() / 2 + 1;
        if self.choose.one_in(16) {
            // The number of turns is too large: the input ends in the middle of the record.
            turn += 1 + self.choose.below(30);
            self.is_last = true;
        }
        let end = self.choose.pick(&["\n", "\r\n", "\n\n", "\t\n"]);
        let mut text = format!("{turn}{end}");
        for &entry in &record {
            text += &(self.simple_line(entry) + end);
        }
        if turn == 1 && !is_running && self.choose.one_in(3) {
            // The first turn may come without its number.
            text = text[1..].trim_start().to_owned();
            if record == [Entry::Unreadable] {
                text = format!("1\n{text}");
            }
        }
        self.awaited_protocol = Some(Protocol::Simple);
        self.start_game(record);
        text
    }

    fn simple_line(&mut self, entry: Entry) -> String {
        let Entry::Move(coords) = entry else {
            return self.choose.pick(&JUNK).to_owned();
        };
        let [before, between] = [(); 2].map(|()| self.choose.pick(&[" ", "  ", "\t"]));
        before.to_owned() + &coords.map(|number| number.to_string()).join(between)
    }

    /// Returns a turn in the JSON protocol with a whole record.
    fn json_history(&mut self, mut record: Vec<Entry>, is_running: bool) -> String {
        self.stats.whole_records += 1;
        self.awaited_protocol = Some(Protocol::Json);
        if self.choose.one_in(24) {
            self.start_game(vec![Entry::Unreadable]);
            let nothing = [json!([]), json!(7), json!({}), json!("[]"), json!(null)];
            let requests = &nothing[self.choose.below(nothing.len())];
            return json!({"requests": requests, "responses": [1]}).to_string() + "\n";
        }
        let mut every_second = |first: usize| -> Vec<Value> {
            let entries = record.iter().skip(first).step_by(2);
            entries.map(|&entry| self.json_entry(entry)).collect()
        };
        let (requests, mut responses) = (every_second(0), every_second(1));
        if responses.len() > 1 && self.choose.one_in(16) {
            let kept = 1 + self.choose.below(responses.len() - 1);
            responses.truncate(kept);
            for entry in record.iter_mut().skip(1).step_by(2).skip(kept) {
                *entry = Entry::Unreadable;
            }
        }
        let text = json!({
            "requests": requests,
            "responses": responses,
            "data": "a \"string\" {\u{1}",
            "globaldata": [1, null, {"a": true}],
        });
        if is_running && record.len() == 1 && !self.model.begins_record(record[0]) {
            self.model.play(self.model.bot.other(), record[0]);
            self.record.push(record[0]);
        } else {
            self.start_game(record);
        }
        text.to_string() + self.choose.pick(&["\n", "\r\n", "\n\n"])
    }

    /// Returns an entry in JSON: an object of numbers and strings, or a string that contains the object.
    fn json_entry(&mut self, entry: Entry) -> Value {
        let Entry::Move(coords) = entry else {
            let junk = [
                json!({}),
                json!(5),
                json!("0 1 2 3 4 5"),
                json!([]),
                json!(null),
                json!({"x0": 1, "y0": 2, "x1": 3, "y1": 4, "x2": 5}),
                json!({"x0": 1.5, "y0": 2, "x1": 3, "y1": 4, "x2": 5, "y2": 6}),
                json!("{\"x0\":"),
            ];
            return junk[self.choose.below(junk.len())].clone();
        };
        let [x0, y0, x1, y1, x2, y2] = coords;
        let object = match self.choose.below(4) {
            0 => json!({"y2": y2, "x2": x2, "y1": y1, "x1": x1, "y0": y0, "x0": x0, "z": []}),
            1 => json!({"x0": x0.to_string(), "y0": y0, "x1": x1, "y1": y1, "x2": x2, "y2": y2}),
            _ => json!({"x0": x0, "y0": y0, "x1": x1, "y1": y1, "x2": x2, "y2": y2}),
        };
        if self.choose.one_in(8) {
            Value::String(object.to_string())
        } else {
            object
        }
    }

    /// Starts or restarts the game with a whole record.
    fn start_game(&mut self, record: Vec<Entry>) {
        self.model = Model::of_record(&record);
        self.record = record;
    }
}

/// Truncates a record so that it ends with a request.
fn end_with_request(record: &mut Vec<Entry>) {
    if record.len().is_multiple_of(2) && record.pop().is_none() {
        record.push(Entry::Unreadable);
    }
}

/// Parses an answer of the simple protocol strictly.
pub fn read_simple(answer: &str) -> Option<Coords> {
    let numbers: Option<Vec<i64>> = answer.split(' ').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Parses an answer of the JSON protocol.
pub fn read_json(answer: &str) -> Option<Coords> {
    let value: Value = serde_json::from_str(answer).ok()?;
    let response = value.get("response")?;
    let mut coords = NO_MOVE;
    for (coordinate, name) in coords.iter_mut().zip(["x0", "y0", "x1", "y1", "x2", "y2"]) {
        *coordinate = response.get(name)?.as_i64()?;
    }
    Some(coords)
}
