//! `amazons online log`: public match logs as files.

use crate::console::{print, visible};
use crate::tools::platform::address::MatchAddress;
use crate::tools::platform::source::download;
use crate::tools::support::error::{ToolError, complain_of};
use crate::tools::support::files::write_new;
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments of `amazons online log`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Ids or addresses of matches
    #[arg(required = true, value_name = "MATCH")]
    matches: Vec<MatchAddress>,
    /// Folder of the files, each named by its match's id
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

/// Fetches the logs; one that can't be had is reported and the others follow. Returns the exit code.
///
/// # Errors
/// If the folder can't be made, or standard output fails.
pub fn run(args: &Args) -> Result<u8, ToolError> {
    let name = args.dir.display();
    fs::create_dir_all(&args.dir).map_err(|error| format!("{name}: {error}"))?;
    let mut code = 0;
    for address in &args.matches {
        match save(address, &args.dir) {
            Ok(path) => print(format_args!("{}\n", visible(&path.display().to_string())))?,
            Err(error) => {
                complain_of(address, &error);
                code = 2;
            }
        }
    }
    Ok(code)
}

/// Writes the log of a match, but over no other file.
fn save(address: &MatchAddress, folder: &Path) -> Result<PathBuf, ToolError> {
    let path = folder.join(format!("{}.json", address.id));
    let text = download(address)?;
    write_new(&path, "this very log", &text)?;
    Ok(path)
}
