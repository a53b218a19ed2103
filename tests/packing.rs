//! The packed single files: stand-ins against the real crates, what the packer refuses, and the bots it makes.

use crate::common::{assert_has, fresh_path, needs, text};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "../scripts/standins/rand.rs"]
#[allow(dead_code, missing_docs)]
mod rand_standin;

#[path = "../scripts/standins/smallvec.rs"]
#[allow(dead_code, missing_docs)]
mod smallvec_standin;

proptest! {
    #[test]
    fn the_standin_for_rand_gives_the_same_streams(seed: u64) {
        use rand::{Rng as _, SeedableRng as _};
        use rand_standin::{Rng as _, SeedableRng as _};
        let mut real = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut standin = rand_standin::rngs::Xoshiro256PlusPlus::seed_from_u64(seed);
        for draw in 0..1000 {
            if draw % 3 == 0 {
                prop_assert_eq!(standin.next_u32(), real.next_u32());
            } else {
                prop_assert_eq!(standin.next_u64(), real.next_u64());
            }
        }
    }

    #[test]
    fn the_standin_for_smallvec_holds_the_same(items in prop::collection::vec(any::<u32>(), 0..20)) {
        let mut real = smallvec::SmallVec::<[u32; 8]>::new();
        let mut standin = smallvec_standin::SmallVec::<[u32; 8]>::new();
        for &item in &items {
            real.push(item);
            standin.push(item);
            prop_assert_eq!(&real[..], &standin[..]);
            prop_assert_eq!(real.len(), standin.len());
        }
        if let Some(last) = standin.last_mut() {
            *last = 1;
            *real.last_mut().expect("as long") = 1;
        }
        if items.len() % 2 == 0 {
            real.truncate(items.len() / 2);
            standin.truncate(items.len() / 2);
        }
        if items.len() % 5 == 0 {
            real.clear();
            standin.clear();
        }
        prop_assert_eq!(real.into_iter().collect::<Vec<_>>(), standin.into_iter().collect::<Vec<_>>());
    }
}

/// A copy of what the packer reads, in a folder of its own, built where this build was.
struct Checkout(PathBuf);

impl Checkout {
    fn new(name: &str) -> Checkout {
        let root = fresh_path(name);
        fs::create_dir(&root).expect("created");
        let parts = "src scripts benches tests Cargo.toml Cargo.lock";
        let mut copy = Command::new("cp");
        copy.arg("-r").args(parts.split(' ')).arg(&root);
        succeed(copy.current_dir(env!("CARGO_MANIFEST_DIR")));
        Checkout(root)
    }

    /// Runs the part of the packer that makes the one Rust file, which is the output.
    fn pack_rust(&self) -> Output {
        self.python(
            "from pathlib import Path\n\
             from packing import faults, rust\n\
             try: print(rust.pack(Path.cwd(), '0'))\n\
             except faults.PackError as error: sys.exit(str(error))\n",
        )
    }

    /// Runs lines of Python that may import the packer's parts.
    fn python(&self, lines: &str) -> Output {
        self.python_with(lines, &[])
    }

    /// Runs such lines with arguments.
    fn python_with(&self, lines: &str, arguments: &[&str]) -> Output {
        Command::new("python3")
            .arg("-c")
            .arg(format!(
                "import sys; sys.path.insert(0, 'scripts')\n{lines}"
            ))
            .args(arguments)
            .env("PYTHONIOENCODING", "utf-8")
            .current_dir(&self.0)
            .output()
            .expect("python3 is installed")
    }
}

/// Runs a command that has to succeed.
#[track_caller]
fn succeed(command: &mut Command) -> Output {
    let out = command.output().expect("it is installed");
    assert!(out.status.success(), "{command:?}: {}", text(&out.stderr));
    out
}

/// Checks that the packer refused a source, in words of its own.
#[track_caller]
fn assert_not_packed(out: &Output, words: &[&str]) {
    let error = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{words:?}: {error}");
    assert_has(error, words);
}

