//! Measures, stops and kills the processes of a bot ([`ProcessTree`]). They are the descendants of the bot's supervisor
//! process, and are found in the folder `/proc`.

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

/// Growth of the total resident memory of a bot's processes, in bytes, that must be exceeded before their proportional
/// set sizes (PSS) are read again. They are not read in every measurement, because reading them is slow. In a process's
/// PSS, a memory page that n processes share counts 1/n.
const PSS_GROWTH: u64 = 1 << 20;

/// All processes of a bot, and how much CPU time and memory they have used together. They are found as the descendants
/// of the bot's supervisor process, which this program starts for the bot.
#[derive(Default)]
pub struct ProcessTree {
    supervisor: i32,
    /// CPU time of all processes of the bot together, from the bot's start until the last measurement. It includes
    /// processes that have ended.
    pub cpu: Duration,
    /// Peak resident memory of all processes of the bot together, from the bot's start until the last measurement, in
    /// bytes.
    pub memory: u64,
    /// Total resident memory of all processes of the bot, in bytes, at the time when their proportional set sizes were
    /// last read. In this total, a memory page shared by n processes counts n times.
    resident: u64,
    /// Ids of the processes that the last call of [`ProcessTree::stop`] has suspended by `SIGSTOP`.
    stopped: Vec<i32>,
}

impl ProcessTree {
    /// Creates the process tree of a bot that has just been started, without any measurements. `supervisor` is the
    /// process id of the bot's supervisor process; all descendants of this process belong to the bot.
    #[must_use]
    pub fn new(supervisor: i32) -> ProcessTree {
        ProcessTree {
            supervisor,
            ..ProcessTree::default()
        }
    }

    /// Measures the CPU time and memory of all processes of the bot; stores the results in `cpu` and `memory`.
    ///
    /// # Errors
    /// If a file about a process in `/proc` can't be read.
    pub fn measure(&mut self) -> io::Result<()> {
        let processes = descendants(self.supervisor)?;
        let live: Duration = processes.iter().map(|&process| cpu_time(process)).sum();
        let mut ended = Duration::ZERO;
        for process in processes.iter().copied().chain([self.supervisor]) {
            ended += ended_descendants_cpu_time(process)?;
        }
        self.cpu = self.cpu.max(live + ended);
        self.measure_memory(&processes)
    }

    /// Measures the memory that the processes with the ids `processes` use together. If the result is larger than
    /// `self.memory`, stores it there. The result is the sum of two values:
    /// - the peak resident memory of the largest process, or the sum of the proportional set sizes if that is larger,
    /// - the total size of open files that exist only in memory. Pages of these files that a process has mapped are
    ///   subtracted, because the first value already contains them.
    ///
    /// # Errors
    /// If a file about a process in `/proc` can't be read.
    fn measure_memory(&mut self, processes: &[i32]) -> io::Result<()> {
        let (mut peak, mut resident, mut shared, mut unnamed) = (0, 0, 0, 0);
        for &process in processes {
            unnamed += unnamed_file_bytes(process)?;
            let status = read_proc_file(process, "status")?;
            peak = peak.max(status_bytes(&status, "VmHWM:"));
            resident += status_bytes(&status, "VmRSS:");
            shared += status_bytes(&status, "RssShmem:");
        }
        // Subtract the pages that processes have mapped (`shared`) from the size of the in-memory files (`unnamed`).
        // Mapped pages are already counted in the resident memory of the processes.
        let unmapped = unnamed.saturating_sub(shared);
        self.memory = self.memory.max(peak + unmapped);
        if processes.len() > 1 && resident > self.resident + PSS_GROWTH {
            // Store the total resident memory. The proportional set sizes (PSS) are read again only when it has grown,
            // because reading them is slow. The sum of the PSS never exceeds the total. So without growth of the total,
            // the sum is unlikely to exceed its earlier maximum.
            self.resident = resident;
            let mut shares = 0;
            for &process in processes {
                shares += status_bytes(&read_proc_file(process, "smaps_rollup")?, "Pss:");
            }
            self.memory = self.memory.max(shares + unmapped);
        }
        Ok(())
    }

    /// Counts the bot's processes and their threads at this moment, and tests if one of the processes has a network
    /// socket.
    ///
    /// # Errors
    /// If a file about a process in `/proc` can't be read.
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

