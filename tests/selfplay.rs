//! Self-play: files of games that can be gone on with, shared among machines, and replayed.

use crate::common::{assert_refused, fresh_path};
use amazons::board::{Board, Move, Square};
use amazons::mcts::longest_fill;
use amazons::movegen;
use amazons::tools::training::games::{self, SelfPlayGame, Version};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn selfplay(file: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(["selfplay", "--out"]).arg(file).args(args);
    if !args.contains(&"--iterations") {
        command.args(["--iterations", "20"]);
    }
    command.output().expect("the program runs")
}

/// The games of a file by number.
fn games(file: &Path) -> Vec<SelfPlayGame> {
    let bytes = fs::read(file).expect("there");
    let content = games::parse(&bytes).expect("sound");
    assert_eq!(content.length, bytes.len(), "nothing is cut");
    let mut games = content.games;
    games.sort_by_key(|game| game.number);
    games
}

/// The games as older versions hold them.
fn without_shares(games: Vec<SelfPlayGame>) -> Vec<SelfPlayGame> {
    let games = games.into_iter();
    games.map(SelfPlayGame::without_shares).collect()
}

#[test]
fn games_are_legal_to_the_end_and_repeatable() {
    let [first, second] = ["first.bin", "second.bin"].map(fresh_path);
    for file in [&first, &second] {
        assert!(
            selfplay(
                file,
                &["--games", "12", "--min-plies", "1", "--max-plies", "6"]
            )
            .status
            .success()
        );
    }
    let played = games(&first);
    assert_eq!(played, games(&second), "the same seed, the same games");
    assert_eq!(played.len(), 12);
    for game in played {
        let mut board = Board::start();
        for (at, ply) in game.plies.iter().enumerate() {
            board.play(ply.turn).expect("legal");
            assert!(ply.win_probability == 0.0 || at >= usize::from(game.opening));
            assert!((0.0..=1.0).contains(&ply.win_probability));
            assert!(!ply.is_noise, "none was asked for");
        }
        assert_eq!(movegen::count(&board), 0, "the game is over");
        assert_eq!(game.winner, !board.to_move() as u8);
        assert!((1..=6).contains(&game.opening));
    }
}

/// A game with noise is the one without up to its first random move, and what the search saw before that.
#[test]
fn noise_comes_as_often_as_asked_for() {
    let [quiet, noisy, again] = ["quiet.bin", "noisy.bin", "noisy_again.bin"].map(fresh_path);
    let games_of = |file: &Path, args: &[&str]| {
        let args = [&["--games", "16"], args].concat();
        assert!(selfplay(file, &args).status.success());
        games(file)
    };
    let noise = ["--noise", "0.3", "--concurrency"];
    let played = games_of(&noisy, &[&noise[..], &["1"]].concat());
    let same = games_of(&again, &[&noise[..], &["5"]].concat());
    assert_eq!(played, same, "the same seed, the same noise");
    let (mut open, mut random) = (0, 0);
    for (game, quiet) in played.iter().zip(games_of(&quiet, &[])) {
        let first = game.plies.iter().position(|ply| ply.is_noise);
        let first = first.expect("noise in every game");
        assert_eq!(game.plies[..first], quiet.plies[..first]);
        let [noise, best] = [game, &quiet].map(|game| game.plies[first]);
        assert_eq!(noise.win_probability, best.win_probability);
        assert_ne!(noise.turn, best.turn);
        let mut board = Board::start();
        for (at, ply) in game.plies.iter().enumerate() {
            if ply.is_noise {
                assert!(at >= usize::from(game.opening) && longest_fill(&board).is_none());
                random += 1;
            }
            open += usize::from(ply.win_probability > 0.0 && ply.win_probability < 1.0);
            board.play(ply.turn).expect("legal");
        }
    }
    let share = f64::from(random) / open as f64;
    assert!((0.22..0.36).contains(&share), "{random} of {open}");
}

