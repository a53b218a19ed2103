//! Monkey test: random clicks, keys, files, links, windows and languages, by seed. Afterwards the page has no faults, shows a
//! position of a game, and can read its saved state; no reload shortens a game.
//!
//! `MONKEY_SECONDS=3600 cargo test monkey` runs it for an hour, with consecutive seeds from `MONKEY_SEED`.

use super::view::{cells, listed_moves, text};
use super::{built, desktop, log};
use crate::common::browser::{Page, Window};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use serde_json::json;
use std::env;
use std::thread;
use std::time::{Duration, Instant};

/// Number of steps per seed, and between two checks.
const STEPS: usize = 150;
const CHECK_INTERVAL: usize = 50;

/// Widths and heights of the window in pixels, and whether it is a touch screen.
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

/// Texts to paste: games in several formats, with variations and comments, links, and invalid texts.
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

/// Returns the centre of a control that is enabled, chosen by `number`. If a dialog is open, only its controls count.
const CONTROL: &str = r#"(number, css) => {
    const within = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
    const all = [...within.querySelectorAll(css)].filter((element) =>
        !element.disabled && element.getClientRects().length && !element.matches('#load, #load-file, [id*=full]'));
    const element = all[number % all.length];
    if (!element) return null;
    element.scrollIntoView({ block: "nearest", behavior: "instant" });
    const box = element.getClientRects()[0];
    return [box.left + box.width / 2, box.top + box.height / 2, element.id || element.dataset.square || element.textContent];
}"#;

/// Selects an option of a list, both chosen by numbers. Slow bots are excluded.
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

/// Tests if the shown board agrees with the last move that the page names.
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
    /// Whether a record was pasted since the last check: the page may still be reading it.
    is_reading: bool,
    /// Whether another window was used since the page was loaded. The saved state may come from there until this window
    /// changes something.
    used_other_window: bool,
    /// Log of the steps so far.
    steps: Vec<String>,
}

impl Monkey {
    fn step(&mut self) {
        let kind = self.random.random_range(0..100);
        let number: u32 = self.random.random();
        let page = &self.page;
        let description = match kind {
            0..35 => click(page, number, "button, input, [role=slider], summary"),
            35..60 => click(page, number, "#squares .may"),
            60..68 => page
                .eval(&format!("({CHOICE})({number}, {})", number >> 8))
                .to_string(),
            68..84 => self.key(),
            84..87 => self.paste(),
            87..89 => self.open_log(number),
            89..91 => self.resize(),
            91..93 => self.follow_link(),
            93..95 => self.type_move(),
            95..97 => self.reload(),
            97..98 => self.use_another_window(number),
            _ => click(page, number, "[data-language], header button"),
        };
        self.steps.push(format!("{kind} {description}"));
    }

    /// Chooses a random item.
    fn choose<T: Copy>(&mut self, items: &[T]) -> T {
        *items.choose(&mut self.random).expect("a choice")
    }

    fn key(&mut self) -> String {
        let key = self.choose(&KEYS);
        self.page.key(key);
        format!("key {key}")
    }

    fn paste(&mut self) -> String {
        let pasted = self.choose(&PASTED);
        self.page.paste(pasted);
        self.is_reading |= pasted.contains('(');
        format!("paste {pasted}")
    }

    fn open_log(&self, number: u32) -> String {
        let [one, two] = ["random_vs_random", "fault_crash"].map(log);
        let files = [("one.json", &*one), ("two.json", &*two)];
        let files = &files[..1 + number as usize % 2];
        self.page
            .eval("document.querySelector('#notice').textContent = ''");
        self.page.drop_files(files);
        // Waits until the files are read, so that the next step can't interfere.
        self.page
            .wait_for("document.querySelector('#notice').textContent");
        format!("drop {}", files.len())
    }

    fn resize(&mut self) -> String {
        let (width, height, touch) = self.choose(&SIZES);
        self.page.set_window(Window {
            width,
            height,
            touch,
            dark: self.random.random(),
            ..self.page.window()
        });
        format!("resize {width}")
    }

    fn follow_link(&mut self) -> String {
        let hash = self.choose(&["", "#g=CqtohB", "#g=CqtohB&p=1", "#g=A", "#s=9", "#x"]);
        self.page.set_hash(hash);
        format!("go {hash}")
    }