/// The whole packer, which compiles for x86-64 Linux.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod whole {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::LazyLock;

    impl Checkout {
        /// Runs the packer with arguments.
        fn pack(&self, arguments: &[&str]) -> Output {
            Command::new("python3")
                .arg(self.0.join("scripts/pack"))
                .args(arguments)
                .env("CARGO_TARGET_DIR", self.0.join("build"))
                .env("TZ", "EARLY+11")
                .output()
                .expect("python3 is installed")
        }

        /// Makes a commit of all files. It is the same commit wherever the files are the same.
        fn commit(&self) {
            fs::write(self.0.join(".gitignore"), "/build\n/target\n").expect("written");
            for words in ["init -q", "add .", "commit -qm packed"] {
                let mut git = Command::new("git");
                git.args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
                    .args(words.split(' '))
                    .env("GIT_CONFIG_GLOBAL", "/dev/null")
                    .env("GIT_AUTHOR_DATE", "2001-02-03T04:05:06Z")
                    .env("GIT_COMMITTER_DATE", "2001-02-03T04:05:06Z")
                    .current_dir(&self.0);
                succeed(&mut git);
            }
        }

        /// A packed file.
        fn upload(&self, name: &str) -> String {
            fs::read_to_string(self.0.join("target/upload").join(name)).expect("written")
        }
    }

    /// The packed files of the whole bot, and where and how they were made.
    struct Packed {
        checkout: Checkout,
        report: String,
        rust: String,
        cpp: String,
    }

    /// Made once for all tests.
    static PACKED: LazyLock<Packed> = LazyLock::new(|| {
        let checkout = Checkout::new("packed");
        checkout.commit();
        let out = checkout.pack(&[]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        let [rust, cpp] = FILES.map(|file| checkout.upload(file));
        let report = text(&out.stdout).to_owned();
        Packed {
            checkout,
            report,
            rust,
            cpp,
        }
    });

    /// The names of the packed files.
    const FILES: [&str; 2] = ["amazons.rs", "amazons.cpp"];

    /// The packer itself compares signatures and transcripts with the cargo build.
    #[test]
    fn the_packed_files_are_the_bot() {
        if !needs::all_of(&["python3", "g++", "git"]) {
            return;
        }
        let Packed { report, cpp, .. } = &*PACKED;
        assert_has(report, &FILES);
        assert_has(report, &["-std=c++11", "-std=c++17", "rustc -O"]);
        assert_has(report, &["SHA-256", "signature", "keep running"]);
        assert!(cpp.len() <= 512_000, "{} bytes", cpp.len());
        assert!(cpp.is_ascii());
        assert!(cpp.lines().all(|line| line.len() < 250));
        let header = &cpp[..1500];
        assert_has(header, &["amazons 0.", " of 2001-02-03. Packed by"]);
        assert_has(header, &["Signature:", "Build: g++", "Source:"]);
        assert_has(header, &["Licence: MIT OR Apache-2.0"]);
        let forbidden = "execve mprotect pthread_create socket memfd_create dlsym";
        for name in forbidden.split(' ') {
            assert!(
                !cpp.contains(&format!("{name}@")),
                "the bot asks for {name}"
            );
        }
    }

    /// Builds a C++ file in a folder with flags of g++.
    fn built(folder: &Path, source: &str, flags: &[&str]) -> PathBuf {
        let (file, program) = (folder.join("built.cpp"), folder.join("built"));
        fs::write(&file, source).expect("written");
        let mut gxx = Command::new("g++");
        gxx.args(["-Wall", "-Werror", "-o"]).args([&program, &file]);
        succeed(gxx.args(flags));
        program
    }

    /// The packer itself compares this bot, too, with a cargo build: of the sources that it changed. The whole bot was
    /// built there before.
    #[test]
    fn small_file_unpacks_itself_and_plays() {
        const LIMIT: usize = 130_000;
        if !needs::all_of(&["python3", "g++", "git"]) {
            return;
        }
        let checkout = &PACKED.checkout;
        let out = checkout.pack(&["--bytes", &LIMIT.to_string()]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        let report = text(&out.stdout);
        let told = ["in 130,000 bytes: ", "-std=c++11", "-std=c++17", "rustc -O"];
        assert_has(report, &told);
        let cpp = checkout.upload("amazons.cpp");
        assert!(cpp.len() <= LIMIT, "{} bytes", cpp.len());
        assert!(cpp[..1500].contains("A smaller bot: "));
        assert!(cpp.is_ascii() && cpp.lines().all(|line| line.len() < 250));

        let run = |program: &Path, preloaded: &str| {
            let mut command = Command::new(program);
            command.arg("--version").env("LD_PRELOAD", preloaded);
            command.output().expect("runs")
        };
        for flags in [
            &["-std=gnu++98", "-O0"][..],
            &["-std=c++17", "-O3", "-static"],
            &["-O2", "-no-pie"],
        ] {
            let out = run(&built(&checkout.0, &cpp, flags), "");
            assert!(text(&out.stdout).starts_with("amazons 0."), "{flags:?}");
        }

        // A system without executable memory.
        let refusing = "#include <errno.h>\nextern \"C\" int mprotect(void *, unsigned long, int) { errno = EACCES; return -1; }\n";
        let library = built(&checkout.0, refusing, &["-shared", "-fPIC"]);
        let library = {
            let there = checkout.0.join("refusing.so");
            fs::rename(library, &there).expect("renamed");
            there
        };
        let program = built(&checkout.0, &cpp, &[]);
        let out = run(&program, library.to_str().expect("plain letters"));
        assert_eq!(out.status.code(), Some(1));
        let complaint = "amazons: the system does not let unpacked code run: Permission denied\n";
        assert_eq!(text(&out.stderr), complaint);

        // One character of the coded program is another.
        let at = cpp.find("coded[] =").expect("the coded program") + 10_000;
        let other = if &cpp[at..=at] == "a" { "b" } else { "a" };
        let damaged = format!("{}{other}{}", &cpp[..at], &cpp[at + 1..]);
        let out = run(&built(&checkout.0, &damaged, &[]), "");
        assert_eq!(out.status.code(), Some(1));
        assert_eq!(text(&out.stderr), "amazons: this file is damaged\n");
    }

    /// A folder with a `rustc` that is this one, but has the sources of the standard library, as rust-analyzer asks for.
    fn rustc_with_sources(folder: &Path) {
        let rustc = Command::new("rustc").args(["--print", "sysroot"]).output();
        let real = PathBuf::from(text(&rustc.expect("rustc is installed").stdout).trim());
        let libraries = folder.join("lib/rustlib");
        fs::create_dir_all(libraries.join("src/rust/library/std/src")).expect("created");
        fs::write(libraries.join("src/rust/library/std/src/lib.rs"), "").expect("written");
        for entry in fs::read_dir(real.join("lib/rustlib")).expect("a folder") {
            let entry = entry.expect("readable");
            if entry.file_name() != "src" {
                let link = libraries.join(entry.file_name());
                symlink(entry.path(), link).expect("linked");
            }
        }
        let (rustc, real) = (folder.join("rustc"), real.join("bin/rustc"));
        let script = format!(
            "#!/bin/sh\nexec '{}' --sysroot '{}' \"$@\"\n",
            real.display(),
            folder.display()
        );
        fs::write(&rustc, script).expect("written");
        fs::set_permissions(rustc, PermissionsExt::from_mode(0o755)).expect("changed");
    }

    /// What the packer writes, without its checks, on another machine: other folders, another day, another Rust of the same
    /// version. The first argument is the folder of that machine, the second the signature.
    const ELSEWHERE: &str = r#"
import os, runpy, time
home, signature = sys.argv[1:]
os.environ |= {"HOME": home, "TMPDIR": home, "TZ": "LATE-14", "PATH": home + os.pathsep + os.environ["PATH"]}
time.tzset()
pack = runpy.run_path("scripts/pack")
pack["UPLOAD"].mkdir(parents=True)
facts = pack["provenance"]()
_, source = pack["write_rust"](facts, signature)
pack["write_cpp"](facts, signature, source)
"#;

    #[test]
    fn the_same_commit_gives_the_same_bytes_elsewhere() {
        if !needs::all_of(&["python3", "g++", "git"]) {
            return;
        }
        let Packed { rust, cpp, .. } = &*PACKED;
        let signature = rust.split_once("Signature: ").expect("in the header").1;
        let signature = signature.split_once(' ').expect("a sentence").0;
        let home = fresh_path("another home");
        rustc_with_sources(&home);
        let elsewhere = Checkout::new("packed in a folder of another name");
        elsewhere.commit();
        let home = home.to_str().expect("plain letters");
        let out = elsewhere.python_with(ELSEWHERE, &[home, signature]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        for (file, one) in FILES.into_iter().zip([rust, cpp]) {
            let other = &elsewhere.upload(file);
            let differ = one.lines().zip(other.lines()).find(|(a, b)| a != b);
            assert!(one == other, "{file}: {differ:?}");
        }
    }
}

/// What the packer chooses for limits, of bots whose sizes fall from 1000 by 100. Their last known sizes are right at first,
/// then a twentieth too much or too little.
const CHOICES: &str = r#"
from packing import ladder
for factor in (1, 1.05, 0.95):
    ladder.RUNGS = [rung._replace(bytes=factor * (1000 - 100 * number)) for number, rung in enumerate(ladder.RUNGS)]
    for limit in (5000, 1000, 999, 800, 700, 699):
        try: print(limit, ladder.within(limit, lambda number: 1000 - 100 * number))
        except ladder.TooSmall as error: print(error)
"#;

#[test]
fn the_first_bot_within_a_limit_is_packed() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let out = Checkout::new("ladder").python(CHOICES);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let complaint = "--bytes 699: expected at least 700, the size of the smallest bot";
    let chosen = ["5000 0", "1000 0", "999 1", "800 2", "700 3", complaint];
    let said: Vec<&str> = text(&out.stdout).lines().collect();
    assert_eq!(said, [chosen; 3].concat());
}

/// A changed line of the sources that a smaller bot needs as it was is an error that names it.
#[test]
fn a_smaller_bot_of_unknown_sources_is_refused() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let checkout = Checkout::new("unknown");
    let copy = "from packing import faults, ladder\n\
                from pathlib import Path\n\
                try: ladder.copy(Path('.'), Path('smaller'), ladder.RUNGS[-1].settings)\n\
                except faults.PackError as error: print(error)\n";
    let kept = checkout.python(copy);
    assert_eq!(text(&kept.stdout), "", "{}", text(&kept.stderr));
    let file = checkout.0.join("src/engine/mcts/worker.rs");
    let source = fs::read_to_string(&file).expect("readable");
    fs::write(file, source.replace("network.log_odds(board, linear)", "0")).expect("written");
    let refused = checkout.python(copy);
    let told = ["worker.rs: expected once", "network.log_odds"];
    assert_has(text(&refused.stdout), &told);
}