/// Where the winner is open, the move that is played is among the most visited.
#[test]
fn the_shares_of_a_ply_tell_what_was_searched() {
    let file = fresh_path("shares.bin");
    let args = ["--games", "8", "--iterations", "200", "--noise", "0.1"];
    assert!(selfplay(&file, &args).status.success());
    let (mut searched, mut told, mut told_arrows, mut noise) = (0, 0, 0, 0);
    for game in games(&file) {
        let mut board = Board::start();
        for (at, ply) in game.plies.iter().enumerate() {
            let Move { from, to, arrow } = ply.turn;
            let amazons: Vec<_> = ply.shares.amazon_moves(&board).collect();
            let arrows: Vec<_> = ply.shares.arrows().collect();
            assert!(amazons.is_sorted_by(|one, next| one.2 >= next.2));
            assert!(arrows.is_sorted_by(|one, next| one.1 >= next.1));
            if at < usize::from(game.opening) || longest_fill(&board).is_some() {
                assert!(ply.shares.is_empty());
            } else if ply.is_noise {
                noise += 1;
            } else if ply.win_probability > 0.0 && ply.win_probability < 1.0 {
                searched += 1;
                let played = |one: &(Square, Square, f32)| (one.0, one.1) == (from, to);
                told += u32::from(amazons.iter().any(played));
                told_arrows += u32::from(arrows.iter().any(|one| one.0 == arrow));
            }
            board.play(ply.turn).expect("legal");
        }
    }
    assert!(searched > 100 && noise > 5, "{searched} {noise}");
    // Others may have more visits that are known to lose by now.
    assert!(told >= searched - 2, "{told} of {searched}");
    assert!(told_arrows >= searched - 2, "{told_arrows} of {searched}");
}

#[test]
fn a_file_is_gone_on_with_and_shards_make_a_whole() {
    let [whole, resumed, shards] = ["whole.bin", "resumed.bin", "shards.bin"].map(fresh_path);
    assert!(selfplay(&whole, &["--games", "10"]).status.success());
    assert!(selfplay(&resumed, &["--games", "6"]).status.success());
    // A crash in the middle of a game.
    let bytes = fs::read(&resumed).expect("readable");
    fs::write(&resumed, &bytes[..bytes.len() - 9]).expect("writable");
    assert!(selfplay(&resumed, &["--games", "10"]).status.success());
    assert_eq!(games(&resumed), games(&whole));
    for shard in ["1/3", "2/3", "3/3"] {
        assert!(
            selfplay(&shards, &["--games", "10", "--shard", shard])
                .status
                .success()
        );
    }
    assert_eq!(games(&shards), games(&whole));
}

#[test]
fn faults_are_named() {
    let other = fresh_path("other.bin");
    fs::write(&other, "no games").expect("writable");
    let out = selfplay(&other, &["--games", "1"]);
    assert_refused(&out, &["other.bin: expected a file of self-play games"]);
    assert_eq!(
        fs::read(&other).expect("readable"),
        b"no games",
        "the file is left alone"
    );
    let out = selfplay(
        &fresh_path("none.bin"),
        &["--min-plies", "5", "--max-plies", "3"],
    );
    assert_refused(&out, &[]);
}

/// A file with three games; returns its bytes and where its games begin.
fn three(file: &Path) -> (Vec<u8>, Vec<usize>) {
    let out = selfplay(file, &["--games", "3", "--concurrency", "1"]);
    assert!(out.status.success());
    let bytes = fs::read(file).expect("there");
    let content = games::parse(&bytes).expect("sound");
    let mut begins = vec![bytes.len()];
    for game in content.games.iter().rev() {
        begins.push(begins[begins.len() - 1] - game.to_bytes(Version::NEWEST).len());
    }
    begins.reverse();
    (bytes, begins)
}

/// What the program says of a file with these bytes, which it leaves as they are.
fn complaint(file: &Path, bytes: &[u8], args: &[&str]) -> String {
    fs::write(file, bytes).expect("writable");
    let out = selfplay(file, args);
    let text = String::from_utf8(out.stderr).expect("UTF-8");
    assert_eq!(out.status.code(), Some(2), "{text}");
    assert_eq!(fs::read(file).expect("there"), bytes, "left alone");
    let name = file.file_name().expect("a name").to_str().expect("UTF-8");
    assert!(text.contains(name), "{text}");
    text
}

#[test]
fn no_changed_byte_goes_unseen() {
    let (bytes, begins) = three(&fresh_path("changed.bin"));
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            let error = games::parse(&bytes).expect_err("a changed byte");
            let entry = begins.iter().filter(|&&begin| begin <= at).count();
            if entry > 0 {
                assert!(
                    error.starts_with(&format!("entry {entry}: ")),
                    "{at}: {error}"
                );
            }
        }
    }
    for cut in 0..bytes.len() {
        let content = games::parse(&bytes[..cut]);
        match content {
            Ok(content) => {
                let whole = begins.iter().rfind(|&&begin| begin <= cut);
                assert_eq!(Some(&content.length), whole);
            }
            Err(error) => assert!(cut < begins[0], "{error}"),
        }
    }
}

