//! Worker threads: run a list of tasks on several cores, and pass on each result as soon as it is computed.

use super::error::{Result, ToolError};
use core_affinity::CoreId;
use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Exit code of a program that Ctrl-C (SIGINT) ended: 128 + 2.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Returns the exit code of a command that did its work (0), or that Ctrl-C ended early.
#[must_use]
pub const fn exit_code(is_interrupted: bool) -> u8 {
    if is_interrupted { EXIT_INTERRUPTED } else { 0 }
}

/// Installs a handler for Ctrl-C. Returns a flag that the first Ctrl-C sets to true; a second Ctrl-C ends the program
/// at once. Call this function only once per process.
///
/// # Errors
/// If a handler is already installed.
pub fn stop_on_interrupt() -> Result<&'static AtomicBool> {
    // Never free the flag, because the handler uses it until the program ends.
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    ctrlc::set_handler(|| {
        if stop.swap(true, Ordering::SeqCst) {
            // Exit without ending the bots' processes. Each bot has a supervisor (a separate small process), which
            // notices the exit of this program and ends its bot.
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    })?;
    Ok(stop)
}

/// Pool of threads that runs a list of tasks. Each thread is pinned to a core of its own. If other instances of this
/// program have reserved too many cores, some threads are not pinned.
pub struct WorkerPool {
    threads: usize,
    /// Cores reserved for this pool, at most one per thread. Thread *n* (from 0) runs only on `cores[n]`. If there are
    /// fewer cores than threads, the other threads may run on any core.
    cores: Vec<Core>,
}

impl WorkerPool {
    /// Creates a pool of threads for a list of `tasks` tasks. The number of threads is `threads`, or, if this is
    /// `None`, the number of cores divided by `threads_per_task`. The pool has at least 1 thread and at most `tasks`
    /// threads.
    ///
    /// `threads_per_task` is the number of threads that each task uses by itself. If it is 1, each thread of the pool
    /// is pinned to a core of its own. If it is greater, no thread is pinned, because all threads of a task would then
    /// share one core.
    ///
    /// # Errors
    /// If the operating system does not report the cores.
    pub fn for_tasks(
        threads: Option<usize>,
        tasks: usize,
        threads_per_task: usize,
    ) -> Result<WorkerPool> {
        let cores = core_affinity::get_core_ids().ok_or("the cores can't be told")?;
        let threads = threads.unwrap_or(cores.len() / threads_per_task);
        let threads = threads.clamp(1, tasks.max(1));
        let pinned = if threads_per_task == 1 { threads } else { 0 };
        let reserved = cores.into_iter().filter_map(Core::reserve);
        let cores = reserved.take(pinned).collect();
        Ok(WorkerPool { threads, cores })
    }

    /// Returns the number of threads that are not pinned to a core of their own. Times measured in these threads are
    /// less exact.
    #[must_use]
    pub fn unpinned_threads(&self) -> usize {
        self.threads - self.cores.len()
    }

    /// Runs `work` on each of the `tasks` in the threads of the pool, and passes each result to `handle_result` in the
    /// calling thread. Tasks start in the order of the list; results arrive in the order of completion.
    ///
    /// A thread in which `work` returns `None` starts no further task. Once `work` has returned `None` in every thread,
    /// the remaining tasks are never started. If `handle_result` fails, no further task starts.
    ///
    /// # Errors
    /// The first error of `handle_result`, or the operating system's error if a thread cannot be started.
    pub fn run<T, R>(
        &self,
        tasks: &[T],
        work: impl Fn(T) -> Option<R> + Sync,
        mut handle_result: impl FnMut(R) -> Result<()>,
    ) -> Result<()>
    where
        T: Copy + Sync,
        R: Send,
    {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let mut started = (0..self.threads).map(|thread| {
                let (sender, work, next) = (sender.clone(), &work, &next);
                let core = self.cores.get(thread);
                std::thread::Builder::new().spawn_scoped(scope, move || {
                    // Pin the thread; a process that it starts inherits its core. Ignore a failure, because unpinned
                    // threads only measure times less exactly.
                    core.inspect(|core| {
                        core_affinity::set_for_current(core.id);
                    });
                    while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::SeqCst)) {
                        let Some(result) = work(task) else { break };
                        if sender.send(result).is_err() {
                            break;
                        }
                    }
                })
            });
            let all_started = started.try_for_each(|thread| thread.map(drop));
            drop(sender);
            let result = all_started
                .map_err(ToolError::from)
                .and_then(|()| receiver.iter().try_for_each(&mut handle_result));
            next.store(tasks.len(), Ordering::SeqCst);
            result
        })
    }
}

/// Core that is reserved until this value is dropped: no other instance of this program uses it.
struct Core {
    id: CoreId,
    /// File whose lock reserves the core. The system releases the lock when the program ends, even if it is killed.
    _lock: File,
}

impl Core {
    /// Reserves `core` by locking a file in the temporary folder. Returns `None` if another instance of this program
    /// has reserved it, or if the file cannot be opened.
    fn reserve(core: CoreId) -> Option<Core> {
        let path = std::env::temp_dir().join(format!("amazons-core-{}.lock", core.id));
        // Open the file for reading: this succeeds even if another user has created it, and is enough to lock it.
        let file = File::open(&path).or_else(|_| File::create_new(&path));
        let file = file.or_else(|_| File::open(&path)).ok()?;
        file.try_lock().ok()?;
        Some(Core {
            id: core,
            _lock: file,
        })
    }
}
