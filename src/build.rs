//! Before the program is compiled: what `amazons --version` says of the commit and the target, in `AMAZONS_BUILD`.
//!
//! Only a build script learns either. It stands here, with the rest of the code.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // What `cargo test` builds does not tell: it would be built anew after each commit.
    let commit = match env::var("PROFILE").as_deref() {
        Ok("release") => commit(),
        _ => Some("debug build".to_owned()),
    };
    let commit = commit.unwrap_or_else(|| "unknown commit".to_owned());
    let target = env::var("TARGET").unwrap_or_else(|_| "unknown target".to_owned());
    println!("cargo::rustc-env=AMAZONS_BUILD={commit}, {target}");
}

/// The first twelve digits of the commit, if this folder is the root of a checkout. Changes that are not committed are
/// not told.
fn commit() -> Option<String> {
    // Inside another project's checkout, its commit says nothing of this program.
    let is_root = git(&["rev-parse", "--show-prefix"])?.is_empty();
    // A line is added there when another commit is checked out or made.
    let journal = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if !is_root || !Path::new(&journal).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={journal}");
    let commit = git(&["rev-parse", "HEAD"])?;
    commit.get(..12).map(str::to_owned)
}

/// What git answers, if there is git and it knows.
fn git(question: &[&str]) -> Option<String> {
    let output = Command::new("git").args(question).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    output
        .status
        .success()
        .then(|| answer.trim_end().to_owned())
}
