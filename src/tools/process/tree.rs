//! All processes of a bot: those below its keeper, whoever started them, their cost, and signals to all of them.

use nix::sys::signal::{Signal, kill};
use nix::time::{clock_getcpuclockid, clock_gettime};
use nix::unistd::Pid;
use procfs::process::{Process, all_processes};
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// Growth of the resident memory of several processes after which their shares are looked up again, in bytes.
const GROWTH: u64 = 1 << 20;

/// The processes below a keeper, and what they have cost so far.
pub struct Tree {
    keeper: i32,
    /// CPU time of all processes, also of those that have ended.
    pub cpu: Duration,
    /// Peak of the resident memory of all processes together, in bytes.
    pub memory: u64,
    /// Resident memory, shared pages counted again for every process, when the shares were last looked up.
    resident: u64,
    /// The processes that were told to stop.
    stopped: Vec<i32>,
}

impl Tree {
    /// The tree below a keeper that has just been started.
    #[must_use]
    pub const fn new(keeper: i32) -> Tree {
        Tree {
            keeper,
            cpu: Duration::ZERO,
            memory: 0,
            resident: 0,
            stopped: Vec::new(),
        }
    }

    /// Looks at CPU time and memory of all processes.
    pub fn look(&mut self) {
        let processes: Vec<Process> = descendants(self.keeper)
            .into_iter()
            .filter_map(|pid| Process::new(pid).ok())
            .collect();
        let live: Duration = processes.iter().map(|process| cpu_time(process.pid)).sum();
        let keeper = Process::new(self.keeper).ok();
        let ended: Duration = processes.iter().chain(&keeper).map(cpu_of_ended).sum();
        self.cpu = self.cpu.max(live + ended);
        self.weigh(&processes);
    }

    /// Measures the memory: one process by its peak, several by their shares of what is resident now.
    fn weigh(&mut self, processes: &[Process]) {
        let (mut peak, mut resident, mut shared) = (0, 0, 0);
        for status in processes.iter().filter_map(|process| process.status().ok()) {
            let bytes = |kilobytes: Option<u64>| 1024 * kilobytes.unwrap_or(0);
            peak = peak.max(bytes(status.vmhwm));
            resident += bytes(status.vmrss);
            shared += bytes(status.rssshmem);
        }
        // Files in memory count beyond what of them is mapped, and so resident, anyway.
        let unmapped = processes.iter().map(unnamed_files).sum::<u64>();
        let unmapped = unmapped.saturating_sub(shared);
        self.memory = self.memory.max(peak + unmapped);
        if processes.len() > 1 && resident > self.resident + GROWTH {
            // To add up the shares takes the system a while; they are never more than what is resident.
            self.resident = resident;
            let shares: u64 = processes.iter().map(share_of_memory).sum();
            self.memory = self.memory.max(shares + unmapped);
        }
    }

    /// Stops all processes.
    pub fn stop(&mut self) {
        self.stopped.clear();
        // Until one has stopped it may start others.
        loop {
            let mut running = descendants(self.keeper);
            running.retain(|process| !self.stopped.contains(process));
            if running.is_empty() {
                return;
            }
            signal_all(&running, Signal::SIGSTOP);
            self.stopped.append(&mut running);
        }
    }

    /// Lets the processes go on that were stopped.
    pub fn go_on(&mut self) {
        signal_all(&self.stopped, Signal::SIGCONT);
    }
}

/// Ends all processes below another one.
pub fn kill_descendants(of: i32) {
    signal_all(&descendants(of), Signal::SIGKILL);
}

/// Sends a signal to processes, of which some may be gone already.
fn signal_all(processes: &[i32], signal: Signal) {
    for &process in processes {
        let _ = kill(Pid::from_raw(process), signal);
    }
}

/// All processes that a process has started, directly or not.
#[must_use]
pub fn descendants(ancestor: i32) -> Vec<i32> {
    let mut found = children(ancestor);
    let mut at = 0;
    while let Some(&process) = found.get(at) {
        found.extend(children(process));
        at += 1;
    }
    found
}

/// The processes whose parent a process is.
#[must_use]
pub fn children(parent: i32) -> Vec<i32> {
    if !Path::new("/proc/thread-self/children").exists() {
        return children_by_search(parent);
    }
    let tasks = Process::new(parent).and_then(|process| process.tasks());
    let lists = tasks.into_iter().flatten().flatten();
    lists
        .filter_map(|task| task.children().ok())
        .flatten()
        .map(u32::cast_signed)
        .collect()
}

/// The same where the system keeps no lists of children.
fn children_by_search(parent: i32) -> Vec<i32> {
    let all = all_processes().into_iter().flatten().flatten();
    let stats = all.filter_map(|process| process.stat().ok());
    stats
        .filter(|stat| stat.ppid == parent)
        .map(|stat| stat.pid)
        .collect()
}

/// CPU time that a process has used by itself.
#[must_use]
pub fn cpu_time(process: i32) -> Duration {
    let time = clock_getcpuclockid(Pid::from_raw(process)).and_then(clock_gettime);
    time.map_or(Duration::ZERO, Duration::from)
}

/// CPU time of a process's children that have ended.
fn cpu_of_ended(process: &Process) -> Duration {
    let ticks = process.stat().map_or(0, |stat| stat.cutime + stat.cstime);
    let ticks = u64::try_from(ticks).unwrap_or(0);
    Duration::from_secs(ticks) / u32::try_from(procfs::ticks_per_second()).unwrap_or(100)
}

/// Resident memory of a process, shared pages by the share, in bytes.
fn share_of_memory(process: &Process) -> u64 {
    let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", process.pid));
    let text = text.unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB"));
    kilobytes.map_or(0, |number| 1024 * number.trim().parse().unwrap_or(0))
}

/// Bytes of the open files of a process that have no name, as those of `memfd_create`, each counted once.
fn unnamed_files(process: &Process) -> u64 {
    let files = fs::read_dir(format!("/proc/{}/fd", process.pid));
    let files = files.into_iter().flatten().flatten();
    let found = files.filter_map(|file| fs::metadata(file.path()).ok());
    let unnamed: HashMap<u64, u64> = found
        .filter(|meta| meta.is_file() && meta.nlink() == 0)
        .map(|meta| (meta.ino(), 512 * meta.blocks()))
        .collect();
    unnamed.values().sum()
}
