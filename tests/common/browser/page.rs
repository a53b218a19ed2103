//! A page in Chromium: opens it, reads its state, and evaluates JavaScript.

use super::connection::watch_commands;
use super::page_log::{PageLog, exception};
use super::{Context, MAX_POLL, MAX_WAIT, MIN_POLL, address, text_of};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// Window of a page, and the user's preferences.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
    /// Whether the window is a touch screen, as on a phone.
    pub touch: bool,
    /// The user's language, such as "zh-CN". It can't be changed after a page is opened.
    pub language: &'static str,
    /// Whether the user prefers dark colours.
    pub dark: bool,
    /// Whether the user prefers reduced motion.
    pub still: bool,
    /// Whether the page is shown as printed.
    pub print: bool,
}

impl Window {
    pub const DESKTOP: Window = Window {
        width: 1280,
        height: 900,
        touch: false,
        language: "en-GB",
        dark: false,
        still: false,
        print: false,
    };

    pub const PHONE: Window = Window {
        width: 390,
        height: 844,
        touch: true,
        ..Window::DESKTOP
    };
}

/// An open page. Dropping this value closes the page, and fails the test if the page had faults.
pub struct Page {
    context: Arc<Context>,
    /// Opened address without its appended part.
    address: String,
    /// Chromium's id of the page.
    target: String,
    session: String,
    window: Cell<Window>,
}

