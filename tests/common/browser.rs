//! Chromium without a window, led over its DevTools protocol: pages are opened, used with real input events, and
//! watched for faults. Nothing waits for a fixed time: every wait is for a condition.

mod input;
mod page;
mod watch;
mod wire;

pub use page::{Page, Window};

use super::needs;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wire::Wire;

/// Names under which Chromium is found.
pub const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// How long anything is waited for before the test fails: far more than a slow machine needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time between the first two looks at a condition in a page, and the most. Each look is work for the browser, so the time
/// doubles.
const POLL: Duration = Duration::from_millis(10);
const LONGEST_POLL: Duration = Duration::from_millis(80);

/// Makes the descriptors 3 and 4, over which Chromium talks, of the standard input and output.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#;

/// Chromium alone: no profile, no calls home, no names that lead anywhere, no rest for pages that nobody sees. For its address
/// bar it would load large pages of its own into every window, which cost more than ours.
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

/// The Chromium that the tests of a program share while any of them uses it. Each page has a storage of its own.
static SHARED: Mutex<Weak<Browser>> = Mutex::new(Weak::new());

/// A Chromium; it ends with this value.
pub struct Browser {
    wire: Arc<Wire>,
    process: Child,
    /// What Chromium says that it is, in the words of its requests.
    agent: String,
    downloads: TempDir,
    /// Removed with everything in it after Chromium has ended.
    _profile: TempDir,
}

impl Browser {
    /// The Chromium that other tests use, or a new one; nothing if it is not installed and the test is to be left out.
    ///
    /// # Panics
    /// In CI, if Chromium is not installed; if it doesn't start.
    pub fn start() -> Option<Arc<Browser>> {
        let program = needs::one_of(&BROWSERS)?;
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        let browser = shared
            .upgrade()
            .unwrap_or_else(|| Arc::new(Browser::launched(program)));
        *shared = Arc::downgrade(&browser);
        Some(browser)
    }

    fn launched(program: &str) -> Browser {
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
        let wire = Wire::new(input, process.stdout.take().expect("piped"));
        let mut browser = Browser {
            wire,
            process,
            agent: String::new(),
            downloads,
            _profile: profile,
        };
        let version = browser.call("Browser.getVersion", json!({}));
        browser.agent = text_of(&version["userAgent"]);
        browser
    }

    /// Opens the page of an address with a storage of its own; `rest` is what follows in the address, such as a hash.
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
        let reply = self.wire.call("", method, params);
        reply.unwrap_or_else(|fault| panic!("{method}: {fault}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.wire.call("", "Browser.close", json!({}));
        // It puts its profile in order before it ends.
        let deadline = Instant::now() + PATIENCE;
        while matches!(self.process.try_wait(), Ok(None)) && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A storage, and the pages that share it. It goes with the last of them.
struct Context {
    browser: Arc<Browser>,
    /// Its name for the browser.
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
            .wire
            .call("", "Target.disposeBrowserContext", named);
    }
}

/// The address of a file.
pub fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A new empty folder of this test run.
fn folder(name: &str) -> TempDir {
    tempfile::Builder::new()
        .prefix(&format!("browser_{name}_"))
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the folder can be made")
}

/// The text that a value is; empty if it is none.
fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
