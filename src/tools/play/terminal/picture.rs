//! Pictures of amazons, arrows and marks on the board, as rows of block characters. Blanks in them leave the square's
//! background visible.

/// Pictures of amazons, arrows and marks for board squares of one size. Each picture is a list of rows from top to
/// bottom; each row is a string of block characters.
pub struct Pictures {
    /// Silhouette of an amazon, drawn in black: one string of block characters and blanks for each terminal row that a
    /// board square occupies, from top to bottom. A black amazon is this silhouette alone. On that of a white amazon,
    /// [`Pictures::interior`] is drawn in white, so that a black outline remains.
    pub amazon: &'static [&'static str],
    /// White interior of a white amazon, drawn over its black silhouette. Has as many rows as the silhouette.
    pub interior: &'static [&'static str],
    /// Picture of an arrow on the square that it has hit. Its strokes are thin, so that a board full of arrows stays
    /// readable.
    pub arrow: &'static [&'static str],
    /// Mark on an empty square that the user may choose next in this turn. Like the other pictures, it is a list of
    /// rows of characters, from top to bottom.
    pub target: &'static [&'static str],
}

/// Picture of the mark on an empty square that one player is likely to own: a small block, which is drawn in the
/// player's colour.
pub const OWNER_MARK: &[&str] = &["▗▖"];

/// Pictures for squares that are two, three or four rows high; the index is the height minus 2. Squares one row high
/// show letters instead of pictures.
pub const PICTURES: [Pictures; 3] = [
    Pictures {
        amazon: &["▗██▖", "▝██▘"],
        interior: &[" ▄▄ ", " ▀▀ "],
        arrow: &["╲╱", "╱╲"],
        target: &["▗▖", "▝▘"],
    },
    Pictures {
        amazon: &[" ▄▄ ", "▐██▌", " ▀▀ "],
        interior: &["    ", " ██ ", "    "],
        arrow: &["╲ ╱", " ╳ ", "╱ ╲"],
        target: &["▐▌"],
    },
    Pictures {
        amazon: &["▄ ▄▄ ▄", "██████", "▝████▘", "▝▀▀▀▀▘"],
        interior: &["      ", "▐▄██▄▌", " ▀██▀ ", "      "],
        arrow: &["╲  ╱", " ╲╱ ", " ╱╲ ", "╱  ╲"],
        target: &["▄▄", "▀▀"],
    },
];
