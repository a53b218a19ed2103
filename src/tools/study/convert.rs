//! `amazons convert`: converts game records to another format.

use super::print_warnings;
use crate::platform::source::LogSource;
use base::error::{Result, ok_or_print};
use base::files::write_new;
use engine::console::{escaped, print};
use record::formats::Format;
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments of `amazons convert`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Format to write
    #[arg(value_enum)]
    format: Format,
    /// Records of games in any of these formats: files, or ids or addresses of matches
    #[arg(required = true, value_name = "FILE")]
    files: Vec<LogSource>,
    /// Folder for the new files. Each is named after its FILE, without the old extension, or after the match id. Needed
    /// for several FILEs; without it, the games are written to standard output
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// Converts all games of all files. A game that can't be read or converted is reported on standard error and skipped.
/// Returns the exit code: 2 if a game was skipped, else 0.
///
/// # Errors
/// If there are several files but no `--dir`, if the folder can't be created, or if standard output can't be written.
pub fn run(args: &Args) -> Result<u8> {
    if let Some(dir) = &args.dir {
        fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    } else if args.files.len() > 1 {
        return Err("several files without --dir, expected a folder for the new ones".into());
    }
    let mut code = 0;
    for file in &args.files {
        let mut texts = Vec::new();
        for (title, game) in file.games() {
            let text = game.and_then(|record| {
                print_warnings(&title, &record.game);
                Ok(args.format.write(&record)?)
            });
            match ok_or_print(&title, text) {
                Some(text) => texts.push(text),
                None => code = 2,
            }
        }
        if texts.is_empty() {
            continue;
        }
        let text = texts.join(args.format.separator());
        let output = match &args.dir {
            None => Ok(text),
            Some(dir) => save(file, args.format, dir, &text),
        };
        match ok_or_print(file, output) {
            Some(text) => print(text)?,
            None => code = 2,
        }
    }
    Ok(code)
}

/// Writes `text`, the games of the source `file` after their conversion, to a new file in the folder `dir`. Returns a
/// line to print with the new file's path. If a file with this name and this content already exists, leaves it
/// unchanged.
///
/// # Errors
/// If the file can't be written, or if it already exists with other content.
fn save(file: &LogSource, format: Format, dir: &Path, text: &str) -> Result<String> {
    let path = dir.join(file.file_stem());
    let path = path.with_added_extension(format.extension());
    write_new(&path, "this very record", text)?;
    Ok(format!("{}\n", escaped(&path.display().to_string())))
}