/// A wrong game may have the right checksum: replaying finds it.
#[test]
fn games_that_can_not_be_are_found() {
    let file = fresh_path("wrong.bin");
    let (bytes, begins) = three(&file);
    let first = &games::parse(&bytes).expect("sound").games[0];
    let with = |change: &dyn Fn(&mut SelfPlayGame)| {
        let mut game = first.clone();
        change(&mut game);
        [
            &bytes[..begins[0]],
            &game.to_bytes(Version::NEWEST),
            &bytes[begins[1]..],
        ]
        .concat()
    };
    let number = first.number;
    for (wrong, words) in [
        (
            with(&|game| game.winner = 1 - game.winner),
            "expected winner",
        ),
        (with(&|game| game.winner = 7), "expected winner"),
        (
            with(&|game| game.plies.truncate(20)),
            "until there is none left",
        ),
        (
            with(&|game| game.plies[9].turn.arrow = game.plies[9].turn.to),
            "ply 9: ",
        ),
        (
            with(&|game| game.plies[9].is_noise = true),
            "expected no noise in this schedule",
        ),
        (
            with(&|game| game.number += 3),
            "the opening that comes from seed 1",
        ),
        (
            with(&|game| game.opening -= 1),
            "the opening that comes from seed 1",
        ),
        (
            [&bytes[..], &first.to_bytes(Version::NEWEST)].concat(),
            "is there a second time",
        ),
    ] {
        let complaint = complaint(&file, &wrong, &["--games", "3"]);
        assert!(complaint.contains(words), "{complaint}");
    }
    let number_and_ply = format!("entry 1: game {number}, ply 20: ");
    let Move { from, to, .. } = first.plies[20].turn;
    let [from, to] = [from, to].map(|square| square.index() as u8);
    for (byte, wrong, words) in [
        (0, from, "expected a legal move of an amazon"),
        (2 * 8, to, "an arrow on"),
        (2 * 7 + 1, 255, "expected the largest first"),
    ] {
        let mut game = first.to_bytes(Version::NEWEST);
        game[11 + 29 * 20 + 5 + byte] = wrong;
        let game = with_sum(&game[..game.len() - 4]);
        let wrong = [&bytes[..begins[0]], &game, &bytes[begins[1]..]].concat();
        let complaint = complaint(&file, &wrong, &["--games", "3"]);
        assert!(complaint.contains(&number_and_ply), "{complaint}");
        assert!(complaint.contains(words), "{complaint}");
    }
    let opening = with(&|game| game.plies[1].shares = game.plies[20].shares);
    let opening = complaint(&file, &opening, &["--games", "3"]);
    let words = format!("game {number}, ply 1: expected no shares in the opening");
    assert!(opening.contains(&words), "{opening}");
    let fewer = complaint(&file, &bytes, &["--games", "2"]);
    assert!(
        fewer.contains("game 2: expected numbers below 2"),
        "{fewer}"
    );
    assert!(bytes[begins[0]..].starts_with(&number.to_le_bytes()));
}

#[test]
fn another_schedule_is_refused_in_words() {
    let file = fresh_path("schedule.bin");
    let (bytes, _) = three(&file);
    for (args, words) in [
        (["--seed", "2"], "--seed 1 instead of 2"),
        (["--iterations", "21"], "--iterations 20 instead of 21"),
        (["--min-plies", "1"], "--min-plies 2 instead of 1"),
        (["--max-plies", "8"], "--max-plies 9 instead of 8"),
        (["--noise", "0.08"], "--noise 0 instead of 0.08"),
    ] {
        let complaint = complaint(&file, &bytes, &args);
        assert!(complaint.contains("of another schedule"), "{complaint}");
        assert!(complaint.contains(words), "{complaint}");
    }
}

