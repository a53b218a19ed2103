//! Starts bots under a supervisor process, and with `--sandbox` inside bubblewrap.

use super::ProcessSpec;
use crate::system::own_program;
use base::error::ToolError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// Path of the bot's writable working folder, as the bot sees it inside the sandbox.
const SCRATCH_DIR: &str = "/tmp";

/// Beginning of the bubblewrap command line. No word contains a space, so the text can be split into words at the
/// spaces.
const BUBBLEWRAP_COMMAND: &str = "bwrap --unshare-all --die-with-parent --clearenv \
    --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /tmp \
    --proc /proc --dev /dev --remount-ro /dev";

/// System folders and files that programs need. Those that exist on this machine are mounted read-only in the sandbox.
const SYSTEM_DIRS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
];

/// Command line options for the sandbox in which bots run.
#[derive(Clone, Debug, clap::Args)]
pub struct LaunchArgs {
    /// Run bots in a sandbox (bubblewrap) without access to the network or to other processes: they can read the system's
    /// files and the folders of files that the command names, and write to an empty working folder
    #[arg(long)]
    sandbox: bool,
    /// Additional file or folder that bots may read in the sandbox; may be repeated
    #[arg(long, value_name = "PATH", requires = "sandbox")]
    sandbox_read: Vec<PathBuf>,
}

impl LaunchArgs {
    /// Returns the settings to start one bot; with `--sandbox` they include a new scratch folder.
    ///
    /// # Errors
    /// If the scratch folder can't be created.
    pub fn launch(&self) -> Result<Launch, ToolError> {
        let sandbox = self.sandbox.then(|| Sandbox::new(&self.sandbox_read));
        Ok(Launch {
            sandbox: sandbox.transpose()?,
            ..Launch::new(own_program()?)
        })
    }

    /// Checks that the sandbox works and that the bot's program can be found inside it.
    ///
    /// # Errors
    /// If the sandbox does not work on this system, or if the program is missing inside it.
    pub fn check(&self, bot: &ProcessSpec) -> Result<(), ToolError> {
        if !self.sandbox {
            return Ok(());
        }
        if !cfg!(target_os = "linux") {
            return Err("--sandbox: works only on Linux (bubblewrap)".into());
        }
        let find = ["sh", "-c", "command -v \"$0\""].map(str::to_owned);
        let program = &bot.command[0];
        let sandbox = Sandbox::new(&self.sandbox_read)?;
        let command = sandbox.command(&[&find[..], std::slice::from_ref(program)].concat());
        let found = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::null())
            .output();
        let error = match &found {
            Ok(found) if found.status.success() => return Ok(()),
            // `command -v` prints no errors, so any error message is bubblewrap's.
            Ok(found) => String::from_utf8_lossy(&found.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        Err(match error.as_str() {
            "" => format!("{program}: not found in the sandbox; expected a program of the system or the path of a program"),
            error => format!("--sandbox: {error}; expected bubblewrap (the program bwrap), and a system that allows it"),
        }
        .into())
    }
}

/// Writes `, in a sandbox` if bots run in a sandbox, otherwise nothing; the text is the end of a description of the
/// match conditions.
impl fmt::Display for LaunchArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.sandbox { ", in a sandbox" } else { "" })
    }
}

/// How to start one bot: the program of its supervisor process, and its sandbox.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Path of the program (normally this one) whose subcommand `keep-bot` supervises the bot's processes.
    pub(super) supervisor: PathBuf,
    sandbox: Option<Arc<Sandbox>>,
}

impl Launch {
    /// Returns the settings to start a bot without a sandbox. `supervisor` is the path of this program.
    #[must_use]
    pub const fn new(supervisor: PathBuf) -> Launch {
        Launch {
            supervisor,
            sandbox: None,
        }
    }

    /// Returns the words of the command line that starts the bot, inside bubblewrap if there is a sandbox.
    #[must_use]
    pub fn command(&self, bot: &ProcessSpec) -> Vec<String> {
        match &self.sandbox {
            Some(sandbox) => sandbox.command(&bot.command),
            None => bot.command.clone(),
        }
    }
}

/// Bubblewrap sandbox of one bot: what it can read, and where it can write.
#[derive(Debug)]
struct Sandbox {
    /// Paths that the bot may read, in addition to the system's folders.
    readable: Vec<PathBuf>,
    /// Temporary folder to which the bot can write; removed when this value is dropped.
    scratch: TempDir,
}

impl Sandbox {
    fn new(readable: &[PathBuf]) -> Result<Arc<Sandbox>, ToolError> {
        let scratch = tempfile::Builder::new().prefix("amazons-").tempdir();
        Ok(Arc::new(Sandbox {
            readable: readable.to_vec(),
            scratch: scratch.map_err(|error| format!("--sandbox: {error}"))?,
        }))
    }

    /// Returns the bubblewrap command line that runs `command`. Words that name files become absolute paths, and the
    /// bot can read the folders of these files.
    fn command(&self, command: &[String]) -> Vec<String> {
        let mut words: Vec<String> = BUBBLEWRAP_COMMAND.split(' ').map(str::to_owned).collect();
        let mut bind = |kind: &str, from: &Path, to: &Path| {
            let paths = [from, to].map(|path| path.to_string_lossy().into_owned());
            words.push(kind.to_owned());
            words.extend(paths);
        };
        bind("--bind", self.scratch.path(), Path::new(SCRATCH_DIR));
        for path in SYSTEM_DIRS {
            bind("--ro-bind-try", Path::new(path), Path::new(path));
        }
        let named: Vec<Option<PathBuf>> = command.iter().map(|word| existing_path(word)).collect();
        let folders = named.iter().flatten().map(|path| folder_of(path));
        let readable = self.readable.iter().map(PathBuf::as_path);
        for path in readable.chain(folders) {
            bind("--ro-bind", path, path);
        }
        words.extend(["--chdir", SCRATCH_DIR, "--"].map(str::to_owned));
        for (word, path) in command.iter().zip(named) {
            let path = path.map(|path| path.to_string_lossy().into_owned());
            words.push(path.unwrap_or_else(|| word.clone()));
        }
        words
    }
}

/// Returns the absolute path of the existing file or folder that the command line's `word` names; `None` if there is
/// none. The path must be absolute, because the bot runs in another working directory than this program.
fn existing_path(word: &str) -> Option<PathBuf> {
    // A word without slash or dot, such as `python3`, names a program in the search path, even if a file in the current
    // folder has the same name.
    let path = Path::new(word).canonicalize();
    path.ok()
        .filter(|_| word.contains('/') || word.contains('.'))
}

/// Returns the folder that contains the file `path`, or `path` itself if it is a folder.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !path.is_dir() => parent,
        _ => path,
    }
}