    /// Stops all processes of the bot by `SIGSTOP`. They continue after a call of `resume`.
    ///
    /// # Errors
    /// If the processes can't be listed, because a file in `/proc` can't be read.
    pub fn stop(&mut self) -> io::Result<()> {
        self.stopped.clear();
        // Repeat until no process is running, because a process may start another one before it is stopped.
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

    /// Sends `SIGCONT` to the processes that the last call of `stop` has stopped, so that they continue.
    pub fn resume(&mut self) {
        signal_all(&self.stopped, Signal::SIGCONT);
    }
}

/// Kills all descendants of the process with the id `ancestor`: its children, their children, and so on.
///
/// # Errors
/// If the processes can't be listed, because a file in `/proc` can't be read.
pub fn kill_descendants(ancestor: i32) -> io::Result<()> {
    signal_all(&descendants(ancestor)?, Signal::SIGKILL);
    Ok(())
}

/// Sends `signal` to each of `processes`, given by their ids. Errors are ignored, because a process may have ended
/// meanwhile.
fn signal_all(processes: &[i32], signal: Signal) {
    for &process in processes {
        let _ = kill(Pid::from_raw(process), signal);
    }
}

/// Returns the ids of all descendants of the process with the id `ancestor`: its children, their children, and so on.
///
/// # Errors
/// If a file in `/proc` can't be read.
fn descendants(ancestor: i32) -> io::Result<Vec<i32>> {
    let mut found = children(ancestor)?;
    let mut at = 0;
    while let Some(&process) = found.get(at) {
        found.extend(children(process)?);
        at += 1;
    }
    Ok(found)
}

/// Returns the ids of the children of the process with the id `parent`; empty if that process has ended.
///
/// # Errors
/// If a file in `/proc/<parent>` can't be read.
pub fn children(parent: i32) -> io::Result<Vec<i32>> {
    let mut children = Vec::new();
    for task in proc_entries(parent, "task")? {
        let list = none_if_ended(fs::read_to_string(task.path().join("children")))?;
        let list = list.unwrap_or_default();
        let ids = list.split_whitespace();
        children.extend(ids.filter_map(|id| id.parse::<i32>().ok()));
    }
    Ok(children)
}

/// Iterates over the entries of the folder `/proc/<process>/<folder>`, where `process` is a process id; no entries if
/// the process has ended or permission is denied.
///
/// # Errors
/// If the folder can't be read for another reason.
fn proc_entries(process: i32, folder: &str) -> io::Result<impl Iterator<Item = fs::DirEntry>> {
    let entries = none_if_ended(fs::read_dir(format!("/proc/{process}/{folder}")))?;
    Ok(entries.into_iter().flatten().flatten())
}

/// Treats errors of reading `/proc` that are to be expected. If `found` is a value, returns it as `Some`. Returns
/// `None` if `found` is an error that only means that the process has ended or that permission is denied.
///
/// # Errors
/// Returns any other error unchanged.
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
/// ended or permission is denied.
///
/// # Errors
/// If the file can't be read for another reason.
fn read_proc_file(process: i32, file: &str) -> io::Result<String> {
    let bytes = none_if_ended(fs::read(format!("/proc/{process}/{file}")))?;
    // The text contains the process's name, which may be invalid UTF-8.
    Ok(String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned())
}

/// Returns the memory size, in bytes, in the line of `text` that begins with `name`, such as `VmRSS:  1234 kB` for the
/// name `VmRSS:`; 0 if there is no such line. `text` is the content of a file such as `/proc/<process>/status`.
fn status_bytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    1024 * number.unwrap_or(0)
}

/// Tests if the process with the id `process` has an open TCP or UDP socket.
///
/// # Errors
/// If the process's folder `/proc/<process>/fd`, or a list of sockets in `/proc/<process>/net`, can't be read.
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
    // These files list all TCP and UDP sockets, by which a process uses the network. Other sockets, which only connect
    // processes on the same machine (Unix domain sockets), are not listed there.
    let lists = ["net/tcp", "net/tcp6", "net/udp", "net/udp6"];
    let lists = lists.iter().map(|list| read_proc_file(process, list));
    let lists: io::Result<Vec<String>> = lists.collect();
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

/// Returns the total CPU time of those descendants of a process that have ended and were waited for by their parents.
/// `process` is the process id.
///
/// # Errors
/// If the file `/proc/<process>/stat` can't be read.
fn ended_descendants_cpu_time(process: i32) -> io::Result<Duration> {
    let stat = read_proc_file(process, "stat")?;
    // The fields `cutime` and `cstime` are the 14th and 15th after the process name. The name stands in brackets, and
    // may itself contain blanks and brackets.
    let fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
    let times = fields.skip(13).take(2);
    let ticks: u64 = times.filter_map(|field| field.parse::<u64>().ok()).sum();
    let ms = 1000 * ticks / clock_ticks_per_second();
    Ok(Duration::from_millis(ms))
}

/// Returns the total size in bytes of the files that the process with the id `process` has open and that have no name
/// on disk, such as those of `memfd_create`. A file that is open several times counts once.
///
/// # Errors
/// If the folder `/proc/<process>/fd` or the size of a file can't be read.
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
