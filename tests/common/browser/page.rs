//! A page: it is opened, looked at, and asked.

use super::watch::{Record, exception};
use super::wire::watches;
use super::{Context, LONGEST_POLL, PATIENCE, POLL, address, text_of};
use serde_json::{Value, json};
use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// What a page is seen in, and the reader's preferences.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// A touch screen, as on a phone.
    pub touch: bool,
    /// The reader's language, such as "zh-CN". It can't be changed once a page is open.
    pub language: &'static str,
    /// Prefers dark colours.
    pub dark: bool,
    /// Prefers reduced motion.
    pub still: bool,
    /// Shows the page as it is printed.
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

/// An open page. When it is dropped it is closed, and fails the test if it has had faults.
pub struct Page {
    context: Arc<Context>,
    /// The address that was opened, without what followed it.
    address: String,
    /// The page's name for the browser.
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
        let record = Record {
            frame: target.clone(),
            ..Record::default()
        };
        let mut state = browser.wire.state();
        state.records.insert(session.clone(), record);
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

    /// Opens another page, which shares this one's storage, in the same window.
    pub fn beside(&self, path: &Path) -> Page {
        let context = Arc::clone(&self.context);
        Page::open(context, &address(path), "", self.window.get())
    }

    /// Opens this page once more, with another storage.
    pub fn apart(&self, rest: &str, window: Window) -> Page {
        self.context.browser.open(&self.address, rest, window)
    }

    /// Sets up the watch, the window and the language, before the page is there.
    fn prepare(&self) {
        self.command("Page.enable", json!({}));
        self.command("Inspector.enable", json!({}));
        self.command("Page.setLifecycleEventsEnabled", json!({ "enabled": true }));
        for (method, params) in watches() {
            self.command(method, params);
        }
        let language = self.window.get().language;
        let agent = json!({ "userAgent": self.context.browser.agent, "acceptLanguage": language });
        self.command("Emulation.setUserAgentOverride", agent);
        self.command("Emulation.setLocaleOverride", json!({ "locale": language }));
        self.command(
            "Emulation.setFocusEmulationEnabled",
            json!({ "enabled": true }),
        );
        self.set_window(self.window.get());
    }

    /// Goes to another page in the same window, and waits until it is there.
    pub fn visit(&self, path: &Path) {
        self.load(&address(path));
    }

    fn load(&self, url: &str) {
        let begun = self.command("Page.navigate", json!({ "url": url }));
        assert!(
            begun["errorText"].is_null(),
            "{url}: {}",
            begun["errorText"]
        );
        let document = text_of(&begun["loaderId"]);
        self.wait_record(&format!("{url} loads"), |seen| {
            (seen.loaded == document).then_some(())
        });
    }

    /// Sends a command of the DevTools protocol to the page; returns the reply.
    ///
    /// # Panics
    /// If Chromium does not carry it out.
    pub fn command(&self, method: &str, params: Value) -> Value {
        let reply = self
            .context
            .browser
            .wire
            .call(&self.session, method, params);
        reply.unwrap_or_else(|fault| panic!("{method}: {fault}; faults: {:#?}", self.faults()))
    }

    /// Waits until something can be seen in the page's record.
    fn wait_record<T>(&self, what: &str, mut seen: impl FnMut(&mut Record) -> Option<T>) -> T {
        let found = self
            .context
            .browser
            .wire
            .wait(|state| seen(state.record(&self.session)?));
        found.unwrap_or_else(|fault| {
            panic!("waited for: {what}; {fault}; faults: {:#?}", self.faults())
        })
    }

    /// Value of a JavaScript expression, or of what it promises.
    ///
    /// # Panics
    /// If it throws.
    pub fn eval(&self, js: &str) -> Value {
        let value = self.try_eval(js);
        value.unwrap_or_else(|fault| panic!("{js}: {fault}"))
    }

    fn try_eval(&self, js: &str) -> Result<Value, String> {
        let params = json!({ "expression": js, "awaitPromise": true, "returnByValue": true });
        let wire = &self.context.browser.wire;
        let mut reply = wire.call(&self.session, "Runtime.evaluate", params)?;
        match &reply["exceptionDetails"] {
            Value::Null => Ok(reply["result"]["value"].take()),
            details => Err(exception(details)),
        }
    }

