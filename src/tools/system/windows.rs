//! Windows: job objects, the console, processes by number.

use super::{KEEP_BOT, command};
use std::io::{self, Write};
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{self, Child, ExitStatus};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
use win32job::{ExtendedLimitInfo, Job};

/// What keeps the console's Ctrl-C, which is for the arena, from its bots (`CREATE_NEW_PROCESS_GROUP`).
const WITHOUT_CTRL_C: u32 = 0x200;

/// Exit code of a keeper that could not start its bot; the system's error number is then on standard output. No
/// program ends with it by chance.
const NOT_STARTED: i32 = 0x2a6b_0bad;

/// The system's number for a file that is not there (`ERROR_FILE_NOT_FOUND`).
const NOT_FOUND: i32 = 2;

/// A bot runs under a keeper here, whose own cost is not the bot's.
pub const HAS_KEEPER: bool = true;

/// Reasons for an end that Windows tells by a number.
const CRASHES: &[(u32, &str)] = &[
    (0xc000_0005, "access violation"),
    (0xc000_001d, "illegal instruction"),
    (0xc000_0094, "integer division by zero"),
    (0xc000_00fd, "stack overflow"),
    (0xc000_0135, "a DLL is missing"),
    (0xc000_0374, "damaged heap"),
    (0xc000_0409, "abort or damaged stack"),
    (0xc000_013a, "Ctrl-C"),
];

/// The keeper of a bot: a process that is in the bot's job before the bot is born.
pub mod keeper {
    use super::{NOT_FOUND, NOT_STARTED};
    use std::io::{self, Read, Write};
    use std::process::{self, Command};

    /// Waits for the word, runs a bot and ends with its exit code.
    #[must_use]
    pub fn run(bot: &[String]) -> u8 {
        process::exit(keep(bot).unwrap_or_else(|error| {
            // The standard library itself looks for the program, and its error has no number.
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            let unnumbered = if is_missing { NOT_FOUND } else { 0 };
            let number = error.raw_os_error().unwrap_or(unnumbered);
            // If this fails, the arena takes the silence for an unknown error.
            let _ = write!(io::stdout(), "{number}");
            NOT_STARTED
        }))
    }

    fn keep(bot: &[String]) -> io::Result<i32> {
        // Not through the standard library's buffer, which would take what is meant for the bot.
        unbuffered_input()?.read_exact(&mut [0])?;
        let (program, arguments) = bot.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let status = Command::new(program).args(arguments).status()?;
        Ok(status.code().unwrap_or(1))
    }

    /// Standard input without a buffer.
    fn unbuffered_input() -> io::Result<std::fs::File> {
        use std::os::windows::io::AsHandle;
        Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
    }
}

/// A bot's processes: a job, closed and thereby ended with this value, or with this program.
pub struct Group(Option<Job>);

impl Group {
    /// Starts a bot under a keeper, which is this program, in a job of its own.
    pub fn start(keeper: &Path, bot: &[String]) -> io::Result<(Group, Child)> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close());
        let job = job.map_err(io::Error::other)?;
        let arguments = [&[KEEP_BOT, "--"].map(str::to_owned), bot].concat();
        let mut child = command(keeper, &arguments)
            .creation_flags(WITHOUT_CTRL_C)
            .spawn()?;
        let assigned = job.assign_process(child.as_raw_handle() as isize);
        let begin = assigned.map_err(io::Error::other).and_then(|()| {
            let mut stdin = child.stdin.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
            stdin.write_all(b"\n")
        });
        if begin.is_err() {
            // It waits for the word: there is nothing else to end.
            let _ = child.kill();
        }
        begin.map(|()| (Group(Some(job)), child))
    }

    /// Windows has no way to stop a process: a bot may think on.
    pub const fn pause(&self) {}

    /// Nothing has stopped.
    pub const fn go_on(&self) {}

    /// Ends all processes.
    pub fn end(&mut self) {
        self.0 = None;
    }
}

