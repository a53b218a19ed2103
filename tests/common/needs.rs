//! Programs that tests need besides Rust. If one is missing, the test is skipped with a message; in CI it fails.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns the first of several alternative programs that is installed; `None` if the test is to be skipped.
///
/// # Panics
/// In CI, if none is installed.
pub fn one_of(programs: &[&'static str]) -> Option<&'static str> {
    let found = programs.iter().find(|name| runs(name, &["--version"]));
    if found.is_none() {
        skip_test(&programs.join(" or "));
    }
    found.copied()
}

/// Tests if all the programs are installed; if not, the test is to be skipped.
///
/// # Panics
/// In CI, if one is missing.
pub fn all_of(programs: &[&'static str]) -> bool {
    programs.iter().all(|&name| one_of(&[name]).is_some())
}

/// Tests if Rust can build for a target; if not, the test is to be skipped.
///
/// # Panics
/// In CI, if Rust can't.
pub fn target(name: &str) -> bool {
    let is_there = has_target(name);
    if !is_there {
        skip_test(&format!("Rust's target {name}"));
    }
    is_there
}

/// Tests if Rust can build for a target.
pub fn has_target(name: &str) -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = output.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    root.is_ok_and(|root| Path::new(&root).join("lib/rustlib").join(name).is_dir())
}

/// Tests if a program is installed and succeeds.
pub fn runs(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    command.output().is_ok_and(|out| out.status.success())
}

/// Prints that this test is skipped, and why.
///
/// # Panics
/// In CI (the environment variable `CI` is set), because no test may be skipped there.
fn skip_test(need: &str) {
    print_skipped(need);
    assert!(std::env::var_os("CI").is_none(), "this test needs {need}");
}

/// Prints that this test is skipped, in CI too: for requirements that cannot be installed, such as a permission.
pub fn print_skipped(need: &str) {
    use std::io::Write;
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // The test harness would capture the output of `eprintln!`.
    let line = format!("\nLEFT OUT: {test} needs {need}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
