//! Build script: passes the commit and the target to `amazons --version`, in the variable `AMAZONS_BUILD`.
//!
//! Cargo tells the target only to build scripts, and only they can run git.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // Debug builds, such as those of `cargo test`, omit the commit; otherwise every commit would rebuild them.
    let commit = match env::var("PROFILE").as_deref() {
        Ok("release") => commit(),
        _ => Some("debug build".to_owned()),
    };
    let commit = commit.unwrap_or_else(|| "unknown commit".to_owned());
    let target = env::var("TARGET").unwrap_or_else(|_| "unknown target".to_owned());
    println!("cargo::rustc-env=AMAZONS_BUILD={commit}, {target}");
}

/// Returns the first twelve digits of the commit, if this folder is the root of a git checkout. Ignores uncommitted
/// changes.
fn commit() -> Option<String> {
    // If this folder is part of another project's checkout, the commit is that project's.
    let is_root = git(&["rev-parse", "--show-prefix"])?.is_empty();
    // Git appends a line to this file with every commit and checkout.
    let journal = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if !is_root || !Path::new(&journal).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={journal}");
    let commit = git(&["rev-parse", "HEAD"])?;
    commit.get(..12).map(str::to_owned)
}

/// Runs git and returns its output; `None` if git is missing or fails.
fn git(question: &[&str]) -> Option<String> {
    let output = Command::new("git").args(question).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    output
        .status
        .success()
        .then(|| answer.trim_end().to_owned())
}
