//! The bot that is checked: a command line, or a file that is compiled or run by its language's program.

use crate::platform::process::ProcessSpec;
use crate::system;
use analysis::glossary::{Language, Term};
use base::error::ToolError;
use engine::botzone::Form;
use engine::console::visible;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tempfile::TempDir;

/// What the platform hands to g++, the standard left out. Its old ABI is left out where a library of this machine is linked.
const FLAGS: [&str; 5] = ["-D_BOTZONE_ONLINE", "-O2", "-Wall", "-mavx", "-lpthread"];

/// The platform's compilers, g++ 5.4 and 7.2, by their names here, and the standards that they take. What is installed is tried;
/// the first program that comes of it is run.
const COMPILERS: [(&str, &str); 3] = [("g++", "c++17"), ("g++", "c++11"), ("g++-7", "c++1z")];

/// Lines of a compiler's complaints that are shown.
const LINES: usize = 12;

/// A bot that can be run.
pub struct Bot {
    /// Its name in reports: its command line.
    pub name: String,
    command: Vec<String>,
    /// What its compilers said.
    builds: Vec<Build>,
    /// Where it was built; gone with the bot.
    _folder: Option<TempDir>,
}

/// What a compiler made of a bot.
struct Build {
    compiler: String,
    complaints: String,
    failed: bool,
}

impl Bot {
    /// Prepares a program with its arguments, or a source file, which is compiled or run by its language's program.
    ///
    /// # Errors
    /// If there is no such file or no program for it, or it does not compile; the message holds the compiler's.
    pub fn prepare(words: &[String]) -> Result<Bot, ToolError> {
        let name = words.join(" ");
        let [file, arguments @ ..] = words else {
            return Err("expected a bot: a source file, or a program".into());
        };
        let path = Path::new(file);
        let Some(kind) = kind_of_source(file) else {
            return Bot::of_program(name, words);
        };
        if !path.is_file() {
            return Err(format!("{file}: expected a file that is there").into());
        }
        let mut bot = match &*kind {
            "java" => Bot::of_java(name, path),
            "py" => Bot::run_by(name, &["python3", "python"], &[file]),
            "jar" => Bot::run_by(name, &["java"], &["-jar", file]),
            "js" => Bot::run_by(name, &["node"], &[file]),
            _ => Bot::of_cpp(name, path),
        }?;
        bot.command.extend_from_slice(arguments);
        Ok(bot)
    }

    /// Returns a program with its arguments; a single word that is no file is split as a shell does it.
    fn of_program(name: String, words: &[String]) -> Result<Bot, ToolError> {
        let words = match words {
            [line] if !Path::new(line).is_file() => {
                let words = system::words(line).filter(|words| !words.is_empty());
                words.ok_or_else(|| format!("\"{line}\": expected a command line"))?
            }
            words => words.to_vec(),
        };
        Ok(Bot::of_command(name, words))
    }

