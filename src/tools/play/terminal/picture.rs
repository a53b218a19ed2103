//! Pictures of amazons, arrows and marks: rows of characters for the middle of a square; the square shows through blanks.

/// The pictures that fit squares of one size.
pub struct Pictures {
    /// A black amazon; of a white one, the outline.
    pub amazon: &'static [&'static str],
    /// What is white of a white amazon. Its rows are as many as the amazon's.
    pub body: &'static [&'static str],
    /// In thin lines: in the end most squares have an arrow.
    pub arrow: &'static [&'static str],
    /// The mark of a square that may be chosen.
    pub target: &'static [&'static str],
}

/// The mark of a square that is closer to one player.
pub const OWNER: &[&str] = &["▗▖"];

/// The pictures for squares of two rows and more.
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
