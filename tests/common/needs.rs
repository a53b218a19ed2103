//! What tests need that does not come with Rust. Where it is missing a test is left out, and says so; in CI it fails.

use std::path::Path;
use std::process::{Command, Stdio};

/// The first of some programs, any of which will do, that is installed; nothing if the test is to be left out.
///
/// # Panics
/// In CI, if none is.
pub fn one_of(programs: &[&'static str]) -> Option<&'static str> {
    let found = programs.iter().find(|name| runs(name, &["--version"]));
    if found.is_none() {
        leave_out(&programs.join(" or "));
    }
    found.copied()
}

/// Tests if all of some programs are installed; if not, the test is to be left out.
///
/// # Panics
/// In CI, if one is not.
pub fn all_of(programs: &[&'static str]) -> bool {
    programs.iter().all(|&name| one_of(&[name]).is_some())
}

/// Tests if Rust can build for a target; if not, the test is to be left out.
///
/// # Panics
/// In CI, if it can't.
pub fn target(name: &str) -> bool {
    let is_there = has_target(name);
    if !is_there {
        leave_out(&format!("Rust's target {name}"));
    }
    is_there
}

/// Tests if Rust can build for a target.
pub fn has_target(name: &str) -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = output.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    root.is_ok_and(|root| Path::new(&root).join("lib/rustlib").join(name).is_dir())
}

/// Tests if a program is there and succeeds.
pub fn runs(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    command.output().is_ok_and(|out| out.status.success())
}

/// Leaves this test out: says so, and why.
///
/// # Panics
/// In CI, where the environment variable `CI` is set: there no test is left out.
fn leave_out(need: &str) {
    say_left_out(need);
    assert!(std::env::var_os("CI").is_none(), "this test needs {need}");
}

/// Says that this test is left out, in CI too: for what nobody can install, such as a permission of the system.
pub fn say_left_out(need: &str) {
    use std::io::Write;
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Not by a macro, whose output the harness would keep to itself.
    let line = format!("\nLEFT OUT: {test} needs {need}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