    fn of_command(name: String, mut command: Vec<String>) -> Bot {
        // A program in this folder is meant by its name, too.
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

    /// A bot that the first of some programs runs which is there.
    fn run_by(name: String, programs: &[&str], arguments: &[&str]) -> Result<Bot, ToolError> {
        let words = [&[first_of(&name, programs)?], arguments].concat();
        let words = words.into_iter().map(str::to_owned).collect();
        Ok(Bot::of_command(name, words))
    }

    /// Compiles a C++ file as the platform does, by every compiler that is there.
    fn of_cpp(name: String, file: &Path) -> Result<Bot, ToolError> {
        first_of(&name, &["g++"])?;
        let folder = tempfile::tempdir()?;
        let library = library(file, folder.path())?;
        let (mut builds, mut program) = (Vec::new(), None);
        for (compiler, standard) in COMPILERS.into_iter().filter(|(name, _)| is_there(name)) {
            let target = format!("bot-{standard}{}", std::env::consts::EXE_SUFFIX);
            let target = folder.path().join(target);
            let mut command = Command::new(compiler);
            command.arg(format!("-std={standard}")).args(["-x", "c++"]);
            command.arg(file).args(["-x", "none"]).args(FLAGS);
            command.args(&library).arg("-o").arg(&target);
            let build = Build::of(format!("{compiler} -std={standard}"), command)?;
            if !build.failed {
                program.get_or_insert(target);
            }
            // What was said of one standard is not said again of the next.
            let said = |other: &Build| other.complaints == build.complaints;
            if !builds.iter().any(said) {
                builds.push(build);
            }
        }
        let program = program.ok_or_else(|| builds[0].refusal(&name))?;
        Ok(Bot {
            builds,
            _folder: Some(folder),
            ..Bot::of_command(name, vec![program.to_string_lossy().into_owned()])
        })
    }

    /// Compiles a Java file and runs the class of its name.
    fn of_java(name: String, file: &Path) -> Result<Bot, ToolError> {
        let mut javac = Command::new(first_of(&name, &["javac"])?);
        let folder = tempfile::tempdir()?;
        javac.arg("-d").arg(folder.path()).arg(file);
        let build = Build::of("javac".to_owned(), javac)?;
        if build.failed {
            return Err(build.refusal(&name).into());
        }
        let class = file.file_stem().unwrap_or_default().to_string_lossy();
        let arguments = ["-cp", &folder.path().to_string_lossy(), &class];
        let bot = Bot::run_by(name, &["java"], &arguments)?;
        Ok(Bot {
            builds: vec![build],
            _folder: Some(folder),
            ..bot
        })
    }

    /// The bot as a process, in an interaction.
    #[must_use]
    pub fn spec(&self, form: Form) -> ProcessSpec {
        ProcessSpec {
            command: self.command.clone(),
            form,
            fresh: false,
        }
    }

    /// What its compilers said, where they said anything.
    #[must_use]
    pub fn remarks(&self, language: Language) -> Vec<String> {
        let builds = self.builds.iter();
        let spoken = builds.filter(|build| !build.complaints.is_empty());
        let remark = |build: &Build| {
            let term = if build.failed { REFUSES } else { WARNS };
            let said = term.of(language, &[&build.compiler]);
            let (name, complaints) = (visible(&self.name), &build.complaints);
            format!("amazons: {name}: {said}\n{complaints}")
        };
        spoken.map(remark).collect()
    }
}

/// A compiler of the platform's kind refuses a file that another one takes.
const REFUSES: Term = Term::new(
    "{0} does not take it; choose another compiler on the platform, or mend:",
    "{0} 编译失败；请在平台上选择其他编译器，或修改代码：",
);

const WARNS: Term = Term::new("{0} warns:", "{0} 警告：");

impl Build {
    /// Runs a compiler.
    fn of(compiler: String, mut command: Command) -> io::Result<Build> {
        let output = command.stdin(Stdio::null()).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let lines = said.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.map(|line| format!("    {}", visible(line)));
        Ok(Build {
            compiler,
            complaints: lines.take(LINES).collect::<Vec<_>>().join("\n"),
            failed: !output.status.success(),
        })
    }

    /// Says that the compiler refuses the file.
    fn refusal(&self, name: &str) -> String {
        let (compiler, complaints) = (&self.compiler, &self.complaints);
        format!("{name}: {compiler} does not take it:\n{complaints}")
    }
}

/// What a bot needs that includes the platform's JSON library: this machine's. The platform has its header in a folder
/// of the library's name.
fn library(file: &Path, folder: &Path) -> Result<Vec<String>, ToolError> {
    let source = String::from_utf8_lossy(&fs::read(file)?).into_owned();
    if !source.contains("json/json.h") && !source.contains("jsoncpp/json.h") {
        return Ok(vec!["-D_GLIBCXX_USE_CXX11_ABI=0".to_owned()]);
    }
    let shim = folder.join("jsoncpp");
    fs::create_dir(&shim)?;
    fs::write(shim.join("json.h"), "#include <json/json.h>\n")?;
    let own = format!("-I{}", folder.display());
    Ok(vec![
        own,
        "-I/usr/include/jsoncpp".to_owned(),
        "-ljsoncpp".to_owned(),
    ])
}

/// Returns the extension of a source file's name, in small letters; nothing if the name is that of a program.
///
/// A single word with blanks that is no file is a command line.
#[must_use]
pub fn kind_of_source(file: &str) -> Option<String> {
    let path = Path::new(file);
    let kind = path.extension()?.to_str()?.to_lowercase();
    let is_source = ["cpp", "cc", "cxx", "py", "java", "jar", "js"].contains(&&*kind);
    (is_source && (path.is_file() || !file.contains(' '))).then_some(kind)
}

/// Returns the first of some programs that is there, of which a bot needs one.
fn first_of<'a>(name: &str, programs: &[&'a str]) -> Result<&'a str, String> {
    let there = programs.iter().find(|program| is_there(program));
    there
        .copied()
        .ok_or_else(|| format!("{name}: needs {}", programs.join(" or ")))
}

/// Tests if a program can be run.
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    command.output().is_ok()
}

/// Files by name, with their sizes and times of change.
pub type Files = BTreeMap<String, (u64, Option<SystemTime>)>;

/// Returns the files of the folder in which the bot runs.
#[must_use]
pub fn files() -> Files {
    let entries = fs::read_dir(".").into_iter().flatten().flatten();
    let facts = entries.filter_map(|entry| {
        let meta = entry.metadata().ok().filter(|meta| meta.is_file())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((name, (meta.len(), meta.modified().ok())))
    });
    facts.collect()
}

/// Returns the names of the files that have been changed or added.
#[must_use]
pub fn changed_files(before: &Files) -> Vec<String> {
    let mut now = files();
    now.retain(|name, facts| before.get(name) != Some(facts));
    now.into_keys().collect()
}
