//! Drives headless Firefox over the Marionette protocol.
//!
//! A message is its length, a colon, and JSON: `[0, number, command, parameters]` for commands, `[1, number, error, result]`
//! for replies. Every wait is for a condition, never for a fixed time.

use super::{MAX_WAIT, needs};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Program names of Firefox, in order of preference.
const BROWSERS: [&str; 2] = ["firefox-esr", "firefox"];

/// Interval between two checks of a condition.
const POLL: Duration = Duration::from_millis(10);

/// Preferences: a free port for Marionette, downloads without questions, and no network access.
const PREFERENCES: &str = r#"user_pref("marionette.port", 0);
user_pref("browser.download.useDownloadDir", true);
user_pref("browser.download.folderList", 2);
user_pref("browser.download.always_ask_before_handling_new_types", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
"#;

/// Error messages of the console that concern the page itself.
const FAULTS: &str = r#"Services.console.getMessageArray().filter((message) => message instanceof Ci.nsIScriptError
    && message.sourceName.startsWith("file:") && !(message.flags & 1)).map((message) => message.errorMessage)"#;

/// A running Firefox; dropping this value ends the process.
pub struct Firefox {
    process: Child,
    connection: TcpStream,
    latest: u64,
    downloads: PathBuf,
    /// Profile folder; removed after Firefox has ended.
    _profile: TempDir,
}

impl Firefox {
    /// Starts Firefox; `None` if it is not installed and the test is skipped.
    ///
    /// # Panics
    /// If Firefox doesn't start, or in CI if it is not installed.
    pub fn start() -> Option<Firefox> {
        let program = needs::one_of(&BROWSERS)?;
        let profile = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let downloads = profile.path().join("downloads");
        fs::create_dir(&downloads).expect("made");
        let folder = json!(downloads).to_string();
        let preferences = format!("{PREFERENCES}user_pref(\"browser.download.dir\", {folder});\n");
        fs::write(profile.path().join("user.js"), preferences).expect("written");
        let mut process = Command::new(program)
            .args(["--headless", "--no-remote", "--marionette"])
            // Access to the browser's console needs system access.
            .args(["--remote-allow-system-access", "--profile"])
            .arg(profile.path())
            .arg("about:blank")
            .env("HOME", profile.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let port = profile.path().join("MarionetteActivePort");
        let connection = wait_until("Firefox listens", || {
            assert!(matches!(process.try_wait(), Ok(None)), "Firefox has ended");
            let port: u16 = fs::read_to_string(&port).ok()?.trim().parse().ok()?;
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        connection.set_read_timeout(Some(MAX_WAIT)).expect("set");
        let mut firefox = Firefox {
            process,
            connection,
            latest: 0,
            downloads,
            _profile: profile,
        };
        // Firefox sends a greeting first.
        firefox.receive();
        firefox.call("WebDriver:NewSession", json!({}));
        Some(firefox)
    }

    /// Opens a file.
    pub fn open(&mut self, path: &Path) {
        let url = format!("file://{}", path.display());
        self.call("WebDriver:Navigate", json!({ "url": url }));
    }

    /// Reloads the page.
    pub fn reload(&mut self) {
        self.call("WebDriver:Refresh", json!({}));
    }

    /// Evaluates a JavaScript expression.
    ///
    /// # Panics
    /// If the expression throws.
    pub fn eval(&mut self, js: &str) -> Value {
        let parameters = json!({ "script": format!("return {js}"), "args": [], "sandbox": null });
        self.call("WebDriver:ExecuteScript", parameters)["value"].take()
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// # Panics
    /// If the time runs out.
    pub fn wait_for(&mut self, js: &str) {
        wait_until(js, || (self.eval(js) == true).then_some(()));
    }

    /// Returns the visible text of the first element of a selector.
    pub fn text(&mut self, css: &str) -> String {
        let text = self.eval(&format!("document.querySelector({}).innerText", json!(css)));
        text.as_str().expect("a text").to_owned()
    }

    /// Clicks the first element of a selector with real input events.
    pub fn click(&mut self, css: &str) {
        let found = json!({ "using": "css selector", "value": css });
        let element = self.call("WebDriver:FindElement", found);
        let element = element["value"].as_object().expect("an element");
        let id = element.values().next().expect("its name").clone();
        self.call("WebDriver:ElementClick", json!({ "id": id }));
    }

    /// Waits until the page has saved a file `name`; returns its text.
    pub fn downloaded(&mut self, name: &str) -> String {
        let path = self.downloads.join(name);
        let part = self.downloads.join(format!("{name}.part"));
        wait_until(name, || {
            let text = fs::read_to_string(&path).ok()?;
            (!part.exists() && !text.is_empty()).then_some(text)
        })
    }

    /// Checks that the console has no errors of the page.
    ///
    /// # Panics
    /// If there are errors; lists them.
    pub fn assert_no_faults(&mut self) {
        let context = |value: &str| json!({ "value": value });
        self.call("Marionette:SetContext", context("chrome"));
        let faults = self.eval(FAULTS);
        self.call("Marionette:SetContext", context("content"));
        assert_eq!(faults, json!([]));
    }

    /// Sends a command and waits for its result.
    fn call(&mut self, command: &str, parameters: Value) -> Value {
        self.latest += 1;
        let message = json!([0, self.latest, command, parameters]).to_string();
        write!(self.connection, "{}:{message}", message.len()).expect("Firefox listens");
        let mut answer = self.receive();
        assert_eq!(answer[1], self.latest, "{command}: {answer}");
        assert!(answer[2].is_null(), "{command}: {}", answer[2]);
        answer[3].take()
    }

    fn receive(&mut self) -> Value {
        let mut length = String::new();
        let mut byte = [0];
        loop {
            self.connection
                .read_exact(&mut byte)
                .expect("Firefox answers");
            match byte[0] {
                b':' => break,
                digit => length.push(digit.into()),
            }
        }
        let mut message = vec![0; length.parse().expect("a length")];
        self.connection
            .read_exact(&mut message)
            .expect("a whole message");
        serde_json::from_slice(&message).expect("JSON")
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        // The profile is temporary, so Firefox needs no orderly shutdown.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until `poll` returns a value.
fn wait_until<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + MAX_WAIT;
    loop {
        match poll() {
            Some(found) => return found,
            None if Instant::now() > deadline => panic!("waited for: {what}"),
            None => thread::sleep(POLL),
        }
    }
}
