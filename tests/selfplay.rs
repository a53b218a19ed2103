//! Tests of `amazons selfplay`: legal and repeatable games, noise, resumed and damaged files, merged shards, the opening book.
//! book.

use crate::common::{assert_rejected, fresh_path, output, succeeded, text};
use engine::board::{Board, Move, Square};
use engine::mcts::endgame::longest_fill;
use engine::movegen;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use training::games::{self, SelfPlayGame};

fn name(file: &Path) -> &str {
    file.to_str().expect("UTF-8")
}

/// Runs `amazons selfplay` with the options `words`, at 20 iterations per move unless `words` has `--iterations`.
fn selfplay(file: &Path, words: &str) -> Output {
    let mut args = vec!["selfplay", "--out", name(file)];
    if !words.contains("--iterations") {
        args.extend(["--iterations", "20"]);
    }
    args.extend(words.split_whitespace());
    output(&args, "")
}

/// Plays games with the options `words` into a new file called `name`. Returns the file's path.
fn played(name: &str, words: &str) -> PathBuf {
    let file = fresh_path(name);
    succeeded(&selfplay(&file, words));
    file
}

fn bytes(file: &Path) -> Vec<u8> {
    fs::read(file).expect("there")
}

/// Reads a complete file of games. Returns the games sorted by their numbers.
fn games(file: &Path) -> Vec<SelfPlayGame> {
    let bytes = bytes(file);
    let content = games::parse(&bytes).expect("sound");
    assert_eq!(content.complete_bytes, bytes.len(), "nothing is cut");
    let mut games = content.games;
    games.sort_by_key(|game| game.number);
    games
}

/// Replays a game and calls `visit` with the board before each ply and the ply's index. Returns the final board.
fn replay(game: &SelfPlayGame, mut visit: impl FnMut(&Board, usize)) -> Board {
    let mut board = Board::start();
    for (at, ply) in game.plies.iter().enumerate() {
        visit(&board, at);
        board.play(ply.turn).expect("legal");
    }
    board
}

#[test]
fn games_are_legal_complete_and_repeatable() {
    let words = "--games 12 --min-plies 1 --max-plies 6";
    let [first, second] = ["first.bin", "second.bin"].map(|name| games(&played(name, words)));
    assert_eq!(first, second, "the same seed, the same games");
    assert_eq!(first.len(), 12);
    for game in first {
        let end = replay(&game, |_, at| {
            let ply = &game.plies[at];
            assert!(ply.win_probability == 0.0 || at >= usize::from(game.opening_plies));
            assert!((0.0..=1.0).contains(&ply.win_probability));
            assert!(!ply.is_noise, "none was asked for");
        });
        assert_eq!(movegen::count(&end), 0, "the game is over");
        assert_eq!(game.winner, !end.to_move() as u8);
        assert!((1..=6).contains(&game.opening_plies));
    }
}

/// Up to its first random move, a game with noise equals the game of the same number without noise.
#[test]
fn noise_has_its_frequency_until_winner_is_proven() {
    let noise = "--games 16 --noise 0.3 --concurrency";
    let noisy = games(&played("noisy.bin", &format!("{noise} 1")));
    let again = games(&played("noisy_again.bin", &format!("{noise} 5")));
    assert_eq!(noisy, again, "the same seed, the same noise");
    let quiet = games(&played("quiet.bin", "--games 16"));
    let (mut open, mut random) = (0, 0);
    for (game, quiet) in noisy.iter().zip(&quiet) {
        let first = game.plies.iter().position(|ply| ply.is_noise);
        let first = first.expect("noise in every game");
        assert_eq!(game.plies[..first], quiet.plies[..first]);
        let [noise, best] = [game, quiet].map(|game| game.plies[first]);
        assert_eq!(noise.win_probability, best.win_probability);
        assert_ne!(noise.turn, best.turn);
        replay(game, |board, at| {
            let ply = &game.plies[at];
            // A win probability of 0 or 1 can also be a rounded one.
            let is_open = ply.win_probability > 0.0 && ply.win_probability < 1.0;
            if ply.is_noise {
                assert!(at >= usize::from(game.opening_plies));
                assert!(longest_fill(board).is_none());
                random += 1;
            }
            open += usize::from(is_open || ply.is_noise);
        });
    }
    let share = f64::from(random) / open as f64;
    assert!((0.22..0.36).contains(&share), "{random} of {open}");
}

