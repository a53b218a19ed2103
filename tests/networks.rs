//! Tests networks from files: the tools play with them, reject invalid files, and never mix games of different networks.

use crate::common::{fresh_file, fresh_path, output, printed, text, write_file};
use engine::eval::policy::{self, PolicyWeights};
use engine::eval::value;
use serde_json::Value;
use std::fs;
use std::path::Path;
use training::games;

/// Runs a tool that must reject its arguments. Returns the error message.
fn expect_rejection(args: &[&str]) -> String {
    let out = output(args, "");
    assert_eq!(out.status.code(), Some(2), "{args:?}");
    text(&out.stderr).to_owned()
}

/// Returns the text of a value network whose output weights are zero, so that it adds nothing to the evaluation.
fn simple_network() -> String {
    let mut weights = value::parse(value::WEIGHTS).expect("a network");
    for output in &mut weights.outputs {
        output.weights = [[0; 16]; value::OUTPUT_ROWS];
    }
    value::write("knows nothing", weights)
}

/// Returns the text of a policy network that prefers no move.
fn simple_order() -> String {
    policy::write("prefers nothing", PolicyWeights::zero())
}

/// Lets the engine play in the arena against itself with other `settings`. Returns the games' numbers and moves.
fn moves(settings: &str) -> Vec<(u64, Value)> {
    let b = format!("@b self:iterations=60{settings}");
    let games = ["--games", "4", "--json"];
    let out = printed(
        &[
            &["arena", "--a", "@a self:iterations=60", "--b", &b],
            &games[..],
        ]
        .concat(),
    );
    let lines = out.lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut games: Vec<(u64, Value)> = lines
        .filter_map(|line| Some((line["game"].as_u64()?, line["moves"].clone())))
        .collect();
    games.sort_by_key(|game| game.0);
    assert_eq!(games.len(), 4);
    games
}

#[test]
fn network_files_replace_the_compiled_in_networks() {
    let network = write_file("compiled_network.txt", value::WEIGHTS);
    let policy = write_file("compiled_order.txt", policy::WEIGHTS);
    let other_network = write_file("other_network.txt", simple_network());
    let other_order = write_file("other_order.txt", simple_order());
    let plain = moves("");
    assert_eq!(moves(&format!(",network={network},policy={policy}")), plain);
    let [with_network, with_policy] = [
        format!(",network={other_network}"),
        format!(",policy={other_order}"),
    ]
    .map(|with| moves(&with));
    assert_ne!(with_network, plain);
    assert_ne!(with_policy, plain);
    assert_ne!(with_network, with_policy);
}

#[test]
fn invalid_networks_are_rejected_before_the_first_game() {
    let out = &fresh_file("never_written");
    let cut = &value::WEIGHTS[..value::WEIGHTS.len() - 100];
    let damaged = write_file("damaged_network.txt", cut);
    let [network, policy] = [
        write_file("a_network.txt", value::WEIGHTS),
        write_file("an_order.txt", policy::WEIGHTS),
    ];
    for (tool, args) in [
        ("selfplay", &["--out", out][..]),
        ("spsa", &["--params", "lcb_width", "--out", out]),
        ("analyze", &["--moves", "c1 c6 f6", "--html", out]),
        ("review", &["--moves", "c1 c6 f6"]),
    ] {
        for (option, path, words) in [
            (
                "--network",
                &damaged,
                "what `amazons train` writes: the coded weights are cut",
            ),
            (
                "--network",
                &policy,
                "what `amazons train` writes: 0 phases: expected 8",
            ),
            (
                "--policy",
                &network,
                "what `amazons train policy` writes: ' ': expected",
            ),
        ] {
            let said = expect_rejection(&[&[tool], args, &[option, path]].concat());
            let expected = format!("{path}: expected {words}");
            assert!(said.contains(&expected), "{tool}: {said}");
            assert!(!Path::new(out).exists(), "{tool}");
            let key = option.trim_start_matches('-');
            let spec = format!("self:{key}={path}");
            let said = expect_rejection(&["arena", "--a", "self:", "--b", &spec, "--out", out]);
            assert!(said.contains(&expected), "{said}");
            assert!(!Path::new(out).exists(), "arena");
        }
    }
}

