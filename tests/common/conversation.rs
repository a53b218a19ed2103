//! Whole sessions with an erratic platform: honest and damaged turns in both forms. The [model](super::model) checks
//! each answer.

use super::dialogue;
use super::model::{Model, NOTHING, Sent, Side, Six};
use engine::botzone::KEEP_RUNNING;
use serde_json::{Value, json};

/// Where choices come from.
pub trait Choose {
    /// A number below `bound`, which is not 0.
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
pub struct Count {
    pub turns: usize,
    pub histories: usize,
    /// Records of several lines in the simple form, to a process that was kept running.
    pub simple_records: usize,
    pub damaged: usize,
    pub without_a_move: usize,
}

/// Holds one session of at most so many turns.
///
/// # Panics
/// If the bot doesn't answer each turn exactly once, with a legal move as long as there is one.
pub fn hold(choose: impl Choose, turns: usize) -> Count {
    let mut conversation = Conversation {
        choose,
        model: Model::start(Side::Black),
        record: Vec::new(),
        turns_left: turns,
        awaited: None,
        last: false,
        transcript: String::new(),
        count: Count::default(),
    };
    let (rest, _) = dialogue::hold(dialogue::quick(), |output| conversation.go_on(&output));
    conversation.check(&rest);
    conversation.count
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Simple,
    Json,
}

struct Conversation<C> {
    choose: C,
    /// The position that the bot should have in mind.
    model: Model,
    /// Requests and answers in turn, as sent.
    record: Vec<Sent>,
    turns_left: usize,
    /// The form in which an answer is expected.
    awaited: Option<Form>,
    /// The turn under way is the last: nothing follows it, not even the end of its line.
    last: bool,
    transcript: String,
    count: Count,
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
    /// Checks the bot's output and makes the next turn.
    fn go_on(&mut self, output: &str) -> Option<Vec<u8>> {
        if self.last {
            return None;
        }
        self.check(output);
        self.turns_left = self.turns_left.checked_sub(1)?;
        let mut text = if self.count.turns == 0 {
            self.first_turn()
        } else {
            self.later_turn()
        };
        self.count.turns += 1;
        if self.turns_left == 0 && self.choose.one_in(4) {
            self.last = true;
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

    /// Checks that the bot answers exactly when it should, and that the answer is right.
    fn check(&mut self, output: &str) {
        self.transcript += output;
        let lines: Vec<&str> = output.lines().collect();
        let Some(form) = self.awaited.take() else {
            assert!(output.is_empty(), "an answer too many\n{}", self.transcript);
            return;
        };
        let [answer, KEEP_RUNNING] = lines[..] else {
            panic!("expected one answer and the marker\n{}", self.transcript)
        };
        let six = match form {
            Form::Simple => read_six(answer),
            Form::Json => read_json(answer),
        };
        let Some(six) = six else {
            panic!("unreadable answer\n{}", self.transcript)
        };
        let bot = self.model.bot;
        if self.model.can_move(bot) {
            let legal = self.model.play(bot, Sent::Six(six));
            assert!(legal, "illegal answer of {bot:?}\n{}", self.transcript);
        } else {
            assert_eq!(six, NOTHING, "{}", self.transcript);
            self.count.without_a_move += 1;
        }
        self.record.push(Sent::Six(six));
    }

    /// The first turn of a process.
    fn first_turn(&mut self) -> String {
        let mut noise = String::new();
        while self.choose.one_in(8) {
            noise += &(self.choose.pick(&JUNK).to_owned() + "\n");
        }
        let mut record = self.some_game();
        if self.choose.one_in(3) {
            self.damage(&mut record);
        }
        noise
            + &match self.choose.below(8) {
                0..4 => self.simple_history(record, false),
                4..7 => self.json_history(record, false),
                _ => {
                    let entry = self.some_entry();
                    self.single(entry, None)
                }
            }
    }

    /// A turn of a process that was kept running.
    fn later_turn(&mut self) -> String {
        let opponent = self.model.bot.other();
        let (noise, number) = self.noise();
        let mut record = self.record.clone();
        noise
            + &match self.choose.below(14) {
                0..5 => {
                    let reply = self.legal_move(opponent);
                    self.single(reply, Some(number))
                }
                5..8 => {
                    self.count.damaged += 1;
                    let entry = self.some_entry();
                    self.single(entry, Some(number))
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
                    make_odd(&mut record);
                    self.whole_record(record)
                }
                _ => {
                    let record = self.some_game();
                    self.whole_record(record)
                }
            }
    }

    /// A whole record to a process that was kept running. In the simple form its first line has to tell that it is one.
    fn whole_record(&mut self, record: Vec<Sent>) -> String {
        if self.model.begins_record(record[0]) && self.choose.one_in(2) {
            self.simple_history(record, true)
        } else {
            self.json_history(record, true)
        }
    }

    /// Lines that may come before a later turn and belong to none, and the last turn number in them.
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
                _ if self.count.turns == 1 => noise += &(self.choose.pick(&JUNK).to_owned() + "\n"),
                _ => noise += " \t\r\n",
            }
        }
        (noise, number)
    }

