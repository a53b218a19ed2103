//! The page for the browser: one file with its style, its scripts, the games in it and, if it has one, the engine.
//!
//! `amazons analyze --html` writes it with the analysis of games, `scripts/page` with the engine.

use crate::console::{complain, visible};
use crate::tools::analysis::game::{Analysis, GameSummary};
use crate::tools::analysis::ply::Ply;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The page, with `{style}`, `{script}` and so on where its parts belong.
const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const WORKER: &str = include_str!("page/worker.js");

/// The modules of the page's script with their names. Each stands behind those that it imports.
const MODULES: [(&str, &str); 21] = [
    ("words", include_str!("page/words.js")),
    ("elements", include_str!("page/elements.js")),
    ("rules", include_str!("page/rules.js")),
    ("tree", include_str!("page/tree.js")),
    ("link", include_str!("page/link.js")),
    ("state", include_str!("page/state.js")),
    ("engine", include_str!("page/engine.js")),
    ("store", include_str!("page/store.js")),
    ("notice", include_str!("page/notice.js")),
    ("picking", include_str!("page/picking.js")),
    ("board", include_str!("page/board.js")),
    ("curve", include_str!("page/curve.js")),
    ("moves", include_str!("page/moves.js")),
    ("lines", include_str!("page/lines.js")),
    ("review", include_str!("page/review.js")),
    ("lesson", include_str!("page/lesson.js")),
    ("play", include_str!("page/play.js")),
    ("editor", include_str!("page/editor.js")),
    ("files", include_str!("page/files.js")),
    ("bench", include_str!("page/bench.js")),
    ("main", include_str!("page/main.js")),
];

/// Marks of a page of ours: of today's pages, and of older ones.
const MARKS: [&str; 2] = [
    "<meta name=\"generator\" content=\"amazons analyze\">",
    "<title>Amazons</title>",
];

/// What stands around the engine in a page.
const AROUND_ENGINE: [&str; 2] = [
    "<script id=\"engine\" type=\"application/json\">",
    "</script>",
];

/// The largest text that both modules of the engine hold.
const WEIGHTS: &str = include_str!("../../eval/network/weights.txt");

/// The engine of a page, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine(String);

/// Both modules of the engine, by gzip and base64.
#[derive(Serialize)]
struct Modules {
    /// The one with `simd128`, whole.
    simd: String,
    /// The one without it. The network's weights are cut out: they stand in the other one.
    plain: String,
    /// Where they belong, where they stand in the other one, and their length, in bytes.
    weights: [usize; 3],
}

impl Engine {
    /// No engine: the page shows what is in it, and nothing thinks.
    #[must_use]
    pub fn none() -> Engine {
        Engine("null".to_owned())
    }

    /// The engine from its two WebAssembly modules, with `simd128` and without.
    ///
    /// # Errors
    /// If a module can't be packed, or does not hold the weights of the network.
    pub fn of_modules(simd: &[u8], plain: &[u8]) -> Result<Engine, ToolError> {
        let [from, to] = [simd, plain].map(weights_in);
        let missing = "expected a module of the engine, with the weights of its network";
        let (from, to) = (from.ok_or(missing)?, to.ok_or(missing)?);
        let rest = [&plain[..to], &plain[to + WEIGHTS.len()..]].concat();
        let modules = Modules {
            simd: packed(simd)?,
            plain: packed(&rest)?,
            weights: [to, from, WEIGHTS.len()],
        };
        Ok(Engine(serde_json::to_string(&modules)?))
    }

    /// The engine of a page that has one.
    ///
    /// # Errors
    /// If the file can't be read, or is no page with an engine.
    pub fn of_page(path: &Path) -> Result<Engine, ToolError> {
        let name = path.display();
        let page = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let page = String::from_utf8_lossy(&page);
        let [before, behind] = AROUND_ENGINE;
        let engine = page.split_once(before);
        let engine = engine.and_then(|(_, rest)| rest.split_once(behind));
        match engine {
            Some((engine, _)) if is_ours(page.as_bytes()) && engine != "null" => {
                Ok(Engine(engine.to_owned()))
            }
            _ => Err(
                format!("{name}: expected a page with the engine, as scripts/page makes it").into(),
            ),
        }
    }
}

/// Where the weights of the network stand in a module.
fn weights_in(module: &[u8]) -> Option<usize> {
    let weights = WEIGHTS.as_bytes();
    let mut places = module.windows(weights.len());
    places.position(|window| window[..8] == weights[..8] && window == weights)
}

/// A module by gzip and base64.
fn packed(module: &[u8]) -> Result<String, ToolError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(module)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}

/// Tests if a file is such a page.
#[must_use]
pub fn is_ours(content: &[u8]) -> bool {
    let page = std::str::from_utf8(content).unwrap_or_default();
    page.starts_with("<!doctype html>") && MARKS.iter().any(|mark| page.contains(mark))
}

