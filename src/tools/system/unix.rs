//! Functions for all Unix systems: the terminal, processes by id, and command lines.

use nix::errno::Errno::{self, EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSYS, UnknownErrno};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io;
use std::os::fd::AsFd;

/// Splits the command line of a bot into words by the quoting rules of a POSIX shell, for example `bot "a b"` into
/// `bot` and `a b`. Returns `None` if a quote is not closed, or if the line ends with an unquoted backslash.
#[must_use]
pub fn split_command_line(line: &str) -> Option<Vec<String>> {
    shlex::split(line)
}

/// Joins `words` to a command line, with quotes where needed, that a POSIX shell splits into the same words.
#[must_use]
pub fn join_command_line(words: &[String]) -> String {
    let quoted = shlex::try_join(words.iter().map(String::as_str));
    quoted.unwrap_or_else(|_| words.join(" "))
}

/// Tests if the terminal on standard input has been closed.
#[must_use]
pub fn is_terminal_closed() -> bool {
    let input = io::stdin();
    let mut events = [PollFd::new(input.as_fd(), PollFlags::empty())];
    let closed = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
    let polled = poll(&mut events, PollTimeout::ZERO);
    let found = events[0].revents();
    polled.is_ok() && found.is_some_and(|found| found.intersects(closed))
}

/// Tests if the user started this program by a double click. Always false on Unix, where this is not detected.
#[must_use]
pub const fn was_double_clicked() -> bool {
    false
}

/// Tests if the process with the id `id` is running. A process that has ended but still has its id (a zombie) does not
/// count as running.
#[must_use]
pub fn is_running(id: i32) -> bool {
    // A process that was killed keeps its id until its parent has waited for it. But on Linux, the file
    // `/proc/<id>/stat` shows whether it has ended: by the state `Z` or `X` after the process's name in brackets.
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    !state.starts_with(['Z', 'X']) && kill(Pid::from_raw(id), None) != Err(Errno::ESRCH)
}

/// Describes the end of a bot by the signal with the number `signal`, such as `ended by signal 9, SIGKILL`.
#[must_use]
pub fn describe_signal(signal: i32) -> String {
    let name = Signal::try_from(signal).map_or("unknown", Signal::as_str);
    format!("ended by signal {signal}, {name}")
}

/// Tests if the machine, not the program, is the reason why a process could not be started. `number` is the operating
/// system's error number (`errno`). Returns true for a lack of memory, processes or open files, and for a missing
/// system call (`ENOSYS`). Also returns true for 0, which means that the number is unknown, and for numbers that are
/// not defined.
#[must_use]
pub fn is_resource_shortage(number: i32) -> bool {
    let error = Errno::from_raw(number);
    [EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSYS, UnknownErrno].contains(&error)
}

#[cfg(test)]
mod tests {
    use super::{describe_signal, split_command_line};

    #[test]
    fn backslash_escapes_the_next_character() {
        let words = split_command_line("bot 3\\ 4").expect("sound");
        assert_eq!(words, ["bot", "3 4"]);
        assert_eq!(split_command_line("bot \\"), None);
    }

    #[test]
    fn known_signals_are_named() {
        assert_eq!(describe_signal(9), "ended by signal 9, SIGKILL");
        assert_eq!(describe_signal(99), "ended by signal 99, unknown");
    }
}