/// The system's error number if the bot could not be started.
pub fn not_started(ended: ExitStatus, output: &[u8]) -> Option<i32> {
    let number = String::from_utf8_lossy(output).trim().parse();
    (ended.code() == Some(NOT_STARTED)).then(|| number.unwrap_or(0))
}

/// Message about a bad end.
pub fn why(ended: ExitStatus) -> Option<String> {
    let code = ended.code().filter(|&code| code != 0)?.cast_unsigned();
    let known = CRASHES.iter().find(|&&(number, _)| number == code);
    Some(match known {
        Some((_, what)) => format!("exit code {code:#x}, {what}"),
        None if code > 0xffff => format!("exit code {code:#x}"),
        None => format!("exit code {code}"),
    })
}

/// The words of a bot's command line. A backslash is one, as in a path. Quotes hold blanks together: double ones
/// anywhere, single ones around a word.
#[must_use]
pub fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut open = None;
    for letter in line.chars() {
        match letter {
            _ if open == Some(letter) => open = None,
            '"' if open.is_none() => open = Some(letter),
            '\'' if word.is_none() => open = Some(letter),
            _ if open.is_none() && letter.is_whitespace() => {
                words.extend(word.take());
                continue;
            }
            _ => word.get_or_insert_default().push(letter),
        }
        word.get_or_insert_default();
    }
    words.extend(word);
    open.is_none().then_some(words)
}

/// A command line of words, as programs of Windows read them.
#[must_use]
pub fn line(words: &[String]) -> String {
    let quoted =
        words.iter().map(
            |word| match word.contains(|letter: char| " \t\"".contains(letter)) {
                true => format!("\"{}\"", word.replace('"', "\\\"")),
                false => word.clone(),
            },
        );
    quoted.collect::<Vec<_>>().join(" ")
}

/// Tests if the terminal is gone: a console that is closed tells by the handler of Ctrl-C.
#[must_use]
pub const fn has_hung_up() -> bool {
    false
}

/// Tests if the program has a window of its own because somebody double-clicked on it.
#[must_use]
pub fn was_double_clicked() -> bool {
    let own = Pid::from_u32(process::id());
    let Ok(mut system) = System::new() else {
        return false;
    };
    let mut look = |id| {
        let what = ProcessRefreshKind::nothing();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[id]), true, what);
        let process = system.process(id)?;
        Some((process.parent(), process.name().to_owned()))
    };
    let parent = look(own).and_then(|(parent, _)| look(parent?));
    parent.is_some_and(|(_, name)| name.eq_ignore_ascii_case("explorer.exe"))
}

/// Tests if a process exists.
#[must_use]
pub fn is_running(id: i32) -> bool {
    let id = Pid::from_u32(id.cast_unsigned());
    let Ok(mut system) = System::new() else {
        return true;
    };
    system.refresh_processes(ProcessesToUpdate::Some(&[id]), true);
    system.process(id).is_some()
}

/// Tests if the system's error number means that the machine has no room for another process: not enough memory or
/// quota, too many files.
#[must_use]
pub const fn means_a_busy_machine(number: i32) -> bool {
    matches!(number, 0 | 4 | 8 | 14 | 1450 | 1455 | 1816)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn paths_keep_their_backslashes() {
        for (line, expected) in [
            (
                r"C:\bots\mine.exe  --seed 1",
                &[r"C:\bots\mine.exe", "--seed", "1"][..],
            ),
            (
                r#""C:\my bots\a.exe" --x="a b""#,
                &[r"C:\my bots\a.exe", "--x=a b"],
            ),
            (
                r"'C:\my bots\a.exe' O'Brien",
                &[r"C:\my bots\a.exe", "O'Brien"],
            ),
            (r#"a "" 'it"s'"#, &["a", "", "it\"s"]),
            ("", &[]),
        ] {
            assert_eq!(words(line).expect("all quotes are closed"), expected);
        }
        assert_eq!(words("a 'b"), None);
    }
}
