//! Compares the page's engine with the native one, and type-checks the page's scripts.

use super::{desktop, source};
use crate::common::browser::Window;
use crate::common::needs;
use crate::common::printed;
use std::process::Command;

#[test]
fn both_page_engines_have_the_native_signature() {
    let Some(first) = desktop() else { return };
    let native = printed(&["bench", "2000"]);
    let signature = native.lines().next().expect("a line");
    assert!(signature.starts_with("signature: "), "{native}");
    for hash in ["#bench=2000", "#bench=2000,plain"] {
        let page = first.open_fresh(hash, Window::DESKTOP);
        page.wait_for("/^signature|stopped/.test(document.querySelector('#bench').textContent)");
        let shown = page.text("#bench");
        assert_eq!(shown.lines().next(), Some(signature), "{hash}: {shown}");
        assert_eq!(shown.lines().count(), 3);
    }
}

/// Arguments of `npx` that run the type checker, in a pinned version.
const CHECKER: [&str; 4] = ["--yes", "--package", "typescript@5.9.3", "tsc"];

#[test]
fn scripts_pass_the_type_checker() {
    let checker = [&CHECKER[..], &["--version"]].concat();
    if !needs::runs("npx", &checker) {
        // npm or its registry may be missing even in CI.
        needs::print_skipped(&format!("npx {}", checker.join(" ")));
        return;
    }
    let config = source("src/page/web/jsconfig.json");
    let mut command = Command::new("npx");
    command
        .args(CHECKER)
        .arg("--listFiles")
        .arg("-p")
        .arg(config);
    let output = command.output().expect("npx starts");
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output_text}");
    for name in ["main.js", "worker.js"] {
        assert!(
            output_text.contains(name),
            "{name} is checked: {output_text}"
        );
    }
}
