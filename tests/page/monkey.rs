//! A monkey at the page: clicks, keys, files, links, windows and languages at random, by a seed. Whatever it does, nothing
//! fails, what is shown is a position of a game, what is kept can be read again, and no reload shortens a game.
//!
//! `MONKEY_SECONDS=3600 cargo test monkey` runs it for an hour, seed after seed from `MONKEY_SEED` on.

use super::seen::{cells, listed, text};
use super::{built, desktop, log};
use crate::common::browser::{Page, Window};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use std::env;
use std::thread;
use std::time::{Duration, Instant};

/// Steps with one seed, and between two looks at everything.
const STEPS: usize = 150;
const BETWEEN: usize = 50;

/// Sizes of the window, and whether it is a touch screen.
const SIZES: [(u32, u32, bool); 4] = [
    (1280, 720, false),
    (390, 844, true),
    (844, 390, true),
    (1920, 1080, false),
];

const KEYS: [&str; 16] = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "Enter",
    " ",
    "Escape",
    "Tab",
    "Shift+Tab",
    "?",
    "f",
    "Delete",
    "1",
    "Control+z",
];

/// What is pasted: games in several forms, with variations and comments, links, and what is none of these.
const PASTED: [&str; 9] = [
    "(;GM[18]SZ[8]PB[Anna]EV[cup];B[chccfc]C[so](;W[fafbeb])(;W[acaehe]C[or so]))",
    "1. c1-c6(f6) f8-f7(e7)",
    "g=CqtohB",
    "#g=CqtohB&p=1",
    "g=AA",
    "{}",
    "nothing of the kind",
    "(;GM[18",
    "",
];

/// Some control that can be used now, by a number: its middle. In an open dialog alone, if there is one.
const CONTROL: &str = r#"(number, css) => {
    const within = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
    const all = [...within.querySelectorAll(css)].filter((element) =>
        !element.disabled && element.getClientRects().length && !element.matches('#load, [id*=full]'));
    const element = all[number % all.length];
    if (!element) return null;
    element.scrollIntoView({ block: "nearest", behavior: "instant" });
    const box = element.getClientRects()[0];
    return [box.left + box.width / 2, box.top + box.height / 2, element.id || element.dataset.square || element.textContent];
}"#;

/// Some choice of some list, by two numbers. Bots that take long are left alone.
const CHOICE: &str = r#"(list, number) => {
    const within = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
    const all = [...within.querySelectorAll("select")].filter((element) => !element.disabled && element.getClientRects().length);
    const select = all[list % all.length];
    const choices = [...(select?.options ?? [])].filter(({ value }) => !/^(level-(9|1.)|time-.*)$/.test(value));
    if (!choices.length) return null;
    select.value = choices[number % choices.length].value;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
    return `${select.id} ${select.value}`;
}"#;

/// Whether the move that the page names is one that has just been made on the board that it shows.
const AGREES: &str = r#"(() => {
    const move = document.querySelector('#position').textContent.match(/\b([a-h][1-8]) ([a-h][1-8]) ([a-h][1-8])\b/);
    const cell = (name) => document.querySelector(`[data-square=${name}]`).getAttribute("aria-label");
    const isArrow = (label) => /arrow|箭/.test(label), isAmazon = (label) => /amazon|棋子/.test(label);
    const isChosen = document.querySelector('#squares [aria-selected=true]');
    return !move || Boolean(isChosen) || isAmazon(cell(move[2])) && isArrow(cell(move[3])) && !isAmazon(cell(move[1]));
})()"#;

struct Monkey {
    page: Page,
    random: SmallRng,
    seed: u64,
    /// Whether a record was pasted since the last look: it may be read at any time.
    reads: bool,
    /// Whether another window was used since the page was loaded: what is kept may be what was done there, as long as this
    /// window changes nothing.
    shares: bool,
    /// What it did.
    done: Vec<String>,
}

impl Monkey {
    fn step(&mut self) {
        let kind = self.random.random_range(0..100);
        let number: u32 = self.random.random();
        let page = &self.page;
        let did = match kind {
            0..35 => click(page, number, "button, input, [role=slider], summary"),
            35..60 => click(page, number, "#squares .may"),
            60..68 => page
                .eval(&format!("({CHOICE})({number}, {})", number >> 8))
                .to_string(),
            68..84 => self.key(),
            84..87 => self.paste(),
            87..89 => self.open_log(number),
            89..91 => self.resize(),
            91..93 => self.go(),
            93..95 => self.type_move(),
            95..97 => self.reload(),
            97..98 => self.use_another_window(number),
            _ => click(page, number, "[data-language], header button"),
        };
        self.done.push(format!("{kind} {did}"));
    }

    /// One of some things.
    fn one<T: Copy>(&mut self, those: &[T]) -> T {
        *those.choose(&mut self.random).expect("a choice")
    }

    fn key(&mut self) -> String {
        let key = self.one(&KEYS);
        self.page.key(key);
        format!("key {key}")
    }

    fn paste(&mut self) -> String {
        let pasted = self.one(&PASTED);
        self.page.paste(pasted);
        self.reads |= pasted.contains('(');
        format!("paste {pasted}")
    }

