//! The browser that the tests of pages use: what a person does reaches the page, and every kind of fault is seen.

use crate::common::browser::{Browser, Page, Window};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The page that all tests here visit.
fn small_page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/page.html")
}

/// Where a file of this test run lies.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser_{name}"))
}

/// Waits until the page has seen just this, and forgets it.
fn assert_sees(page: &Page, events: &[&str]) {
    page.wait_for(&format!("seen.length >= {}", events.len()));
    let seen = page.eval("seen.splice(0)");
    assert_eq!(seen, serde_json::json!(events));
}

#[test]
fn mouse_and_keys_reach_the_page() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "", Window::DESKTOP);
    page.click("#button");
    assert_sees(&page, &["up button mouse", "click button mouse true"]);
    page.click("#far");
    assert_sees(&page, &["up far mouse", "click far mouse true"]);
    page.drag("#from", "#to");
    assert_sees(&page, &["down from mouse", "up to mouse"]);
    assert!(page.eval("moves").as_u64() > Some(2), "the drag has a way");
    page.key("ArrowLeft");
    page.key("Control+z");
    page.key("Shift+Tab");
    let keys = [
        "key ArrowLeft ArrowLeft true",
        "key Control+z KeyZ true",
        "key Shift+Tab Tab true",
    ];
    assert_sees(&page, &keys);
    page.click("#field");
    page.type_text("a 1?");
    page.type_text("\u{4e9a}");
    page.paste(" pasted");
    page.wait_for("field.value === 'a 1?\u{4e9a} pasted'");
    page.key("Control+a");
    page.key("Backspace");
    page.wait_for("field.value === ''");
}

#[test]
fn fingers_reach_the_page() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "", Window::PHONE);
    page.tap("#button");
    assert_sees(&page, &["up button touch", "click button touch true"]);
    page.touch_drag("#from", "#to");
    assert_sees(&page, &["down from touch", "up to touch"]);
    let screen = "[navigator.maxTouchPoints, matchMedia('(pointer: coarse)').matches, innerWidth]";
    assert_eq!(page.eval(screen), serde_json::json!([5, true, 390]));
}

#[test]
fn files_go_in_and_out() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "", Window::DESKTOP);
    page.drop_file("#to", "game.json", "[1]");
    assert_sees(&page, &["drop game.json [1]"]);
    let refused = catch_unwind(AssertUnwindSafe(|| page.drop_file("#from", "a", "b")));
    assert!(refused.is_err(), "the page takes drops in one place only");
    let file = path("chosen.txt");
    fs::write(&file, "chosen").expect("the folder can be written");
    page.choose_file("#file", &file);
    assert_sees(&page, &["file browser_chosen.txt chosen"]);
    for text in ["first", "second"] {
        page.eval(&format!("save('log.txt', '{text}')"));
        assert_eq!(page.downloaded("log.txt"), text);
    }
}

/// What pages do wrong, and how it shows.
const FAULTS: [(&str, &str); 14] = [
    ("console.error('wrong', 1)", "console error: wrong 1"),
    ("console.warn('odd')", "console warning: odd"),
    ("console.assert(false, 'not so')", "console assert: not so"),
    ("setTimeout(() => missing())", "missing is not defined"),
    ("void Promise.reject(Error('no'))", "(in promise) Error: no"),
    (
        "void fetch('http://example.invalid/a').catch(() => 0)",
        "request: http://example.invalid/a",
    ),
    (
        "new Image().src = 'http://example.invalid/b'",
        "Content Security Policy",
    ),
    ("new Image().src = 'other.png'", "request: file:"),
    (
        "document.body.style.background = 'url(http://example.invalid/c)'",
        "Content Security Policy",
    ),
    ("void alert('hello')", "dialog: hello"),
    (
        "void open('http://example.invalid/d')",
        "new window: http://example.invalid/d",
    ),
    (
        "void work('console.error(`at work`)')",
        "console error: at work",
    ),
    ("void work('missing()')", "missing is not defined"),
    (
        "void work('fetch(`http://example.invalid/e`).catch(() => 0)')",
        "request: http://example.invalid/e",
    ),
];

