//! The rules and the bot's reading of records, written a second time as plainly as possible, on an array of cells. It
//! shares nothing with the crate.

/// Six coordinates as they are sent: from, to, arrow.
pub type Six = [i64; 6];

/// Black's first request, and the answer of a bot without a move.
pub const NOTHING: Six = [-1; 6];

/// An entry of a record as it is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sent {
    /// Six coordinates, on the board or not.
    Six(Six),
    /// Something that can't be read.
    Junk,
}

/// One of the players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    Black,
    White,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

/// The contents of a square.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Empty,
    Amazon(Side),
    Arrow,
}

/// The state that the bot keeps: its side and the position.
#[derive(Clone, Debug)]
pub struct Model {
    pub bot: Side,
    cells: [[Cell; 8]; 8],
}

impl Model {
    /// The start position.
    pub fn start(bot: Side) -> Model {
        let mut cells = [[Cell::Empty; 8]; 8];
        for (x, y) in [(0, 2), (2, 0), (5, 0), (7, 2)] {
            cells[x][y] = Cell::Amazon(Side::Black);
        }
        for (x, y) in [(0, 5), (2, 7), (5, 7), (7, 5)] {
            cells[x][y] = Cell::Amazon(Side::White);
        }
        Model { bot, cells }
    }

    /// The position after a whole record, whose first and last entries are requests. Illegal entries are left out. The
    /// first entry tells the bot's side. If it can't be read, the bot has the side for which fewer entries are left
    /// out.
    pub fn of_record(record: &[Sent]) -> Model {
        match record.first() {
            Some(Sent::Six(NOTHING)) => Model::replay(record, Side::Black).0,
            Some(Sent::Six(six)) if on_board(six) => Model::replay(record, Side::White).0,
            _ => {
                let [black, white] =
                    [Side::Black, Side::White].map(|bot| Model::replay(record, bot));
                if white.1 < black.1 { white.0 } else { black.0 }
            }
        }
    }

    /// The position after a record for a bot of the given side, and how many entries were left out.
    fn replay(record: &[Sent], bot: Side) -> (Model, usize) {
        let mut model = Model::start(bot);
        let mut left_out = 0;
        for (number, entry) in record.iter().enumerate() {
            let side = if number % 2 == 0 { bot.other() } else { bot };
            let opening = number == 0 && *entry == Sent::Six(NOTHING);
            if !opening && !model.play(side, *entry) {
                left_out += 1;
            }
        }
        (model, left_out)
    }

    /// Plays an entry if it is a legal move of the side. Returns whether it was.
    pub fn play(&mut self, side: Side, entry: Sent) -> bool {
        let Sent::Six(six) = entry else { return false };
        if !self.is_legal(side, six) {
            return false;
        }
        let [x0, y0, x1, y1, x2, y2] = six.map(|coordinate| coordinate as usize);
        self.cells[x0][y0] = Cell::Empty;
        self.cells[x1][y1] = Cell::Amazon(side);
        self.cells[x2][y2] = Cell::Arrow;
        true
    }

    /// Tests if an entry begins a whole record, rather than being the opponent's next move: it opens a game and is not
    /// legal now.
    pub fn begins_record(&self, entry: Sent) -> bool {
        let Sent::Six(six) = entry else { return false };
        let opens = Model::start(Side::White).is_legal(Side::Black, six);
        six == NOTHING || opens && !self.is_legal(self.bot.other(), six)
    }

    /// Tests if a move is legal for a side.
    pub fn is_legal(&self, side: Side, six: Six) -> bool {
        let [x0, y0, x1, y1, x2, y2] = six;
        if !on_board(&six) || self.cells[x0 as usize][y0 as usize] != Cell::Amazon(side) {
            return false;
        }
        let mut left = self.clone();
        left.cells[x0 as usize][y0 as usize] = Cell::Empty;
        left.is_open((x0, y0), (x1, y1)) && left.is_open((x1, y1), (x2, y2))
    }

    /// Tests if a queen on one square reaches another in one move.
    fn is_open(&self, from: (i64, i64), to: (i64, i64)) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let distance = dx.abs().max(dy.abs());
        let straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
        distance > 0
            && straight
            && (1..=distance).all(|step| {
                let (x, y) = (from.0 + step * dx.signum(), from.1 + step * dy.signum());
                self.cells[x as usize][y as usize] == Cell::Empty
            })
    }

    /// The squares that a queen reaches from a square in one move.
    fn reach(&self, x: i64, y: i64) -> Vec<(i64, i64)> {
        let mut squares = Vec::new();
        for (dx, dy) in [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ] {
            let (mut x, mut y) = (x + dx, y + dy);
            while (0..8).contains(&x)
                && (0..8).contains(&y)
                && self.cells[x as usize][y as usize] == Cell::Empty
            {
                squares.push((x, y));
                (x, y) = (x + dx, y + dy);
            }
        }
        squares
    }

    /// A legal move of a side, chosen by `below`; nothing if there is none.
    pub fn some_move(&self, side: Side, mut below: impl FnMut(usize) -> usize) -> Option<Six> {
        let mut amazons: Vec<(i64, i64)> = squares()
            .filter(|&(x, y)| self.cells[x as usize][y as usize] == Cell::Amazon(side))
            .collect();
        while !amazons.is_empty() {
            let (x0, y0) = amazons.swap_remove(below(amazons.len()));
            let mut left = self.clone();
            left.cells[x0 as usize][y0 as usize] = Cell::Empty;
            let targets = left.reach(x0, y0);
            if targets.is_empty() {
                continue;
            }
            let (x1, y1) = targets[below(targets.len())];
            let arrows = left.reach(x1, y1);
            let (x2, y2) = arrows[below(arrows.len())];
            return Some([x0, y0, x1, y1, x2, y2]);
        }
        None
    }

    /// Tests if a side has a legal move.
    pub fn can_move(&self, side: Side) -> bool {
        // An amazon that can step can shoot back to its own square.
        squares().any(|(x, y)| {
            self.cells[x as usize][y as usize] == Cell::Amazon(side) && !self.reach(x, y).is_empty()
        })
    }
}

/// Tests if all coordinates are on the board.
fn on_board(six: &Six) -> bool {
    six.iter().all(|coordinate| (0..8).contains(coordinate))
}

/// All squares of the board.
fn squares() -> impl Iterator<Item = (i64, i64)> {
    (0..64).map(|square| (square / 8, square % 8))
}