    fn open_log(&self, number: u32) -> String {
        let [one, two] = ["random_vs_random", "fault_crash"].map(log);
        let files = [("one.json", &*one), ("two.json", &*two)];
        let files = &files[..1 + number as usize % 2];
        self.page
            .eval("document.querySelector('#notice').textContent = ''");
        self.page.drop_files(files);
        // They are read now, whatever comes next.
        self.page
            .wait_for("document.querySelector('#notice').textContent");
        format!("drop {}", files.len())
    }

    fn resize(&mut self) -> String {
        let (width, height, touch) = self.one(&SIZES);
        self.page.set_window(Window {
            width,
            height,
            touch,
            dark: self.random.random(),
            ..self.page.window()
        });
        format!("resize {width}")
    }

    fn go(&mut self) -> String {
        let hash = self.one(&["", "#g=CqtohB", "#g=CqtohB&p=1", "#g=A", "#s=9", "#x"]);
        self.page.go(hash);
        format!("go {hash}")
    }

    fn type_move(&mut self) -> String {
        let typed = self.one(&["c1 c6 f6", "f8f7e7", "a1", "乱"]);
        let can = "document.querySelector('#typed').getClientRects().length > 0 && !document.querySelector('dialog[open]')";
        if self.page.eval(can) == true {
            self.page.eval("document.querySelector('#typed').focus()");
            self.page.type_text(&format!("{typed}\n"));
        }
        format!("type {typed}")
    }

    /// No reload shortens the game that is shown.
    fn reload(&mut self) -> String {
        let (tab, _, before) = seen(&self.page);
        self.page.reload();
        self.shares = false;
        let (tab_after, _, after) = seen(&self.page);
        let is_game = tab == tab_after && !["learn", "rules"].contains(&&*tab);
        assert!(
            !is_game || self.reads || after.len() >= before.len(),
            "the reload has shortened {tab}: {before:?}, now {after:?}"
        );
        "reload".to_owned()
    }

    fn use_another_window(&mut self, number: u32) -> String {
        let other = self.page.beside(built());
        for at in 0..4 {
            click(&other, number >> at, "#squares .may, #playing button");
        }
        self.shares = true;
        "another window".to_owned()
    }

    /// Looks at everything that must hold whatever was done.
    fn look(&mut self) {
        self.page.assert_quiet();
        // Nothing is pointed at: the board shows the position itself.
        self.page.eval("document.activeElement?.blur()");
        let away = json!({ "type": "mouseMoved", "x": 0, "y": 0 });
        self.page.command("Input.dispatchMouseEvent", away);
        self.page.wait_for(AGREES);
        // Whoever thinks comes to an end.
        self.page.wait_for(
            "!/thinks|思考中/.test(document.querySelector('#status:not([hidden])')?.textContent)",
        );
        // A new window reads what this one has kept, and shows the same, unless a third window has kept something later.
        self.page.eval("dispatchEvent(new Event('pagehide'))");
        let is_exercise = self
            .page
            .exists("#lesson:not([hidden]), #editor:not([hidden]), [aria-selected=true]");
        let (tab, shown, moves) = seen(&self.page);
        let other = self.page.beside(built());
        let notice = other.text("#notice");
        let is_sound = !notice.contains("does not fit") && !notice.contains("不符");
        assert!(is_sound, "{notice}");
        let reads = std::mem::take(&mut self.reads);
        if !self.shares && !is_exercise && !reads && !["learn", "rules"].contains(&&*tab) {
            let (other_tab, other_shown, kept) = seen(&other);
            assert_eq!(other_tab, tab);
            let is_longer = kept.len() > moves.len();
            let is_same = kept.len() == moves.len() && other_shown == shown;
            assert!(is_longer || is_same, "kept: {kept:?}, shown: {moves:?}");
        }
    }
}

/// Clicks some control, or nothing if there is none.
fn click(page: &Page, number: u32, css: &str) -> String {
    let place = page.eval(&format!("({CONTROL})({number}, {})", json!(css)));
    if let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) {
        page.click_at(x, y);
    }
    format!("click {}", place[2])
}

/// The tab, the board and the moves that a page shows.
fn seen(page: &Page) -> (String, String, Vec<String>) {
    let tab = text(page.eval("document.body.dataset.tab"));
    (tab, cells(page), listed(page))
}

impl Drop for Monkey {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!(
                "seed {}, after these steps:\n{}",
                self.seed,
                self.done.join("\n")
            );
        }
    }
}

/// A number from the environment.
fn number(name: &str, usual: u64) -> u64 {
    let said = env::var(name).ok();
    said.map_or(usual, |text| text.parse().expect("a number"))
}

#[test]
fn a_monkey_does_no_harm() {
    let Some(first) = desktop() else { return };
    let end = Instant::now() + Duration::from_secs(number("MONKEY_SECONDS", 0));
    for seed in number("MONKEY_SEED", 3).. {
        let mut monkey = Monkey {
            page: first.apart("", Window::DESKTOP),
            random: SmallRng::seed_from_u64(seed),
            seed,
            reads: false,
            shares: false,
            done: Vec::new(),
        };
        for step in 1..=STEPS {
            monkey.step();
            if step % BETWEEN == 0 {
                monkey.look();
            }
        }
        if Instant::now() >= end {
            return;
        }
    }
}
