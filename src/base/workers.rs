//! Worker threads: run a list of tasks on several cores, and pass on each result as soon as it is computed.

use super::error::ToolError;
use core_affinity::CoreId;
use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Exit code of a program that Ctrl-C (SIGINT) ended: 128 + 2.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Installs a Ctrl-C handler and returns the flag that the first Ctrl-C sets. A second Ctrl-C ends the program at once.
/// Call this function only once per process.
///
/// # Errors
/// If a handler is already installed.
pub fn stop_on_interrupt() -> Result<&'static AtomicBool, ToolError> {
    // The handler lives until the program ends, so its flag must live as long.
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    ctrlc::set_handler(|| {
        if stop.swap(true, Ordering::SeqCst) {
            // Running bots end, too, because the processes that supervise them notice the end of this process.
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    })?;
    Ok(stop)
}

/// Pool of threads that runs a list of tasks. Threads are pinned to cores of their own, as far as other runs of this
/// program leave cores free.
pub struct WorkerPool {
    /// Number of threads.
    threads: usize,
    /// Reserved cores; thread *n* is pinned to entry *n* of this list. Threads beyond the end of the list are not
    /// pinned.
    cores: Vec<Core>,
}

impl WorkerPool {
    /// Creates a pool of `threads` threads, but at most one per task (`tasks` is their number). If `threads` is `None`,
    /// uses the number of cores divided by `threads_per_task`, the number of threads that each task starts. If that is
    /// more than 1, no thread is pinned, because the threads of a task would share one core.
    ///
    /// # Errors
    /// If the system does not report its cores.
    pub fn for_tasks(
        threads: Option<usize>,
        tasks: usize,
        threads_per_task: usize,
    ) -> Result<WorkerPool, ToolError> {
        let cores = core_affinity::get_core_ids().ok_or("the cores can't be told")?;
        let threads = threads.unwrap_or(cores.len() / threads_per_task);
        let threads = threads.clamp(1, tasks.max(1));
        let pinned = if threads_per_task == 1 { threads } else { 0 };
        let unclaimed = cores.into_iter().filter_map(Core::claim);
        let cores = unclaimed.take(pinned).collect();
        Ok(WorkerPool { threads, cores })
    }

    /// Returns the number of threads that are not pinned to a core.
    #[must_use]
    pub fn unpinned_threads(&self) -> usize {
        self.threads - self.cores.len()
    }

    /// Starts the tasks in order, runs `work` on each in a thread of the pool, and passes each result to
    /// `handle_result` in the calling thread, in the order of completion.
    ///
    /// If `work` returns `None`, its thread ends: return `None` to cancel the work. If `handle_result` fails, no
    /// further task starts.
    ///
    /// # Errors
    /// The first error of `handle_result`, or an error if a thread cannot be started.
    pub fn run<T, R>(
        &self,
        tasks: &[T],
        work: impl Fn(T) -> Option<R> + Sync,
        mut handle_result: impl FnMut(R) -> Result<(), ToolError>,
    ) -> Result<(), ToolError>
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
                    // Processes that the thread starts inherit its core. If pinning fails, only the timing of games is
                    // less even.
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

/// Core that no other run of this program uses until this value is dropped.
struct Core {
    id: CoreId,
    /// File whose lock reserves the core. The system releases the lock when the program ends, even if it is killed.
    _lock: File,
}

impl Core {
    /// Reserves `core` by locking a file in the temporary folder. Returns `None` if another run holds the lock or the
    /// file cannot be opened.
    fn claim(core: CoreId) -> Option<Core> {
        let path = std::env::temp_dir().join(format!("amazons-core-{}.lock", core.id));
        // A file of another user can be locked if it is readable.
        let file = File::open(&path).or_else(|_| File::create_new(&path));
        let file = file.or_else(|_| File::open(&path)).ok()?;
        file.try_lock().ok()?;
        Some(Core {
            id: core,
            _lock: file,
        })
    }
}
