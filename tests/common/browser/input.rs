//! What a person does with a page: mouse, finger, keys, and files brought along.

use super::page::Page;
use super::text_of;
use serde_json::json;

/// Steps of a drag between its ends.
const STEPS: u32 = 8;

/// The middle of an element in the window, once it stands still and nothing lies over it. It is scrolled into view if
/// it is not.
const MIDDLE: &str = r#"async (css) => {
    const element = document.querySelector(css);
    if (!element) throw Error("it is not there");
    if (element.matches(":disabled")) throw Error("it is disabled");
    const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    if (!inside(element.getBoundingClientRect())) {
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    }
    const place = () => {
        const box = element.getClientRects()[0];
        if (!box || !box.width || !box.height) throw Error("it can't be seen");
        return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const [x, y] = place();
    await new Promise(requestAnimationFrame);
    if (String(place()) !== String([x, y])) throw Error("it moves");
    const top = document.elementFromPoint(x, y);
    if (!element.contains(top)) throw Error("over it lies " + (top ? top.cloneNode().outerHTML : "nothing of the page"));
    return [x, y];
}"#;

/// Drops files, names and texts, on the page as a person does who drags them in from a folder.
const DROP: &str = r#"(files) => {
    const dataTransfer = new DataTransfer();
    files.forEach(([name, text]) => dataTransfer.items.add(new File([text], name)));
    const tell = (type) => document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    tell("dragenter");
    if (tell("dragover")) throw Error("the page takes no drops there");
    if (tell("drop")) throw Error("the page lets the browser open the file");
}"#;

/// Pastes a text; tells if the page leaves it to the browser to write the text where the keyboard points.
const PASTE: &str = r#"(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
    return (document.activeElement ?? document.body).dispatchEvent(event);
}"#;

/// Chooses in a list of choices, whose window of its own no event of the page reaches.
const CHOOSE: &str = r#"(css, value) => {
    const select = document.querySelector(css);
    if (!select || select.disabled || !select.getClientRects().length) throw Error(css + " can't be used");
    if (![...select.options].some((option) => option.value === value)) throw Error(css + " has no choice " + value);
    select.focus();
    select.value = value;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
}"#;

/// A place in the window, in CSS pixels.
type Point = (f64, f64);

impl Page {
    /// Waits until an element can be clicked; returns its middle.
    fn middle(&self, css: &str) -> Point {
        let place = self.wait_for(&format!("({MIDDLE})({})", json!(css)));
        let at = |axis: usize| place[axis].as_f64().expect("a number");
        (at(0), at(1))
    }

    /// The middles of two elements that are both in view.
    ///
    /// # Panics
    /// If the window is too small for both.
    fn middles(&self, from: &str, to: &str) -> (Point, Point) {
        self.middle(to);
        let ends = (self.middle(from), self.middle(to));
        assert_eq!(
            self.middle(from),
            ends.0,
            "{from} and {to} fit in the window"
        );
        ends
    }

    fn mouse(&self, kind: &str, (x, y): Point, is_held: bool) {
        let button = if is_held { "left" } else { "none" };
        let buttons = u8::from(is_held && kind != "mouseReleased");
        let clicks = u8::from(is_held && kind != "mouseMoved");
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": clicks });
        self.command("Input.dispatchMouseEvent", event);
    }

    fn touch(&self, kind: &str, points: &[Point]) {
        let points = points.iter().map(|(x, y)| json!({ "x": x, "y": y }));
        let event = json!({ "type": kind, "touchPoints": points.collect::<Vec<_>>() });
        self.command("Input.dispatchTouchEvent", event);
    }

    /// Moves the mouse over an element.
    pub fn hover(&self, css: &str) {
        self.mouse("mouseMoved", self.middle(css), false);
    }

