//! What takes time at the network, each in a thread of its own, and what it brings back.

use super::client::{Challenge, Client, Trouble};
use super::poll::PollReply;
use crate::board::Board;
use crate::tools::platform::address::Id;
use crate::tools::platform::source::NoLog;
use crate::tools::player::schedule::Fixture;
use crate::tools::thinking::mind::Thought;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// Something that comes in.
pub enum Event {
    /// The reply to the poll.
    Polled(Result<PollReply, Trouble>),
    /// What the engine of a match has thought of on a board.
    Thought(Id, Board, Thought),
    /// The answer to the start of a match.
    Started(Fixture, Result<Id, Trouble>),
    /// The public log of a match.
    Log(Id, Result<String, NoLog>),
    /// Ctrl-C, or another request to end.
    Interrupt,
}

/// The way to the platform and back.
pub struct Errands {
    client: Arc<Client>,
    sender: Sender<Event>,
}

impl Errands {
    /// The way of a client; what it brings goes to `sender`.
    #[must_use]
    pub const fn new(client: Arc<Client>, sender: Sender<Event>) -> Errands {
        Errands { client, sender }
    }

    /// A way in for what comes from elsewhere.
    #[must_use]
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Sends answers, and waits so long for requests.
    pub fn poll(&self, answers: Vec<(Id, String)>, patience: Duration) {
        self.go(move |client| Event::Polled(client.poll(&answers, patience)));
    }

    /// Starts a game's match.
    pub fn start(&self, game: Fixture, challenge: Challenge) {
        self.go(move |client| Event::Started(game, client.start(challenge)));
    }

    /// Fetches the public log of a match.
    pub fn log(&self, id: Id) {
        self.go(move |client| Event::Log(id, client.log(id)));
    }

    fn go(&self, errand: impl FnOnce(&Client) -> Event + Send + 'static) {
        let (client, sender) = (Arc::clone(&self.client), self.sender.clone());
        // Nobody may listen any more.
        thread::spawn(move || drop(sender.send(errand(&client))));
    }
}