/// As long as no winner is proven, the move that is played is among the most visited moves.
#[test]
fn visit_shares_contain_the_played_move() {
    let file = played("shares.bin", "--games 8 --iterations 200 --noise 0.1");
    let (mut searched, mut told, mut told_arrows, mut noise) = (0, 0, 0, 0);
    for game in games(&file) {
        replay(&game, |board, at| {
            let ply = &game.plies[at];
            let (Move { from, to, arrow }, shares) = (ply.turn, ply.shares);
            assert!(shares.amazons.is_sorted_by_key(|one| 255 - one[1]));
            assert!(shares.arrows.is_sorted_by_key(|one| 255 - one[1]));
            if at < usize::from(game.opening_plies) || longest_fill(board).is_some() {
                assert!(shares.is_empty());
            } else if ply.is_noise {
                noise += 1;
            } else if ply.win_probability > 0.0 && ply.win_probability < 1.0 {
                searched += 1;
                let mine = board.amazons(board.to_move()) & (from.bit() - 1);
                let amazon = mine.count_ones() as usize;
                let has = |entries: &[[u8; 2]], action: usize| {
                    let mut entries = entries.iter().filter(|one| one[1] > 0);
                    u32::from(entries.any(|one| usize::from(one[0]) == action))
                };
                told += has(&shares.amazons, 64 * amazon + to.index());
                told_arrows += has(&shares.arrows, arrow.index());
            }
        });
    }
    assert!(searched > 100 && noise > 5, "{searched} {noise}");
    // Moves that are now proven losses may have more visits than the move that is played.
    assert!(told >= searched - 2, "{told} of {searched}");
    assert!(told_arrows >= searched - 2, "{told_arrows} of {searched}");
}

#[test]
fn file_is_completed_after_a_crash() {
    let whole = played("whole.bin", "--games 10");
    let resumed = played("resumed.bin", "--games 6");
    // Cuts the file in the middle of a game, as a crash would.
    let there = bytes(&resumed);
    fs::write(&resumed, &there[..there.len() - 9]).expect("writable");
    assert!(selfplay(&resumed, "--games 10").status.success());
    assert_eq!(games(&resumed), games(&whole));
}

/// Runs self-play on a file with the bytes `content`, and checks that the file is rejected and unchanged. Returns the error
/// message.
fn expect_rejection(file: &Path, content: &[u8], words: &str) -> String {
    fs::write(file, content).expect("writable");
    let out = selfplay(file, words);
    assert_rejected(&out, &[]);
    assert_eq!(bytes(file), content, "left alone");
    text(&out.stderr).to_owned()
}

#[test]
fn error_messages_name_the_fault() {
    let file = fresh_path("other.bin");
    for (content, words, fault) in [
        (
            &b"no games"[..],
            "",
            "other.bin: expected a file of self-play games",
        ),
        (b"amazons\x04", "", "other.bin: version 4: expected 5"),
        (
            b"",
            "--min-plies 5 --max-plies 3",
            "no more than --max-plies",
        ),
        (b"", "--noise 1.01", "expected a number from 0 to 1"),
    ] {
        let said = expect_rejection(&file, content, words);
        assert!(said.contains(fault), "{said}");
    }
}

/// Plays three games into a file called `name`. Returns its bytes, and the offset of each game followed by the file's length.
fn play_three(name: &str) -> (Vec<u8>, Vec<usize>) {
    let bytes = bytes(&played(name, "--games 3 --concurrency 1"));
    let content = games::parse(&bytes).expect("sound");
    let mut begins = vec![bytes.len()];
    for game in content.games.iter().rev() {
        begins.push(begins[begins.len() - 1] - game.to_bytes().len());
    }
    begins.reverse();
    (bytes, begins)
}

#[test]
fn every_changed_or_missing_byte_is_detected() {
    let (bytes, begins) = play_three("changed.bin");
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            let error = games::parse(&bytes).expect_err("a changed byte");
            let entry = begins.iter().filter(|&&begin| begin <= at).count();
            let named = error.starts_with(&format!("entry {entry}: "));
            assert!(named || entry == 0, "{at}: {error}");
        }
    }
    for cut in 0..bytes.len() {
        match games::parse(&bytes[..cut]) {
            Ok(content) => {
                let whole = begins.iter().rfind(|&&begin| begin <= cut);
                assert_eq!(Some(&content.complete_bytes), whole);
            }
            Err(error) => assert!(cut < begins[0], "{error}"),
        }
    }
}