    fn type_move(&mut self) -> String {
        let typed = self.choose(&["c1 c6 f6", "f8f7e7", "a1", "乱"]);
        let can = "document.querySelector('#typed').getClientRects().length > 0 && !document.querySelector('dialog[open]')";
        if self.page.eval(can) == true {
            self.page.eval("document.querySelector('#typed').focus()");
            self.page.type_text(&format!("{typed}\n"));
        }
        format!("type {typed}")
    }

    /// Reloads the page; checks that the shown game has not become shorter.
    fn reload(&mut self) -> String {
        let (tab, _, before) = shown_state(&self.page);
        self.page.reload();
        self.used_other_window = false;
        let (tab_after, _, after) = shown_state(&self.page);
        let is_game = tab == tab_after && !["learn", "rules"].contains(&&*tab);
        assert!(
            !is_game || self.is_reading || after.len() >= before.len(),
            "the reload has shortened {tab}: {before:?}, now {after:?}"
        );
        "reload".to_owned()
    }

    fn use_another_window(&mut self, number: u32) -> String {
        let other = self.page.open_sharing(built());
        for at in 0..4 {
            click(&other, number >> at, "#squares .may, #playing button");
        }
        self.used_other_window = true;
        "another window".to_owned()
    }

    /// Checks the invariants, which must hold after any steps.
    fn check_invariants(&mut self) {
        self.page.assert_no_faults();
        // Moves the pointer away, so that the board shows the position and no preview.
        self.page.eval("document.activeElement?.blur()");
        let away = json!({ "type": "mouseMoved", "x": 0, "y": 0 });
        self.page.command("Input.dispatchMouseEvent", away);
        self.page.wait_for(AGREES);
        // Waits until no bot is thinking.
        self.page.wait_for(
            "!/thinks|思考中/.test(document.querySelector('#status:not([hidden])')?.textContent)",
        );
        // A new window restores the saved state of this one, unless a third window has saved later.
        self.page.eval("dispatchEvent(new Event('pagehide'))");
        let is_exercise = self
            .page
            .exists("#lesson:not([hidden]), #editor:not([hidden]), [aria-selected=true]");
        let (tab, shown, moves) = shown_state(&self.page);
        let other = self.page.open_sharing(built());
        let notice = other.text("#notice");
        let is_valid = !notice.contains("does not fit") && !notice.contains("不符");
        assert!(is_valid, "{notice}");
        let was_reading = std::mem::take(&mut self.is_reading);
        if !self.used_other_window
            && !is_exercise
            && !was_reading
            && !["learn", "rules"].contains(&&*tab)
        {
            let (other_tab, other_shown, kept) = shown_state(&other);
            assert_eq!(other_tab, tab);
            let is_longer = kept.len() > moves.len();
            let is_same = kept.len() == moves.len() && other_shown == shown;
            assert!(is_longer || is_same, "kept: {kept:?}, shown: {moves:?}");
        }
    }
}

/// Clicks a control chosen by `number`; does nothing if there is none.
fn click(page: &Page, number: u32, css: &str) -> String {
    let place = page.eval(&format!("({CONTROL})({number}, {})", json!(css)));
    if let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) {
        page.click_at(x, y);
    }
    format!("click {}", place[2])
}

/// Returns the tab, the board and the moves that a page shows.
fn shown_state(page: &Page) -> (String, String, Vec<String>) {
    let tab = text(page.eval("document.body.dataset.tab"));
    (tab, cells(page), listed_moves(page))
}

impl Drop for Monkey {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!(
                "seed {}, after these steps:\n{}",
                self.seed,
                self.steps.join("\n")
            );
        }
    }
}

/// Reads a number from an environment variable; returns `default` if it is unset.
fn env_number(name: &str, default: u64) -> u64 {
    let value = env::var(name).ok();
    value.map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn monkey_finds_no_fault() {
    let Some(first) = desktop() else { return };
    let end = Instant::now() + Duration::from_secs(env_number("MONKEY_SECONDS", 0));
    for seed in env_number("MONKEY_SEED", 3).. {
        let mut monkey = Monkey {
            page: first.open_fresh("", Window::DESKTOP),
            random: SmallRng::seed_from_u64(seed),
            seed,
            is_reading: false,
            used_other_window: false,
            steps: Vec::new(),
        };
        for step in 1..=STEPS {
            monkey.step();
            if step % CHECK_INTERVAL == 0 {
                monkey.check_invariants();
            }
        }
        if Instant::now() >= end {
            return;
        }
    }
}
