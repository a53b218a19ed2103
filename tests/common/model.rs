//! A simple reference implementation of the rules and of the bot's reading of records, on an array of cells. It shares no
//! code with the engine.

/// Column and row of the three squares of a move, as they are sent: from, to, arrow.
pub type Coords = [i64; 6];

/// Coordinates of black's first request, and of a bot's answer if it has no move.
pub const NO_MOVE: Coords = [-1; 6];

/// An entry of a record as it is sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// Six coordinates, on the board or not.
    Move(Coords),
    /// An unreadable line.
    Unreadable,
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

/// The cells of a board, by column and row.
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

    /// Returns the squares that a queen reaches from a square in one move, direction by direction.
    pub fn reach(&self, (x, y): Square) -> Vec<Square> {
        let is_empty = |&square: &Square| is_on_board(square) && self.at(square) == Cell::Empty;
        let line = |(dx, dy)| (1..8).map(move |far| (x + far * dx, y + far * dy));
        let steps = (0..9_i64).map(|step| (step / 3 - 1, step % 3 - 1));
        let lines = steps.filter(|&step| step != (0, 0)).map(line);
        lines.flat_map(|line| line.take_while(is_empty)).collect()
    }

    /// Plays the legal part of a side's move, which may be nothing. Returns whether the whole move is legal.
    pub fn play(&mut self, side: Side, coords: Coords) -> bool {
        let [from, to, arrow] = squares_of(coords);
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

    /// Returns all moves of a side; `reach` returns the squares that can be reached from a square.
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

    /// Returns the state after a whole record, whose first and last entries are requests. Illegal entries are skipped. The
    /// first entry determines the bot's side; if it is unreadable, the bot has the side for which fewer entries are
    /// skipped.
    pub fn of_record(record: &[Entry]) -> Model {
        match record.first() {
            Some(Entry::Move(NO_MOVE)) => Model::replay(record, Side::Black).0,
            Some(Entry::Move(coords)) if squares_of(*coords).into_iter().all(is_on_board) => {
                Model::replay(record, Side::White).0
            }
            _ => {
                let [black, white] =
                    [Side::Black, Side::White].map(|bot| Model::replay(record, bot));
                if white.1 < black.1 { white.0 } else { black.0 }
            }
        }
    }

    /// Returns the state after a record for a bot of the given side, and the number of skipped entries.
    fn replay(record: &[Entry], bot: Side) -> (Model, usize) {
        let mut model = Model::start(bot);
        let mut skipped = 0;
        for (number, entry) in record.iter().enumerate() {
            let side = if number % 2 == 0 { bot.other() } else { bot };
            let opening = number == 0 && *entry == Entry::Move(NO_MOVE);
            if !opening && !model.play(side, *entry) {
                skipped += 1;
            }
        }
        (model, skipped)
    }

    /// Plays an entry if it is a legal move of the side. Returns whether it is legal.
    pub fn play(&mut self, side: Side, entry: Entry) -> bool {
        let mut after = self.cells.clone();
        let is_legal = matches!(entry, Entry::Move(coords) if after.play(side, coords));
        if is_legal {
            self.cells = after;
        }
        is_legal
    }

    /// Tests if an entry begins a whole record: the entry opens a game and is no legal next move of the opponent.
    pub fn begins_record(&self, entry: Entry) -> bool {
        let Entry::Move(coords) = entry else {
            return false;
        };
        let opens = Model::start(Side::White).is_legal(Side::Black, coords);
        coords == NO_MOVE || opens && !self.is_legal(self.bot.other(), coords)
    }

    /// Tests if a move is legal for a side.
    pub fn is_legal(&self, side: Side, coords: Coords) -> bool {
        self.cells.clone().play(side, coords)
    }

    /// Returns a legal move of a side, chosen with `below`; `None` if there is none.
    pub fn random_move(&self, side: Side, mut below: impl FnMut(usize) -> usize) -> Option<Coords> {
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

/// Returns the three squares of six coordinates.
pub fn squares_of([x0, y0, x1, y1, x2, y2]: Coords) -> [Square; 3] {
    [(x0, y0), (x1, y1), (x2, y2)]
}

fn is_on_board((x, y): Square) -> bool {
    (0..8).contains(&x) && (0..8).contains(&y)
}

/// All squares of the board.
pub fn squares() -> impl Iterator<Item = Square> {
    (0..64).map(|square| (square / 8, square % 8))
}
