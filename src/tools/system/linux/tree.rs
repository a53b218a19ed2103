//! CPU time, memory, sockets and signals of a bot's processes, which are the process tree below the bot's supervisor
//! process.

use crate::system::ProcessStats;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use rustix::param::clock_ticks_per_second;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// Growth of the processes' total resident memory, in bytes, after which their proportional set sizes (PSS) are
/// measured again.
const PSS_GROWTH: u64 = 1 << 20;

/// Tree of a bot's processes below the bot's supervisor process, with the CPU time and memory that they have used so
/// far.
#[derive(Default)]
pub struct ProcessTree {
    supervisor: i32,
    /// CPU time of all processes since the bot's start, including ended processes.
    pub cpu: Duration,
    /// Peak resident memory of all processes together, in bytes.
    pub memory: u64,
    /// Total resident memory of the processes, in bytes, at the last measurement of their proportional set sizes. In
    /// this total, a memory page shared by several processes counts once for each of them.
    resident: u64,
    /// Ids of the processes that the last call of [`ProcessTree::stop`] stopped.
    stopped: Vec<i32>,
}

impl ProcessTree {
    /// Returns the process tree below `supervisor`, the id of a process that has just been started.
    #[must_use]
    pub fn new(supervisor: i32) -> ProcessTree {
        ProcessTree {
            supervisor,
            ..ProcessTree::default()
        }
    }

    /// Measures the CPU time and memory of all processes, and updates `cpu` and `memory`.
    ///
    /// # Errors
    /// If the system does not report them.
    pub fn measure(&mut self) -> io::Result<()> {
        let processes = descendants(self.supervisor)?;
        let live: Duration = processes.iter().map(|&process| cpu_time(process)).sum();
        let mut ended = Duration::ZERO;
        for process in processes.iter().copied().chain([self.supervisor]) {
            ended += ended_children_cpu_time(process)?;
        }
        self.cpu = self.cpu.max(live + ended);
        self.measure_memory(&processes)
    }

    /// Measures the memory of `processes`, given by their ids, and raises `memory` to it if it is more. Their memory is
    /// the largest peak of a single process, or the sum of the proportional set sizes if that is larger. Open files
    /// that exist only in memory count, too.
    ///
    /// # Errors
    /// If the system does not report the memory.
    fn measure_memory(&mut self, processes: &[i32]) -> io::Result<()> {
        let (mut peak, mut resident, mut shared, mut unnamed) = (0, 0, 0, 0);
        for &process in processes {
            unnamed += unnamed_file_bytes(process)?;
            let status = read_proc_file(process, "status")?;
            peak = peak.max(status_bytes(&status, "VmHWM:"));
            resident += status_bytes(&status, "VmRSS:");
            shared += status_bytes(&status, "RssShmem:");
        }
        // Mapped pages of in-memory files are already included in the resident memory, so they are subtracted.
        let unmapped = unnamed.saturating_sub(shared);
        self.memory = self.memory.max(peak + unmapped);
        if processes.len() > 1 && resident > self.resident + PSS_GROWTH {
            // The sum of proportional set sizes is slow to compute and never exceeds the total resident memory, so it
            // is computed only if that total has grown.
            self.resident = resident;
            let mut shares = 0;
            for &process in processes {
                shares += status_bytes(&read_proc_file(process, "smaps_rollup")?, "Pss:");
            }
            self.memory = self.memory.max(shares + unmapped);
        }
        Ok(())
    }

    /// Counts the processes and threads at this moment, and tests if a process has a network socket.
    ///
    /// # Errors
    /// If the system does not report them.
    pub fn stats(&self) -> io::Result<ProcessStats> {
        let processes = descendants(self.supervisor)?;
        let mut stats = ProcessStats {
            processes: processes.len(),
            ..ProcessStats::default()
        };
        for process in processes {
            stats.threads += proc_entries(process, "task")?.count();
            stats.has_socket |= has_socket(process)?;
        }
        Ok(stats)
    }

    /// Stops all processes by `SIGSTOP`.
    ///
    /// # Errors
    /// If the system can't list the processes.
    pub fn stop(&mut self) -> io::Result<()> {
        self.stopped.clear();
        // Repeat until no process is running, because a process may start others before it is stopped.
        loop {
            let mut running = descendants(self.supervisor)?;
            running.retain(|process| !self.stopped.contains(process));
            if running.is_empty() {
                return Ok(());
            }
            signal_all(&running, Signal::SIGSTOP);
            self.stopped.append(&mut running);
        }
    }

    /// Resumes the stopped processes by `SIGCONT`.
    pub fn resume(&mut self) {
        signal_all(&self.stopped, Signal::SIGCONT);
    }
}

/// Kills all descendants of the process with the id `ancestor`: its children, their children, and so on.
///
/// # Errors
/// If the system can't list the processes.
pub fn kill_descendants(ancestor: i32) -> io::Result<()> {
    signal_all(&descendants(ancestor)?, Signal::SIGKILL);
    Ok(())
}

