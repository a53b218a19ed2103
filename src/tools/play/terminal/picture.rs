//! Pictures of amazons, arrows and marks, as rows of block characters; a blank shows the square's background.

/// The pictures for one size of squares.
pub struct Pictures {
    /// A whole amazon in black; for a white amazon, its outline.
    pub amazon: &'static [&'static str],
    /// White interior of a white amazon, drawn over its outline; has as many rows as `amazon`.
    pub body: &'static [&'static str],
    /// An arrow, in thin lines because most squares hold one at the end of a game.
    pub arrow: &'static [&'static str],
    /// Mark on a square that may be chosen next.
    pub target: &'static [&'static str],
}

/// Mark on an empty square that one player is likely to own.
pub const OWNER: &[&str] = &["▗▖"];

/// Pictures for squares two, three and four rows high.
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
