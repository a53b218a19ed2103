//! Pictures of amazons, arrows and marks, as rows of block characters; a blank leaves the square's background visible.

/// Pictures for one size of squares, each given by its rows from top to bottom.
pub struct Pictures {
    /// A whole black amazon; also the outline of a white amazon, over which `body` is drawn.
    pub amazon: &'static [&'static str],
    /// White interior of a white amazon, drawn over its outline; has as many rows as `amazon`.
    pub body: &'static [&'static str],
    /// An arrow, in thin lines, because at the end of a game most squares hold an arrow.
    pub arrow: &'static [&'static str],
    /// Mark on an empty square that may be chosen next.
    pub target: &'static [&'static str],
}

/// Mark on an empty square that one player is likely to own.
pub const OWNER_MARK: &[&str] = &["▗▖"];

/// Pictures for squares that are two, three and four rows high: index = height - 2. Squares one row high show letters
/// instead.
pub const PICTURES: [Pictures; 3] = [
    Pictures {
        amazon: &["▗██▖", "▝██▘"],
        body: &[" ▄▄ ", " ▀▀ "],
        arrow: &["╲╱", "╱╲"],
        target: &["▗▖", "▝▘"],
    },
    Pictures {
        amazon: &[" ▄▄ ", "▐██▌", " ▀▀ "],
        body: &["    ", " ██ ", "    "],
        arrow: &["╲ ╱", " ╳ ", "╱ ╲"],
        target: &["▐▌"],
    },
    Pictures {
        amazon: &["▄ ▄▄ ▄", "██████", "▝████▘", "▝▀▀▀▀▘"],
        body: &["      ", "▐▄██▄▌", " ▀██▀ ", "      "],
        arrow: &["╲  ╱", " ╲╱ ", " ╱╲ ", "╱  ╲"],
        target: &["▄▄", "▀▀"],
    },
];
