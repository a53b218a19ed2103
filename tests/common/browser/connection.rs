//! DevTools connection to Chromium: sends numbered commands, receives replies and events. A message is JSON that ends with a
//! zero byte. A session is a page or a worker; the empty session is the browser itself.

use super::page_log::PageLog;
use super::{MAX_WAIT, text_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

/// Messages received so far.
#[derive(Default)]
pub struct State {
    /// Replies by the number of their command.
    replies: BTreeMap<u64, Value>,
    /// Log of each page, by its session.
    pub logs: BTreeMap<String, PageLog>,
    /// For each session of a worker or frame, the session of its page.
    owners: BTreeMap<String, String>,
    /// Number of the latest command.
    latest: u64,
    has_ended: bool,
}

impl State {
    /// Returns the log of the page to which a session belongs.
    pub fn log_of(&mut self, session: &str) -> Option<&mut PageLog> {
        let page = self.owners.get(session).map_or(session, String::as_str);
        self.logs.get_mut(page)
    }
}

/// Connection to a Chromium process.
pub struct Connection {
    out: Mutex<ChildStdin>,
    state: Mutex<State>,
    /// Notified after every message.
    arrived: Condvar,
}

impl Connection {
    /// Starts a thread that receives messages.
    pub fn new(out: ChildStdin, input: ChildStdout) -> Arc<Connection> {
        let connection = Arc::new(Connection {
            out: Mutex::new(out),
            state: Mutex::default(),
            arrived: Condvar::new(),
        });
        let listener = Arc::clone(&connection);
        thread::spawn(move || listener.listen(BufReader::new(input)));
        connection
    }

    /// Locks the state.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with it")
    }

    /// Sends a command to a session and waits for the reply.
    ///
    /// # Errors
    /// If Chromium rejects the command, ends, or does not reply in time.
    pub fn call(&self, session: &str, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(session, method, params);
        let mut reply = self.wait(|state| state.replies.remove(&id))?;
        match reply["error"].take() {
            Value::Null => Ok(reply["result"].take()),
            error => Err(text_of(&error["message"])),
        }
    }

    /// Waits until `seen` finds a value in the state.
    ///
    /// # Errors
    /// If Chromium ends, or the time runs out.
    pub fn wait<T>(&self, mut seen: impl FnMut(&mut State) -> Option<T>) -> Result<T, String> {
        let deadline = Instant::now() + MAX_WAIT;
        let mut state = self.state();
        loop {
            if let Some(found) = seen(&mut state) {
                return Ok(found);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let has_ended = state.has_ended;
            if has_ended || left.is_zero() {
                let ended = if has_ended { "ended" } else { "been silent" };
                return Err(format!("Chromium has {ended}"));
            }
            let woken = self.arrived.wait_timeout(state, left);
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
        // If Chromium has ended, the listener notices.
        let _ = self.out.lock().expect("no thread panics").write_all(&bytes);
        id
    }

    /// Receives messages until Chromium ends.
    fn listen(&self, mut input: BufReader<ChildStdout>) {
        let mut bytes = Vec::new();
        while input.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
            if let Ok(message) = serde_json::from_slice(bytes.strip_suffix(&[0]).unwrap_or(&bytes))
            {
                self.handle(message);
            }
            bytes.clear();
            self.arrived.notify_all();
        }
        self.state().has_ended = true;
        self.arrived.notify_all();
    }

    fn handle(&self, message: Value) {
        if let Some(id) = message["id"].as_u64() {
            self.state().replies.insert(id, message);
            return;
        }
        let (session, method) = (text_of(&message["sessionId"]), text_of(&message["method"]));
        let params = &message["params"];
        match method.as_str() {
            "Target.attachedToTarget" if !session.is_empty() => self.watch_target(&session, params),
            "Browser.downloadWillBegin" | "Browser.downloadProgress" => {
                for log in self.state().logs.values_mut() {
                    log.add_event(&method, params);
                }
            }
            _ => {
                if let Some(log) = self.state().log_of(&session) {
                    log.add_event(&method, params);
                }
            }
        }
        if method == "Page.javascriptDialogOpening" {
            // An open dialog would block the page.
            let no = json!({ "accept": false });
            self.send(&session, "Page.handleJavaScriptDialog", no);
        }
    }

    /// Watches a worker or frame of a page, which is paused until then.
    fn watch_target(&self, session: &str, params: &Value) {
        let part = text_of(&params["sessionId"]);
        let mut state = self.state();
        let owner = state.owners.get(session).map_or(session, String::as_str);
        let owner = owner.to_owned();
        state.owners.insert(part.clone(), owner);
        drop(state);
        for (method, params) in watch_commands() {
            self.send(&part, method, params);
        }
        self.send(&part, "Runtime.runIfWaitingForDebugger", json!({}));
    }
}

/// Returns the commands that make Chromium send events of a page, worker or frame.
pub fn watch_commands() -> [(&'static str, Value); 4] {
    let parts = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
    [
        ("Runtime.enable", json!({})),
        ("Log.enable", json!({})),
        ("Network.enable", json!({})),
        ("Target.setAutoAttach", parts),
    ]
}
