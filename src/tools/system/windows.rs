//! Functions for Windows: a bot's processes as a job object ([`Group`]), the console, processes by id, and command
//! lines.

use super::{SUPERVISOR_SUBCOMMAND, command};
use std::io::{self, Write};
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::path::Path;
use std::process::{self, Child, ExitStatus};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};
use win32job::{ExtendedLimitInfo, Job};

/// Windows' flag for creating a process to which the console does not send Ctrl-C. Supervisor processes and thus their
/// bots are created with it, so that Ctrl-C reaches only this program.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// Exit code of a supervisor process that could not start its bot. In this case it has printed the operating system's
/// error number to standard output. The value is arbitrary: no bot is likely to exit with it.
const NOT_STARTED_CODE: i32 = 0x2a6b_0bad;

/// Windows' error number for a missing file (`ERROR_FILE_NOT_FOUND`).
const ERROR_FILE_NOT_FOUND: i32 = 2;

/// True if this program starts a supervisor process for each bot. The CPU time and memory of this process must not
/// count as the bot's. Always true on Windows.
pub const HAS_SUPERVISOR: bool = true;

/// Exit codes (NTSTATUS) with which Windows ends a crashed program, with their meanings.
const CRASH_CODES: &[(u32, &str)] = &[
    (0xc000_0005, "access violation"),
    (0xc000_001d, "illegal instruction"),
    (0xc000_0094, "integer division by zero"),
    (0xc000_00fd, "stack overflow"),
    (0xc000_0135, "a DLL is missing"),
    (0xc000_0374, "damaged heap"),
    (0xc000_0409, "abort or damaged stack"),
    (0xc000_013a, "Ctrl-C"),
];

/// Supervisor process of a bot: the subcommand `keep-bot` of this program. The process is put into a job object (a
/// group of processes on Windows) before it starts the bot. Therefore the bot and all processes that the bot starts
/// belong to this job object, too.
pub mod supervisor {
    use super::{ERROR_FILE_NOT_FOUND, NOT_STARTED_CODE};
    use std::io::{self, Read, Write};
    use std::process::{self, Command};

    /// Runs as the supervisor process of a bot: waits for one byte on standard input, starts the bot by the command
    /// line `bot`, and waits for its end. The parent process sends the byte when it has put the supervisor process into
    /// the job object.
    ///
    /// This function never returns; its return type is only that of the same function on other systems. It ends this
    /// process with the bot's exit code, or with `NOT_STARTED_CODE` if the bot could not be started.
    #[must_use]
    pub fn run(bot: &[String]) -> u8 {
        process::exit(wait_and_run(bot).unwrap_or_else(|error| {
            // If the bot's program does not exist, the error comes from Rust's standard library, not from Windows, and
            // has no error number. In this case use Windows' number for a missing file.
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            let unnumbered = if is_missing { ERROR_FILE_NOT_FOUND } else { 0 };
            let number = error.raw_os_error().unwrap_or(unnumbered);
            // Ignore an error of writing the error number. If the number is missing, the program that started this
            // process, such as `amazons arena`, reports an unknown error.
            let _ = write!(io::stdout(), "{number}");
            NOT_STARTED_CODE
        }))
    }

    fn wait_and_run(bot: &[String]) -> io::Result<i32> {
        // Read one byte, and no more: a buffer, as used by the standard library, would also take input that is meant
        // for the bot.
        unbuffered_input()?.read_exact(&mut [0])?;
        let (program, arguments) = bot.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let status = Command::new(program).args(arguments).status()?;
        Ok(status.code().unwrap_or(1))
    }

    /// Returns standard input as a file that is read without a buffer.
    ///
    /// # Errors
    /// If the handle of standard input can't be duplicated.
    fn unbuffered_input() -> io::Result<std::fs::File> {
        use std::os::windows::io::AsHandle;
        Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
    }
}

/// Job object of Windows: a group that contains all processes of a bot; `None` after these processes were ended. If the
/// job object is closed or this program ends, Windows ends all processes in the group.
pub struct Group(Option<Job>);

