//! Files of JSON lines: a header that tells what is done, then a line per result, written as soon as it is there.

use super::ToolError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// Reads a file; `what` is said to be expected if it holds something else. A last line that was cut, by a
/// crash, is left out.
///
/// # Errors
/// If the file can't be read, or holds something else; the message names the line.
pub fn read<H: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
    what: &str,
) -> Result<(H, Vec<L>), ToolError> {
    let name = path.display();
    let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
    let texts: Vec<String> = BufReader::new(file)
        .lines()
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{name}: {error}"))?;
    let fault = |number: usize, error| format!("{name}:{number}: {error}; expected {what}");
    let first = texts
        .first()
        .ok_or_else(|| format!("{name}: empty; expected {what}"))?;
    let header = serde_json::from_str(first).map_err(|error| fault(1, error))?;
    let mut lines = Vec::new();
    for (number, text) in texts.iter().enumerate().skip(1) {
        match serde_json::from_str(text) {
            Ok(line) => lines.push(line),
            Err(_) if number + 1 == texts.len() => {}
            Err(error) => return Err(fault(number + 1, error).into()),
        }
    }
    Ok((header, lines))
}

/// Makes a new file, or opens one to go on with it; also its lines so far.
///
/// # Errors
/// If the file is there already and not to be gone on with, or its header is another one.
pub fn open<H, L>(
    path: &Path,
    header: &H,
    resume: bool,
    what: &str,
) -> Result<(File, Vec<L>), ToolError>
where
    H: Serialize + DeserializeOwned + PartialEq,
    L: Serialize + DeserializeOwned,
{
    let name = path.display();
    if !path.exists() {
        let mut file = File::create_new(path).map_err(|error| format!("{name}: {error}"))?;
        write(&mut file, header)?;
        return Ok((file, Vec::new()));
    }
    if !resume {
        return Err(format!("{name} exists: expected --resume, or another file").into());
    }
    let (found, lines) = read::<H, L>(path, what)?;
    if found != *header {
        let text = |header: &H| serde_json::to_string(header).unwrap_or_default();
        let difference = format!("found {}, expected {}", text(&found), text(header));
        return Err(format!("{name} holds {what} of another schedule: {difference}").into());
    }
    // Written anew without the line that a crash may have cut.
    let mut file = OpenOptions::new().write(true).truncate(true).open(path)?;
    write(&mut file, header)?;
    for line in &lines {
        write(&mut file, line)?;
    }
    Ok((file, lines))
}

/// Appends a line and hands it to the system at once.
///
/// # Errors
/// If it can't be written.
pub fn write(file: &mut File, line: &impl Serialize) -> Result<(), ToolError> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    file.write_all(text.as_bytes())?;
    Ok(())
}