/// The first version is read, by the fit for example, but not gone on with.
#[test]
fn the_first_version_is_still_read() {
    let file = fresh_path("first_version.bin");
    let (bytes, _) = three(&file);
    let games = games::parse(&bytes).expect("sound").games;
    let mut old = b"amazons\x01".to_vec();
    for game in &games {
        let game = game.to_bytes(Version(3));
        old.extend([&game[..7], &game[11..game.len() - 4]].concat());
    }
    let content = games::parse(&old).expect("sound");
    assert_eq!(content.version, Version(1));
    assert_eq!(content.schedule, None);
    assert_eq!(content.games, without_shares(games));
    let refused = complaint(&file, &old, &["--games", "5"]);
    assert!(refused.contains("is of version 1"), "{refused}");
    let (_, refused) = merge(&fresh_path("merged_first_version.bin"), &[&file], &[]);
    assert!(refused.contains("is of version 1"), "{refused}");
    // The winner of the first game is flipped.
    old[8 + 6] ^= 1;
    let error = games::parse(&old).expect_err("a flipped winner");
    assert!(error.contains("expected winner"), "{error}");
    let later = complaint(&file, b"amazons\x06", &[]);
    assert!(later.contains("version 6: expected 1 to 5"), "{later}");
}

/// The beginning of a file with its checksum.
fn with_sum(beginning: &[u8]) -> Vec<u8> {
    let sum = crc32fast::hash(beginning).to_le_bytes();
    [beginning, &sum].concat()
}

/// A file as an older version holds it; returns its bytes.
fn older(bytes: &[u8], version: Version) -> Vec<u8> {
    let games = games::parse(bytes).expect("sound").games;
    let fields = match version {
        Version(2) => 8..26,
        _ => 8..30,
    };
    let name = [&b"amazons"[..], &[version.0]].concat();
    let mut old = with_sum(&[&name, &bytes[fields]].concat());
    for game in games {
        let head = with_sum(&game.to_bytes(version)[..7]);
        let plies = game.to_bytes(Version::NEWEST);
        let plies = plies[11..plies.len() - 4].chunks(29);
        let plies: Vec<u8> = plies.flat_map(|ply| &ply[..5]).copied().collect();
        old.extend(with_sum(&[head, plies].concat()));
    }
    old
}

/// Files of older versions without noise or shares are gone on with and merged, and stay of their version.
#[test]
fn older_versions_are_still_written_to() {
    let whole = fresh_path("newest_version.bin");
    assert!(selfplay(&whole, &["--games", "8"]).status.success());
    for version in [Version(2), Version(3)] {
        let name = format!("version_{}.bin", version.0);
        let file = fresh_path(&name);
        let (bytes, begins) = three(&file);
        let old = older(&bytes, version);
        let content = games::parse(&old).expect("sound");
        assert_eq!((content.version, content.length), (version, old.len()));
        assert_eq!(content.schedule.map(|plan| plan.noise), Some(0.0));
        let refused = complaint(&file, &old, &["--games", "6", "--noise", "0.5"]);
        assert!(refused.contains("--noise 0 instead of 0.5"), "{refused}");
        assert!(selfplay(&file, &["--games", "6"]).status.success());
        assert!(fs::read(&file).expect("there").starts_with(&old));
        let mut played = games(&whole);
        assert_eq!(games(&file), without_shares(played[..6].to_vec()));
        // A new file is of the newest version. Shares come from whatever file has them.
        let merged = fresh_path(&format!("merged_{name}"));
        for files in [[&file, &whole], [&whole, &file]] {
            let _ = fs::remove_file(&merged);
            let files = files.map(PathBuf::as_path);
            let (code, said) = merge(&merged, &files, &["--games", "8"]);
            assert_eq!(code, Some(0), "{said}");
            let start = &bytes[..begins[0]];
            assert!(fs::read(&merged).expect("there").starts_with(start));
            assert_eq!(games(&merged), played);
        }
        let alone = fresh_path(&format!("alone_{name}"));
        assert_eq!(merge(&alone, &[&file], &["--games", "6"]).0, Some(0));
        assert_eq!(games(&alone), games(&file));
        // What a file holds stays as it is, and so does its version.
        assert_eq!(merge(&alone, &[&whole], &["--games", "8"]).0, Some(0));
        assert_eq!(games(&alone)[..6], games(&file));
        assert_eq!(games(&alone)[6..], played[6..]);
        assert_eq!(merge(&file, &[&whole], &["--games", "8"]).0, Some(0));
        assert!(fs::read(&file).expect("there").starts_with(&old));
        played = without_shares(played);
        assert_eq!(games(&file), played);
    }
}

