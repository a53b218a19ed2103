//! The packer: makes the page of its style, its scripts, the games in it and, if it has one, the engine.
//!
//! `amazons analyze --html` writes it with the analysis of games, `scripts/page` with the engine. The page's policy lets the
//! browser run its own script and style and nothing else: they are named by their checksums.

pub mod host;
mod script;
mod seal;
mod wasm;

pub use seal::is_ours;
pub use wasm::Engine;

use analysis::analysed::Analysis;
use analysis::level::{DEFAULT_LEVEL, LEVELS};
use analysis::{glossary, primer};
use base::error::ToolError;
use base::files::Target;
use engine::console::{complain, visible};
use std::fs;
use std::path::{Path, PathBuf};

/// What the files are called that are replaced, [`is_ours`] by name.
pub const OURS: &str = "a page that amazons wrote and nobody has changed";

/// The page, with `{style}`, `{script}` and so on where its parts belong.
const PAGE: &str = include_str!("../web/page.html");
const STYLE: &str = include_str!("../web/style.css");
const WORKER: &str = include_str!("../web/worker.js");

/// The puzzles, made by `amazons puzzles`: [its documentation](../../tools/README.md#puzzles) says how.
const PUZZLES: &str = include_str!("../puzzles.txt");

/// The opening book, made by `amazons selfplay book`.
const BOOK: &str = include_str!("../book.txt");

/// What differs between a page in one file and one on a host: what its policy lets in from beside it, and what its head tells.
struct Place {
    sources: &'static str,
    head: String,
}

/// The page on some games, in one file.
///
/// # Errors
/// If the games can't be written as JSON.
pub fn page(games: &[Analysis], engine: &Engine) -> Result<String, ToolError> {
    let alone = Place {
        sources: "worker-src blob:; img-src data:",
        head: "<link rel=\"icon\" href=\"data:,\">".to_owned(),
    };
    page_at(&alone, games, engine)
}

/// The page at a place.
fn page_at(place: &Place, games: &[Analysis], engine: &Engine) -> Result<String, ToolError> {
    // In JSON `<` occurs only in strings. It is escaped, so that no name of a file or player can end the script
    // element.
    let games = serde_json::to_string(games)?.replace('<', "\\u003c");
    let script = script::whole();
    let parts = [
        ("{levels}", &*LEVELS.len().to_string()),
        ("{level}", &DEFAULT_LEVEL.to_string()),
        ("{sources}", place.sources),
        ("{head}", &place.head),
        ("{style-checksum}", &seal::checksum(STYLE)),
        ("{script-checksum}", &seal::checksum(&script)),
        ("{style}", STYLE),
        ("{worker}", WORKER),
        ("{script}", &script),
        ("{glossary}", &glossary::json().to_string()),
        ("{primer}", &primer::json().to_string()),
        ("{puzzles}", PUZZLES),
        ("{book}", BOOK),
        ("{engine}", &engine.0),
        ("{games}", &games),
    ];
    Ok(seal::sealed(
        parts.into_iter().fold(PAGE.to_owned(), inserted),
    ))
}

/// A page with a part in the place of its mark.
fn inserted(page: String, (mark, part): (&str, &str)) -> String {
    page.replacen(mark, part, 1)
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
    /// Write a folder for a static host, too
    #[arg(long, value_name = "DIR")]
    host: Option<PathBuf>,
    /// Where that folder will be found, for the pictures beside links to it
    #[arg(long, value_name = "URL", requires = "host")]
    address: Option<String>,
}

/// Writes the page with the engine and without games. Returns the exit code.
///
/// # Errors
/// If a module can't be read, or the page can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let target = Target::replacing(&args.page, OURS, is_ours)?;
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let engine = Engine::of_modules(&read(&args.simd)?, &read(&args.plain)?)?;
    let page = page(&[], &engine)?;
    target.write(page.as_bytes())?;
    let name = args.page.display().to_string();
    complain(format_args!("{}: {} bytes", visible(&name), page.len()));
    if let Some(folder) = &args.host {
        host::write(folder, args.address.as_deref(), &engine)?;
    }
    Ok(0)
}