impl Page {
    pub(super) fn open(context: Arc<Context>, address: &str, rest: &str, window: Window) -> Page {
        let browser = &context.browser;
        let blank = json!({ "url": "about:blank", "browserContextId": context.id });
        let target = text_of(&browser.call("Target.createTarget", blank)["targetId"]);
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach);
        let session = text_of(&attached["sessionId"]);
        let log = PageLog {
            frame: target.clone(),
            ..PageLog::default()
        };
        let mut state = browser.connection.state();
        state.logs.insert(session.clone(), log);
        drop(state);
        let page = Page {
            context,
            address: address.to_owned(),
            target,
            session,
            window: Cell::new(window),
        };
        page.prepare();
        page.load(&format!("{address}{rest}"));
        page
    }

    /// Opens another page with the same storage and the same window size.
    pub fn open_sharing(&self, path: &Path) -> Page {
        let context = Arc::clone(&self.context);
        Page::open(context, &address(path), "", self.window.get())
    }

    /// Opens this page again in a new storage.
    pub fn open_fresh(&self, rest: &str, window: Window) -> Page {
        self.context.browser.open(&self.address, rest, window)
    }

    /// Sets up event logging, window and language before the page is loaded.
    fn prepare(&self) {
        self.command("Page.enable", json!({}));
        self.command("Inspector.enable", json!({}));
        self.command("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        for (method, params) in watch_commands() {
            self.command(method, params);
        }
        let language = self.window.get().language;
        let agent = json!({ "userAgent": self.context.browser.agent, "acceptLanguage": language });
        self.command("Emulation.setUserAgentOverride", agent);
        self.command("Emulation.setLocaleOverride", json!({ "locale": language }));
        let focus = json!({ "enabled": true });
        self.command("Emulation.setFocusEmulationEnabled", focus);
        self.set_window(self.window.get());
    }

    /// Navigates to another file, and waits until it has loaded.
    pub fn navigate(&self, path: &Path) {
        self.load(&address(path));
    }

    fn load(&self, url: &str) {
        let begun = self.command("Page.navigate", json!({ "url": url }));
        let fault = &begun["errorText"];
        assert!(fault.is_null(), "{url}: {fault}");
        let document = text_of(&begun["loaderId"]);
        self.wait_for_log(&format!("{url} loads"), |seen| {
            (seen.loaded == document).then_some(())
        });
    }

    /// Sends a command of the DevTools protocol to the page; returns the reply.
    ///
    /// # Panics
    /// If Chromium rejects the command.
    pub fn command(&self, method: &str, params: Value) -> Value {
        let reply = self
            .context
            .browser
            .connection
            .call(&self.session, method, params);
        reply.unwrap_or_else(|fault| panic!("{method}: {fault}; faults: {:#?}", self.faults()))
    }

    /// Waits until `seen` finds a value in the page's log.
    fn wait_for_log<T>(&self, what: &str, mut seen: impl FnMut(&mut PageLog) -> Option<T>) -> T {
        let found = self
            .context
            .browser
            .connection
            .wait(|state| seen(state.log_of(&self.session)?));
        found.unwrap_or_else(|fault| {
            panic!("waited for: {what}; {fault}; faults: {:#?}", self.faults())
        })
    }

    /// Evaluates a JavaScript expression; awaits a promise.
    ///
    /// # Panics
    /// If the expression throws.
    pub fn eval(&self, js: &str) -> Value {
        let value = self.try_eval(js);
        value.unwrap_or_else(|fault| panic!("{js}: {fault}"))
    }

    fn try_eval(&self, js: &str) -> Result<Value, String> {
        let params = json!({ "expression": js, "awaitPromise": true, "returnByValue": true });
        let connection = &self.context.browser.connection;
        let mut reply = connection.call(&self.session, "Runtime.evaluate", params)?;
        match &reply["exceptionDetails"] {
            Value::Null => Ok(reply["result"]["value"].take()),
            details => Err(exception(details)),
        }
    }

    /// Waits until a JavaScript expression is truthy and throws nothing; returns its value.
    ///
    /// # Panics
    /// If the time runs out.
    pub fn wait_for(&self, js: &str) -> Value {
        let truth = format!("Promise.resolve(({js})).then((value) => value || null)");
        let deadline = Instant::now() + MAX_WAIT;
        let mut pause = MIN_POLL;
        loop {
            let seen = self.try_eval(&truth);
            match seen {
                Ok(value) if !value.is_null() => return value,
                seen if Instant::now() > deadline => panic!(
                    "waited for: {js}; it is {seen:?}; faults: {:#?}",
                    self.faults()
                ),
                _ => thread::sleep(pause),
            }
            pause = (2 * pause).min(MAX_POLL);
        }
    }

    /// Returns the visible text of the first element of a selector.
    pub fn text(&self, css: &str) -> String {
        text_of(&self.eval(&format!("document.querySelector({}).innerText", json!(css))))
    }

    /// Tests if an element matches the selector.
    pub fn exists(&self, css: &str) -> bool {
        self.count(css) > 0
    }

    /// Returns the number of elements that match the selector.
    pub fn count(&self, css: &str) -> usize {
        let count = self.eval(&format!("document.querySelectorAll({}).length", json!(css)));
        count.as_u64().expect("a number") as usize
    }

    /// Reloads the page, and waits until it has loaded.
    pub fn reload(&self) {
        let before = self.wait_for_log("a page", |seen| Some(seen.loaded.clone()));
        self.command("Page.reload", json!({}));
        self.wait_for_log("the page loads again", |seen| {
            (seen.loaded != before).then_some(())
        });
    }

    /// Changes the hash of the address, as a link within the page does.
    pub fn set_hash(&self, hash: &str) {
        self.eval(&format!("location.hash = {}", json!(hash)));
    }

    /// Returns the current window.
    pub fn window(&self) -> Window {
        self.window.get()
    }

    /// Changes the window except its language.
    pub fn set_window(&self, window: Window) {
        self.window.set(window);
        let (width, height, touch) = (window.width, window.height, window.touch);
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch });
        self.command("Emulation.setDeviceMetricsOverride", metrics);
        let screen = json!({ "enabled": touch, "maxTouchPoints": 5 });
        self.command("Emulation.setTouchEmulationEnabled", screen);
        let feature = |name: &str, value: &str| json!({ "name": name, "value": value });
        let media = json!({
            "media": if window.print { "print" } else { "" },
            "features": [
                feature("prefers-color-scheme", if window.dark { "dark" } else { "light" }),
                feature("prefers-reduced-motion", if window.still { "reduce" } else { "no-preference" }),
            ],
        });
        self.command("Emulation.setEmulatedMedia", media);
    }

    /// Tests if the page is wider than its window. A phone shows such a page smaller.
    pub fn scrolls_sideways(&self) -> bool {
        let widths = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]";
        let widths = self.eval(widths);
        let [page, seen] = [0, 1].map(|at| widths[at].as_u64().expect("a number"));
        page > seen.min(self.window.get().width.into())
    }

    /// Waits until the page has saved a file `name`; returns its text. Each file is returned once.
    ///
    /// # Panics
    /// If the time runs out, or the file is not UTF-8.
    pub fn downloaded(&self, name: &str) -> String {
        let id = self.wait_for_log(&format!("the download {name}"), |seen| {
            let mut downloads = seen.downloads.iter();
            let at = downloads.position(|file| file.name == name && file.is_whole)?;
            Some(seen.downloads.remove(at).id)
        });
        fs::read_to_string(self.context.browser.downloads.path().join(id)).expect("a text")
    }

    /// Returns the faults of the page and its workers: console messages, warnings, exceptions, violations of its content
    /// security policy, and requests beyond its file.
    fn faults(&self) -> Vec<String> {
        let mut state = self.context.browser.connection.state();
        let log = state.log_of(&self.session);
        log.map(|seen| seen.faults.clone()).unwrap_or_default()
    }

    /// Returns and clears the faults, for tests that provoke faults.
    pub fn take_faults(&self) -> Vec<String> {
        // Waits for one task, so that pending events arrive.
        let _ = self.try_eval("new Promise((done) => setTimeout(done))");
        let mut state = self.context.browser.connection.state();
        let log = state.log_of(&self.session);
        log.map(|seen| std::mem::take(&mut seen.faults))
            .unwrap_or_default()
    }

    /// Waits for a fault that contains `part`; clears all faults.
    ///
    /// # Panics
    /// If the time runs out.
    pub fn expect_fault(&self, part: &str) {
        self.wait_for_log(&format!("a fault: {part}"), |seen| {
            let is_there = seen.faults.iter().any(|fault| fault.contains(part));
            is_there.then(|| seen.faults.clear())
        });
    }

    /// Checks that the page and its workers had no faults.
    ///
    /// # Panics
    /// If there are faults; lists them.
    pub fn assert_no_faults(&self) {
        let faults = self.take_faults();
        assert!(faults.is_empty(), "the page has faults: {faults:#?}");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let faults = self.take_faults();
        let connection = &self.context.browser.connection;
        let _ = connection.call("", "Target.closeTarget", json!({ "targetId": self.target }));
        connection.state().logs.remove(&self.session);
        if !thread::panicking() {
            assert!(faults.is_empty(), "the page has faults: {faults:#?}");
        }
    }
}
