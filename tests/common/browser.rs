//! Drives headless Chromium over the DevTools protocol: opens pages, sends real input events, and watches for faults. Every
//! wait is for a condition, never for a fixed time.

mod connection;
mod input;
mod page;
mod page_log;

pub use page::{Page, Window};

use super::{MAX_WAIT, needs};
use connection::Connection;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Program names of Chromium, in order of preference.
pub const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Initial and maximum interval between two checks of a condition in a page. The interval doubles, because each check costs the
/// browser time.
const MIN_POLL: Duration = Duration::from_millis(10);
const MAX_POLL: Duration = Duration::from_millis(80);

/// Shell command that connects standard input and output to file descriptors 3 and 4, which Chromium's pipe uses.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// Flags that isolate Chromium: no first run, no background traffic, no name resolution, no throttling of hidden pages. The
/// disabled features are pages of the address bar, which would cost more than the tested page.
const FLAGS: [&str; 16] = [
    "--remote-debugging-pipe",
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// The Chromium process that all running tests share. Each page has its own storage unless opened otherwise.
static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

/// A running Chromium; dropping this value ends the process.
pub struct Browser {
    connection: Arc<Connection>,
    process: Child,
    /// User agent that Chromium sends.
    agent: String,
    downloads: TempDir,
    /// Profile folder; removed after Chromium has ended.
    _profile: TempDir,
}

impl Browser {
    /// Returns the shared Chromium, which is started if necessary; `None` if it is not installed and the test is skipped.
    ///
    /// # Panics
    /// If Chromium doesn't start, or in CI if it is not installed.
    pub fn start() -> Option<Arc<Browser>> {
        let program = needs::one_of(&BROWSERS)?;
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let browser = shared
            .upgrade()
            .unwrap_or_else(|| Arc::new(Browser::launch(program)));
        *shared = Arc::downgrade(&browser);
        Some(browser)
    }

    fn launch(program: &str) -> Browser {
        let [profile, downloads] = ["profile", "downloads"].map(folder);
        let mut process = Command::new("sh")
            .args(["-c", PIPES, program])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the browser starts");
        let input = process.stdin.take().expect("piped");
        let connection = Connection::new(input, process.stdout.take().expect("piped"));
        let mut browser = Browser {
            connection,
            process,
            agent: String::new(),
            downloads,
            _profile: profile,
        };
        let version = browser.call("Browser.getVersion", json!({}));
        browser.agent = text_of(&version["userAgent"]);
        browser
    }

    /// Opens an address in a new storage; `rest` is appended to the address, such as a hash.
    ///
    /// # Panics
    /// If the page does not load.
    pub fn open(self: &Arc<Browser>, address: &str, rest: &str, window: Window) -> Page {
        let context = Arc::new(Context::new(Arc::clone(self)));
        let downloads = json!({
            "browserContextId": context.id,
            "behavior": "allowAndName",
            "downloadPath": self.downloads.path(),
            "eventsEnabled": true,
        });
        self.call("Browser.setDownloadBehavior", downloads);
        Page::open(context, address, rest, window)
    }

    /// Sends a command to the browser itself; returns the reply.
    fn call(&self, method: &str, params: Value) -> Value {
        let reply = self.connection.call("", method, params);
        reply.unwrap_or_else(|fault| panic!("{method}: {fault}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.connection.call("", "Browser.close", json!({}));
        // Chromium writes its profile before it ends.
        let deadline = Instant::now() + MAX_WAIT;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(MIN_POLL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser context: storage that its pages share. It is disposed of with the last page.
struct Context {
    browser: Arc<Browser>,
    /// Chromium's id of the context.
    id: String,
}

impl Context {
    fn new(browser: Arc<Browser>) -> Context {
        let made = browser.call("Target.createBrowserContext", json!({}));
        let id = text_of(&made["browserContextId"]);
        Context { browser, id }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let named = json!({ "browserContextId": self.id });
        let _ = self
            .browser
            .connection
            .call("", "Target.disposeBrowserContext", named);
    }
}

/// Returns the URL of a file.
pub fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Creates an empty temporary folder.
fn folder(name: &str) -> TempDir {
    tempfile::Builder::new()
        .prefix(&format!("browser_{name}_"))
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the folder can be made")
}

/// Returns the text of a JSON string; empty for other values.
fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
