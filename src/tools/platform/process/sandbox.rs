//! [`Launch`] says how bots are started. A supervisor process, which is this program with another command, starts the
//! bot and can kill all of its processes. With the option `--sandbox`, the bot runs inside a sandbox (bubblewrap).

use super::ProcessSpec;
use crate::system::own_program;
use base::error::Result;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// Path, inside the sandbox, of the bot's working folder. The bot can write to no other folder.
const SCRATCH_DIR: &str = "/tmp";

/// Beginning of the command line that runs a program in a sandbox: the program bubblewrap (`bwrap`) and its first
/// arguments. They are separated by single spaces, so no argument may contain a space.
const BUBBLEWRAP_COMMAND: &str = "bwrap --unshare-all --die-with-parent --clearenv \
    --setenv PATH /usr/local/bin:/usr/bin:/bin --setenv HOME /tmp \
    --proc /proc --dev /dev --remount-ro /dev";

/// System folders and files that the sandbox allows bots to read, because programs need them. Those that do not exist
/// on this machine are left out. The paths are separated by blanks.
const SYSTEM_DIRS: &str = "/usr /bin /sbin /lib /lib32 /lib64 /opt \
    /etc/alternatives /etc/ld.so.cache /etc/localtime";

/// Command line options for the sandbox in which bots run.
#[derive(Clone, Debug, clap::Args)]
pub struct LaunchArgs {
    /// Run bots in a sandbox (bubblewrap) without access to the network or to other processes: they can read the
    /// system's files and the folders of files that the command names, and write to an empty working folder
    #[arg(long)]
    sandbox: bool,
    /// Additional file or folder that bots may read in the sandbox; may be repeated
    #[arg(long, value_name = "PATH", requires = "sandbox")]
    sandbox_read: Vec<PathBuf>,
}

impl LaunchArgs {
    /// Returns the settings for starting bots: the supervisor program and, with `--sandbox`, the sandbox. Inside the
    /// sandbox, bots can read the paths of `--sandbox-read`, and write to an empty temporary folder, which this
    /// function creates.
    ///
    /// # Errors
    /// If this program's path can't be determined or the folder can't be created.
    pub fn launch(&self) -> Result<Launch> {
        let sandbox = self.sandbox.then(|| Sandbox::new(&self.sandbox_read));
        Ok(Launch {
            sandbox: sandbox.transpose()?,
            ..Launch::new(own_program()?)
        })
    }

    /// Checks that the sandbox works and that the program of `bot` can be found inside it. Does nothing without
    /// `--sandbox`.
    ///
    /// # Errors
    /// If this system is not Linux, if bubblewrap can't be started, or if the program is not found inside the sandbox.
    pub fn check(&self, bot: &ProcessSpec) -> Result<()> {
        if !self.sandbox {
            return Ok(());
        }
        if !cfg!(target_os = "linux") {
            return Err("--sandbox: works only on Linux (bubblewrap)".into());
        }
        let find = ["sh", "-c", "command -v \"$0\""].map(str::to_owned);
        let program = &bot.command[0];
        let sandbox = Sandbox::new(&self.sandbox_read)?;
        let words = sandbox.command(&[&find[..], std::slice::from_ref(program)].concat());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        let error = match &command.output() {
            Ok(found) if found.status.success() => return Ok(()),
            // If the shell does not find the program, `command -v` prints no message. Therefore, any message on
            // standard error comes from bubblewrap, and means that the sandbox does not work.
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

/// Formats the end of a message about bots: `, in a sandbox` if `--sandbox` is given, otherwise nothing.
impl fmt::Display for LaunchArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.sandbox { ", in a sandbox" } else { "" })
    }
}

/// How bots are started: the path of the program that supervises the bot's processes, and the sandbox, if there is one.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Path of the supervisor, normally of this program itself. It is started with the subcommand `keep-bot`, starts
    /// the bot, and can kill all of its processes.
    pub(super) supervisor: PathBuf,
    sandbox: Option<Arc<Sandbox>>,
}

impl Launch {
    /// Returns settings for starting a bot without a sandbox. `supervisor` is the path of the program that supervises
    /// the bot's processes, normally this program.
    #[must_use]
    pub const fn new(supervisor: PathBuf) -> Launch {
        Launch {
            supervisor,
            sandbox: None,
        }
    }

    /// Returns the command line that starts `bot`, split into arguments. Without a sandbox, it is the bot's own command
    /// line. With a sandbox, it starts the program bubblewrap, which then starts the bot.
    #[must_use]
    pub fn command(&self, bot: &ProcessSpec) -> Vec<String> {
        match &self.sandbox {
            Some(sandbox) => sandbox.command(&bot.command),
            None => bot.command.clone(),
        }
    }
}

/// Sandbox (bubblewrap) of one bot: the files that it can read, and its working folder.
#[derive(Debug)]
struct Sandbox {
    /// Paths that the bot may read, in addition to the system's folders.
    readable: Vec<PathBuf>,
    /// Temporary folder, the only one to which the bot can write. It is removed when this value is dropped.
    scratch: TempDir,
}

impl Sandbox {
    fn new(readable: &[PathBuf]) -> Result<Arc<Sandbox>> {
        let scratch = tempfile::Builder::new().prefix("amazons-").tempdir();
        Ok(Arc::new(Sandbox {
            readable: readable.to_vec(),
            scratch: scratch.map_err(|error| format!("--sandbox: {error}"))?,
        }))
    }

    /// Returns the command line that runs `command` inside the sandbox (bubblewrap). Arguments of `command` that name
    /// existing files are replaced by absolute paths, and the bot may read the folders of these files.
    fn command(&self, command: &[String]) -> Vec<String> {
        let mut words: Vec<String> = BUBBLEWRAP_COMMAND.split(' ').map(str::to_owned).collect();
        let mut bind = |kind: &str, from: &Path, to: &Path| {
            let paths = [from, to].map(|path| path.to_string_lossy().into_owned());
            words.push(kind.to_owned());
            words.extend(paths);
        };
        bind("--bind", self.scratch.path(), Path::new(SCRATCH_DIR));
        for path in SYSTEM_DIRS.split(' ') {
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

/// Returns the absolute path of the file or folder that the argument `word` names; `None` if it does not exist. The
/// path must be absolute, because the sandbox has another working directory.
fn existing_path(word: &str) -> Option<PathBuf> {
    // An argument without slash and dot, such as `python3`, is the name of a program, which is looked up in the search
    // path. For such an argument, the function returns `None`, even if the current folder contains a file with this
    // name.
    let path = Path::new(word).canonicalize().ok();
    path.filter(|_| word.contains(['/', '.']))
}

/// Returns the folder that contains the file `path`, or `path` itself if it is a folder.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !path.is_dir() => parent,
        _ => path,
    }
}
