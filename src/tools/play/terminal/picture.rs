//! Pictures of amazons, arrows and marks, as rows of block characters. Where a character is blank, the square's
//! background stays visible.

/// Pictures for one size of squares, each given by its rows from top to bottom.
pub struct Pictures {
    /// A whole black amazon. For a white amazon, it is drawn as the outline, and `body` is drawn over it.
    pub amazon: &'static [&'static str],
    /// White interior of a white amazon, drawn over the outline `amazon`. Has as many rows as `amazon`.
    pub body: &'static [&'static str],
    /// An arrow. Its lines are thin because most squares have an arrow at the end of a game.
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
