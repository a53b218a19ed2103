//! Builds the web page: one HTML file with style, scripts, texts, puzzles, opening book, analysed games and,
//! optionally, the engine.
//!
//! `amazons analyze --html` builds it with analysed games, `scripts/page` with the engine. The page's content security
//! policy allows only the page's own script and style, which it identifies by their SHA-256 checksums.

pub mod host;
mod script;
mod seal;
mod wasm;

pub use seal::is_unmodified;
pub use wasm::PageEngine;

use analysis::analysed::Analysis;
use analysis::level::{DEFAULT_LEVEL, LEVELS};
use analysis::{glossary, primer};
use base::error::Result;
use base::files::OutputFile;
use engine::console::{escaped, print_error};
use std::fs;
use std::path::{Path, PathBuf};

/// Description of a page that may be replaced, for error messages. A page may be replaced only if the checksum that is
/// embedded in it is right: then this program wrote the page, and nobody has changed it.
pub const UNMODIFIED_PAGE: &str = "a page that amazons wrote and nobody has changed";

/// HTML template of the page, with placeholders such as `{style}` or `{script}`, which [`page_with`] replaces.
const TEMPLATE: &str = include_str!("../web/page.html");
const STYLE: &str = include_str!("../web/style.css");
const WORKER: &str = include_str!("../web/worker.js");

/// Puzzles of the page, one per line, as [`amazons puzzles`](../../tools/README.md#puzzles) writes them.
const PUZZLES: &str = include_str!("../puzzles.txt");

/// Opening book of the page, as `amazons selfplay book` writes it: a tree of moves in depth-first order. Each line
/// contains the ply, the move, its number of games, and its win probability in percent.
const BOOK: &str = include_str!("../book.txt");

/// Parts of the page's HTML in which its two variants differ. The variants are the page in a single file and the page
/// for a web host, where icons and other files lie beside it.
struct PageVariant {
    /// Directives of the page's content security policy. They say from where the page may load workers, images and its
    /// web app manifest; example: `worker-src blob:; img-src data:`.
    csp_sources: &'static str,
    /// Elements to insert into the HTML head, such as the links to the page's icon and manifest.
    head: String,
}

/// Returns the HTML of a page in a single file. If `games` is empty, the page opens to play against the bot; otherwise
/// it shows the games.
///
/// # Errors
/// If the games can't be written as JSON.
pub fn build_page(games: &[Analysis], engine: &PageEngine) -> Result<String> {
    let single_file = PageVariant {
        csp_sources: "worker-src blob:; img-src data:",
        head: "<link rel=\"icon\" href=\"data:,\">".to_owned(),
    };
    page_with(&single_file, games, engine)
}

/// Returns the HTML of the page: fills the template with `games`, `engine`, and the parts in `variant`, which differ
/// between the page in a single file and the page for a web host. Also inserts a checksum of the page, by which the
/// tools later recognise an unchanged page.
fn page_with(variant: &PageVariant, games: &[Analysis], engine: &PageEngine) -> Result<String> {
    // Escapes `<` in the JSON: otherwise the name of a file or player could contain `</script>` and end the script
    // element.
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
    let page = parts.into_iter().fold(TEMPLATE.to_owned(), insert_part);
    Ok(seal::add_seal(page))
}

/// Replaces the first occurrence of `placeholder`, such as `{style}`, in the HTML text `page` by the text `part`.
fn insert_part(page: String, (placeholder, part): (&str, &str)) -> String {
    page.replacen(placeholder, part, 1)
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
    /// Folder to write for a static web host, with the page, its service worker, its manifest and its pictures
    #[arg(long, value_name = "DIR")]
    host: Option<PathBuf>,
    /// Public URL at which the folder --host will be served; link previews need it to show a picture
    #[arg(long, value_name = "URL", requires = "host")]
    address: Option<String>,
}

/// Runs `amazons page`: writes the page with the engine and without games, and with `--host` also the folder for a web
/// host. Returns the program's exit code.
///
/// # Errors
/// If a WebAssembly module can't be read or is not the engine, or if a file can't be written or replaced.
pub fn run(args: &Args) -> Result<u8> {
    let target = OutputFile::replacing_if(&args.page, UNMODIFIED_PAGE, is_unmodified)?;
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let engine = PageEngine::from_modules(&read(&args.simd)?, &read(&args.plain)?)?;
    let page = build_page(&[], &engine)?;
    target.write(page.as_bytes())?;
    let name = args.page.display().to_string();
    print_error(format_args!("{}: {} bytes", escaped(&name), page.len()));
    if let Some(folder) = &args.host {
        host::write(folder, args.address.as_deref(), &engine)?;
    }
    Ok(0)
}