#[test]
fn every_fault_is_seen() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "", Window::DESKTOP);
    page.assert_quiet();
    for (wrong, shown) in FAULTS {
        page.eval(wrong);
        page.expect_fault(shown);
    }
}

#[test]
fn a_fault_fails_the_visit() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let fails = |visit: &dyn Fn(&Page)| {
        let page = browser.open(&small_page(), "", Window::DESKTOP);
        catch_unwind(AssertUnwindSafe(move || {
            visit(&page);
            drop(page);
        }))
        .is_err()
    };
    assert!(!fails(&|page| page.click("#button")), "a quiet visit");
    assert!(fails(&|page| drop(page.eval("console.error('wrong')"))));
    let again = |page: &Page| {
        page.eval("console.error('wrong')");
        page.reload();
    };
    assert!(fails(&again), "a fault stays");
    assert!(fails(&|page| drop(page.eval("missing()"))));
    let crash = |page: &Page| drop(page.command("Page.crash", serde_json::json!({})));
    assert!(fails(&crash), "a crash ends the visit");
}

#[test]
fn storage_is_kept_and_shared_on_request_alone() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "#first", Window::DESKTOP);
    assert_eq!(page.eval("location.hash"), "#first");
    page.eval("localStorage.setItem('key', 'kept')");
    page.reload();
    assert_eq!(page.eval("localStorage.getItem('key')"), "kept");
    page.go("second");
    assert_eq!(page.eval("location.hash"), "#second");
    let beside = page.beside(&small_page(), "", Window::PHONE);
    beside.wait_for("localStorage.getItem('key') === 'kept'");
    let stranger = browser.open(&small_page(), "", Window::DESKTOP);
    assert_eq!(stranger.eval("localStorage.length"), 0);
}

#[test]
fn dialogs_are_answered() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "", Window::DESKTOP);
    for accept in [true, false] {
        page.accept_dialogs(accept);
        assert_eq!(page.eval("confirm('Sure?')"), accept);
        assert_eq!(page.take_dialogs(), ["Sure?"]);
    }
}

/// Width and height of a PNG, from its header.
fn size(picture: &Path) -> [u32; 2] {
    let bytes = fs::read(picture).expect("the picture is written");
    assert!(bytes.starts_with(b"\x89PNG"));
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes")))
}

#[test]
fn the_window_is_as_asked() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let chinese = Window {
        language: "zh-CN",
        dark: true,
        ..Window::PHONE
    };
    let page = browser.open(&small_page(), "", chinese);
    let language = "[navigator.language, Intl.NumberFormat().resolvedOptions().locale]";
    assert_eq!(page.eval(language), serde_json::json!(["zh-CN", "zh-CN"]));
    let matches = |media: &str| page.eval(&format!("matchMedia('({media})').matches")) == true;
    assert!(matches("prefers-color-scheme: dark") && !matches("prefers-reduced-motion"));
    page.set_window(Window {
        dark: false,
        still: true,
        print: true,
        ..page.window()
    });
    assert!(matches("prefers-color-scheme: light") && matches("prefers-reduced-motion"));
    assert_eq!(page.eval("matchMedia('print').matches"), true);
    page.set_window(chinese);
    let picture = path("window.png");
    page.screenshot(&picture, false);
    assert_eq!(size(&picture), [390, 844]);
    page.resize(500, 400);
    page.screenshot(&picture, false);
    assert_eq!(size(&picture), [500, 400]);
    page.screenshot(&picture, true);
    let [width, height] = size(&picture);
    assert!(width == 500 && height > 2000, "{width} x {height}");
    assert!(page.pdf().starts_with(b"%PDF"));
    for window in [chinese, Window::DESKTOP] {
        let page = browser.open(&small_page(), "", window);
        assert!(!page.scrolls_sideways());
        page.eval("from.style.width = '3000px'");
        assert!(page.scrolls_sideways());
    }
}

#[test]
fn elements_are_counted_and_read() {
    let Some(browser) = Browser::start() else {
        return;
    };
    let page = browser.open(&small_page(), "", Window::DESKTOP);
    assert_eq!(page.text("#to"), "drop here");
    assert_eq!(page.count("button"), 2);
    assert!(page.exists("#hidden") && !page.exists("#missing"));
}