/// Illegal games with valid checksums are rejected by the replay.
#[test]
fn impossible_games_are_rejected() {
    type Change = fn(&mut SelfPlayGame);
    let (bytes, begins) = play_three("wrong.bin");
    let first = &games::parse(&bytes).expect("sound").games[0];
    let changes: [(Change, &str); 5] = [
        (|game| game.winner = 1 - game.winner, "expected an end that"),
        (|game| game.plies.truncate(20), "expected an end that"),
        (|game| game.plies.truncate(21), "expected an end that"),
        (
            |game| game.plies[9].turn.arrow = game.plies[9].turn.to,
            "ply 9: ",
        ),
        (|game| game.number = 1, "is there a second time"),
    ];
    let file = fresh_path("wrong.bin");
    for (change, words) in changes {
        let mut game = first.clone();
        change(&mut game);
        let wrong = [&bytes[..begins[0]], &game.to_bytes(), &bytes[begins[1]..]].concat();
        let said = expect_rejection(&file, &wrong, "--games 3");
        assert!(said.contains("entry ") && said.contains(words), "{said}");
    }
    let said = expect_rejection(&file, &bytes, "--games 2");
    assert!(said.contains("game 2: expected numbers below 2"), "{said}");
}

#[test]
fn message_names_difference_from_another_schedule() {
    let file = fresh_path("schedule.bin");
    let (bytes, _) = play_three("schedule.bin");
    for (words, difference) in [
        ("--seed 2", "seed 1 instead of 2"),
        ("--iterations 21", "iterations 20 instead of 21"),
        ("--min-plies 1", "min-plies 2 instead of 1"),
        ("--max-plies 8", "max-plies 9 instead of 8"),
        ("--noise 0.08", "noise 0.0 instead of 0.08"),
    ] {
        let said = expect_rejection(&file, &bytes, words);
        assert!(said.contains("of another schedule"), "{said}");
        assert!(said.contains(difference), "{said}");
    }
}

/// Plays ten games in three shards, each into its own file. Returns the paths of the files.
fn shards(name: &str) -> [PathBuf; 3] {
    [1, 2, 3].map(|shard| {
        let words = format!("--games 10 --shard {shard}/3");
        played(&format!("{name}_{shard}.bin"), &words)
    })
}

/// Merges `files` into `out` with the options `args`. Returns the exit code, and standard output followed by standard error.
fn merge(out: &Path, files: &[&Path], args: &[&str]) -> (Option<i32>, String) {
    let files: Vec<&str> = files.iter().map(|file| name(file)).collect();
    let words = [&["selfplay", "merge", "--out", name(out)], &files[..], args].concat();
    let done = output(&words, "");
    let said = [done.stdout, done.stderr].concat();
    (done.status.code(), text(&said).to_owned())
}

#[test]
fn merged_shards_equal_the_file_of_one_run() {
    let [whole, merged] = ["all.bin", "merged.bin"].map(fresh_path);
    let played = selfplay(&whole, "--games 10 --concurrency 1");
    let [first, second, third] = &shards("part");
    // The order of the shards does not matter, and naming a shard twice does no harm.
    let (code, said) = merge(&merged, &[third, first, second, first], &["--games", "10"]);
    assert_eq!(code, Some(0), "{said}");
    let [played, said] = [text(&played.stdout), &said].map(|text| text.split_once(": "));
    assert_eq!(
        said.expect("a name").1,
        played.expect("a name").1,
        "the same words"
    );
    assert_eq!(bytes(&merged), bytes(&whole));
    // Merging the result again changes nothing.
    assert_eq!(merge(&merged, &[&merged, second], &[]).0, Some(0));
    assert_eq!(bytes(&merged), bytes(&whole));
}

