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
    /// Replies to commands, by the commands' numbers.
    replies: BTreeMap<u64, Value>,
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
pub struct Wire {
    out: Mutex<ChildStdin>,
    state: Mutex<State>,
    /// Told whenever something came in.
    news: Condvar,
}

impl Wire {
    /// Listens from now on.
    pub fn new(out: ChildStdin, input: ChildStdout) -> Arc<Wire> {
        let wire = Arc::new(Wire {
            out: Mutex::new(out),
            state: Mutex::default(),
            news: Condvar::new(),
        });
        let listener = Arc::clone(&wire);
        thread::spawn(move || listener.listen(BufReader::new(input)));
        wire
    }

    /// What came in until now.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with it")
    }

    /// Sends a command to a session and waits for the reply.
    ///
    /// # Errors
    /// What Chromium has against the command, or why no reply came.
    pub fn call(&self, session: &str, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(session, method, params);
        let mut reply = self.wait(|state| state.replies.remove(&id))?;
        match reply["error"].take() {
            Value::Null => Ok(reply["result"].take()),
            error => Err(text_of(&error["message"])),
        }
    }

    /// Waits until something can be seen in what came in.
    ///
    /// # Errors
    /// Why it does not come.
    pub fn wait<T>(&self, mut seen: impl FnMut(&mut State) -> Option<T>) -> Result<T, String> {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.state();
        loop {
            if let Some(found) = seen(&mut state) {
                return Ok(found);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if state.has_ended || left.is_zero() {
                let ended = if state.has_ended {
                    "ended"
                } else {
                    "been silent"
                };
                return Err(format!("Chromium has {ended}"));
            }
            let woken = self.news.wait_timeout(state, left);
            state = woken.expect("no thread panics with it").0;
        }
    }

    /// Sends a command; returns its number.
    fn send(&self, session: &str, method: &str, params: Value) -> u64 {
        let mut state = self.state();
        state.latest += 1;
        let id = state.latest;
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
            self.state().replies.insert(id, message);
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
            _ => {
                if let Some(record) = self.state().record(&session) {
                    record.see(&method, params);
                }
            }
        }
        if method == "Page.javascriptDialogOpening" {
            // It would hold up everything.
            let no = json!({ "accept": false });
            self.send(&session, "Page.handleJavaScriptDialog", no);
        }
    }

    /// Watches a worker or frame of a page, which stands still until then.
    fn watch_part(&self, session: &str, params: &Value) {
        let part = text_of(&params["sessionId"]);
        let mut state = self.state();
        let owner = state.owners.get(session).map_or(session, String::as_str);
        let owner = owner.to_owned();
        state.owners.insert(part.clone(), owner);
        drop(state);
        for (method, params) in watches() {
            self.send(&part, method, params);
        }
        self.send(&part, "Runtime.runIfWaitingForDebugger", json!({}));
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
