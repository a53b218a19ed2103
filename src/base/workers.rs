//! Worker threads: run a list of tasks on all cores and hand over their results one by one.

use super::error::ToolError;
use core_affinity::CoreId;
use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Exit code of a program that Ctrl-C ended.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Installs a Ctrl-C handler and returns the flag that it sets. A second Ctrl-C ends the program at once. Call this
/// function only once.
///
/// # Errors
/// If a handler is already installed.
pub fn stop_on_interrupt() -> Result<&'static AtomicBool, ToolError> {
    // The handler lives as long as the program, so its flag must, too.
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    ctrlc::set_handler(|| {
        if stop.swap(true, Ordering::SeqCst) {
            // Running bots end together with this process, because their keepers notice its end.
            std::process::exit(EXIT_INTERRUPTED.into());
        }
    })?;
    Ok(stop)
}

/// A number of threads for a list of tasks. Each thread gets a core of its own, as far as other runs of this program
/// leave cores free.
pub struct WorkerPool {
    threads: usize,
    cores: Vec<Core>,
}

impl WorkerPool {
    /// Plans at most one thread per task. By default, uses as many threads as there are cores, divided by
    /// `threads_per_task`, the number of threads that each task starts. Tasks that start several threads get no cores of
    /// their own, because all their threads would share one core.
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

    /// Returns the number of threads that have no core of their own.
    #[must_use]
    pub fn unpinned_threads(&self) -> usize {
        self.threads - self.cores.len()
    }

    /// Runs the tasks in order and passes each result to `handle_result`.
    ///
    /// A task that returns `None` ends its thread; use this to cancel the work. If `handle_result` fails, no further task
    /// starts.
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
                    // Processes that the thread starts inherit its core. If pinning fails, games are only less evenly
                    // timed.
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

/// A core that is reserved for this run until the value is dropped.
struct Core {
    id: CoreId,
    /// Locked file. The system releases the lock when the program ends, even if it is killed.
    _lock: File,
}

impl Core {
    /// Reserves a core by locking a file. Returns `None` if another run has reserved the core.
    fn claim(core: CoreId) -> Option<Core> {
        let path = std::env::temp_dir().join(format!("amazons-core-{}.lock", core.id));
        // Another user's file can be locked if it is readable.
        let file = File::open(&path).or_else(|_| File::create_new(&path));
        let file = file.or_else(|_| File::open(&path)).ok()?;
        file.try_lock().ok()?;
        Some(Core {
            id: core,
            _lock: file,
        })
    }
}