#[test]
fn selfplay_files_never_mix_networks() {
    let compiled = write_file(
        "selfplay_compiled.txt",
        format!("# mine\n{}", value::WEIGHTS),
    );
    let other = write_file("selfplay_other.txt", simple_network());
    let other_order = write_file("selfplay_other_order.txt", simple_order());
    let [plain, with] = ["plain_networks.bin", "with_network.bin"].map(fresh_path);
    let play = |out: &Path, games: u32, options: &[&str]| {
        let words = format!(
            "selfplay --iterations 20 --games {games} --out {}",
            out.display()
        );
        let words: Vec<&str> = words.split(' ').collect();
        output(&[&words[..], options].concat(), "")
    };
    assert!(play(&plain, 3, &[]).status.success());
    assert!(play(&with, 3, &["--network", &other]).status.success());
    let [compiled_games, other_games] =
        [&plain, &with].map(|path| games::read(path).expect("games"));
    assert_ne!(compiled_games.games, other_games.games);
    // The same weights continue the file; comments in the weights file don't matter.
    assert!(play(&plain, 4, &["--network", &compiled]).status.success());
    for (path, options, what) in [
        (&plain, &["--network", &other][..], "value"),
        (&plain, &["--policy", &other_order], "policy"),
        (&with, &[], "value"),
    ] {
        let before = fs::read(path).expect("there");
        let refused = play(path, 5, options);
        let said = text(&refused.stderr);
        assert!(
            said.contains(&format!("checksum of the {what} network: ")),
            "{said}"
        );
        assert_eq!(fs::read(path).expect("there"), before);
    }
    let merged = fresh_path("merged_networks.bin");
    let [plain, with, merged] = [&plain, &with, &merged].map(|path| path.to_str().expect("UTF-8"));
    let said = expect_rejection(&["selfplay", "merge", plain, with, "--out", merged]);
    assert!(said.contains("checksum of the value network: "), "{said}");
    assert!(!Path::new(merged).exists());
}

#[test]
fn changed_network_file_prevents_resuming_an_arena() {
    let candidate = write_file("candidate.txt", simple_network());
    let out = fresh_file("candidate.jsonl");
    let b = format!("self:iterations=10,network={candidate}");
    let run = |games, check: fn(&[&str]) -> String| {
        let words =
            format!("arena --a self:iterations=10 --b {b} --resume --out {out} --games {games}");
        check(&words.split(' ').collect::<Vec<_>>())
    };
    run("2", printed);
    run("4", printed);
    fs::write(&candidate, value::WEIGHTS).expect("written");
    let said = run("6", expect_rejection);
    assert!(said.contains(&format!("network={candidate} (")), "{said}");
}

#[test]
fn spsa_uses_and_prints_the_given_networks() {
    let [network, policy] = [
        write_file("spsa_network.txt", simple_network()),
        write_file("spsa_order.txt", simple_order()),
    ];
    let out = fresh_file("spsa_networks.jsonl");
    let line = "spsa --params lcb_width --pairs 2 --batch 1 --iterations 20 --out";
    let args: Vec<&str> = line.split(' ').chain([&*out]).collect();
    let networks = ["--network", &network, "--policy", &policy];
    let said = printed(&[&args[..], &networks].concat());
    let last = said.lines().last().expect("a player");
    let player = format!("self:iterations=20,network={network},policy={policy},lcb_width=");
    assert!(last.starts_with(&player), "{last}");
    let refused = expect_rejection(&[&args[..], &["--resume"]].concat());
    assert!(
        refused.contains(&format!("networks [\"network={network} (")),
        "{refused}"
    );
    printed(&[&args[..], &networks, &["--resume"]].concat());
}

#[test]
fn analysis_uses_the_given_network() {
    let network = write_file("analyze_network.txt", simple_network());
    let args = [
        "analyze",
        "--iterations",
        "100",
        "--json",
        "--moves",
        "c1 c6 f6",
    ];
    let plain = printed(&args);
    let analyze = |network: &str| printed(&[&args[..], &["--network", network]].concat());
    assert_ne!(analyze(&network), plain);
    let compiled = write_file("analyze_compiled.txt", value::WEIGHTS);
    assert_eq!(analyze(&compiled), plain);
}