/// A source that the packer does not understand is an error with file and line, and no file is written.
#[test]
fn what_can_not_be_packed_is_refused() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    const FILE: &str = "src/engine/board.rs";
    let checkout = Checkout::new("refused");
    let sound = fs::read_to_string(checkout.0.join(FILE)).expect("readable");
    let first = sound.lines().count() + 1;
    for (addition, complaint) in [
        ("mod missing;\n", "module missing"),
        ("mod inner {\n    mod file;\n}\n", "inside another module"),
        ("#[path = \"x.rs\"]\nmod file;\n", "path of its own"),
        ("use serde::Serialize;\n", "crate serde has no stand-in"),
        ("const DATA: &[u8] = include_bytes!(\"x\");\n", "bytes!"),
        ("const TEXT: &str = include_str!(\"x.txt\");\n", "no x.txt"),
        ("#[cfg(test)]\nfn helper() {}\n", "expected `mod tests {`"),
        ("const HOST: &str = env!(\"HOST\");\n", "env! of anything"),
    ] {
        fs::write(checkout.0.join(FILE), sound.clone() + addition).expect("written");
        let out = checkout.pack_rust();
        assert_not_packed(&out, &[complaint]);
        let is_named = |line| text(&out.stderr).contains(&format!("{FILE}:{line}:"));
        assert!((first..first + 3).any(is_named), "{addition}: {out:?}");
    }
}

