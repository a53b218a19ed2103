//! Tests of files, the clipboard and links: opening, saving and pasting games, several files at once, and invalid files.

use super::play::{OPENING, begin, begin_between};
use super::study::review_log;
use super::view::{
    self, all_texts, click_move, listed_moves, place_label, wait_for_hash, wait_for_moves,
};
use super::{desktop, log};
use crate::common::browser::{Page, Window};
use crate::common::write_file;
use encoding_rs::Encoding;
use engine::board::Board;
use engine::movegen;
use record::file::decode;
use record::formats::Format;
use record::tree::{Node, Record};
use serde_json::{Value, json};

fn wait_for_notice(page: &Page, parts: &[&str]) {
    page.wait_for(&format!(
        "{}.every((part) => document.querySelector('#notice').textContent.includes(part))",
        json!(parts)
    ));
}

/// Types a move into the move field.
fn type_move(page: &Page, turn: &str) {
    page.click("#typed");
    page.type_text(&format!("{turn}\n"));
}

#[test]
fn typed_variation_survives_saving_and_linking() {
    let Some(page) = desktop() else { return };
    let entries: Value = serde_json::from_str(&log("game_bot003_bot032")).expect("JSON");
    let named = json!({ "players": ["Anna", "Ben"], "log": entries }).to_string();
    page.choose_file("#file", &write_file("page_named.json", named));
    wait_for_notice(&page, &["page_named.json: 55 moves"]);
    assert_eq!(place_label(&page), "0 / 55");
    type_move(&page, "c1 c7 b7");
    let moves = listed_moves(&page);
    assert_eq!((moves.len(), place_label(&page)), (56, "1 / 1".to_owned()));
    page.click("#room-file");
    page.click("#save");
    let sgf = page.downloaded("page_named.sgf");
    let record = Record::read(&sgf).expect("a record");
    assert_eq!((record.game.plies(), record.nodes.len()), (55, 57));
    // A match log holds the main line with the platform's data; the page reports what the log leaves out.
    page.choose("#save-as", "log");
    page.click("#save");
    let saved: Value =
        serde_json::from_str(&page.downloaded("page_named.json")).expect("a match log");
    assert_eq!(saved["players"], json!({ "0": "Anna", "1": "Ben" }));
    assert_eq!(saved["log"], entries);
    wait_for_notice(&page, &["Saved is the line alone."]);
    let other = page.open_fresh("", Window::DESKTOP);
    other.paste(&sgf);
    wait_for_moves(&other, 56);
    assert_eq!(listed_moves(&other), moves);
    // A link to any host can be pasted, also into the move field.
    page.click("#copy");
    wait_for_notice(
        &page,
        &["All moves are in it.", "It begins with your own disk"],
    );
    let link = format!(
        "https://example.invalid/page{}",
        wait_for_hash(&page, "b=Anna")
    );
    let third = page.open_fresh("", Window::DESKTOP);
    third.click("#typed");
    third.paste(&link);
    assert_eq!(third.eval("document.querySelector('#typed').value"), link);
    third.key("Enter");
    wait_for_moves(&third, 56);
    third.set_hash("");
    third.eval("document.activeElement.blur()");
    third.paste(&link);
    wait_for_moves(&third, 56);
    assert_eq!(
        (listed_moves(&third), place_label(&third)),
        (moves, "1 / 1".to_owned())
    );
    third.paste("g=AA");
    wait_for_notice(&third, &["The link holds no game."]);
}