#[test]
fn impossible_noise_is_refused() {
    let file = fresh_path("impossible.bin");
    let out = selfplay(&file, &["--noise", "1.01"]);
    assert_refused(&out, &["expected a number from 0 to 1"]);
    let (bytes, _) = three(&file);
    for noise in [1.5, -0.1, f32::NAN] {
        let beginning = with_sum(&[&bytes[..26], &noise.to_le_bytes(), &bytes[30..38]].concat());
        let refused = complaint(&file, &beginning, &[]);
        assert!(
            refused.contains("expected a number from 0 to 1"),
            "{refused}"
        );
    }
}

/// Plays a shard of ten games; returns its file.
fn shard(name: &str, shard: &str, args: &[&str]) -> PathBuf {
    let file = fresh_path(&format!("{name}_{}.bin", &shard[..1]));
    let out = selfplay(
        &file,
        &[&["--games", "10", "--shard", shard], args].concat(),
    );
    assert!(out.status.success());
    file
}

/// Merges files; returns the exit code and what is said.
fn merge(out: &Path, files: &[&Path], args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
    command.args(["selfplay", "merge"]).args(files).args(args);
    let done = command.arg("--out").arg(out).output().expect("runs");
    let said = [done.stdout, done.stderr].concat();
    (done.status.code(), String::from_utf8(said).expect("UTF-8"))
}

#[test]
fn merged_shards_are_the_file_of_one_run() {
    let [whole, merged] = ["all.bin", "merged.bin"].map(fresh_path);
    let played = selfplay(&whole, &["--games", "10", "--concurrency", "1"]);
    let shards = ["1/3", "2/3", "3/3"].map(|of| shard("part", of, &[]));
    let [first, second, third] = shards.each_ref().map(PathBuf::as_path);
    // A shard may be named twice, and the order does not matter.
    let (code, said) = merge(&merged, &[third, first, second, first], &["--games", "10"]);
    assert_eq!(code, Some(0), "{said}");
    let played = String::from_utf8(played.stdout).expect("UTF-8");
    let [played, said] = [&played, &said].map(|text| text.split_once(": ").expect("a name").1);
    assert_eq!(said, played, "the same words");
    assert_eq!(
        fs::read(&merged).expect("there"),
        fs::read(&whole).expect("there")
    );
    // The same seed gives the same bytes.
    let again = fresh_path("all_again.bin");
    assert!(
        selfplay(&again, &["--games", "10", "--concurrency", "1"])
            .status
            .success()
    );
    assert_eq!(
        fs::read(&again).expect("there"),
        fs::read(&whole).expect("there")
    );
    // Nothing is new the second time.
    assert_eq!(merge(&merged, &[&merged, second], &[]).0, Some(0));
    assert_eq!(
        fs::read(&merged).expect("there"),
        fs::read(&whole).expect("there")
    );
}

#[test]
fn missing_games_are_named_and_a_later_shard_fills_them() {
    let merged = fresh_path("filled.bin");
    let shards = ["1/3", "2/3", "3/3"].map(|of| shard("late", of, &[]));
    let [first, second, third] = shards.each_ref().map(PathBuf::as_path);
    let (code, said) = merge(&merged, &[first, third], &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("filled.bin: 7 games"), "{said}");
    let missing = "filled.bin: 3 of 10 games are missing: 1, 4, 7\n";
    assert!(said.ends_with(missing), "{said}");
    assert_eq!(games(&merged).len(), 7, "the others are merged");
    let (_, said) = merge(&merged, &[first], &["--games", "20"]);
    let missing = "13 of 20 games are missing: 1, 4, 7, 10, 11, 12, 13, 14, …\n";
    assert!(said.ends_with(missing), "{said}");
    assert_eq!(merge(&merged, &[second], &["--games", "10"]).0, Some(0));
    let numbers: Vec<u32> = games(&merged).iter().map(|game| game.number).collect();
    assert_eq!(numbers, (0..10).collect::<Vec<_>>());
}