    /// A game of random moves, as the platform would tell it to one of its players.
    fn some_game(&mut self) -> Vec<Sent> {
        let bot = self.choose.pick(&[Side::Black, Side::White]);
        let mut record = match bot {
            Side::Black => vec![Sent::Six(NOTHING)],
            Side::White => Vec::new(),
        };
        let longest = self.choose.pick(&[1, 3, 9, 60]);
        let plies = self.choose.below(longest);
        let mut model = Model::start(bot);
        let mut side = Side::Black;
        for _ in 0..plies {
            let Some(six) = model.some_move(side, |bound| self.choose.below(bound)) else {
                break;
            };
            let turn = Sent::Six(six);
            model.play(side, turn);
            record.push(turn);
            side = side.other();
        }
        make_odd(&mut record);
        record
    }

    /// Damages a record: leaves entries out, doubles, swaps or replaces them.
    fn damage(&mut self, record: &mut Vec<Sent>) {
        self.count.damaged += 1;
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
                _ => record[at] = self.some_entry(),
            }
        }
        make_odd(record);
    }

    /// A legal move of a side, or [`NOTHING`] if there is none.
    fn legal_move(&mut self, side: Side) -> Sent {
        let choose = |bound| self.choose.below(bound);
        Sent::Six(self.model.some_move(side, choose).unwrap_or(NOTHING))
    }

    /// A random entry, usually wrong.
    fn some_entry(&mut self) -> Sent {
        let opponent = self.model.bot.other();
        match self.choose.below(6) {
            0 => Sent::Junk,
            1 => Sent::Six(NOTHING),
            2 => self.legal_move(self.model.bot),
            3 if !self.record.is_empty() => {
                let at = self.choose.below(self.record.len());
                self.record[at]
            }
            4 => Sent::Six(NOTHING.map(|_| self.choose.below(11) as i64 - 2)),
            _ => {
                let mut entry = self.legal_move(opponent);
                if let Sent::Six(six) = &mut entry {
                    six[self.choose.below(6)] = self.choose.below(8) as i64;
                }
                entry
            }
        }
    }

    /// A turn that holds the opponent's move alone. `number`: the turn number before it if the bot has answered before,
    /// 0 if there is none.
    fn single(&mut self, entry: Sent, number: Option<usize>) -> String {
        let junk_is_data = entry == Sent::Junk && self.count.turns < 2;
        let form = match self.choose.pick(&[Form::Simple, Form::Json]) {
            Form::Simple if junk_is_data => Form::Json,
            form => form,
        };
        let mut is_record = number.is_none();
        let line = match form {
            Form::Simple => {
                let number = number.unwrap_or(0);
                is_record |= number > 0 && self.model.begins_record(entry);
                // The rest of the record doesn't come.
                self.last |= number > 1 && is_record;
                self.simple_line(entry)
            }
            Form::Json => {
                let (text, has_responses) = self.json_line(entry, number.is_some());
                is_record |= has_responses && self.model.begins_record(entry);
                if entry == Sent::Junk && self.choose.one_in(2) {
                    self.cut(&text)
                } else {
                    text
                }
            }
        };
        self.awaited = Some(form);
        if is_record {
            self.begin(vec![entry]);
        } else {
            self.model.play(self.model.bot.other(), entry);
            self.record.push(entry);
        }
        line + self.choose.pick(&["\n", "\r\n", " \n\n"])
    }

    /// A JSON text without its end.
    fn cut(&mut self, text: &str) -> String {
        let mut end = 1 + self.choose.below(text.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text[..end].to_owned()
    }

    /// A request alone on a line of JSON, and whether responses are mentioned.
    fn json_line(&mut self, entry: Sent, under_way: bool) -> (String, bool) {
        let value = self.json_entry(entry);
        let (value, has_responses) = match self.choose.below(4) {
            0 if value.is_object() => (value, false),
            1 if under_way => (json!({"requests": [value]}), false),
            2 if under_way => (
                json!({"requests": [value], "responses": [], "data": "x"}),
                true,
            ),
            _ => (json!({"request": value, "time_limit": 1.0}), false),
        };
        (value.to_string(), has_responses)
    }

    /// A turn in the simple form with a whole record: its number and the record; `under_way` if the bot has answered
    /// before.
    fn simple_history(&mut self, record: Vec<Sent>, under_way: bool) -> String {
        self.count.histories += 1;
        self.count.simple_records += usize::from(under_way && record.len() > 1);
        let mut turn = record.len() / 2 + 1;
        if self.choose.one_in(16) {
            // The number of turns is too large: the input ends in the middle of the record.
            turn += 1 + self.choose.below(30);
            self.last = true;
        }
        let end = self.choose.pick(&["\n", "\r\n", "\n\n", "\t\n"]);
        let mut text = format!("{turn}{end}");
        for &entry in &record {
            text += &(self.simple_line(entry) + end);
        }
        if turn == 1 && !under_way && self.choose.one_in(3) {
            // The first turn may come without its number.
            text = text[1..].trim_start().to_owned();
            if record == [Sent::Junk] {
                text = format!("1\n{text}");
            }
        }
        self.awaited = Some(Form::Simple);
        self.begin(record);
        text
    }

    fn simple_line(&mut self, entry: Sent) -> String {
        let Sent::Six(six) = entry else {
            return self.choose.pick(&JUNK).to_owned();
        };
        let [before, between] = [(); 2].map(|()| self.choose.pick(&[" ", "  ", "\t"]));
        before.to_owned() + &six.map(|coordinate| coordinate.to_string()).join(between)
    }

    /// A turn in the JSON form with a whole record.
    fn json_history(&mut self, mut record: Vec<Sent>, under_way: bool) -> String {
        self.count.histories += 1;
        self.awaited = Some(Form::Json);
        if self.choose.one_in(24) {
            self.begin(vec![Sent::Junk]);
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
                *entry = Sent::Junk;
            }
        }
        let text = json!({
            "requests": requests,
            "responses": responses,
            "data": "a \"string\" {\u{1}",
            "globaldata": [1, null, {"a": true}],
        });
        if under_way && record.len() == 1 && !self.model.begins_record(record[0]) {
            self.model.play(self.model.bot.other(), record[0]);
            self.record.push(record[0]);
        } else {
            self.begin(record);
        }
        text.to_string() + self.choose.pick(&["\n", "\r\n", "\n\n"])
    }

    /// An entry in JSON: numbers or strings, in an object or a string that holds one.
    fn json_entry(&mut self, entry: Sent) -> Value {
        let Sent::Six(six) = entry else {
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
        let [x0, y0, x1, y1, x2, y2] = six;
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

    /// Begins the game, or begins it anew, with a whole record.
    fn begin(&mut self, record: Vec<Sent>) {
        self.model = Model::of_record(&record);
        self.record = record;
    }
}

/// Cuts a record so that it ends with a request.
fn make_odd(record: &mut Vec<Sent>) {
    if record.len().is_multiple_of(2) && record.pop().is_none() {
        record.push(Sent::Junk);
    }
}

/// Reads an answer of the simple form, which has to be exact.
pub fn read_six(answer: &str) -> Option<Six> {
    let numbers: Option<Vec<i64>> = answer.split(' ').map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

/// Reads an answer of the JSON form.
pub fn read_json(answer: &str) -> Option<Six> {
    let value: Value = serde_json::from_str(answer).ok()?;
    let response = value.get("response")?;
    let mut six = NOTHING;
    for (coordinate, name) in six.iter_mut().zip(["x0", "y0", "x1", "y1", "x2", "y2"]) {
        *coordinate = response.get(name)?.as_i64()?;
    }
    Some(six)
}
