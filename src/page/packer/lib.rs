//! Builds the page: one HTML file with its style, its scripts, games and, optionally, the engine.
//!
//! `amazons analyze --html` builds it with analysed games, `scripts/page` with the engine. The page's content security policy
//! allows only the page's own script and style, which it names by their checksums.

pub mod host;
mod script;
mod seal;
mod wasm;

pub use seal::is_unmodified;
pub use wasm::Engine;

use analysis::analysed::Analysis;
use analysis::level::{DEFAULT_LEVEL, LEVELS};
use analysis::{glossary, primer};
use base::error::ToolError;
use base::files::OutputFile;
use engine::console::{complain, visible};
use std::fs;
use std::path::{Path, PathBuf};

/// Name in error messages for pages that may be replaced: those for which [`is_unmodified`] is true.
pub const UNMODIFIED: &str = "a page that amazons wrote and nobody has changed";

/// Template of the page, with a mark such as `{style}` or `{script}` in the place of each part.
const PAGE: &str = include_str!("../web/page.html");
const STYLE: &str = include_str!("../web/style.css");
const WORKER: &str = include_str!("../web/worker.js");

/// Puzzles on the page, made by `amazons puzzles`: [its documentation](../../tools/README.md#puzzles) says how.
const PUZZLES: &str = include_str!("../puzzles.txt");

/// Opening book on the page, made by `amazons selfplay book`.
const BOOK: &str = include_str!("../book.txt");

/// Differences between a page in one file and a hosted page: `csp_sources` extends the content security policy, `head` the HTML
/// head.
struct PageVariant {
    csp_sources: &'static str,
    head: String,
}

/// Builds a page in one file, with analysed games.
///
/// # Errors
/// If the games can't be written as JSON.
pub fn build_page(games: &[Analysis], engine: &Engine) -> Result<String, ToolError> {
    let single_file = PageVariant {
        csp_sources: "worker-src blob:; img-src data:",
        head: "<link rel=\"icon\" href=\"data:,\">".to_owned(),
    };
    page_with(&single_file, games, engine)
}

/// Builds a page in one file or for a host, as `variant` says.
fn page_with(
    variant: &PageVariant,
    games: &[Analysis],
    engine: &Engine,
) -> Result<String, ToolError> {
    // Escapes `<`, which JSON holds in strings only: otherwise the name of a file or player could end the script element.
    let games = serde_json::to_string(games)?.replace('<', "\\u003c");
    let script = script::join_modules();
    let parts = [
        ("{levels}", &*LEVELS.len().to_string()),
        ("{level}", &DEFAULT_LEVEL.to_string()),
        ("{csp-sources}", variant.csp_sources),
        ("{head}", &variant.head),
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
    Ok(seal::add_seal(
        parts.into_iter().fold(PAGE.to_owned(), insert_part),
    ))
}

/// Replaces the first `mark` in the page by `part`.
fn insert_part(page: String, (mark, part): (&str, &str)) -> String {
    page.replacen(mark, part, 1)
}

/// Arguments of `amazons page`, which `scripts/page` runs
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The engine's WebAssembly module with simd128
    #[arg(long, value_name = "FILE")]
    simd: PathBuf,
    /// The engine's WebAssembly module without simd128
    #[arg(long, value_name = "FILE")]
    plain: PathBuf,
    /// The page to write
    #[arg(value_name = "FILE")]
    page: PathBuf,
    /// Also write a folder for a static host
    #[arg(long, value_name = "DIR")]
    host: Option<PathBuf>,
    /// Public URL of that folder, for pictures in link previews
    #[arg(long, value_name = "URL", requires = "host")]
    address: Option<String>,
}

/// Writes the page with the engine and without games. Returns the exit code of the program.
///
/// # Errors
/// If a module can't be read, or the page can't be written.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let target = OutputFile::replacing(&args.page, UNMODIFIED, is_unmodified)?;
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let engine = Engine::from_modules(&read(&args.simd)?, &read(&args.plain)?)?;
    let page = build_page(&[], &engine)?;
    target.write(page.as_bytes())?;
    let name = args.page.display().to_string();
    complain(format_args!("{}: {} bytes", visible(&name), page.len()));
    if let Some(folder) = &args.host {
        host::write(folder, args.address.as_deref(), &engine)?;
    }
    Ok(0)
}
