//! Build script: sets the environment variable `AMAZONS_BUILD`, which the program reads at compile time, to the commit
//! and the target platform. `amazons --version` prints both.
//!
//! The program's source code alone could not find them out: only a build script is told the target and can run git.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    // `amazons --version` names no commit in a debug build: otherwise cargo would recompile the program and its tests
    // after every commit.
    let commit = match env::var("PROFILE").as_deref() {
        Ok("release") => current_commit(),
        _ => Some("debug build".to_owned()),
    };
    let commit = commit.unwrap_or_else(|| "unknown commit".to_owned());
    let target = env::var("TARGET").unwrap_or_else(|_| "unknown target".to_owned());
    println!("cargo::rustc-env=AMAZONS_BUILD={commit}, {target}");
}

/// Returns the first twelve hexadecimal digits of the hash of the checked-out commit. Ignores uncommitted changes.
/// Returns `None` if git fails, or if this folder is not the root of a git checkout with a reflog.
fn current_commit() -> Option<String> {
    // `git rev-parse --show-prefix` prints nothing if the current directory is the root of a checkout. If this folder
    // lies inside another project's checkout, git prints a path; the commit would be that project's.
    let is_root = git(&["rev-parse", "--show-prefix"])?.is_empty();
    // Git appends a line to the reflog (`logs/HEAD`) with every commit and checkout. Cargo reruns this script when the
    // reflog changes.
    let reflog = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    if !is_root || !Path::new(&reflog).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={reflog}");
    let commit = git(&["rev-parse", "HEAD"])?;
    commit.get(..12).map(str::to_owned)
}

/// Runs git with `arguments` and returns its trimmed output. Returns `None` if git is missing or fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    output
        .status
        .success()
        .then(|| answer.trim_end().to_owned())
}