impl Group {
    /// Starts the bot by the command line `bot` in a new job object of Windows, as a child of a supervisor process.
    /// `supervisor` is the path of this program's executable file, with which that process is started. Returns the job
    /// object and the supervisor process.
    ///
    /// # Errors
    /// If the job object, the supervisor process or its pipes can't be created.
    pub fn start(supervisor: &Path, bot: &[String]) -> io::Result<(Group, Child)> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close());
        let job = job.map_err(io::Error::other)?;
        let arguments = [&[SUPERVISOR_SUBCOMMAND, "--"].map(str::to_owned), bot].concat();
        let mut child = command(supervisor, &arguments)
            .creation_flags(CREATE_NEW_PROCESS_GROUP)
            .spawn()?;
        let assigned = job.assign_process(child.as_raw_handle() as isize);
        let begin = assigned.map_err(io::Error::other).and_then(|()| {
            let mut stdin = child.stdin.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
            stdin.write_all(b"\n")
        });
        if begin.is_err() {
            // The supervisor process is not in the job object, or could not be told to start the bot. End it; it has
            // not started the bot, because it still waits for a byte on standard input.
            let _ = child.kill();
        }
        begin.map(|()| (Group(Some(job)), child))
    }

    /// Does nothing, because this program does not stop processes on Windows. A bot may continue to think between its
    /// turns.
    pub const fn pause(&self) {}

    /// Does nothing, because `pause` stops no process on Windows.
    pub const fn resume(&self) {}

    /// Ends all processes of the bot, by closing the job object that contains them.
    pub fn kill(&mut self) {
        self.0 = None;
    }
}

/// Returns `None` if the bot was started. If the supervisor process could not start it, returns the operating system's
/// error number, or 0 if the number is unknown. `status` is the exit status of the supervisor process, `output` its
/// standard output, which contains the number.
pub fn start_error(status: ExitStatus, output: &[u8]) -> Option<i32> {
    let number = String::from_utf8_lossy(output).trim().parse();
    (status.code() == Some(NOT_STARTED_CODE)).then(|| number.unwrap_or(0))
}

/// Describes how the bot ended, such as `exit code 1`; `None` after exit code 0.
pub fn describe_exit(status: ExitStatus) -> Option<String> {
    let code = status.code().filter(|&code| code != 0)?.cast_unsigned();
    let known = CRASH_CODES.iter().find(|&&(number, _)| number == code);
    Some(match known {
        Some((_, what)) => format!("exit code {code:#x}, {what}"),
        None if code > 0xffff => format!("exit code {code:#x}"),
        None => format!("exit code {code}"),
    })
}

/// Splits the command line of a bot into words at blanks outside quotes. Returns `None` if a quote is not closed.
/// Double quotes may begin anywhere in a word, single quotes only at its beginning. A backslash is an ordinary
/// character, as in `C:\bot.exe`.
#[must_use]
pub fn split_command_line(line: &str) -> Option<Vec<String>> {
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

/// Joins `words` to a command line for Windows. A word with spaces, tabs or double quotes is enclosed in double quotes,
/// and `\"` replaces each double quote in it. Backslashes are not doubled, not even at the end of a word.
#[must_use]
pub fn join_command_line(words: &[String]) -> String {
    let quoted =
        words.iter().map(
            |word| match word.contains(|letter: char| " \t\"".contains(letter)) {
                true => format!("\"{}\"", word.replace('"', "\\\"")),
                false => word.clone(),
            },
        );
    quoted.collect::<Vec<_>>().join(" ")
}

/// Tests if the terminal has been closed; always false, because Windows reports a closed console through the Ctrl-C
/// handler.
#[must_use]
pub const fn is_terminal_closed() -> bool {
    false
}

/// Tests if the user started this program by a double click: its parent process is `explorer.exe`, the Windows
/// Explorer.
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

/// Tests if a process with the id `id` exists. Returns true, too, if the processes can't be listed.
#[must_use]
pub fn is_running(id: i32) -> bool {
    let id = Pid::from_u32(id.cast_unsigned());
    let Ok(mut system) = System::new() else {
        return true;
    };
    system.refresh_processes(ProcessesToUpdate::Some(&[id]), true);
    system.process(id).is_some()
}

/// Tests if the machine, not the program, is the reason why a process could not be started. `number` is Windows' error
/// number. Returns true for a lack of memory, quota or open files, and for 0, which means that the number is unknown.
#[must_use]
pub const fn is_resource_shortage(number: i32) -> bool {
    matches!(number, 0 | 4 | 8 | 14 | 1450 | 1455 | 1816)
}

#[cfg(test)]
mod tests {
    use super::split_command_line;

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
            assert_eq!(
                split_command_line(line).expect("all quotes are closed"),
                expected
            );
        }
        assert_eq!(split_command_line("a 'b"), None);
    }
}
