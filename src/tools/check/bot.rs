//! Prepares the bot to check ([`Bot::prepare`]). The bot is a program, a source file for an interpreter (Python,
//! JavaScript), or a source file to compile (C++, Java).

use crate::platform::process::ProcessSpec;
use crate::system;
use analysis::glossary::{Language, Term};
use base::error::Result;
use engine::botzone::Protocol;
use engine::console::escaped;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tempfile::TempDir;

/// Options of g++ that Botzone uses for every C++ bot. One option of Botzone is missing here, that for the old C++ ABI:
/// [`library_options`] adds it, except for bots that use the library jsoncpp.
const GXX_FLAGS: [&str; 5] = ["-D_BOTZONE_ONLINE", "-O2", "-Wall", "-mavx", "-lpthread"];

/// C++ compilers that are tried on a bot, instead of Botzone's g++ 5.4 and 7.2. First: the program; second: the value
/// of its option `-std`. Every installed compiler is run, so that the user sees the messages of all. The check plays
/// with the executable file of the first compiler in this list that accepts the bot.
const COMPILERS: [(&str, &str); 3] = [("g++", "c++17"), ("g++", "c++11"), ("g++-7", "c++1z")];

/// Maximum number of lines of a compiler's messages that are shown to the user.
const MAX_MESSAGE_LINES: usize = 12;

/// A bot that has been compiled if necessary and can be started.
pub struct Bot {
    /// The bot's words on the command line of `check`, such as `bot.py --level 3`. Reports use them as the bot's name.
    pub name: String,
    command: Vec<String>,
    /// Results of all compilers that ran on the source file; empty if the bot was not compiled.
    builds: Vec<Build>,
    /// Temporary folder with the compiled program, deleted when this value is dropped; `None` if nothing was compiled.
    _folder: Option<TempDir>,
}

/// Result of compiling the bot's source file with one compiler: the compiler's name, its messages, and whether it
/// rejected the file.
struct Build {
    compiler: String,
    messages: String,
    has_failed: bool,
}

impl Bot {
    /// Makes the bot ready to start. `words` are the bot's words on the command line: a program or a source file, then
    /// the bot's arguments. A C++ or Java file is compiled.
    ///
    /// # Errors
    /// - If `words` is empty, or names a source file that does not exist.
    /// - If the compiler or interpreter is not installed.
    /// - If the file does not compile; the message contains the compiler's messages.
    pub fn prepare(words: &[String]) -> Result<Bot> {
        let name = words.join(" ");
        let [file, arguments @ ..] = words else {
            return Err("expected a bot: a source file, or a program".into());
        };
        let path = Path::new(file);
        let Some(kind) = source_extension(file) else {
            return Bot::from_program(name, words);
        };
        if !path.is_file() {
            return Err(format!("{file}: expected an existing file").into());
        }
        let mut bot = match &*kind {
            "java" => Bot::from_java(name, path),
            "py" => Bot::with_interpreter(name, &["python3", "python"], &[file]),
            "jar" => Bot::with_interpreter(name, &["java"], &["-jar", file]),
            "js" => Bot::with_interpreter(name, &["node"], &[file]),
            _ => Bot::from_cpp(name, path),
        }?;
        bot.command.extend_from_slice(arguments);
        Ok(bot)
    }

    /// Creates a bot from a program and its arguments. If `words` is a single word that names no existing file, it is
    /// split at blanks and quotes as by a shell, for example `"./bot --level 3"`.
    ///
    /// # Errors
    /// If the single word is empty or contains a quote without its closing quote.
    fn from_program(name: String, words: &[String]) -> Result<Bot> {
        let words = match words {
            [line] if !Path::new(line).is_file() => {
                let words = system::split_command_line(line).filter(|words| !words.is_empty());
                words.ok_or_else(|| format!("\"{line}\": expected a command line"))?
            }
            words => words.to_vec(),
        };
        Ok(Bot::from_command(name, words))
    }

    fn from_command(name: String, mut command: Vec<String>) -> Bot {
        // Add `./` to the name of a program in the current folder, because without it the operating system would search
        // only the folders of `PATH`.
        let path = Path::new(&command[0]);
        if path.is_file() && path.parent() == Some(Path::new("")) {
            command[0] = Path::new(".").join(path).to_string_lossy().into_owned();
        }
        Bot {
            name,
            command,
            builds: Vec::new(),
            _folder: None,
        }
    }