#[test]
fn long_link_drops_variations_and_reports_their_number() {
    let Some(page) = desktop() else { return };
    // All first moves and all replies to one of them, nearly two thousand moves. The last line is shown.
    let mut nodes = vec![Node::default()];
    let mut end = Board::start();
    for (at, first) in movegen::moves(&Board::start()).into_iter().enumerate() {
        let parent = nodes.len();
        nodes.push(Node::with_move(0, first));
        end = Board::start();
        end.play(first).expect("legal");
        if at == 0 {
            let answers = movegen::moves(&end).into_iter();
            nodes.extend(answers.map(|turn| Node::with_move(parent, turn)));
        }
    }
    let parent = nodes.len() - 1;
    nodes.push(Node::with_move(parent, movegen::moves(&end)[0]));
    let count = nodes.len() - 1;
    let record = Record::from_nodes(Board::start(), nodes).expect("legal");
    page.drop_files(&[("many.sgf", &Format::Sgf.write(&record).expect("any record"))]);
    wait_for_moves(&page, count);
    page.eval("[...document.querySelectorAll('#moves [data-node]')].at(-1).click()");
    let (shown, link) = (view::cells(&page), wait_for_hash(&page, "v="));
    assert!((7000..=8000).contains(&link.len()), "{}", link.len());
    page.click("#room-file");
    page.click("#copy");
    let other = page.open_fresh(&link, Window::DESKTOP);
    other.wait_for("document.querySelectorAll('#moves [data-node]').length > 1000");
    let left = count - listed_moves(&other).len();
    wait_for_notice(
        &page,
        &[&format!("{left} moves of variations found no room in it")],
    );
    assert_eq!(view::cells(&other), shown);
    assert_eq!(
        listed_moves(&other)[..2],
        listed_moves(&page)[..2],
        "the main line is first"
    );
}

#[test]
fn sgf_keeps_review_result_and_clocks() {
    let Some(page) = desktop() else { return };
    review_log(&page, "fault_crash");
    let shown = |page: &Page| {
        let texts = "['#outcome', '#review-results', '#bar-charts'].map((css) => document.querySelector(css).textContent)";
        (
            page.eval(texts),
            listed_moves(page),
            page.count("#moves .judged"),
        )
    };
    page.key("End");
    let seen = shown(&page);
    assert!(
        seen.0[0]
            .as_str()
            .is_some_and(|outcome| outcome.contains("crashed"))
    );
    page.click("#room-file");
    page.click("#save");
    let sgf = page.downloaded("fault_crash.sgf");
    page.reload();
    assert_eq!(shown(&page), seen, "after a reload");
    let other = page.open_fresh("", Window::DESKTOP);
    begin_between(&other, "person", "person");
    other.paste(&sgf);
    wait_for_moves(&other, 10);
    other.key("End");
    assert_eq!(shown(&other), seen, "in another browser");
    // Foreign properties with the page's names are kept unchanged.
    other.paste("(;GM[18]SZ[8]REVIEW[good]PLY[7\\]][{}];B[chccfc]MS[soon]AR[ch:cc])");
    wait_for_moves(&other, 1);
    other.click("#room-file");
    other.click("#save");
    let saved = Record::read(&other.downloaded("Game file.sgf")).expect("a record");
    let names = |at: usize| saved.nodes[at].properties.iter().map(|(name, _)| &**name);
    assert_eq!(names(0).collect::<Vec<_>>(), ["REVIEW", "PLY"]);
    assert_eq!(names(1).collect::<Vec<_>>(), ["MS", "AR"]);
    // A resigned game with a clock.
    other.click("#tab-play");
    begin(&other, &[("#limit", "5")]);
    OPENING.iter().for_each(|turn| click_move(&other, turn));
    other.eval("{ const now = performance.now.bind(performance); performance.now = () => now() + 60_000; }");
    other.click("#resign");
    other.click("#answer-yes");
    other.click("#save");
    let played = other.downloaded("amazons.sgf");
    assert!(
        played.contains("RE[B+R]") && played.contains("TM[300]"),
        "{played}"
    );
    let record = Record::read(&played).expect("a record");
    let spent = record.nodes[3]
        .text("SP")
        .and_then(|ms| ms.parse::<u32>().ok());
    assert!(spent >= Some(60_000), "{played}");
    page.paste(&played);
    wait_for_moves(&page, 3);
    assert_eq!(page.text("#outcome"), "Black won: White resigned");
}