/// A crate of one module with an included text, beside the packer.
fn crate_with_text(name: &str, content: &[u8]) -> Checkout {
    let checkout = Checkout::new(name);
    fs::remove_dir_all(checkout.0.join("src")).expect("removed");
    fs::create_dir_all(checkout.0.join("src/engine/eval/value")).expect("created");
    for (file, content) in [
        ("src/engine/lib.rs", &b"//! A text.\n\npub mod eval;\n"[..]),
        ("src/engine/eval.rs", b"pub mod value;\n"),
        (
            "src/engine/eval/value.rs",
            b"pub const WEIGHTS: &str = include_str!(\"value/weights.txt\");\n",
        ),
        ("src/engine/eval/value/weights.txt", content),
        (
            "src/main.rs",
            b"pub fn run() -> u8 {\n    print!(\"{}\", engine::eval::value::WEIGHTS);\n    0\n}\n",
        ),
    ] {
        fs::write(checkout.0.join(file), content).expect("written");
    }
    checkout
}

#[test]
fn included_text_is_preserved_by_packing() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let weights =
        "# layers 2\n//! \\n \"quoted\" %d {} #\nmod missing;\n\n+/aZ09~^\n  no end of line";
    let checkout = crate_with_text("included", weights.as_bytes());
    let packed = checkout.pack_rust();
    assert!(packed.status.success(), "{}", text(&packed.stderr));
    let (file, program) = (checkout.0.join("packed.rs"), checkout.0.join("packed"));
    fs::write(&file, packed.stdout).expect("written");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-o"]);
    succeed(rustc.args([&program, &file]));
    let shown = Command::new(program).output().expect("runs");
    assert_eq!(text(&shown.stdout), weights);
}