    /// Creates a bot that an interpreter such as `python3` runs: the first of `programs` that is installed. `arguments`
    /// are the interpreter's arguments, such as the path of the bot's source file; `name` is the bot's name for
    /// messages.
    ///
    /// # Errors
    /// If none of `programs` is installed.
    fn with_interpreter(name: String, programs: &[&str], arguments: &[&str]) -> Result<Bot> {
        let words = [&[first_installed(&name, programs)?], arguments].concat();
        let words = words.into_iter().map(str::to_owned).collect();
        Ok(Bot::from_command(name, words))
    }

    /// Compiles a C++ file with Botzone's options, once with each installed compiler of [`COMPILERS`]. The bot runs the
    /// executable file of the first compiler that accepts the file.
    ///
    /// # Errors
    /// - If g++ is not installed.
    /// - If no compiler accepts the file; the message contains the first compiler's messages.
    /// - If the source file can't be read, a temporary file can't be written, or a compiler can't be started.
    fn from_cpp(name: String, file: &Path) -> Result<Bot> {
        first_installed(&name, &["g++"])?;
        let folder = tempfile::tempdir()?;
        let library = library_options(file, folder.path())?;
        let (mut builds, mut program) = (Vec::new(), None);
        for (compiler, standard) in COMPILERS.into_iter().filter(|(name, _)| is_installed(name)) {
            let target = format!("bot-{standard}{}", std::env::consts::EXE_SUFFIX);
            let target = folder.path().join(target);
            let mut command = Command::new(compiler);
            command.arg(format!("-std={standard}")).args(["-x", "c++"]);
            command.arg(file).args(["-x", "none"]).args(GXX_FLAGS);
            command.args(&library).arg("-o").arg(&target);
            let build = Build::run(format!("{compiler} -std={standard}"), command)?;
            if !build.has_failed {
                program.get_or_insert(target);
            }
            // If several compilers print the same messages, keep only the first, so that the user reads the messages
            // only once.
            let is_same = |other: &Build| other.messages == build.messages;
            if !builds.iter().any(is_same) {
                builds.push(build);
            }
        }
        let program = program.ok_or_else(|| builds[0].rejection(&name))?;
        let mut bot = Bot::from_command(name, vec![program.to_string_lossy().into_owned()]);
        (bot.builds, bot._folder) = (builds, Some(folder));
        Ok(bot)
    }

    /// Compiles a Java file. The bot runs the class that has the file's name without `.java`.
    ///
    /// # Errors
    /// - If javac or java is not installed.
    /// - If the file does not compile; the message contains the compiler's messages.
    /// - If a temporary folder can't be created, or javac can't be started.
    fn from_java(name: String, file: &Path) -> Result<Bot> {
        let mut javac = Command::new(first_installed(&name, &["javac"])?);
        let folder = tempfile::tempdir()?;
        javac.arg("-d").arg(folder.path()).arg(file);
        let build = Build::run("javac".to_owned(), javac)?;
        if build.has_failed {
            return Err(build.rejection(&name).into());
        }
        let class = file.file_stem().unwrap_or_default().to_string_lossy();
        let arguments = ["-cp", &folder.path().to_string_lossy(), &class];
        let mut bot = Bot::with_interpreter(name, &["java"], &arguments)?;
        (bot.builds, bot._folder) = (vec![build], Some(folder));
        Ok(bot)
    }

    /// Returns what is needed to start the bot's process: its command line, and `protocol`, the protocol (simple or
    /// JSON) of its input and output.
    #[must_use]
    pub fn spec(&self, protocol: Protocol) -> ProcessSpec {
        ProcessSpec {
            command: self.command.clone(),
            protocol,
            restarts: false,
        }
    }

    /// Returns the compilers' warnings and errors as texts for the user, one text for each compiler that printed any.
    /// Texts that are equal for several compilers are returned once.
    #[must_use]
    pub fn remarks(&self, language: Language) -> Vec<String> {
        let builds = self.builds.iter();
        let with_messages = builds.filter(|build| !build.messages.is_empty());
        let remark = |build: &Build| {
            let term = if build.has_failed { REJECTS } else { WARNS };
            let heading = term.fill(language, &[&build.compiler]);
            let (name, messages) = (escaped(&self.name), &build.messages);
            format!("amazons: {name}: {heading}\n{messages}")
        };
        with_messages.map(remark).collect()
    }
}

/// User-interface text: heading above a compiler's messages, if this compiler rejects the bot's source file but another
/// compiler accepts it. The compiler's name replaces `{0}`.
const REJECTS: Term = Term::new(
    "{0} fails to compile it; choose another compiler on the platform, or fix:",
    "{0} 编译失败；请在平台上选择其他编译器，或修改代码：",
);

const WARNS: Term = Term::new("{0} warns:", "{0} 警告：");

