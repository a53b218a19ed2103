//! Pictures of amazons, arrows and marks on the board, as rows of block characters. Blanks in them leave the square's
//! background visible.

/// Pictures for squares of one size. Each picture is a list of rows of characters, from top to bottom.
pub struct Pictures {
    /// Silhouette of an amazon. It is the whole picture of a black amazon, and the black outline of a white one.
    pub amazon: &'static [&'static str],
    /// White interior of a white amazon, drawn over its black silhouette. Has as many rows as the silhouette.
    pub interior: &'static [&'static str],
    /// An arrow that has hit the square. Its strokes are thin, so that a board full of arrows stays readable.
    pub arrow: &'static [&'static str],
    /// Mark on an empty square that the user may choose next.
    pub target: &'static [&'static str],
}

/// Mark on an empty square that one player is likely to own, drawn in the player's colour.
pub const OWNER_MARK: &[&str] = &["▗▖"];

/// Pictures for squares that are two, three and four rows high: index = height - 2. A square one row high shows a
/// letter instead of a picture.
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