#[test]
fn notes_are_in_files_links_and_undone() {
    let Some(page) = desktop() else { return };
    page.paste("(;SZ[8];B[chccfc];W[fafbeb])");
    wait_for_moves(&page, 2);
    page.click("#room-notes");
    page.click("#next");
    page.click("#note-text");
    page.type_text("Well\nplayed ]");
    page.click("#symbols button:first-child");
    page.click("#draw");
    page.click("[data-square=e5]");
    page.drag("[data-square=a1]", "[data-square=c3]");
    let noted = |page: &Page| {
        let marks = ["marked", "drawn"].map(|kind| page.count(&format!("#board .{kind}")));
        (all_texts(page, "#moves .remark, #moves b"), marks)
    };
    let seen = noted(&page);
    assert_eq!(seen.1, [1, 1]);
    assert_eq!(seen.0, ["!!", "Well\nplayed ]"]);
    let link = wait_for_hash(&page, "AR");
    page.click("#room-file");
    page.click("#save");
    let sgf = page.downloaded("Game file.sgf");
    for part in ["C[Well\nplayed \\]]", "TE[2]", "SQ[ed]", "AR[ah:cf]"] {
        assert!(sgf.contains(part), "{part}: {sgf}");
    }
    page.reload();
    assert_eq!(noted(&page), seen, "after a reload");
    let other = page.open_fresh(&link, Window::DESKTOP);
    assert_eq!(noted(&other), seen, "from the link");
    other.paste(&sgf);
    view::wait_for_place(&other, "0 / 2");
    other.key("ArrowRight");
    assert_eq!(noted(&other), seen, "from the file");
    // A link with damaged notes keeps its moves.
    let damaged = other.open_fresh("#g=CqtohB&n=[[1,\"PL\",\"x\"]]", Window::DESKTOP);
    assert!(damaged.text("#notice").contains("can’t be read"));
    assert_eq!(listed_moves(&damaged).len(), 2);
    other.click("#room-notes");
    other.click("#draw-clear");
    assert_eq!(other.count("#board .marked, #board .drawn"), 0);
    other.click("#undo-edit");
    assert_eq!(noted(&other), seen, "undone");
    other.click("#symbols button:first-child");
    assert_eq!(noted(&other).0.len(), 1, "the symbol is removed");
}

/// A game with a comment on the first move and a commented variation of the second move.
const SGF: &str =
    "(;GM[18]SZ[8]PB[张三]EV[cup]\n;B[chccfc]C[好 \\]\ntwo](;W[fafbeb])(;W[acaehe]C[or so]))";

#[test]
fn foreign_sgf_keeps_comments_and_variations() {
    let Some(page) = desktop() else { return };
    // Encodes the record as GBK, the character set of Chinese Windows.
    let mut bytes = Vec::new();
    for letter in SGF.chars() {
        match letter {
            '张' => bytes.extend([0xd5, 0xc5]),
            '三' => bytes.extend([0xc8, 0xfd]),
            '好' => bytes.extend([0xba, 0xc3]),
            letter => bytes.push(letter as u8),
        }
    }
    page.choose_file("#file", &write_file("page_record.sgf", bytes));
    wait_for_notice(&page, &["page_record.sgf: 2 moves"]);
    assert_eq!(page.text("#name-black"), "张三");
    assert!(page.exists("#comment[hidden]"));
    page.key("ArrowRight");
    page.wait_for("document.querySelector('#comment').textContent === '好 ]\\ntwo'");
    page.reload();
    page.wait_for("document.querySelector('#comment').textContent === '好 ]\\ntwo'");
    assert_eq!(
        all_texts(&page, ".variations p"),
        ["好 ]\ntwo", "1… a6 a4 h4 or so "]
    );
    page.click("#room-file");
    page.choose("#save-as", "sgf");
    page.click("#save");
    let [before, after] = [SGF, &page.downloaded("page_record.sgf")]
        .map(|text| Record::read(text).unwrap_or_else(|fault| panic!("{fault}: {text}")));
    assert_eq!(after.nodes, before.nodes);
    assert_eq!(after.game.names, before.game.names);
    page.choose("#save-as", "moves");
    page.click("#save");
    let saved = page.downloaded("page_record.txt");
    assert_eq!(saved, "1. c1-c6(f6) f8-f7(e7)\n");
    let other = page.open_fresh("", Window::DESKTOP);
    other.paste(&saved);
    wait_for_moves(&other, 2);
    other.paste("1. d1-d7(g7) g10-d7(h3)");
    wait_for_notice(&other, &["a game on ten by ten squares"]);
}