#[test]
fn included_text_that_literals_change_is_rejected() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    for (content, complaint) in [
        (&b"one \"# two"[..], "weights.txt holds \"#"),
        (b"one\r\ntwo", "weights.txt holds a carriage return"),
        (b"caf\xe9", "weights.txt is not UTF-8"),
    ] {
        let out = crate_with_text("refused-text", content).pack_rust();
        assert_not_packed(&out, &["src/engine/eval/value.rs:1:", complaint]);
    }
}

/// Lines of Python that print a C++ program, which prints the file `data`.
const PRINTER: &str = r#"
from packing import assembly
data = open("data", "rb").read()
statements = list(assembly.statements(data))
assert sum(size for size, _ in statements) == len(data)
print('extern "C" char data[], end[];')
print('#include <cstdio>')
print('int main() { return fwrite(data, 1, end - data, stdout) != (size_t)(end - data); }')
lines = [*assembly.DECODER, ".data", "data:", *(line for _, line in statements), "end:", ".text"]
print("__asm__(", *assembly.literals(lines), ");", sep="\n")
"#;

/// Text as weights are: printable but for a few characters, in lines of 120.
fn weights_like(bytes: usize) -> Vec<u8> {
    let plain = (b' '..=b'~').filter(|byte| !b"\"\\?'".contains(byte));
    let lines = plain
        .cycle()
        .take(bytes)
        .enumerate()
        .flat_map(|(at, byte)| [byte].into_iter().chain((at % 120 == 119).then_some(b'\n')));
    lines.collect()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn assembly_data_is_preserved_in_the_program() {
    if !needs::all_of(&["python3", "g++"]) {
        return;
    }
    let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    let quoted = b"??/ is \\, ??' is ^, \"%d\" %% {a|b} \\n \\\\ ' # /* */ // ; ".repeat(20);
    let weights = weights_like(5000);
    let data = [&all[..], &weights, &quoted, &[1], &weights[..90], &all].concat();
    let checkout = Checkout::new("assembly");
    for left_out in 0..3 {
        let data = &data[left_out..];
        fs::write(checkout.0.join("data"), data).expect("written");
        let source = checkout.python(PRINTER);
        assert!(source.status.success(), "{}", text(&source.stderr));
        let (file, program) = (checkout.0.join("printer.cpp"), checkout.0.join("printer"));
        fs::write(&file, source.stdout).expect("written");
        let mut gxx = Command::new("g++");
        gxx.args(["-std=c++11", "-Wall", "-Werror", "-o"]);
        succeed(gxx.args([&program, &file]));
        let shown = Command::new(program).output().expect("runs");
        assert!(shown.stdout == data, "without the first {left_out} bytes");
    }
}

/// Text takes hardly more than a character a byte, and anything else hardly more than four for three.
#[test]
fn assembly_is_no_longer_than_it_must_be() {
    if !needs::all_of(&["python3"]) {
        return;
    }
    let checkout = Checkout::new("dense");
    let random = (0..100_000u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 24) as u8);
    let text_like = weights_like(100_000);
    for (data, most) in [(text_like, 106_000), (random.collect(), 136_000)] {
        fs::write(checkout.0.join("data"), data).expect("written");
        let source = checkout.python(PRINTER);
        let lines = text(&source.stdout).lines();
        let literals: Vec<_> = lines.filter(|line| line.starts_with('"')).collect();
        let is_fit = |line: &&str| line.len() < 250 && line.is_ascii();
        assert!(literals.iter().all(is_fit));
        let characters: usize = literals.iter().map(|line| line.len() + 1).sum();
        assert!(characters <= most, "{characters} characters");
    }
}

