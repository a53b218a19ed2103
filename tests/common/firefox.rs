//! Firefox without a window, led over Marionette: enough to open a page, use it and look at it.
//!
//! A message is JSON behind its length and a colon: `[0, number, command, parameters]` goes out, `[1, number, error,
//! result]` comes in. Nothing waits for a fixed time: every wait is for a condition.

use super::needs;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Names under which Firefox is found.
const BROWSERS: [&str; 2] = ["firefox-esr", "firefox"];

/// How long anything is waited for before the test fails: far more than a slow machine needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time between two looks at a condition.
const POLL: Duration = Duration::from_millis(10);

/// A port of its own, downloads unasked, and no way to the network.
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

/// What the console has to say against the page itself.
const FAULTS: &str = r#"Services.console.getMessageArray().filter((message) => message instanceof Ci.nsIScriptError
    && message.sourceName.startsWith("file:") && !(message.flags & 1)).map((message) => message.errorMessage)"#;

/// A Firefox of its own; it ends with this value.
pub struct Firefox {
    process: Child,
    wire: TcpStream,
    latest: u64,
    downloads: PathBuf,
    /// Removed with everything in it after Firefox has ended.
    _profile: TempDir,
}

impl Firefox {
    /// Starts Firefox; nothing if it is not installed and the test is to be left out.
    ///
    /// # Panics
    /// In CI, if Firefox is not installed; if it doesn't start.
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
            // The console is the browser's, not the page's.
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
        let wire = until("Firefox listens", || {
            assert!(matches!(process.try_wait(), Ok(None)), "Firefox has ended");
            let port: u16 = fs::read_to_string(&port).ok()?.trim().parse().ok()?;
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        wire.set_read_timeout(Some(PATIENCE)).expect("set");
        let mut firefox = Firefox {
            process,
            wire,
            latest: 0,
            downloads,
            _profile: profile,
        };
        // It greets first.
        firefox.receive();
        firefox.call("WebDriver:NewSession", json!({}));
        Some(firefox)
    }

    /// Opens a file.
    pub fn open(&mut self, path: &Path) {
        let url = format!("file://{}", path.display());
        self.call("WebDriver:Navigate", json!({ "url": url }));
    }

    /// Loads the page again.
    pub fn reload(&mut self) {
        self.call("WebDriver:Refresh", json!({}));
    }

    /// Value of a JavaScript expression.
    ///
    /// # Panics
    /// If it throws.
    pub fn eval(&mut self, js: &str) -> Value {
        let parameters = json!({ "script": format!("return {js}"), "args": [], "sandbox": null });
        self.call("WebDriver:ExecuteScript", parameters)["value"].take()
    }

    /// Waits until a JavaScript expression is true.
    ///
    /// # Panics
    /// If that does not come to be.
    pub fn wait_for(&mut self, js: &str) {
        until(js, || (self.eval(js) == true).then_some(()));
    }

    /// The text of the first element of a selector.
    pub fn text(&mut self, css: &str) -> String {
        let text = self.eval(&format!("document.querySelector({}).innerText", json!(css)));
        text.as_str().expect("a text").to_owned()
    }

    /// Clicks the first element of a selector as a person does.
    pub fn click(&mut self, css: &str) {
        let found = json!({ "using": "css selector", "value": css });
        let element = self.call("WebDriver:FindElement", found);
        let element = element["value"].as_object().expect("an element");
        let id = element.values().next().expect("its name").clone();
        self.call("WebDriver:ElementClick", json!({ "id": id }));
    }

    /// The text of a file that the page has the browser save.
    pub fn downloaded(&mut self, name: &str) -> String {
        let path = self.downloads.join(name);
        let part = self.downloads.join(format!("{name}.part"));
        until(name, || {
            let text = fs::read_to_string(&path).ok()?;
            (!part.exists() && !text.is_empty()).then_some(text)
        })
    }

    /// Checks that nothing went wrong in the page.
    ///
    /// # Panics
    /// With everything that went wrong.
    pub fn assert_quiet(&mut self) {
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
        write!(self.wire, "{}:{message}", message.len()).expect("Firefox listens");
        let mut answer = self.receive();
        assert_eq!(answer[1], self.latest, "{command}: {answer}");
        assert!(answer[2].is_null(), "{command}: {}", answer[2]);
        answer[3].take()
    }

    fn receive(&mut self) -> Value {
        let mut length = String::new();
        let mut byte = [0];
        loop {
            self.wire.read_exact(&mut byte).expect("Firefox answers");
            match byte[0] {
                b':' => break,
                digit => length.push(digit.into()),
            }
        }
        let mut message = vec![0; length.parse().expect("a length")];
        self.wire.read_exact(&mut message).expect("a whole message");
        serde_json::from_slice(&message).expect("JSON")
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        // It ends with the test in any case: what it keeps is thrown away.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until there is something.
fn until<T>(what: &str, mut there: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match there() {
            Some(found) => return found,
            None if Instant::now() > deadline => panic!("waited for: {what}"),
            None => thread::sleep(POLL),
        }
    }
}
