//! Runs a session of the bot inside the test process: whenever the bot has read its input, the caller provides more.

use engine::botzone::Session;
use engine::botzone::options::Options;
use std::cell::RefCell;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;

/// Returns options of a quick bot with a small tree.
pub fn quick() -> Options {
    Options {
        iterations: Some(1),
        seed: Some(1),
        memory: 1 << 16,
        ..Options::default()
    }
}

/// Runs a session. `next` receives what the bot has written since the last call. It returns the next input, or `None` for
/// the end of input.
///
/// Returns what the bot wrote after the end of input, and its log.
pub fn run(options: Options, next: impl FnMut(String) -> Option<Vec<u8>>) -> (String, String) {
    let output = Output::default();
    let input = Input {
        next,
        output: output.clone(),
        text: Vec::new(),
        read: 0,
        ended: false,
    };
    let mut log = Vec::new();
    Session::new(options)
        .run(input, output.clone(), &mut log)
        .expect("memory does not fail");
    let log = String::from_utf8(log).expect("the log is UTF-8");
    (output.take(), log)
}

/// The bot's output, shared with the caller.
#[derive(Clone, Default)]
struct Output(Rc<RefCell<Vec<u8>>>);

impl Output {
    fn take(&self) -> String {
        String::from_utf8(self.0.take()).expect("the bot writes ASCII")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bot's input, requested from the caller piece by piece.
struct Input<N> {
    next: N,
    output: Output,
    text: Vec<u8>,
    read: usize,
    ended: bool,
}

impl<N: FnMut(String) -> Option<Vec<u8>>> BufRead for Input<N> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.read == self.text.len() && !self.ended {
            match (self.next)(self.output.take()) {
                Some(text) => (self.text, self.read) = (text, 0),
                None => self.ended = true,
            }
        }
        Ok(&self.text[self.read..])
    }

    fn consume(&mut self, amount: usize) {
        self.read += amount;
    }
}

impl<N: FnMut(String) -> Option<Vec<u8>>> Read for Input<N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let amount = self.fill_buf()?.read(buffer)?;
        self.consume(amount);
        Ok(amount)
    }
}
