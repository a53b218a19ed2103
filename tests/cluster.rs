//! Tests of `scripts/cluster`, the pipeline from self-play to trained networks: by GNU parallel, by simulated Slurm jobs, and
//! after killed steps.

use crate::common::{needs, succeeded};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Creates an empty folder for a test, replacing an old one, and returns its path.
fn fresh_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cluster_{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).expect("the folder can be made");
    path
}

/// Returns a command for a script of `scripts/cluster`, with settings for a tiny pipeline in `folder`. Stand-ins for Slurm's
/// programs come first in `PATH`.
fn script(name: &str, folder: &Path) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(root.join("scripts/cluster").join(name));
    let stand_ins = root.join("tests/cluster").display().to_string();
    let path = std::env::var("PATH").expect("a path");
    command.env("PATH", format!("{stand_ins}:{path}"));
    command.env("CHAIN_AMAZONS", env!("CARGO_BIN_EXE_amazons"));
    command.env("CHAIN_DIR", folder);
    for setting in [
        "GAMES=180",
        "ITERATIONS=20",
        "SHARDS=2",
        "EPOCHS=2",
        "THREADS=2",
        "MATCH_GAMES=4",
        "MATCH_ITERATIONS=20",
        "MATCH_SHARDS=2",
    ] {
        let (name, value) = setting.split_once('=').expect("a value");
        command.env(format!("CHAIN_{name}"), value);
    }
    command
}

fn run(name: &str, args: &[&str], folder: &Path) -> String {
    let output = script(name, folder).args(args).output();
    succeeded(&output.expect("the script runs")).to_owned()
}

fn run_steps(steps: &[&str], folder: &Path) {
    for step in steps {
        let words: Vec<&str> = step.split(' ').collect();
        run("step", &words, folder);
    }
}

/// Waits until `file`, which the running `script` writes, is no longer empty.
fn wait_for(file: &Path, script: &mut Child) {
    let is_there = || fs::metadata(file).is_ok_and(|file| file.len() > 0);
    while !is_there() {
        let ended = script.try_wait().expect("a child");
        assert!(ended.is_none() || is_there(), "{file:?} is not written");
        sleep(Duration::from_millis(1));
    }
}

/// Runs a step of the pipeline and kills it as soon as `file` in `folder` is no longer empty.
fn kill_once_there(words: &[&str], folder: &Path, file: &str) {
    let mut step = script("step", folder);
    let child = step.args(words).stdout(Stdio::null()).spawn();
    let mut child = child.expect("the step runs");
    wait_for(&folder.join(file), &mut child);
    child.kill().expect("a child of ours");
    child.wait().expect("it ends");
}

/// Reads the checksums of games and networks that a finished pipeline wrote into `checksums.txt`.
fn checksums(folder: &Path) -> String {
    let sums = fs::read_to_string(folder.join("checksums.txt")).expect("a whole chain");
    let names = sums.lines().filter_map(|line| line.split(' ').nth(2));
    assert!(names.eq(["games.bin", "value.txt", "policy.txt"]), "{sums}");
    sums
}

#[test]
fn killed_steps_lead_to_the_same_bytes() {
    if !needs::all_of(&["parallel"]) {
        return;
    }
    let [whole, killed] = ["whole", "killed"].map(fresh_folder);
    run("local", &[], &whole);
    run("step", &["prepare"], &killed);
    kill_once_there(&["play", "1"], &killed, "games1.bin");
    run_steps(&["play 1", "play 2", "merge"], &killed);
    kill_once_there(&["value"], &killed, "value.state");
    kill_once_there(&["policy"], &killed, "policy.state");
    run_steps(&["value", "policy", "match 1"], &killed);
    run("local", &[], &killed);
    assert_eq!(checksums(&killed), checksums(&whole));
    let score = |folder: &Path| {
        let report = run("step", &["report"], folder);
        let line = report.lines().find(|line| line.starts_with("new "));
        line.expect("a score").to_owned()
    };
    assert_eq!(score(&killed), score(&whole), "the match, too");
}

#[test]
fn slurm_jobs_depend_on_earlier_steps() {
    let (jobs, steps) = (fresh_folder("jobs"), fresh_folder("steps"));
    let told = run("slurm", &[], &jobs);
    assert!(told.starts_with("play 1, merge 2, value 3, policy 4, match 5, report 6:"));
    let after = fs::read_to_string(jobs.join("jobs")).expect("jobs");
    let after: Vec<&str> = after.lines().collect();
    let expected = [
        "amazons-play none",
        "amazons-merge 1",
        "amazons-value 2",
        "amazons-policy 2",
        "amazons-match 3:4",
        "amazons-report 5",
    ];
    assert_eq!(after, expected);
    run_steps(&["prepare", "play 1", "play 2", "merge"], &steps);
    run_steps(&["value", "policy", "match 1", "match 2", "report"], &steps);
    assert_eq!(checksums(&jobs), checksums(&steps));
    let log = fs::read_to_string(jobs.join("amazons-play2.log")).expect("a log of each task");
    assert!(log.contains("games2.bin: 90 games"), "{log}");
}

#[test]
fn job_near_its_time_limit_is_requeued() {
    let folder = fresh_folder("requeued");
    run("step", &["prepare"], &folder);
    let mut job = script("job", &folder);
    job.arg("play").process_group(0).stdout(Stdio::null());
    job.env("CHAIN_GAMES", "1000000");
    job.envs([("SLURM_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", "1")]);
    let mut job = job.spawn().expect("the job runs");
    wait_for(&folder.join("games1.bin"), &mut job);
    kill_process(Pid::from_child(&job), Signal::USR1).expect("it runs");
    assert!(!job.wait().expect("it ends").success());
    let asked = fs::read_to_string(folder.join("scontrol")).expect("asked");
    assert_eq!(asked, "requeue 7\n");
}
