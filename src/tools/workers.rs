//! Work on all cores: a list of tasks, a thread per core, results taken one by one as they come.

use super::ToolError;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// Exit code after Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C sets. To be called once.
///
/// # Errors
/// If there is a handler already.
pub fn stop_on_interrupt() -> Result<&'static AtomicBool, ToolError> {
    // The handler lives as long as the program, and so does what it sets.
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    ctrlc::set_handler(|| stop.store(true, Ordering::SeqCst))?;
    Ok(stop)
}

/// Runs tasks in order on so many threads, on all cores if not said, and takes their results.
///
/// A task that returns nothing ends its thread: so work is broken off. If a result can't be taken, no
/// further task is begun.
///
/// # Errors
/// The first one of `take`, or if the cores can't be told.
pub fn run<T, R>(
    tasks: &[T],
    threads: Option<usize>,
    work: impl Fn(T) -> Option<R> + Sync,
    mut take: impl FnMut(R) -> Result<(), ToolError>,
) -> Result<(), ToolError>
where
    T: Copy + Sync,
    R: Send,
{
    let cores = cores()?;
    let threads = threads.unwrap_or(cores.len()).clamp(1, tasks.len().max(1));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (sender, work, next) = (sender.clone(), &work, &next);
            let core = cores[thread % cores.len()];
            scope.spawn(move || {
                pin(core);
                while let Some(&task) = tasks.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let Some(result) = work(task) else { break };
                    if sender.send(result).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let result = receiver.iter().try_for_each(&mut take);
        next.store(tasks.len(), Ordering::SeqCst);
        result
    })
}

/// The cores that this process may run on.
fn cores() -> Result<Vec<usize>, ToolError> {
    let set = sched_getaffinity(Pid::from_raw(0))?;
    Ok((0..CpuSet::count())
        .filter(|&core| set.is_set(core).unwrap_or(false))
        .collect())
}

/// Keeps this thread, and the processes that it starts, on one core. Without it games are only less even.
fn pin(core: usize) {
    let mut set = CpuSet::new();
    if set.set(core).is_ok() {
        let _ = sched_setaffinity(Pid::from_raw(0), &set);
    }
}