#[test]
fn missing_games_are_listed_and_merged_later() {
    let merged = fresh_path("filled.bin");
    let [first, second, third] = &shards("late");
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
fn files_of_other_schedules_or_games_are_rejected() {
    let mine = played("mine.bin", "--games 10 --shard 1/3");
    let other = played("theirs.bin", "--games 10 --shard 2/3 --iterations 21");
    let (content, mut changed) = (bytes(&mine), games(&mine));
    changed[1].plies[20].win_probability += 0.25;
    let changed: Vec<u8> = changed.iter().flat_map(SelfPlayGame::to_bytes).collect();
    let [nothing, letter, forged] = ["nothing.bin", "letter.bin", "forged.bin"].map(fresh_path);
    fs::write(&letter, "dear").expect("written");
    let start = &content[..content.len() - changed.len()];
    fs::write(&forged, [start, &changed].concat()).expect("written");
    let schedule = "holds games of another schedule: iterations 21 instead of 20";
    for (file, args, fault) in [
        (&other, &[][..], "mine.bin: iterations 21 instead of 20"),
        (&forged, &[], "forged.bin hold game 3 differently"),
        (
            &mine,
            &["--games", "9"],
            "mine.bin: game 9: expected numbers below 9",
        ),
        (
            &letter,
            &[],
            "letter.bin: expected a file of self-play games",
        ),
    ] {
        let (code, said) = merge(&nothing, &[&mine, file], args);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(fault), "{said}");
        assert!(!nothing.exists(), "nothing is written");
    }
    // The file given by `--out` stays unchanged if it holds other data or games of another schedule.
    for (out, fault) in [
        (&letter, "expected a file of self-play games"),
        (&other, schedule),
        (&forged, "hold game 3 differently"),
    ] {
        let before = bytes(out);
        let (code, said) = merge(out, &[&mine], &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(fault), "{said}");
        assert_eq!(bytes(out), before);
    }
}

/// Ctrl-C stops a search that would take hours, and the unfinished game is not written.
#[cfg(unix)]
#[test]
fn interrupt_stops_a_long_search() {
    let file = fresh_path("interrupted.bin");
    let args = ["selfplay", "--games", "1", "--iterations", "1000000000000"];
    assert_eq!(crate::common::interrupt_after_file(&args, &file), Some(130));
    assert_eq!(games(&file), []);
}

#[test]
fn book_has_legal_moves_and_counts_all_games() {
    let file = played(
        "book.bin",
        "--games 40 --min-plies 0 --max-plies 0 --noise 0.3",
    );
    let book = fresh_path("book.txt");
    let make = |least: &str| {
        let words = "--plies 3 --iterations 50 --least";
        let args = ["selfplay", "book", name(&file), "--out", name(&book)];
        let words: Vec<&str> = words.split(' ').chain([least]).collect();
        output(&[&args[..], &words].concat(), "")
    };
    assert!(make("1").status.success());
    let text = fs::read_to_string(&book).expect("written");
    let head = "# amazons book: 40 games of 20 iterations a move, win probabilities by 50";
    assert_eq!(text.lines().next(), Some(head));
    let mut boards = vec![Board::start()];
    let mut lines: HashSet<Vec<[Square; 3]>> = HashSet::new();
    // Moves from the start to the current row of the book, and the number of games of each of these moves.
    let (mut line, mut before): (Vec<Move>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut games = [0; 3];
    for row in text.lines().skip(1) {
        let words: Vec<&str> = row.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().expect("a number");
        let (ply, count) = (number(0), number(2));
        let least = before.get(ply - 1).copied().unwrap_or(40);
        assert!(count <= least, "{row}: the most played of siblings first");
        boards.truncate(ply);
        line.truncate(ply - 1);
        before.truncate(ply - 1);
        let mut board = boards[ply - 1].clone();
        let turn: Move = words[1].parse().expect("a move");
        board.play(turn).expect("legal");
        boards.push(board);
        line.push(turn);
        before.push(count);
        let image = line.iter().map(|turn| {
            let mirrored = |at: Square| Square::wrapping(at.index() as u32 ^ 7);
            [turn.from, turn.to, turn.arrow].map(mirrored)
        });
        assert!(
            !lines.contains(&image.collect::<Vec<_>>()),
            "an image is the same line"
        );
        lines.insert(
            line.iter()
                .map(|turn| [turn.from, turn.to, turn.arrow])
                .collect(),
        );
        games[ply - 1] += count;
        assert!(number(3) <= 100, "{row}");
    }
    assert_eq!(games, [40; 3], "each game is in it once");
    // With `--least 12`, moves of fewer than twelve games are left out.
    assert!(make("12").status.success());
    let common = fs::read_to_string(&book).expect("replaced");
    let counts = common.lines().skip(1).map(|row| row.split(' ').nth(2));
    let counts = counts.map(|count| count.expect("a number").parse::<usize>());
    assert!(counts.clone().count() > 0 && counts.flatten().all(|count| count >= 12));
    fs::write(&book, "a letter").expect("writable");
    assert_rejected(&make("2"), &["is there and is not a book"]);
}