#[test]
fn files_that_do_not_belong_together_are_not_merged() {
    let mine = shard("mine", "1/3", &[]);
    let other = shard("theirs", "2/3", &["--iterations", "21"]);
    let noisy = shard("noisy", "2/3", &["--noise", "0.25"]);
    let bytes = fs::read(&mine).expect("there");
    let mut changed = games(&mine);
    changed[1].plies[20].win_probability += 0.25;
    let start = &bytes[..bytes.len()
        - changed
            .iter()
            .map(|game| game.to_bytes(Version::NEWEST).len())
            .sum::<usize>()];
    let forged = fresh_path("forged.bin");
    let games = changed
        .iter()
        .flat_map(|game| game.to_bytes(Version::NEWEST));
    fs::write(
        &forged,
        start.iter().copied().chain(games).collect::<Vec<_>>(),
    )
    .expect("written");
    let nothing = fresh_path("nothing.bin");
    let letter = fresh_path("letter.bin");
    fs::write(&letter, "dear").expect("written");
    for (files, args, faults) in [
        (
            [&mine, &other],
            &[][..],
            &[
                "theirs_2.bin: games of another schedule than in",
                "mine_1.bin: --iterations 21 instead of 20",
            ][..],
        ),
        (
            [&mine, &noisy],
            &[],
            &[
                "noisy_2.bin: games of another schedule than in",
                "mine_1.bin: --noise 0.25 instead of 0",
            ],
        ),
        (
            [&mine, &forged],
            &[],
            &["mine_1.bin and", "forged.bin hold game 3 differently"],
        ),
        (
            [&mine, &mine],
            &["--games", "9"],
            &["mine_1.bin: game 9: expected numbers below 9"],
        ),
        (
            [&mine, &letter],
            &[],
            &["letter.bin: expected a file of self-play games"],
        ),
    ] {
        let (code, said) = merge(&nothing, &files.map(PathBuf::as_path), args);
        assert_eq!(code, Some(2), "{said}");
        assert!(faults.iter().all(|fault| said.contains(fault)), "{said}");
        assert!(!nothing.exists(), "nothing is written");
    }
    // What `--out` names is left alone if it holds anything else.
    for (out, fault) in [
        (&letter, "expected a file of self-play games"),
        (
            &other,
            "holds games of another schedule: --iterations 21 instead of 20",
        ),
        (&forged, "hold game 3 differently"),
    ] {
        let before = fs::read(out).expect("there");
        let (code, said) = merge(out, &[&mine], &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(fault), "{said}");
        assert_eq!(fs::read(out).expect("there"), before);
    }
}

/// A turn that would take hours is broken off, and nothing of its game is written.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_turn() {
    let file = fresh_path("interrupted.bin");
    let args = ["selfplay", "--games", "1", "--iterations", "1000000000000"];
    assert_eq!(crate::common::interrupt_once_there(&args, &file), Some(130));
    assert_eq!(games(&file), []);
}

#[test]
fn a_book_counts_the_moves_of_all_games_and_leads_through_legal_ones() {
    let (file, book) = (fresh_path("book.bin"), fresh_path("book.txt"));
    let done = selfplay(
        &file,
        &["--games", "12", "--min-plies", "0", "--max-plies", "0"],
    );
    assert!(done.status.success());
    let make = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amazons"));
        command
            .args(["selfplay", "book"])
            .arg(&file)
            .arg("--out")
            .arg(&book);
        command
            .args(["--plies", "3", "--iterations", "50"])
            .args(more);
        command.output().expect("the program runs")
    };
    assert!(make(&["--least", "1"]).status.success());
    let text = fs::read_to_string(&book).expect("written");
    let head = "# amazons book: 12 games of 20 iterations a move, win probabilities by 50";
    assert_eq!(text.lines().next(), Some(head));
    let mut boards = vec![Board::start()];
    let mut games = [0; 3];
    for line in text.lines().skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().expect("a number");
        let ply = number(0);
        boards.truncate(ply);
        let mut board = boards[ply - 1].clone();
        let turn: Move = words[1].parse().expect("a move");
        board.play(turn).expect("legal");
        boards.push(board);
        games[ply - 1] += number(2);
        assert!(number(3) <= 100, "{line}");
    }
    assert_eq!(games, [12; 3], "each game is in it once");
    // What few games have is left out.
    assert!(make(&["--least", "12"]).status.success());
    let common = fs::read_to_string(&book).expect("replaced");
    assert!(
        common
            .lines()
            .skip(1)
            .all(|line| line.split(' ').nth(2) == Some("12"))
    );
    fs::write(&book, "a letter").expect("writable");
    assert_refused(&make(&[]), &["is there and is not a book"]);
}
