//! User input: mouse, touch, keyboard, clipboard and files.

use super::page::Page;
use super::text_of;
use serde_json::json;

/// Number of pointer events of a drag.
const DRAG_STEPS: u32 = 8;

/// Returns the centre of an element in the window; scrolls to the element if necessary. Throws if the element is disabled,
/// invisible, moving or covered.
const CENTRE: &str = r#"async (css) => {
    const element = document.querySelector(css);
    if (!element) throw Error("it is not there");
    if (element.matches(":disabled")) throw Error("it is disabled");
    const inside = (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
    const covered = ({ left, right, top, bottom }) => !element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    if (!inside(element.getBoundingClientRect()) || covered(element.getBoundingClientRect())) {
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

/// Dispatches drag and drop of files (pairs of name and text) onto the page.
const DROP: &str = r#"(files) => {
    const dataTransfer = new DataTransfer();
    files.forEach(([name, text]) => dataTransfer.items.add(new File([text], name)));
    const tell = (type) => document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    tell("dragenter");
    if (tell("dragover")) throw Error("the page takes no drops there");
    if (tell("drop")) throw Error("the page lets the browser open the file");
}"#;

/// Dispatches a paste event; returns true if the browser should insert the text at the focus.
const PASTE: &str = r#"(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
    return (document.activeElement ?? document.body).dispatchEvent(event);
}"#;

/// Selects a value of a `select` by events, because a native popup receives no input of the protocol.
const CHOOSE: &str = r#"(css, value) => {
    const select = document.querySelector(css);
    if (!select || select.disabled || !select.getClientRects().length) throw Error(css + " can't be used");
    if (![...select.options].some((option) => option.value === value)) throw Error(css + " has no choice " + value);
    select.focus();
    select.value = value;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
}"#;

/// Point in the window, in CSS pixels.
type Point = (f64, f64);

impl Page {
    /// Waits until an element can be clicked; returns its centre.
    fn centre(&self, css: &str) -> Point {
        let place = self.wait_for(&format!("({CENTRE})({})", json!(css)));
        let at = |axis: usize| place[axis].as_f64().expect("a number");
        (at(0), at(1))
    }

    /// Returns the centres of two elements.
    ///
    /// # Panics
    /// If the window can't show both elements at once.
    fn centres(&self, from: &str, to: &str) -> (Point, Point) {
        self.centre(to);
        let ends = (self.centre(from), self.centre(to));
        let again = self.centre(from);
        assert_eq!(again, ends.0, "{from} and {to} fit in the window");
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
        self.mouse("mouseMoved", self.centre(css), false);
    }

    /// Turns the mouse wheel over an element by `by` pixels; positive values scroll down.
    pub fn wheel(&self, css: &str, by: i32) {
        let (x, y) = self.centre(css);
        let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by });
        self.command("Input.dispatchMouseEvent", event);
    }

    /// Waits until an element is visible, enabled and not covered; clicks it.
    ///
    /// # Panics
    /// If the time runs out; gives the reason.
    pub fn click(&self, css: &str) {
        let (x, y) = self.centre(css);
        self.click_at(x, y);
    }

    /// Clicks at a point of the window, in CSS pixels.
    pub fn click_at(&self, x: f64, y: f64) {
        self.mouse("mouseMoved", (x, y), false);
        self.mouse("mousePressed", (x, y), true);
        self.mouse("mouseReleased", (x, y), true);
    }

    /// Drags with the mouse from one element to another.
    pub fn drag(&self, from: &str, to: &str) {
        let (start, end) = self.centres(from, to);
        self.mouse("mouseMoved", start, false);
        self.mouse("mousePressed", start, true);
        for place in drag_path(start, end) {
            self.mouse("mouseMoved", place, true);
        }
        self.mouse("mouseReleased", end, true);
    }

    /// Taps an element under the conditions of [`Page::click`]; the window must have `touch`.
    pub fn tap(&self, css: &str) {
        let place = self.centre(css);
        self.touch("touchStart", &[place]);
        self.touch("touchEnd", &[]);
    }

    /// Drags by touch from one element to another; the window must have `touch`.
    pub fn touch_drag(&self, from: &str, to: &str) {
        let (start, end) = self.centres(from, to);
        self.touch("touchStart", &[start]);
        for place in drag_path(start, end) {
            self.touch("touchMove", &[place]);
        }
        self.touch("touchEnd", &[]);
    }

    /// Presses a key by its name in `KeyboardEvent.key`, with modifiers: "ArrowLeft", "a", "Shift+Tab", "Control+z".
    ///
    /// # Panics
    /// If the key is unknown.
    pub fn key(&self, chord: &str) {
        let (held, key) = match chord.rsplit_once('+') {
            Some((held, key)) if !key.is_empty() => (held, key),
            _ => ("", chord),
        };
        let modifiers = held.split_terminator('+').map(modifier).sum::<u8>();
        let (number, text) = key_code(key);
        // With a modifier other than Shift, a key is a command and types no text.
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

    /// Types a text at the focus, key by key; characters without a key are inserted as by an input method.
    pub fn type_text(&self, text: &str) {
        for letter in text.chars() {
            match letter {
                '\n' => self.key("Enter"),
                ' '..='~' => self.key(&letter.to_string()),
                _ => drop(self.command("Input.insertText", json!({ "text": letter.to_string() }))),
            }
        }
    }

    /// Pastes a text at the focus.
    pub fn paste(&self, text: &str) {
        if self.eval(&format!("({PASTE})({})", json!(text))) == true {
            self.command("Input.insertText", json!({ "text": text }));
        }
    }

    /// Drops files, as pairs of name and text, onto the page.
    ///
    /// # Panics
    /// If the page does not accept the drop.
    pub fn drop_files(&self, files: &[(&str, &str)]) {
        self.eval(&format!("({DROP})({})", json!(files)));
    }

    /// Selects a value of a `select` and focuses it.
    ///
    /// # Panics
    /// If the `select` is invisible or disabled, or has no such value.
    pub fn choose(&self, css: &str, value: &str) {
        self.eval(&format!("({CHOOSE})({}, {})", json!(css), json!(value)));
    }

    /// Selects a file in a file input, which may be invisible.
    pub fn choose_file(&self, css: &str, path: &str) {
        let element = json!({ "expression": format!("document.querySelector({})", json!(css)) });
        let element = self.command("Runtime.evaluate", element);
        let object = text_of(&element["result"]["objectId"]);
        let chosen = json!({ "files": [path], "objectId": object });
        self.command("DOM.setFileInputFiles", chosen);
    }
}

/// Iterates over the points of a drag, without the start and with the end.
fn drag_path(start: Point, end: Point) -> impl Iterator<Item = Point> {
    (1..=DRAG_STEPS).map(move |step| {
        let part = f64::from(step) / f64::from(DRAG_STEPS);
        let between = |from: f64, to: f64| from + (to - from) * part;
        (between(start.0, end.0), between(start.1, end.1))
    })
}

const SHIFT: u8 = 8;

/// Returns the protocol's bit of a modifier key.
fn modifier(name: &str) -> u8 {
    match name {
        "Control" => 2,
        "Shift" => SHIFT,
        _ => panic!("no key to hold: {name}"),
    }
}

/// Returns a key's Windows virtual-key code, and the text that it types.
fn key_code(key: &str) -> (u32, &str) {
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