#[test]
fn several_logs_open_as_a_table() {
    let Some(page) = desktop() else { return };
    let [first, second] = ["random_vs_random", "fault_crash"].map(log);
    let files = [
        ("one.json", &*first),
        ("broken.json", "{]"),
        ("two.json", &second),
    ];
    page.drop_files(&files);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 2");
    wait_for_notice(&page, &["one.json", "broken.json", "two.json"]);
    assert_eq!(listed_moves(&page).len(), 40);
    page.click("#overview-rows tr:nth-child(2) button");
    assert_eq!(listed_moves(&page).len(), 10);
    page.choose("#games", "0");
    assert_eq!(listed_moves(&page).len(), 40);
    let cell = |row, column| {
        page.text(&format!(
            "#overview-rows tr:nth-child({row}) td:nth-child({column})"
        ))
    };
    assert_eq!([cell(1, 3), cell(2, 3)], ["40", "10"]);
    assert_eq!(cell(1, 2), "White won");
    // A single game that is opened later closes the table.
    page.drop_files(&[("three.json", &second)]);
    wait_for_moves(&page, 10);
    assert!(page.exists("#all-games[hidden]"));
}

#[test]
fn all_games_of_a_file_form_a_table() {
    let Some(page) = desktop() else { return };
    let cup = "(;SZ[8]PB[Anna]PW[Ben];B[chccfc])\n(;SZ[10])\n(;SZ[8];B[chcbbb];W[fafbeb])";
    page.drop_files(&[("cup.sgf", cup), ("one.json", &log("fault_crash"))]);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 3");
    wait_for_notice(
        &page,
        &[
            "cup.sgf 1: 1 move",
            "cup.sgf 2: line 2: a game on ten by ten",
            "cup.sgf 3: 2 moves",
        ],
    );
    let titles = page.eval(
        "[...document.querySelectorAll('#overview-rows button')].map((row) => row.textContent)",
    );
    assert_eq!(titles, json!(["1. Anna – Ben", "2. cup 3", "3. one"]));
    assert_eq!(listed_moves(&page), ["c1 c6 f6"]);
    page.click("#overview-rows tr:nth-child(2) button");
    assert_eq!(listed_moves(&page), ["c1 c7 b7", "f8 f7 e7"]);
    // Each game is saved to its own file, which opens as one game.
    page.click("#room-file");
    page.click("#save");
    page.paste(&page.downloaded("cup 3.sgf"));
    wait_for_notice(&page, &["Game file: 2 moves"]);
    assert!(page.exists("#all-games[hidden]"));
}

#[test]
fn copied_link_names_the_data_it_omits() {
    let Some(page) = desktop() else { return };
    let copied = |page: &Page, left: &str| {
        page.click("#room-file");
        page.click("#copy");
        wait_for_notice(page, &["All moves are in it."]);
        let notice = page.text("#notice");
        let said = notice
            .split_once("Not in it: ")
            .map_or("", |(_, rest)| rest);
        assert_eq!(said.split(". An SGF file").next(), Some(left), "{notice}");
    };
    for (record, left) in [
        ("(;SZ[8]RE[B+R];B[chccfc])", ""),
        ("(;SZ[8];B[chccfc]C[so]AR[aa:bb])", ""),
        ("(;SZ[8];B[chccfc]PM[1])", "other data of the file"),
        ("(;SZ[8];B[chccfc]MS[1500])", "times"),
        (
            "(;SZ[8];B[chccfc](;W[fafbeb]C[so]AR[aa:bb])(;W[acaehe]MS[1500]))",
            "times",
        ),
    ] {
        page.paste(record);
        wait_for_notice(&page, &["Game file: "]);
        copied(&page, left);
        page.eval("document.querySelector('#notice').textContent = ''");
    }
    let page = page.open_fresh("", Window::DESKTOP);
    review_log(&page, "fault_crash");
    copied(&page, "times, the review, other data of the file");
    page.click("[data-language=zh]");
    page.click("#copy");
    wait_for_notice(&page, &["其中没有：用时，复盘，文件中的其他数据。"]);
}

#[test]
fn invalid_files_are_reported_and_change_nothing() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    for (name, text) in [
        ("letter.txt", "Dear all"),
        ("empty.json", ""),
        ("list.json", "[1, 2]"),
    ] {
        page.drop_files(&[(name, text)]);
        wait_for_notice(&page, &[name]);
        assert!(listed_moves(&page).is_empty());
    }
    // An interrupted game is opened up to its last legal move.
    page.drop_files(&[("cut.json", &log("fault_illegal"))]);
    page.wait_for("document.querySelectorAll('#moves [data-node]').length > 0");
    assert!(page.text("#outcome").contains("illegal"));
}