    /// Waits until a JavaScript expression is truthy and throws nothing; returns its value.
    ///
    /// # Panics
    /// If that does not come to be.
    pub fn wait_for(&self, js: &str) -> Value {
        let truth = format!("Promise.resolve(({js})).then((value) => value || null)");
        let deadline = Instant::now() + PATIENCE;
        let mut pause = POLL;
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
            pause = (2 * pause).min(LONGEST_POLL);
        }
    }

    /// The text that a reader sees in the first element of a selector.
    pub fn text(&self, css: &str) -> String {
        text_of(&self.eval(&format!("document.querySelector({}).innerText", json!(css))))
    }

    /// Tests if an element is there.
    pub fn exists(&self, css: &str) -> bool {
        self.count(css) > 0
    }

    /// Number of elements.
    pub fn count(&self, css: &str) -> usize {
        let count = self.eval(&format!("document.querySelectorAll({}).length", json!(css)));
        count.as_u64().expect("a number") as usize
    }

    /// Loads the page again, and waits until that is done.
    pub fn reload(&self) {
        let before = self.wait_record("a page", |seen| Some(seen.loaded.clone()));
        self.command("Page.reload", json!({}));
        self.wait_record("the page loads again", |seen| {
            (seen.loaded != before).then_some(())
        });
    }

    /// Goes to another hash of the same page, as a link does.
    pub fn go(&self, hash: &str) {
        self.eval(&format!("location.hash = {}", json!(hash)));
    }

    /// The window as it is.
    pub fn window(&self) -> Window {
        self.window.get()
    }

    /// Changes the window, all but its language.
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

    /// Waits until the page has saved a file under a name; returns its text. Each file is returned once.
    ///
    /// # Panics
    /// If that does not come to be, or the file is not UTF-8.
    pub fn downloaded(&self, name: &str) -> String {
        let id = self.wait_record(&format!("the download {name}"), |seen| {
            let mut downloads = seen.downloads.iter();
            let at = downloads.position(|file| file.name == name && file.is_whole)?;
            Some(seen.downloads.remove(at).id)
        });
        fs::read_to_string(self.context.browser.downloads.path().join(id)).expect("a text")
    }

    /// What went wrong in the page and its workers since it was opened: messages, warnings, exceptions, violations of
    /// its policy, and requests that leave its file.
    fn faults(&self) -> Vec<String> {
        let mut state = self.context.browser.wire.state();
        let record = state.record(&self.session);
        record.map(|seen| seen.faults.clone()).unwrap_or_default()
    }

    /// The faults since the last call, which are then forgotten: for tests that provoke them.
    pub fn take_faults(&self) -> Vec<String> {
        // What the page has begun until now, it has then told.
        let _ = self.try_eval("new Promise((done) => setTimeout(done))");
        let mut state = self.context.browser.wire.state();
        let record = state.record(&self.session);
        record
            .map(|seen| std::mem::take(&mut seen.faults))
            .unwrap_or_default()
    }

    /// Waits for a fault with this in its text; forgets it and all others.
    ///
    /// # Panics
    /// If there is none.
    pub fn expect_fault(&self, part: &str) {
        self.wait_record(&format!("a fault: {part}"), |seen| {
            let is_there = seen.faults.iter().any(|fault| fault.contains(part));
            is_there.then(|| seen.faults.clear())
        });
    }

    /// Checks that nothing went wrong in the page and its workers.
    ///
    /// # Panics
    /// With everything that went wrong.
    pub fn assert_quiet(&self) {
        let faults = self.take_faults();
        assert!(faults.is_empty(), "the page has faults: {faults:#?}");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let faults = self.take_faults();
        let wire = &self.context.browser.wire;
        let _ = wire.call("", "Target.closeTarget", json!({ "targetId": self.target }));
        wire.state().records.remove(&self.session);
        if !thread::panicking() {
            assert!(faults.is_empty(), "the page has faults: {faults:#?}");
        }
    }
}
