//! Checks every screen in both languages and two widths: texts, accessible names, contrast, sizes, language and theme.

use super::play::begin;
use super::study::review_log;
use super::view::{SETTLED, click_move, square};
use super::{desktop, log, phone};
use crate::common::browser::{Page, Window};
use serde_json::json;

/// Lists missing texts, controls without a name, and texts in the wrong language.
const FAULTS: &str = r#"(() => {
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length);
    const text = document.body.innerText + shown("[aria-label]").map((element) => element.getAttribute("aria-label"));
    const holes = text.match(/.{0,30}(undefined|\bnull\b|NaN|\[object|\{\d\}).{0,30}/g) ?? [];
    const nameOf = (control) => control.getAttribute("aria-label") || [...control.labels ?? []].map((label) => label.innerText).join("")
        || (control.matches("button, a") ? control.textContent : "");
    const controls = shown("button, select, input, a, [role=slider], [role=grid], [role=group], [role=meter]");
    const nameless = controls.filter((control) => !nameOf(control).trim());
    const isChinese = document.documentElement.lang === "zh-CN";
    const words = shown("[data-text]").filter((element) => element.textContent.trim());
    const foreign = words.filter((element) => /\p{Script=Han}/u.test(element.textContent) !== isChinese);
    return [...holes, ...nameless.map((control) => "no name: " + control.outerHTML),
        ...foreign.map((element) => "another language: " + element.outerHTML)];
})()"#;

/// Lists texts with too little contrast by WCAG 2, level AA: 4.5:1, or 3:1 for large texts. Disabled elements are exempt.
const FAINT: &str = r#"(() => {
    const parse = (colour) => {
        const [r, g, b, a = 1] = colour.match(/\d[\d.e-]*/g).map(Number);
        return [...(colour.startsWith("color") ? [r, g, b].map((part) => 255 * part) : [r, g, b]), a];
    };
    const over = ([r, g, b, a], ground) => [r, g, b].map((part, at) => a * part + (1 - a) * ground[at]);
    const light = (colour) => {
        const [r, g, b] = colour.map((part) => part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = (element) => {
        if (!element) return [255, 255, 255];
        const own = parse(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own.slice(0, 3) : over(own, groundOf(element.parentElement));
    };
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length;
    const texts = document.evaluate("//body//text()[normalize-space()]", document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    const holders = new Set([...document.querySelectorAll("select, input")]);
    for (let at = 0; at < texts.snapshotLength; at++) holders.add(texts.snapshotItem(at).parentElement);
    return [...holders].flatMap((element) => {
        if (!isShown(element) || element.closest(":disabled, option, noscript, script")) return [];
        const style = getComputedStyle(element), ground = groundOf(element);
        const ink = parse(element instanceof SVGElement ? style.fill : style.color);
        for (let outer = element; outer; outer = outer.parentElement) ink[3] *= Number(getComputedStyle(outer).opacity);
        const [bright, dim] = [light(over(ink, ground)), light(ground)].sort((a, b) => b - a);
        const [size, ratio] = [parseFloat(style.fontSize), (bright + 0.05) / (dim + 0.05)];
        const isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
        return ratio < (isLarge ? 3 : 4.5) ? [`${ratio.toFixed(2)}: ${element.cloneNode().outerHTML} ${element.textContent}`] : [];
    });
})()"#;

/// Lists touch targets smaller than 44 pixels. Squares of the board and buttons within a text are exempt.
const SMALL: &str = r#"[...document.querySelectorAll("button, select, input, summary, [role=slider]")].flatMap((element) => {
    const { width, height } = element.getBoundingClientRect();
    const isFree = element.closest('#squares, .inline, td.line, .variations');
    return element.checkVisibility() && width && !isFree && Math.min(width, height) < 43.9 ? [`${width}×${height}: ${element.cloneNode().outerHTML}`] : [];
})"#;

/// Lists elements that extend beyond the window's right edge.
const WIDE: &str = r#"[...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
    .map((element) => element.cloneNode().outerHTML)"#;