/// Replaces the result of reading the file `name` by the JavaScript promise `promise`.
fn read_as(page: &Page, name: &str, promise: &str) {
    page.eval(&format!(
        "{{ const read = Blob.prototype.arrayBuffer;
        Blob.prototype.arrayBuffer = function () {{ return this.name === '{name}' ? {promise} : read.call(this); }}; }}"
    ));
}

#[test]
fn dropped_folder_does_not_stop_other_files() {
    let Some(page) = desktop() else { return };
    let no = "Promise.reject(new DOMException('no', 'NotFoundError'))";
    read_as(&page, "folder", no);
    let good = log("random_vs_random");
    page.drop_files(&[("folder", ""), ("good.json", &good)]);
    wait_for_moves(&page, 40);
    wait_for_notice(
        &page,
        &[
            "folder: a folder, or a file that can’t be read",
            "good.json: 40 moves",
        ],
    );
}

#[test]
fn many_files_give_a_short_notice() {
    let Some(page) = desktop() else { return };
    page.click("#tab-study");
    page.click("#thinks");
    page.eval(
        "seen = []; new MutationObserver(() => seen.push(document.querySelector('#reading').innerText))
        .observe(document.querySelector('#reading-text'), { childList: true })",
    );
    let (game, names) = (
        log("fault_crash"),
        (1..=30).map(|number| format!("{number}.json")),
    );
    let names: Vec<String> = names.collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*game)).collect();
    files.extend([("31.json", "{]"); 9]);
    page.drop_files(&files);
    page.wait_for("document.querySelectorAll('#overview-rows tr').length === 30");
    wait_for_notice(&page, &["30 games opened", "31.json", "and 7 more"]);
    let height = page.eval("document.querySelector('#notice').offsetHeight");
    assert!(height.as_u64().expect("pixels") < 240, "{height}");
    assert_eq!(
        page.eval("seen.some((text) => text.includes('File 39 of 39'))"),
        true
    );
    assert!(page.exists("#reading[hidden]"));
    page.wait_for("document.querySelectorAll('#candidates tr').length > 0");
}

#[test]
fn reading_files_can_be_cancelled() {
    let Some(page) = desktop() else { return };
    read_as(&page, "slow.json", "new Promise(() => {})");
    let good = log("random_vs_random");
    page.drop_files(&[("good.json", &good), ("slow.json", &good)]);
    page.wait_for("document.querySelector('#reading').innerText.includes('File 2 of 2')");
    page.click("#reading-stop");
    assert!(page.exists("#reading[hidden]"));
    assert!(listed_moves(&page).is_empty());
    page.drop_files(&[("good.json", &good)]);
    wait_for_moves(&page, 40);
}

#[test]
fn very_long_names_are_truncated() {
    let Some(page) = desktop() else { return };
    let entries: Value = serde_json::from_str(&log("fault_crash")).expect("JSON");
    let named = json!({ "players": ["A".repeat(1_000_000), "Ben"], "log": entries });
    page.drop_files(&[("long.json", &named.to_string())]);
    wait_for_moves(&page, 10);
    assert_eq!(
        page.eval("document.querySelector('#name-black').textContent.length"),
        200
    );
    assert!(wait_for_hash(&page, "w=Ben").len() < 1000);
}

