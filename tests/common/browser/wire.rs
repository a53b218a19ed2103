//! The wire to Chromium: commands with numbers go out, replies and events come in. A message is JSON that ends with a
//! zero byte. A session is a page or a worker; the session without a name is the browser itself.

use super::watch::Record;
use super::{PATIENCE, text_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

/// What came in.
#[derive(Default)]
pub struct State {
    /// Commands whose replies somebody waits for, and the replies.
    replies: BTreeMap<u64, Option<Value>>,
    /// What was seen of each page, by its session.
    pub records: BTreeMap<String, Record>,
    /// The page's session that each session of a worker or frame belongs to.
    owners: BTreeMap<String, String>,
    /// Number of the latest command.
    latest: u64,
    has_ended: bool,
}

impl State {
    /// The record of the page that a session is, or is a part of.
    pub fn record(&mut self, session: &str) -> Option<&mut Record> {
        let page = self.owners.get(session).map_or(session, String::as_str);
        self.records.get_mut(page)
    }
}

/// Both ends of the wire.
pub struct Wire(Arc<Ends>);

struct Ends {
    out: Mutex<ChildStdin>,
    state: Mutex<State>,
    /// Told whenever something came in.
    news: Condvar,
}

impl Wire {
    /// Listens from now on.
    pub fn new(out: ChildStdin, input: ChildStdout) -> Wire {
        let ends = Arc::new(Ends {
            out: Mutex::new(out),
            state: Mutex::default(),
            news: Condvar::new(),
        });
        let listener = Arc::clone(&ends);
        thread::spawn(move || listener.listen(BufReader::new(input)));
        Wire(ends)
    }

    /// Sends a command to a session and waits for the reply.
    ///
    /// # Errors
    /// What Chromium has against the command, or why no reply came.
    pub fn call(&self, session: &str, method: &str, params: Value) -> Result<Value, String> {
        let id = self.0.send(session, method, params, true);
        let reply = self.wait(|state| {
            let reply = state.replies.get_mut(&id).and_then(Option::take);
            let page = state.record(session);
            reply.map(Ok).or_else(|| page.and_then(Record::crash))
        });
        self.0.state().replies.remove(&id);
        let mut reply = reply?;
        match reply["error"].take() {
            Value::Null => Ok(reply["result"].take()),
            error => Err(text_of(&error["message"])),
        }
    }

    /// Waits until something can be seen in what came in, or until it can be seen that it will not come.
    ///
    /// # Errors
    /// Why it does not come.
    pub fn wait<T>(
        &self,
        mut seen: impl FnMut(&mut State) -> Option<Result<T, String>>,
    ) -> Result<T, String> {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.0.state();
        loop {
            if let Some(found) = seen(&mut state) {
                return found;
            }
            if state.has_ended {
                return Err("Chromium has ended".into());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(format!("nothing came in {PATIENCE:?}"));
            }
            let woken = self.0.news.wait_timeout(state, left);
            state = woken.expect("no thread panics with it").0;
        }
    }

    /// What came in until now.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.state()
    }
}

impl Ends {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with it")
    }

    /// Sends a command; returns its number.
    fn send(&self, session: &str, method: &str, params: Value, is_awaited: bool) -> u64 {
        let mut state = self.state();
        state.latest += 1;
        let id = state.latest;
        if is_awaited {
            state.replies.insert(id, None);
        }
        drop(state);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        // Where Chromium has ended, the listener notices.
        let _ = self.out.lock().expect("no thread panics").write_all(&bytes);
        id
    }

    /// Takes in what comes until Chromium ends.
    fn listen(&self, mut input: BufReader<ChildStdout>) {
        let mut bytes = Vec::new();
        while input.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
            if let Ok(message) = serde_json::from_slice(bytes.strip_suffix(&[0]).unwrap_or(&bytes))
            {
                self.take_in(message);
            }
            bytes.clear();
            self.news.notify_all();
        }
        self.state().has_ended = true;
        self.news.notify_all();
    }

    fn take_in(&self, message: Value) {
        if let Some(id) = message["id"].as_u64() {
            if let Some(reply) = self.state().replies.get_mut(&id) {
                *reply = Some(message);
            }
            return;
        }
        let (session, method) = (text_of(&message["sessionId"]), text_of(&message["method"]));
        let params = &message["params"];
        match method.as_str() {
            "Target.attachedToTarget" if !session.is_empty() => self.watch_part(&session, params),
            "Browser.downloadWillBegin" | "Browser.downloadProgress" => {
                for record in self.state().records.values_mut() {
                    record.see(&method, params);
                }
            }
            _ => self.see(&session, &method, params),
        }
    }

    /// Writes an event down; closes a dialog, which would hold up everything.
    fn see(&self, session: &str, method: &str, params: &Value) {
        let mut state = self.state();
        let Some(record) = state.record(session) else {
            return;
        };
        record.see(method, params);
        let accept = record.accept_dialogs.unwrap_or(false);
        drop(state);
        if method == "Page.javascriptDialogOpening" {
            let answer = json!({ "accept": accept });
            self.send(session, "Page.handleJavaScriptDialog", answer, false);
        }
    }

    /// Watches a worker or frame of a page, which stands still until then.
    fn watch_part(&self, session: &str, params: &Value) {
        let part = text_of(&params["sessionId"]);
        let mut state = self.state();
        let owner = state.owners.get(session).map_or(session, String::as_str);
        let owner = owner.to_string();
        state.owners.insert(part.clone(), owner);
        drop(state);
        for (method, params) in watches() {
            self.send(&part, method, params, false);
        }
        let go_on = "Runtime.runIfWaitingForDebugger";
        self.send(&part, go_on, json!({}), false);
    }
}

/// The commands that make Chromium tell what a page or a part of it does.
pub fn watches() -> [(&'static str, Value); 4] {
    let parts = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
    [
        ("Runtime.enable", json!({})),
        ("Log.enable", json!({})),
        ("Network.enable", json!({})),
        ("Target.setAutoAttach", parts),
    ]
}