/// Checks the current screen in both languages, wide and narrow.
fn check(page: &Page, screen: &str) {
    for (language, tag) in [("zh", "zh-CN"), ("en", "en")] {
        page.click(&format!("[data-language={language}]"));
        assert_eq!(page.eval("document.documentElement.lang"), tag);
        for width in [390, 1280] {
            page.set_window(Window {
                width,
                touch: width == 390,
                dark: language == "zh",
                ..page.window()
            });
            page.eval(SETTLED);
            let place = format!("{screen}, {language}, {width}");
            assert!(!page.scrolls_sideways(), "{place}: {}", page.eval(WIDE));
            let small = if width == 390 { SMALL } else { "[]" };
            for faults in [FAULTS, FAINT, small] {
                assert_eq!(page.eval(faults), json!([]), "{place}");
            }
        }
    }
}

#[test]
fn every_screen_is_complete_in_both_languages() {
    let Some(page) = desktop() else { return };
    review_log(&page, "random_vs_random");
    page.click("#mistake-next");
    page.click("#thinks");
    page.click("#show-ownership");
    check(&page, "study");
    page.click("#last");
    check(&page, "the end of the game");
    page.click("#previous");
    page.click("#thinks");
    page.click("#lesson-start");
    check(&page, "lesson");
    page.click("#lesson-solution");
    check(&page, "solution");
    page.click("#lesson-quit");
    page.click("#editor-open");
    page.click("#editor-clear");
    check(&page, "editor");
    page.click("#editor-cancel");
    page.click("#tab-play");
    check(&page, "play");
    begin(&page, &[("#seat-white", "person")]);
    click_move(&page, "c1 c6 f6");
    page.click(&square("a6"));
    check(&page, "a game");
    page.click("#resign");
    page.click("#answer-yes");
    check(&page, "the end");
    page.click("#tab-rules");
    check(&page, "rules");
    page.click("#tab-study");
    let [first, second] = ["random_vs_random", "fault_crash"].map(log);
    let long = "a-name-without-a-place-to-break-it-that-is-longer-than-a-phone.json";
    page.drop_files(&[(long, &first), ("two.json", &second)]);
    for panel in ["games", "notes", "file", "book"] {
        page.click(&format!("#room-{panel}"));
        check(&page, panel);
    }
}

#[test]
fn page_starts_in_the_browsers_language() {
    let Some(first) = desktop() else { return };
    for (language, tag, other) in [
        ("zh-CN", "zh-CN", "en"),
        ("zh-TW", "zh-CN", "en"),
        ("en-GB", "en", "zh"),
        ("de-DE", "en", "zh"),
    ] {
        let window = Window {
            language,
            ..Window::DESKTOP
        };
        let page = first.open_fresh("", window);
        let shown = || page.eval("document.documentElement.lang");
        assert_eq!(shown(), tag, "{language}");
        page.click(&format!("[data-language={other}]"));
        page.reload();
        assert_ne!(shown(), tag);
    }
}

#[test]
fn colours_follow_the_preference_or_chosen_theme() {
    let Some(page) = phone() else { return };
    // Brightness of the background, and of white's part of the win bar, from 0 to 255.
    let ground = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])";
    let white = "Number(getComputedStyle(document.querySelector('#bar')).backgroundImage.match(/\\d+/g).at(-4))";
    for (prefers_dark, theme, is_dark) in [
        (false, "auto", false),
        (true, "auto", true),
        (true, "light", false),
        (false, "dark", true),
    ] {
        page.set_window(Window {
            dark: prefers_dark,
            ..page.window()
        });
        page.click("#look-open");
        page.click(&format!("#theme-{theme}"));
        page.click("#look .main");
        page.reload();
        let [ground, white] =
            [ground, white].map(|part| page.eval(part).as_i64().expect("a number"));
        assert_eq!(ground < 60, is_dark, "{theme}: {ground}");
        assert!(is_dark || ground > 200, "{theme}: {ground}");
        assert!(white > 200, "{theme}: {white}");
    }
}

#[test]
fn button_toggles_full_screen() {
    let Some(page) = desktop() else { return };
    for is_full in ["true", "false"] {
        page.click("#look-open");
        page.click("#full-screen");
        page.click("#look .main");
        page.wait_for(&format!(
            "Boolean(document.fullscreenElement) === {is_full}"
        ));
    }
}
