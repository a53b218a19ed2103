//! Atomic replacement of files ([`OutputFile`]): a file keeps its old content until the new content is completely on
//! the disk.

use super::error::Result;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Creates the file at `path` with the content `text`. If the file exists, it must be empty or contain exactly `text`.
/// `expected` describes the content in error messages, such as "a match log".
///
/// # Errors
/// If the file contains something else, or if it cannot be read or written; the message names the file.
pub fn write_new(path: &Path, expected: &str, text: &str) -> Result<()> {
    let is_same = |content: &[u8]| content == text.as_bytes();
    OutputFile::replacing_if(path, expected, is_same)?.write(text.as_bytes())
}

/// Output file of a long computation. [`OutputFile::new`] checks its path before the computation, so that an unwritable
/// path is reported at once. [`OutputFile::write`] writes the whole content after the computation.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
}

impl OutputFile {
    /// Checks that a file at `path` can be created or replaced, and returns it as an output file. An existing file
    /// keeps its content until [`OutputFile::write`]. Call this function before a long computation, so that an
    /// unwritable path is reported at once.
    ///
    /// # Errors
    /// If `path` cannot be written; the message names the file.
    pub fn new(path: &Path) -> Result<OutputFile> {
        OutputFile::replacing_if(path, "a file", |_| true)
    }

    /// Checks that a file at `path` can be created or, if it exists, replaced, and returns it as an output file. An
    /// existing file keeps its content until [`OutputFile::write`]. It may be replaced only if it is empty, or if
    /// `is_replaceable` returns true for its content. `expected` describes such content in error messages, for example
    /// "a match log".
    ///
    /// # Errors
    /// If `path` cannot be written, or if `is_replaceable` returns false; the message names the file.
    pub fn replacing_if(
        path: &Path,
        expected: &str,
        is_replaceable: impl Fn(&[u8]) -> bool,
    ) -> Result<OutputFile> {
        let name = path.display();
        let fault = |error: io::Error| format!("{name}: {error}; expected a file to write");
        if path.file_name().is_none() {
            return Err(format!("\"{name}\": expected the name of a file to write").into());
        }
        let target = OutputFile {
            // Resolve a symbolic link, so that its target is replaced and the link stays.
            path: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        };
        match fs::metadata(path) {
            Ok(meta) if meta.is_dir() => {
                return Err(format!("{name} is a folder: expected a file to write").into());
            }
            Ok(meta) if meta.is_file() => {
                let content = fs::read(path).map_err(fault)?;
                if !content.is_empty() && !is_replaceable(&content) {
                    return Err(format!(
                        "{name} is there and is not {expected}: expected another file"
                    )
                    .into());
                }
                OpenOptions::new().append(true).open(path).map_err(fault)?;
                target.create_temporary().map_err(fault)?;
            }
            Ok(_) => drop(target.open_in_place().map_err(fault)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                target.create_temporary().map(drop).map_err(fault)?;
            }
            Err(error) => return Err(fault(error).into()),
        }
        Ok(target)
    }

    /// Replaces the content of the output file by `content`. A regular file keeps its old content after an error. To a
    /// terminal or pipe, `content` is written directly, so after an error a part of it may have been written.
    ///
    /// # Errors
    /// If the file cannot be written, for example because the disk is full; the message names the file.
    pub fn write(&self, content: &[u8]) -> Result<()> {
        let found = fs::metadata(&self.path).ok();
        let result = match found {
            Some(meta) if !meta.is_file() => self
                .open_in_place()
                .and_then(|mut file| file.write_all(content)),
            found => self.replace(content, found.map(|meta| meta.permissions())),
        };
        result.map_err(|error| format!("{}: {error}", self.path.display()).into())
    }

    fn replace(&self, content: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
        let mut file = self.create_temporary()?;
        file.write_all(content)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }

    /// Creates a temporary file in the folder of the output file. The temporary file is deleted when the returned value
    /// is dropped.
    fn create_temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| folder != &Path::new(""));
        let mut builder = Builder::new();
        // Allow all users to read and write, minus the umask, as for any new file; by default a temporary file is
        // private. On Windows, the folder determines the permissions.
        #[cfg(unix)]
        builder.permissions(Permissions::from_mode(0o666));
        builder
            .prefix(".amazons-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))
    }

    /// Opens an output that is no regular file, such as a terminal, a pipe or `/dev/null`. Such an output cannot be
    /// replaced, so its content is written to it directly.
    fn open_in_place(&self) -> io::Result<File> {
        OpenOptions::new().write(true).open(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_files_atomically_and_leaves_no_temporary_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, link] = ["out", "link"].map(|name| folder.path().join(name));
        let has = |content: &str| fs::read_to_string(&path).expect("there") == content;
        for content in ["first, and longer", "second"] {
            let target = OutputFile::new(&path).expect("writable");
            target.write(content.as_bytes()).expect("written");
            assert!(has(content));
        }
        // The path `below/it` inside `path` cannot be written, because `path` is a file and not a folder.
        let unwritable = OutputFile {
            path: path.join("below/it"),
        };
        assert!(unwritable.write(b"after").is_err() && has("second"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&path, &link).expect("linked");
            let target = OutputFile::new(&link).expect("writable");
            target.write(b"by the link").expect("written");
            assert!(has("by the link") && link.is_symlink());
            fs::remove_file(&link).expect("removed");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn rejects_unwritable_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        for path in [
            folder.path(),
            &folder.path().join("missing/file"),
            Path::new(""),
        ] {
            assert!(OutputFile::new(path).is_err(), "{path:?}");
        }
    }
}
