//! Work on all cores: a list of tasks, a thread per core, results taken one by one as they come.

use super::error::ToolError;
use core_affinity::CoreId;
use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Exit code after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once. Call it once.
///
/// # Errors
/// If there is a handler already.
pub fn stop_on_interrupt() -> Result<&'static AtomicBool, ToolError> {
    // The handler lives as long as the program, so its flag must as well.
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    ctrlc::set_handler(|| {
        if stop.swap(true, Ordering::SeqCst) {
            // Running bots end with this process: their keepers see to that.
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(stop)
}

/// Threads for some work. Each has a core of its own while other runs of this program leave cores free.
pub struct Team {
    threads: usize,
    cores: Vec<Core>,
}

impl Team {
    /// At most a thread per task, by default as many as there are cores for where each starts so many threads. If that
    /// is more than itself they have no cores of their own, which all threads of a task would share.
    ///
    /// # Errors
    /// If the cores can't be told.
    pub fn of_many(
        threads: Option<usize>,
        tasks: usize,
        threads_of_each: usize,
    ) -> Result<Team, ToolError> {
        let allowed = core_affinity::get_core_ids().ok_or("the cores can't be told")?;
        let threads = threads.unwrap_or(allowed.len() / threads_of_each);
        let threads = threads.clamp(1, tasks.max(1));
        let own = if threads_of_each == 1 { threads } else { 0 };
        let free = allowed.into_iter().filter_map(Core::claim);
        let cores = free.take(own).collect();
        Ok(Team { threads, cores })
    }

    /// How many threads have no core of their own.
    #[must_use]
    pub fn without_core(&self) -> usize {
        self.threads - self.cores.len()
    }

    /// Runs tasks in order and takes their results.
    ///
    /// A task that returns nothing ends its thread; this breaks the work off. If `take` fails, no further task begins.
    ///
    /// # Errors
    /// The first one of `take`, or if no thread can be started.
    pub fn run<T, R>(
        &self,
        tasks: &[T],
        work: impl Fn(T) -> Option<R> + Sync,
        mut take: impl FnMut(R) -> Result<(), ToolError>,
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
                    // The processes that the thread starts keep to its core. Without one games are only less even.
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
                .and_then(|()| receiver.iter().try_for_each(&mut take));
            next.store(tasks.len(), Ordering::SeqCst);
            result
        })
    }
}

/// A core reserved for this run, for the life of this value.
struct Core {
    id: CoreId,
    /// Locked file; the lock ends with the program, even if it is killed.
    _lock: File,
}

impl Core {
    /// Locks the file that stands for a core. Returns nothing if another run has it.
    fn claim(core: CoreId) -> Option<Core> {
        let path = std::env::temp_dir().join(format!("amazons-core-{}.lock", core.id));
        // A file of another user can be locked if it can be read.
        let file = File::open(&path).or_else(|_| File::create_new(&path));
        let file = file.or_else(|_| File::open(&path)).ok()?;
        file.try_lock().ok()?;
        Some(Core {
            id: core,
            _lock: file,
        })
    }
}
