//! Tests of `amazons --version`, and of the build script that determines the commit.

use crate::common::{fresh_path, needs, output, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Returns the processor's vector extensions, as detected by Rust's standard library.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        let has_eight = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vpopcntdq");
        match (has_eight, is_x86_feature_detected!("avx2")) {
            (true, _) => "AVX-512",
            (false, true) => "AVX2",
            (false, false) => "no vectors",
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    match cfg!(target_arch = "aarch64") {
        true => "NEON",
        false => "no vectors",
    }
}

#[test]
fn version_prints_commit_target_and_vectors() {
    for word in ["--version", "-V"] {
        let shown = output(&[word], "");
        let line = text(&shown.stdout);
        let start = concat!("amazons ", env!("CARGO_PKG_VERSION"), " (");
        let rest = line.strip_prefix(start).expect(line);
        let parts: Vec<&str> = rest.trim_end_matches(")\n").split(", ").collect();
        let [commit, target, last] = parts[..] else {
            panic!("{line}")
        };
        assert!(!commit.is_empty(), "{line}");
        assert!(target.starts_with(std::env::consts::ARCH), "{line}");
        assert!(target.contains('-'), "{line}");
        assert_eq!(last, vectors(), "{line}");
    }
}

/// Runs git in `folder`, with a made-up author.
fn git(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=nobody", "-c", "user.email=nobody@example"]);
    command.args(["-c", "commit.gpgsign=false"]);
    let output = command.args(words).current_dir(folder).output();
    let output = output.expect("git is installed");
    assert!(output.status.success(), "{}", text(&output.stderr));
    output
}

#[test]
fn commit_is_known_only_in_own_checkout() {
    if !needs::all_of(&["git"]) {
        return;
    }
    let folder = fresh_path("version");
    let inner = folder.join("inner");
    fs::create_dir_all(&inner).expect("created");
    let script = folder.join("script");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/build.rs");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-o"]).arg(&script);
    let built = rustc.arg(source).output().expect("rustc is installed");
    assert!(built.status.success(), "{}", text(&built.stderr));
    // Runs the build script in a folder; returns the build's description and the files whose change repeats the build.
    let told = |folder: &Path, profile: &str| {
        let mut command = Command::new(&script);
        command.current_dir(folder);
        command.env("PROFILE", profile).env("TARGET", "here");
        let output = command.output().expect("the script runs");
        let lines = text(&output.stdout).lines();
        let build = lines
            .clone()
            .find_map(|line| line.strip_prefix("cargo::rustc-env=AMAZONS_BUILD="));
        let watched = lines.filter_map(|line| line.strip_prefix("cargo::rerun-if-changed="));
        let watched: Vec<String> = watched.map(str::to_owned).collect();
        (build.expect("a build").to_owned(), watched)
    };
    git(&folder, &["init", "--quiet"]);
    assert_eq!(told(&folder, "release").0, "unknown commit, here");
    for message in ["one", "two"] {
        git(
            &folder,
            &["commit", "--quiet", "--allow-empty", "-m", message],
        );
        let commit = git(&folder, &["rev-parse", "HEAD"]).stdout;
        let (build, watched) = told(&folder, "release");
        assert_eq!(build, format!("{}, here", &text(&commit)[..12]));
        // Cargo would repeat every build if one of these files did not exist.
        assert_eq!(watched.len(), 2, "{watched:?}");
        let journal = fs::read_to_string(folder.join(&watched[1])).expect("readable");
        assert!(journal.contains(text(&commit).trim_end()), "{journal}");
    }
    let alone = vec!["src/build.rs".to_owned()];
    let debug = ("debug build, here".to_owned(), alone.clone());
    assert_eq!(told(&folder, "debug"), debug);
    // A folder inside another project's checkout must not report that project's commit.
    let unknown = ("unknown commit, here".to_owned(), alone);
    assert_eq!(told(&inner, "release"), unknown);
}