impl Build {
    /// Runs a compiler by the command line `command`. Returns three parts: `compiler` unchanged, which is the
    /// compiler's name for messages, such as `g++ -std=c++17`; the first [`MAX_MESSAGE_LINES`] non-empty lines of the
    /// compiler's standard error; and whether the compiler failed.
    ///
    /// # Errors
    /// If the command can't be started.
    fn run(compiler: String, mut command: Command) -> io::Result<Build> {
        let output = command.stdin(Stdio::null()).output()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        let lines = stderr.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.map(|line| format!("    {}", escaped(line)));
        Ok(Build {
            compiler,
            messages: lines.take(MAX_MESSAGE_LINES).collect::<Vec<_>>().join("\n"),
            has_failed: !output.status.success(),
        })
    }

    /// Returns the error message that this compiler rejects the bot's source file, followed by the compiler's messages.
    /// If all compilers reject the file, the user gets this message for the first of them. `name` is the bot's name.
    fn rejection(&self, name: &str) -> String {
        let (compiler, messages) = (&self.compiler, &self.messages);
        format!("{name}: {compiler} fails to compile it:\n{messages}")
    }
}

/// Returns the options of g++ for the libraries of the C++ file `file`. There are two cases:
/// - The file includes the JSON library jsoncpp. The options select the copy of jsoncpp on this machine. The function
///   also writes the header `jsoncpp/json.h` into `folder`, because the file may include jsoncpp by this path, as on
///   Botzone.
/// - The file does not include jsoncpp. The only option selects the old C++ ABI, as on Botzone.
///
/// # Errors
/// If `file` can't be read, or the header can't be written.
fn library_options(file: &Path, folder: &Path) -> Result<Vec<String>> {
    let source = String::from_utf8_lossy(&fs::read(file)?).into_owned();
    if !source.contains("json/json.h") && !source.contains("jsoncpp/json.h") {
        return Ok(vec!["-D_GLIBCXX_USE_CXX11_ABI=0".to_owned()]);
    }
    let shim = folder.join("jsoncpp");
    fs::create_dir(&shim)?;
    fs::write(shim.join("json.h"), "#include <json/json.h>\n")?;
    let own = format!("-I{}", folder.display());
    let options = [&*own, "-I/usr/include/jsoncpp", "-ljsoncpp"];
    Ok(options.map(str::to_owned).to_vec())
}

/// Returns the extension of a source file's name, in lower case and without the dot, such as `cpp`. Returns `None` if
/// `file` is no source file but a program: its name has none of the known extensions. A text with blanks is taken for a
/// command line, such as `./bot a.py`, unless a file of this name exists.
#[must_use]
pub fn source_extension(file: &str) -> Option<String> {
    let path = Path::new(file);
    let kind = path.extension()?.to_str()?.to_lowercase();
    let is_source = ["cpp", "cc", "cxx", "py", "java", "jar", "js"].contains(&&*kind);
    (is_source && (path.is_file() || !file.contains(' '))).then_some(kind)
}

/// Returns the first of `programs` that is installed on this machine.
///
/// # Errors
/// If none is installed. The message says that the bot called `name` needs one of `programs`.
fn first_installed<'a>(name: &str, programs: &[&'a str]) -> Result<&'a str, String> {
    let mut installed = programs.iter().filter(|program| is_installed(program));
    let fault = || format!("{name}: needs {}", programs.join(" or "));
    installed.next().copied().ok_or_else(fault)
}

/// Tests if `program` can be started on this machine, by running it with `--version`.
fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    command.output().is_ok()
}

/// Files in a folder at some time, keyed by the file's name. First: size of the file in bytes; second: time of its last
/// change, `None` if unknown.
pub type FileSnapshot = BTreeMap<String, (u64, Option<SystemTime>)>;

/// Returns the size and the time of the last change of each file in the current folder, in which the bot runs.
/// Subfolders are ignored.
#[must_use]
pub fn file_snapshot() -> FileSnapshot {
    let entries = fs::read_dir(".").into_iter().flatten().flatten();
    let metadata = entries.filter_map(|entry| {
        let meta = entry.metadata().ok().filter(|meta| meta.is_file())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, (meta.len(), meta.modified().ok())))
    });
    metadata.collect()
}

/// Returns the names of the files in the current folder that were changed or added since the snapshot `before` was
/// taken, in alphabetical order.
#[must_use]
pub fn changed_files(before: &FileSnapshot) -> Vec<String> {
    let mut now = file_snapshot();
    now.retain(|name, metadata| before.get(name) != Some(metadata));
    now.into_keys().collect()
}
