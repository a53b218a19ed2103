//! A thread around a mind, for whoever must not wait: it takes numbered questions, of which the newest counts.
//!
//! A question breaks off the one before; so does a cancellation, and the worker's end. Each question carries
//! the function that takes its answer. Once [`Worker::ask`], [`Worker::cancel`] or the drop has returned, no earlier question
//! is answered any more. The newest one is answered, unless its position has no move.

use super::level::Strength;
use super::mind::{Mind, Thought};
use crate::board::Board;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A question on its way to the thread.
struct Question {
    number: u64,
    board: Board,
    strength: Strength,
    answer: Box<dyn FnOnce(Thought) + Send>,
}

/// What both sides see.
#[derive(Default)]
struct Shared {
    /// The number of the newest question or cancellation.
    newest: AtomicU64,
    /// Held while an answer is given, and while the newest number changes.
    gate: Mutex<()>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A mind in a thread of its own. Dropped, it stops thinking.
pub struct Worker {
    questions: Sender<Question>,
    shared: Arc<Shared>,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn start(mut mind: Mind) -> io::Result<Worker> {
        let (questions, heard) = mpsc::channel::<Question>();
        let shared = Arc::new(Shared::default());
        let worker = Worker {
            questions,
            shared: Arc::clone(&shared),
        };
        thread::Builder::new().spawn(move || {
            for question in heard {
                reply(&mut mind, question, &shared);
            }
        })?;
        Ok(worker)
    }

    /// Asks for a move on a board. `answer` takes it, in the worker's thread; it must not ask or cancel anything itself.
    ///
    /// # Panics
    /// If the thread has died.
    pub fn ask(
        &self,
        board: &Board,
        strength: Strength,
        answer: impl FnOnce(Thought) + Send + 'static,
    ) {
        let question = Question {
            number: self.supersede(),
            board: board.clone(),
            strength,
            answer: Box::new(answer),
        };
        let sent = self.questions.send(question);
        assert!(sent.is_ok(), "the worker's thread lives");
    }

    /// Drops the question.
    pub fn cancel(&self) {
        self.supersede();
    }

    /// Makes all questions so far old. Returns the number of the next one.
    fn supersede(&self) -> u64 {
        let _gate = self.shared.lock();
        self.shared.newest.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.supersede();
    }
}

/// Answers a question unless a newer one comes.
fn reply(mind: &mut Mind, question: Question, shared: &Shared) {
    let number = question.number;
    let is_old = || shared.newest.load(Ordering::Relaxed) != number;
    if let Some(thought) = mind.think(&question.board, question.strength, &is_old) {
        let _gate = shared.lock();
        if !is_old() {
            (question.answer)(thought);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mind::tests::{few, means};
    use super::*;
    use crate::budget::Budget;
    use crate::movegen;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use std::time::Duration;

    /// A question that nobody waits for to the end.
    const LONG: Strength = Strength::Budget(Budget::Time(Duration::from_secs(86_400)));

    /// An answer that is ready waits at the gate while a newer question comes.
    #[test]
    fn an_answer_is_dropped_at_the_last_moment() {
        let shared = Shared::default();
        shared.newest.store(1, Ordering::Relaxed);
        let gate = shared.lock();
        let (sender, answer) = mpsc::channel();
        let question = Question {
            number: 1,
            board: Board::start(),
            strength: Strength::Level(1),
            answer: Box::new(move |thought| sender.send(thought).expect("the test listens")),
        };
        thread::scope(|scope| {
            scope.spawn(|| reply(&mut Mind::new(means(1)), question, &shared));
            thread::sleep(Duration::from_millis(100));
            shared.newest.store(2, Ordering::Relaxed);
            drop(gate);
        });
        assert!(answer.recv().is_err());
    }

    /// Questions that end and others that do not, cancellations and drops in any order: whoever is answered has
    /// asked last, and whoever asks last and waits is answered.
    #[test]
    fn an_answer_belongs_to_the_newest_question_and_none_is_lost() {
        for seed in 0..8 {
            let mut random = SmallRng::seed_from_u64(seed);
            let (sender, answers) = mpsc::channel();
            let ask = |worker: &Worker, board: &Board, strength, number: u64| {
                let (sender, legal) = (sender.clone(), board.clone());
                worker.ask(board, strength, move |thought| {
                    sender.send(number).expect("the test listens");
                    assert_eq!(legal.check(thought.turn), Ok(()));
                });
            };
            let start = || Worker::start(Mind::forgetful(means(2))).expect("a thread");
            let mut worker = Worker::start(Mind::new(means(1))).expect("a thread");
            let (mut board, mut answered) = (Board::start(), Vec::new());
            for number in 0..100 {
                let action = random.random_range(0..7);
                match action {
                    0 => worker.cancel(),
                    1 => worker = start(),
                    2 => ask(&worker, &board, LONG, number),
                    _ => ask(&worker, &board, soon(&mut random), number),
                }
                if action > 4 {
                    answered.extend(answers.iter().take_while(|&other| other != number));
                    answered.push(number);
                    board = after_a_move(&board, &mut random);
                }
                answered.extend(answers.try_iter());
                if random.random() {
                    thread::sleep(Duration::from_micros(random.random_range(0..2000)));
                }
                let later: Vec<u64> = answers.try_iter().collect();
                assert!(later.is_empty() || action > 1 && later == [number]);
                answered.extend(later);
                assert!(answered.is_sorted_by(|one, next| one < next), "each once");
            }
        }
    }

    /// How strong a question is asked that has an answer soon.
    fn soon(random: &mut SmallRng) -> Strength {
        match random.random() {
            true => few(random.random_range(1..100)),
            false => Strength::Level(random.random_range(1..=4)),
        }
    }

    /// A board after a random move, or the start where there is none or the game is over after it.
    fn after_a_move(board: &Board, random: &mut SmallRng) -> Board {
        let moves = movegen::moves(board);
        let mut after = board.clone();
        let turn = moves[random.random_range(0..moves.len())];
        after.play(turn).expect("legal");
        match movegen::count(&after) {
            0 => Board::start(),
            _ => after,
        }
    }
}
