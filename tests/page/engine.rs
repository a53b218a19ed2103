//! The engine of the page against the one of this build, and the page's scripts against the type checker.

use super::{desktop, source};
use crate::common::browser::Window;
use crate::common::needs;
use crate::common::printed;
use std::process::Command;

#[test]
fn page_engines_search_like_this_build() {
    let Some(first) = desktop() else { return };
    let native = printed(&["bench", "2000"]);
    let signature = native.lines().next().expect("a line");
    assert!(signature.starts_with("signature: "), "{native}");
    for hash in ["#bench=2000", "#bench=2000,plain"] {
        let page = first.apart(hash, Window::DESKTOP);
        page.wait_for("/^signature|stopped/.test(document.querySelector('#bench').textContent)");
        let shown = page.text("#bench");
        assert_eq!(shown.lines().next(), Some(signature), "{hash}: {shown}");
        assert_eq!(shown.lines().count(), 3);
    }
}

/// The checker and how it is had. The version is one that never changes.
const CHECKER: [&str; 4] = ["--yes", "--package", "typescript@5.9.3", "tsc"];

#[test]
fn the_scripts_pass_the_type_checker() {
    let checker = [&CHECKER[..], &["--version"]].concat();
    if !needs::runs("npx", &checker) {
        // Not each machine that checks a change has npm and its registry.
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
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    for name in ["main.js", "worker.js"] {
        assert!(told.contains(name), "{name} is checked: {told}");
    }
}