#[test]
fn page_detects_character_sets_like_the_program() {
    let Some(page) = desktop() else { return };
    let wide = "\u{feff}(;SZ[8]PB[张三];B[chccfc];W[fafbeb])".encode_utf16();
    let wide: Vec<u8> = wide.flat_map(u16::to_le_bytes).collect();
    let [one, two] = ["random_vs_random", "fault_crash"].map(log);
    let archive = format!(
        "{{\"log\":{}}}\n{{]\n{{\"log\":{}}}\n",
        one.trim(),
        two.trim()
    );
    for (name, bytes, black, notice) in [
        ("wide.sgf", &wide[..], "张三", &["wide.sgf: 2 moves"][..]),
        (
            "latin1.sgf",
            b"(;SZ[8]PB[Ana];B[chccfc]C[bien jou\xe9];W[fafbeb]C[ok])",
            "Ana",
            &["latin1.sgf: 2 moves, the file declares no character set: windows-1252 is assumed"],
        ),
        (
            "declared.sgf",
            b"(;SZ[8]PB[\x95\x5c]CA[Shift_JIS];B[chccfc])",
            "表",
            &["declared.sgf: 1 move"],
        ),
        (
            "pack.matches",
            archive.as_bytes(),
            "",
            &[
                "pack.matches 1: 40 moves",
                "pack.matches 2: line 2: not JSON",
                "pack.matches 3: 10 moves",
            ],
        ),
    ] {
        page.choose_file("#file", &write_file(name, bytes));
        wait_for_notice(&page, notice);
        assert!(page.text("#name-black").contains(black), "{name}");
    }
    assert_eq!(page.count("#overview-rows tr"), 2);
    // Pasted text needs no decoding: its declared character set is ignored.
    page.paste("(;SZ[8]PB[张三]CA[Shift_JIS];B[chccfc])");
    wait_for_notice(&page, &["Game file: 1 move"]);
    assert_eq!(page.text("#name-black"), "张三");
}

/// Codes of Big5 that stand for a letter with an accent; Chromium 156 decodes them to half a surrogate pair.
const NOT_IN_CHROMIUM: [u16; 4] = [0x8862, 0x8864, 0x88a3, 0x88a5];

/// Interval between byte pairs that are also decoded with `fatal`, which is slow in browsers.
const FATAL_INTERVAL: usize = 251;

#[test]
fn browser_decodes_every_byte_pair_like_the_program() {
    let Some(page) = desktop() else { return };
    // Decodes each byte pair, followed by a bracket, with replacement characters; some pairs also with `fatal`.
    // Returns null if the label is unknown.
    let decoded = "(label, pairs, step) => {
        try { new TextDecoder(label); } catch { return null; }
        const bytes = pairs.map((pair) => [pair >> 8, pair & 255, 93]);
        // A new decoder each time: Chromium's keep state after an error.
        const text = (pair, fatal) => { try { return new TextDecoder(label, { fatal }).decode(Uint8Array.from(pair)); } catch { return null; } };
        const some = bytes.filter((_, at) => at % step === 0);
        return [...bytes.map((pair) => text(pair, false)), ...some.map((pair) => text(pair, true))];
    }";
    let numbers: Vec<u16> = (0..=u16::MAX)
        .filter(|pair| !NOT_IN_CHROMIUM.contains(pair))
        .collect();
    let pairs = numbers.iter().map(|pair| pair.to_be_bytes());
    let pairs: Vec<[u8; 3]> = pairs.map(|[high, low]| [high, low, b']']).collect();
    for label in [
        "UTF-8",
        "GB18030",
        "gbk",
        "big5",
        "shift_jis",
        "euc-jp",
        "euc-kr",
        "iso-2022-jp",
        "windows-1252",
        "latin1",
        "ISO8859-1",
        "iso-8859-2",
        "koi8-r",
        "windows-1251",
        "UTF-16LE",
        "UTF-16BE",
        "utf-16",
        "unicode",
        "cp936",
        "hz-gb-2312",
        "utf-7",
        "",
    ] {
        let there = page.eval(&format!(
            "({decoded})({}, {}, {FATAL_INTERVAL})",
            json!(label),
            json!(numbers)
        ));
        let here = Encoding::for_label_no_replacement(label.as_bytes()).map(|encoding| {
            let replaced = |pair| encoding.decode_with_bom_removal(pair).0.into_owned();
            let all = pairs.iter().map(|pair| Some(replaced(&pair[..])));
            let alone = pairs.iter().step_by(FATAL_INTERVAL);
            all.chain(alone.map(|pair| decode(label, pair)))
                .collect::<Vec<_>>()
        });
        let here = json!(here);
        let differ = |at: &usize| there[at] != here[at];
        let first = (0..pairs.len() + pairs.len() / FATAL_INTERVAL + 1).find(differ);
        let at = first.unwrap_or_default();
        assert!(there == here, "{label}: {at}: {} {}", there[at], here[at]);
    }
}
