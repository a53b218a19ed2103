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
pub enum Cell {
    Empty,
    Amazon(Side),
    Arrow,
}

/// Column and row, on the board or not.
pub type Square = (i64, i64);

/// A board, by columns.
#[derive(Clone, Debug)]
pub struct Cells([[Cell; 8]; 8]);

impl Cells {
    /// The start position.
    pub fn start() -> Cells {
        let mut cells = Cells([[Cell::Empty; 8]; 8]);
        for (side, squares) in [
            (Side::Black, [(0, 2), (2, 0), (5, 0), (7, 2)]),
            (Side::White, [(0, 5), (2, 7), (5, 7), (7, 5)]),
        ] {
            for square in squares {
                cells.put(square, Cell::Amazon(side));
            }
        }
        cells
    }

    /// The contents of a square on the board.
    pub fn at(&self, (x, y): Square) -> Cell {
        self.0[x as usize][y as usize]
    }

    pub fn put(&mut self, (x, y): Square, cell: Cell) {
        self.0[x as usize][y as usize] = cell;
    }

    /// The squares that a queen reaches from a square in one move, direction by direction.
    pub fn reach(&self, (x, y): Square) -> Vec<Square> {
        let is_empty = |&square: &Square| is_on_board(square) && self.at(square) == Cell::Empty;
        let line = |(dx, dy)| (1..8).map(move |far| (x + far * dx, y + far * dy));
        let steps = (0..9_i64).map(|step| (step / 3 - 1, step % 3 - 1));
        let lines = steps.filter(|&step| step != (0, 0)).map(line);
        lines.flat_map(|line| line.take_while(is_empty)).collect()
    }

    /// Plays the legal part of a move of a side: at worst nothing. Returns whether that is the whole move.
    pub fn play(&mut self, side: Side, six: Six) -> bool {
        let [from, to, arrow] = in_pairs(six);
        let are_there = [from, to, arrow].into_iter().all(is_on_board);
        if !are_there || self.at(from) != Cell::Amazon(side) {
            return false;
        }
        self.put(from, Cell::Empty);
        if !self.reach(from).contains(&to) {
            return false;
        }
        self.put(to, Cell::Amazon(side));
        let is_legal = self.reach(to).contains(&arrow);
        if is_legal {
            self.put(arrow, Cell::Arrow);
        }
        is_legal
    }

    /// All moves of a side, by the squares that can be reached from one.
    pub fn moves(&self, side: Side, reach: fn(&Cells, Square) -> Vec<Square>) -> Vec<[Square; 3]> {
        let mut moves = Vec::new();
        for from in squares().filter(|&square| self.at(square) == Cell::Amazon(side)) {
            let mut left = self.clone();
            left.put(from, Cell::Empty);
            for to in reach(&left, from) {
                let arrows = reach(&left, to).into_iter();
                moves.extend(arrows.map(|arrow| [from, to, arrow]));
            }
        }
        moves
    }
}

/// The state that the bot keeps: its side and the position.
#[derive(Clone, Debug)]
pub struct Model {
    pub bot: Side,
    cells: Cells,
}

impl Model {
    /// The start position.
    pub fn start(bot: Side) -> Model {
        Model {
            bot,
            cells: Cells::start(),
        }
    }

    /// The position after a whole record, whose first and last entries are requests. Illegal entries are left out. The
    /// first entry tells the bot's side. If it can't be read, the bot has the side for which fewer entries are left
    /// out.
    pub fn of_record(record: &[Sent]) -> Model {
        match record.first() {
            Some(Sent::Six(NOTHING)) => Model::replay(record, Side::Black).0,
            Some(Sent::Six(six)) if in_pairs(*six).into_iter().all(is_on_board) => {
                Model::replay(record, Side::White).0
            }
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
        let mut after = self.cells.clone();
        let is_legal = after.play(side, six);
        if is_legal {
            self.cells = after;
        }
        is_legal
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
        self.cells.clone().play(side, six)
    }

    /// A legal move of a side, chosen by `below`; nothing if there is none.
    pub fn some_move(&self, side: Side, mut below: impl FnMut(usize) -> usize) -> Option<Six> {
        let mut amazons: Vec<Square> = squares()
            .filter(|&square| self.cells.at(square) == Cell::Amazon(side))
            .collect();
        while !amazons.is_empty() {
            let from = amazons.swap_remove(below(amazons.len()));
            let mut left = self.cells.clone();
            left.put(from, Cell::Empty);
            let targets = left.reach(from);
            if targets.is_empty() {
                continue;
            }
            let to = targets[below(targets.len())];
            let arrows = left.reach(to);
            let arrow = arrows[below(arrows.len())];
            return Some([from.0, from.1, to.0, to.1, arrow.0, arrow.1]);
        }
        None
    }

    /// Tests if a side has a legal move.
    pub fn can_move(&self, side: Side) -> bool {
        // An amazon that can step can shoot back to its own square.
        squares().any(|square| {
            self.cells.at(square) == Cell::Amazon(side) && !self.cells.reach(square).is_empty()
        })
    }
}

/// Six coordinates as three squares.
pub fn in_pairs([x0, y0, x1, y1, x2, y2]: Six) -> [Square; 3] {
    [(x0, y0), (x1, y1), (x2, y2)]
}

fn is_on_board((x, y): Square) -> bool {
    (0..8).contains(&x) && (0..8).contains(&y)
}

/// All squares of the board.
pub fn squares() -> impl Iterator<Item = Square> {
    (0..64).map(|square| (square / 8, square % 8))
}