/// A library with a table and a text, as an object that the packer can lay out.
const LIBRARY: &str = r#"
mod eval {
    pub static TABLE: [u32; 600] = {
        let mut table = [0; 600];
        let mut at = 0;
        while at < 600 { table[at] = (at as u32).wrapping_mul(0x9e37_79b9); at += 1 }
        table
    };
}
mod mcts {
    pub static TEXT: &str = include_str!("data");
    #[inline(never)]
    pub fn look(at: usize) -> u32 { u32::from(TEXT.as_bytes()[at]) + crate::eval::TABLE[at % 600] }
}
unsafe extern "C" { fn rand() -> i32; }
#[unsafe(no_mangle)]
pub extern "C" fn amazons_main() -> i32 {
    mcts::look(unsafe { rand() } as usize) as i32
}
"#;

#[test]
#[cfg(target_arch = "x86_64")]
fn size_table_accounts_for_all_bytes() {
    if !needs::all_of(&["python3", "c++filt"]) {
        return;
    }
    let checkout = Checkout::new("sizes");
    fs::write(checkout.0.join("data"), weights_like(6000)).expect("written");
    fs::write(checkout.0.join("library.rs"), LIBRARY).expect("written");
    let mut rustc = Command::new("rustc");
    rustc
        .args(["--edition", "2024", "--crate-name", "amazons"])
        .args(["--crate-type", "lib", "--emit", "obj", "-O"])
        .args(["-C", "panic=abort", "-o", "library.o", "library.rs"]);
    succeed(rustc.current_dir(&checkout.0));
    let sizes = checkout.python(
        "from packing import cplusplus, elf, sizes\n\
         print(sizes.table(cplusplus.Layout(elf.Object(open('library.o', 'rb').read()))))\n",
    );
    assert!(sizes.status.success(), "{}", text(&sizes.stderr));
    let table = text(&sizes.stdout);
    // Bytes and characters of the first row with a name.
    let row = |name: &str| {
        let mut rows = table.lines().filter(|row| row.ends_with(name));
        let row = rows.next().unwrap_or_else(|| panic!("{name} in\n{table}"));
        let mut words = row.split_whitespace().map(|word| word.replace(',', ""));
        let mut number = || words.next()?.parse::<u32>().ok();
        [(); 2].map(|()| number().expect("a number"))
    };
    // A character a byte of text, four for three of anything else.
    let [bytes, characters] = row("amazons::eval::TABLE");
    let is_dense = (3200..3300).contains(&characters);
    assert!(bytes == 2400 && is_dense, "{table}");
    let [bytes, characters] = row("   no module, constants");
    let is_dense = (6050..6400).contains(&characters);
    assert!(bytes >= 6050 && is_dense, "{table}");
    assert!(row("amazons::mcts::look")[0] > 0);
    assert_eq!(row("   amazons::mcts"), row("amazons::mcts::look"));
    // Tables of the same whole.
    let kinds = [
        "   constants",
        "   constants with addresses",
        "   code",
        "   alignment, jumps to foreign functions",
    ]
    .map(row);
    let [bytes, characters] = [0, 1].map(|at| kinds.iter().map(|row| row[at]).sum::<u32>());
    let all = row("   all");
    assert_eq!(bytes, all[0], "{table}");
    assert!(characters.abs_diff(all[1]) <= 2, "{table}");
}
