//! The bot that is checked: a command line, or a file that is compiled or run by its language's program.

use crate::botzone::Form;
use crate::console::visible;
use crate::tools::analysis::glossary::{Language, Term};
use crate::tools::platform::process::ProcessSpec;
use crate::tools::support::error::ToolError;
use crate::tools::system;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::SystemTime;
use tempfile::TempDir;

/// What the platform hands to g++, the standard left out. Its old ABI is left out where a library of this machine is linked.
const FLAGS: [&str; 5] = ["-D_BOTZONE_ONLINE", "-O2", "-Wall", "-mavx", "-lpthread"];

/// The standards that the platform's compilers take: g++ 5.4 and g++ 7.2.
const STANDARDS: [&str; 2] = ["c++17", "c++11"];

/// The newer of the platform's two compilers, where it is installed.
const PLATFORMS_COMPILER: &str = "g++-7";

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
        let there = programs.iter().find(|program| is_there(program));
        let program = there.ok_or_else(|| format!("{name}: needs {}", programs.join(" or ")))?;
        let words = [program].into_iter().chain(arguments);
        Ok(Bot::of_command(
            name,
            words.map(|&word| word.to_owned()).collect(),
        ))
    }

    /// Compiles a C++ file with every standard of the platform. The newest that takes it is run.
    fn of_cpp(name: String, file: &Path) -> Result<Bot, ToolError> {
        if !is_there("g++") {
            return Err(format!("{name}: needs g++").into());
        }
        let folder = tempfile::tempdir()?;
        let program = folder
            .path()
            .join(format!("bot{}", std::env::consts::EXE_SUFFIX));
        let library = library(file, folder.path())?;
        let mut builds = Vec::new();
        let mut built = false;
        for standard in STANDARDS {
            let target = if built {
                Path::new("bot-again")
            } else {
                &program
            };
            let target = folder.path().join(target);
            let build = compile("g++", standard, file, &target, &library)?;
            built |= !build.failed;
            // What was said of one standard is not said again of the next.
            let said = |other: &Build| other.complaints == build.complaints;
            if !builds.iter().any(said) {
                builds.push(build);
            }
        }
        if is_there(PLATFORMS_COMPILER) {
            let target = folder.path().join("bot-of-platform");
            builds.push(compile(
                PLATFORMS_COMPILER,
                "c++1z",
                file,
                &target,
                &library,
            )?);
        }
        if !built {
            let Build {
                compiler,
                complaints,
                ..
            } = &builds[0];
            return Err(format!("{name}: {compiler} does not take it:\n{complaints}").into());
        }
        Ok(Bot {
            builds,
            _folder: Some(folder),
            ..Bot::of_command(name, vec![program.to_string_lossy().into_owned()])
        })
    }

    /// Compiles a Java file and runs the class of its name.
    fn of_java(name: String, file: &Path) -> Result<Bot, ToolError> {
        if !is_there("javac") {
            return Err(format!("{name}: needs javac").into());
        }
        let folder = tempfile::tempdir()?;
        let mut javac = Command::new("javac");
        let output = javac.arg("-d").arg(folder.path()).arg(file).output()?;
        let build = Build::of("javac".to_owned(), &output);
        if build.failed {
            return Err(format!("{name}: javac does not take it:\n{}", build.complaints).into());
        }
        let class = file.file_stem().unwrap_or_default().to_string_lossy();
        let bot = Bot::run_by(
            name,
            &["java"],
            &["-cp", &folder.path().to_string_lossy(), &class],
        )?;
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
        let spoken = self
            .builds
            .iter()
            .filter(|build| !build.complaints.is_empty());
        let remark = |build: &Build| {
            let term = if build.failed { REFUSES } else { WARNS };
            let said = term.of(language, &[&build.compiler]);
            format!(
                "amazons: {}: {said}\n{}",
                visible(&self.name),
                build.complaints
            )
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
    fn of(compiler: String, output: &Output) -> Build {
        let said = String::from_utf8_lossy(&output.stderr);
        let lines = said.lines().filter(|line| !line.trim().is_empty());
        let lines: Vec<String> = lines.map(|line| format!("    {}", visible(line))).collect();
        let failed = !output.status.success();
        let shown = &lines[..lines.len().min(LINES)];
        Build {
            compiler,
            complaints: shown.join("\n"),
            failed,
        }
    }
}

/// Compiles a C++ file as the platform does.
fn compile(
    compiler: &str,
    standard: &str,
    file: &Path,
    target: &Path,
    library: &[String],
) -> Result<Build, ToolError> {
    let mut command = Command::new(compiler);
    command.arg(format!("-std={standard}")).args(["-x", "c++"]);
    command
        .arg(file)
        .args(["-x", "none"])
        .args(FLAGS)
        .args(library);
    let output = command
        .arg("-o")
        .arg(target)
        .stdin(Stdio::null())
        .output()?;
    Ok(Build::of(format!("{compiler} -std={standard}"), &output))
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

/// Tests if a program can be run.
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null());
    command.output().is_ok()
}

/// The files of the folder in which the bot runs, with their sizes and times of change.
pub struct Files(BTreeMap<PathBuf, (u64, Option<SystemTime>)>);

impl Files {
    /// The files as they are now.
    #[must_use]
    pub fn of_this_folder() -> Files {
        let entries = fs::read_dir(".").into_iter().flatten().flatten();
        let facts = entries.filter_map(|entry| {
            let meta = entry.metadata().ok().filter(|meta| meta.is_file())?;
            Some((entry.path(), (meta.len(), meta.modified().ok())))
        });
        Files(facts.collect())
    }

    /// Names of the files that have been changed or added since.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let Files(now) = Files::of_this_folder();
        let changed = now
            .iter()
            .filter(|(path, facts)| self.0.get(*path) != Some(facts));
        let name = |path: &PathBuf| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        changed.map(|(path, _)| name(path)).collect()
    }
}