    /// Turns the wheel over an element, down if `by` is positive.
    pub fn wheel(&self, css: &str, by: i32) {
        let (x, y) = self.middle(css);
        let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by });
        self.command("Input.dispatchMouseEvent", event);
    }

    /// Clicks an element, once it is there, enabled, and nothing lies over it.
    ///
    /// # Panics
    /// If that does not come to be, with the reason.
    pub fn click(&self, css: &str) {
        let (x, y) = self.middle(css);
        self.click_at(x, y);
    }

    /// Clicks at a place of the window, in CSS pixels, whatever is there.
    pub fn click_at(&self, x: f64, y: f64) {
        self.mouse("mouseMoved", (x, y), false);
        self.mouse("mousePressed", (x, y), true);
        self.mouse("mouseReleased", (x, y), true);
    }

    /// Drags with the mouse from one element to another.
    pub fn drag(&self, from: &str, to: &str) {
        let (start, end) = self.middles(from, to);
        self.mouse("mouseMoved", start, false);
        self.mouse("mousePressed", start, true);
        for place in way(start, end) {
            self.mouse("mouseMoved", place, true);
        }
        self.mouse("mouseReleased", end, true);
    }

    /// Taps an element with a finger, when a click would do; the window has `touch`.
    pub fn tap(&self, css: &str) {
        let place = self.middle(css);
        self.touch("touchStart", &[place]);
        self.touch("touchEnd", &[]);
    }

    /// Drags with a finger from one element to another; the window has `touch`.
    pub fn touch_drag(&self, from: &str, to: &str) {
        let (start, end) = self.middles(from, to);
        self.touch("touchStart", &[start]);
        for place in way(start, end) {
            self.touch("touchMove", &[place]);
        }
        self.touch("touchEnd", &[]);
    }

    /// Presses a key by its name in `KeyboardEvent.key`, with others held: "ArrowLeft", "a", "Shift+Tab", "Control+z".
    ///
    /// # Panics
    /// If there is no such key.
    pub fn key(&self, chord: &str) {
        let (held, key) = match chord.rsplit_once('+') {
            Some((held, key)) if !key.is_empty() => (held, key),
            _ => ("", chord),
        };
        let modifiers = held.split_terminator('+').map(modifier).sum::<u8>();
        let (number, text) = button(key);
        // Held keys but Shift make a command of a key, not a text.
        let text = if modifiers & !SHIFT == 0 { text } else { "" };
        let kind = if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        };
        let mut event = json!({
            "type": kind, "key": key, "windowsVirtualKeyCode": number, "modifiers": modifiers, "text": text,
        });
        self.command("Input.dispatchKeyEvent", event.clone());
        event["type"] = "keyUp".into();
        event["text"] = "".into();
        self.command("Input.dispatchKeyEvent", event);
    }

    /// Types a text where the keyboard points, key by key; what has no key is put in as an input method does.
    pub fn type_text(&self, text: &str) {
        for letter in text.chars() {
            match letter {
                '\n' => self.key("Enter"),
                ' '..='~' => self.key(&letter.to_string()),
                _ => drop(self.command("Input.insertText", json!({ "text": letter.to_string() }))),
            }
        }
    }

    /// Pastes a text where the keyboard points.
    pub fn paste(&self, text: &str) {
        if self.eval(&format!("({PASTE})({})", json!(text))) == true {
            self.command("Input.insertText", json!({ "text": text }));
        }
    }

    /// Drops files, each by its name and text, on the page at once.
    ///
    /// # Panics
    /// If the page takes no drops.
    pub fn drop_files(&self, files: &[(&str, &str)]) {
        self.eval(&format!("({DROP})({})", json!(files)));
    }

    /// Chooses a value in a `select`, which then has the keyboard's focus.
    ///
    /// # Panics
    /// If it can't be seen or used, or has no such value.
    pub fn choose(&self, css: &str, value: &str) {
        self.eval(&format!("({CHOOSE})({}, {})", json!(css), json!(value)));
    }

    /// Chooses a file in an input for files, which need not be visible.
    pub fn choose_file(&self, css: &str, path: &str) {
        let element = json!({ "expression": format!("document.querySelector({})", json!(css)) });
        let element = self.command("Runtime.evaluate", element);
        let object = text_of(&element["result"]["objectId"]);
        let chosen = json!({ "files": [path], "objectId": object });
        self.command("DOM.setFileInputFiles", chosen);
    }
}

/// The places on the way between two, with the last.
fn way(start: Point, end: Point) -> impl Iterator<Item = Point> {
    (1..=STEPS).map(move |step| {
        let part = f64::from(step) / f64::from(STEPS);
        let between = |from: f64, to: f64| from + (to - from) * part;
        (between(start.0, end.0), between(start.1, end.1))
    })
}

const SHIFT: u8 = 8;

/// The bit of a key that is held.
fn modifier(name: &str) -> u8 {
    match name {
        "Control" => 2,
        "Shift" => SHIFT,
        _ => panic!("no key to hold: {name}"),
    }
}

/// A key's number in Windows, and the text that it writes.
fn button(key: &str) -> (u32, &str) {
    match key {
        "Tab" => (9, ""),
        "Enter" => (13, "\r"),
        "Escape" => (27, ""),
        "End" => (35, ""),
        "Home" => (36, ""),
        "ArrowLeft" => (37, ""),
        "ArrowUp" => (38, ""),
        "ArrowRight" => (39, ""),
        "ArrowDown" => (40, ""),
        "Delete" => (46, ""),
        _ => {
            assert_eq!(key.chars().count(), 1, "no key: {key}");
            let letter = key
                .chars()
                .next()
                .filter(|it| it.is_alphanumeric() || *it == ' ');
            (letter.map_or(0, |it| it.to_ascii_uppercase().into()), key)
        }
    }
}