/// The page on some games.
///
/// # Errors
/// If the games can't be written as JSON.
pub fn page(games: &[Analysis], engine: &Engine) -> Result<String, ToolError> {
    /// A game as the script reads it.
    #[derive(Serialize)]
    struct PageGame<'a> {
        summary: &'a GameSummary,
        plies: &'a [Ply],
    }
    let entries = games.iter().map(|game| PageGame {
        summary: &game.summary,
        plies: &game.plies,
    });
    // In JSON `<` occurs only in strings. It is escaped, so that no name of a file or player can end the script
    // element.
    let games = serde_json::to_string(&entries.collect::<Vec<_>>())?.replace('<', "\\u003c");
    let parts = [
        ("{style}", STYLE),
        ("{worker}", WORKER),
        ("{script}", &script()),
        ("{engine}", &engine.0),
        ("{games}", &games),
    ];
    Ok(parts.into_iter().fold(PAGE.to_owned(), inserted))
}

/// A page with a part in the place of its mark.
fn inserted(page: String, (mark, part): (&str, &str)) -> String {
    page.replacen(mark, part, 1)
}

/// All modules as one script.
fn script() -> String {
    let modules = MODULES.iter();
    modules.map(|(name, text)| module(name, text)).collect()
}

/// A module as a function that runs once, in an object with what it exports. Imports and exports stand on lines of their
/// own: `import { a, b } from "./c.js";`, `export function d() {`.
fn module(name: &str, text: &str) -> String {
    let mut exports = Vec::new();
    let mut body = String::new();
    for line in text.lines() {
        let exported = line.strip_prefix("export ");
        exports.extend(exported.and_then(declared));
        match imported(line) {
            Some((names, from)) => body += &format!("const {{ {names} }} = {from}Module;\n"),
            None => body += &format!("{}\n", exported.unwrap_or(line)),
        }
    }
    let exports = exports.join(", ");
    format!("const {name}Module = (() => {{\n{body}return {{ {exports} }};\n}})();\n")
}

/// The names that a line imports, and the module that has them.
fn imported(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("import { ")?;
    let (names, from) = rest.split_once(" } from \"./")?;
    Some((names, from.strip_suffix(".js\";")?))
}

/// The name that a line declares.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let kinds = ["function ", "const ", "class "];
    let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '$')
        .next()
}

/// The arguments of `amazons page`, which `scripts/page` gives.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The engine's WebAssembly module with simd128
    #[arg(long, value_name = "FILE")]
    simd: PathBuf,
    /// The engine's WebAssembly module without it
    #[arg(long, value_name = "FILE")]
    plain: PathBuf,
    /// The page to write
    #[arg(value_name = "FILE")]
    page: PathBuf,
}

/// Writes the page with the engine and without games. Returns the exit code.
///
/// # Errors
/// If a module can't be read, or the page can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let target = Target::replacing(&args.page, "a page of ours", is_ours)?;
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let engine = Engine::of_modules(&read(&args.simd)?, &read(&args.plain)?)?;
    let page = page(&[], &engine)?;
    target.write(page.as_bytes())?;
    let name = args.page.display().to_string();
    complain(format_args!("{}: {} bytes", visible(&name), page.len()));
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn our_pages_are_known_and_others_are_not() {
        let ours = page(&[], &Engine::none()).expect("a page");
        assert!(MARKS.iter().all(|mark| ours.contains(mark)));
        let earlier = ours.replace(MARKS[0], "");
        for page in [&ours, &earlier] {
            assert!(is_ours(page.as_bytes()));
        }
        for other in ["[]", MARKS[0], "<!doctype html><title>Chess</title>", ""] {
            assert!(!is_ours(other.as_bytes()));
        }
        assert!(!is_ours(&[ours.as_bytes(), &[0xff]].concat()));
    }

    #[test]
    fn modules_import_what_is_there_before_them() {
        let mut exported: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, text) in MODULES {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let (names, from) = imported(line).expect("an import as they all are");
                let known = exported.get(from).expect("a module before this one");
                for wanted in names.split(", ") {
                    assert!(known.contains(&wanted), "{name}.js: {wanted} of {from}.js");
                }
            }
            let exports = text.lines().filter_map(|line| line.strip_prefix("export "));
            let names: Option<Vec<&str>> = exports.map(declared).collect();
            exported.insert(name, names.expect("functions, constants and classes"));
        }
    }

    #[test]
    fn a_module_keeps_its_names_for_itself() {
        let text = "import { a, b } from \"./c.js\";\n\nexport const d = a;\nconst e = b;\nexport async function f() {}\n";
        let expected = "const mModule = (() => {\nconst { a, b } = cModule;\n\nconst d = a;\nconst e = b;\nasync function f() {}\nreturn { d, f };\n})();\n";
        assert_eq!(module("m", text), expected);
    }

    #[test]
    fn the_engine_of_a_page_is_found_again() {
        let [one, two] = ["one", "number two"].map(|name| format!("{name}{WEIGHTS} and more"));
        let engine = Engine::of_modules(one.as_bytes(), two.as_bytes()).expect("an engine");
        assert!(engine.0.ends_with(&format!("[10,3,{}]}}", WEIGHTS.len())));
        assert!(Engine::of_modules(one.as_bytes(), b"two").is_err());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        for (engine, is_there) in [(&engine, true), (&Engine::none(), false)] {
            fs::write(&path, page(&[], engine).expect("a page")).expect("written");
            let found = Engine::of_page(&path);
            assert_eq!(found.is_ok(), is_there);
            assert!(found.is_err() || found.is_ok_and(|found| found == *engine));
        }
    }
}