/// Sends `signal` to each of `processes`, given by their ids. Errors are ignored, because a process may have ended.
fn signal_all(processes: &[i32], signal: Signal) {
    for &process in processes {
        let _ = kill(Pid::from_raw(process), signal);
    }
}

/// Returns the process ids of all descendants of the process with the id `ancestor`: its children, their children, and
/// so on.
///
/// # Errors
/// If the system can't list the processes.
fn descendants(ancestor: i32) -> io::Result<Vec<i32>> {
    let mut found = children(ancestor)?;
    let mut at = 0;
    while let Some(&process) = found.get(at) {
        found.extend(children(process)?);
        at += 1;
    }
    Ok(found)
}

/// Returns the process ids of the children of the process with the id `parent`; empty if that process has ended.
///
/// # Errors
/// If the system can't list the children.
pub fn children(parent: i32) -> io::Result<Vec<i32>> {
    let mut children = Vec::new();
    for task in proc_entries(parent, "task")? {
        let list = none_if_ended(fs::read_to_string(task.path().join("children")))?;
        let list = list.unwrap_or_default();
        children.extend(
            list.split_whitespace()
                .filter_map(|child| child.parse::<i32>().ok()),
        );
    }
    Ok(children)
}

/// Iterates over the entries of the folder `/proc/<process>/<folder>`, where `process` is a process id; no entries if
/// the process has ended.
///
/// # Errors
/// If the system can't list the folder.
fn proc_entries(process: i32, folder: &str) -> io::Result<impl Iterator<Item = fs::DirEntry>> {
    let entries = none_if_ended(fs::read_dir(format!("/proc/{process}/{folder}")))?;
    Ok(entries.into_iter().flatten().flatten())
}

/// Returns the value of `found`, a result of reading `/proc`; `None` instead of an error that means that the process
/// has ended or permission is denied.
///
/// # Errors
/// If `found` is any other error.
fn none_if_ended<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.raw_os_error() == Some(Errno::ESRCH as i32) => Ok(None),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied => Ok(None),
            _ => Err(error),
        },
    }
}

/// Returns the text of the file `/proc/<process>/<file>`, where `process` is a process id; empty if the process has
/// ended.
///
/// # Errors
/// If the system can't read the file.
fn read_proc_file(process: i32, file: &str) -> io::Result<String> {
    let bytes = none_if_ended(fs::read(format!("/proc/{process}/{file}")))?;
    // The text contains the process's name, which may be invalid UTF-8.
    Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
}

/// Returns, in bytes, the memory size in the line of `text` that begins with `name`, such as `VmRSS:  1234 kB`; 0 if
/// there is no such line. `text` is a status file of `/proc`.
fn status_bytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    1024 * number.unwrap_or(0)
}

/// Tests if the process with the id `process` has an open TCP or UDP socket.
///
/// # Errors
/// If the system can't list the process's files or sockets.
fn has_socket(process: i32) -> io::Result<bool> {
    let files = proc_entries(process, "fd")?.filter_map(|file| fs::read_link(file.path()).ok());
    let numbers = files.filter_map(|file| {
        let number = file.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
        Some(format!(" {number} "))
    });
    let numbers: Vec<String> = numbers.collect();
    if numbers.is_empty() {
        return Ok(false);
    }
    // These files list all network sockets, one file for each protocol. They do not list Unix domain sockets, which
    // connect processes of the same machine.
    let lists = ["net/tcp", "net/tcp6", "net/udp", "net/udp6"];
    let lists: io::Result<Vec<String>> = lists
        .iter()
        .map(|list| read_proc_file(process, list))
        .collect();
    let lists = lists?.concat();
    Ok(numbers.iter().any(|number| lists.contains(number)))
}

/// Returns the CPU time of the process with the id `process`, without that of its children; zero if the process has
/// ended.
#[must_use]
pub fn cpu_time(process: i32) -> Duration {
    let time = clock_getcpuclockid(Pid::from_raw(process)).and_then(clock_gettime);
    time.map_or(Duration::ZERO, Duration::from)
}

/// Returns the total CPU time of the ended children of the process with the id `process`, and of their ended
/// descendants.
///
/// # Errors
/// If the system does not report it.
fn ended_children_cpu_time(process: i32) -> io::Result<Duration> {
    let stat = read_proc_file(process, "stat")?;
    // `cutime` and `cstime` are the 14th and 15th field after the process name, which may contain spaces and brackets.
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    let ticks: u64 = fields
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Ok(Duration::from_millis(
        1000 * ticks / clock_ticks_per_second(),
    ))
}

/// Returns the total size, in bytes, of those open files of the process with the id `process` that have no name on
/// disk, such as those of `memfd_create`. A file that is open several times counts once.
///
/// # Errors
/// If the system does not report the files.
fn unnamed_file_bytes(process: i32) -> io::Result<u64> {
    let mut found: HashMap<u64, u64> = HashMap::new();
    for file in proc_entries(process, "fd")? {
        if let Some(meta) = none_if_ended(fs::metadata(file.path()))?
            && meta.is_file()
            && meta.nlink() == 0
        {
            found.insert(meta.ino(), 512 * meta.blocks());
        }
    }
    Ok(found.values().sum())
}
