//! The plot of a fit: every weight over the phase, and predicted against observed results.

use super::fit;
use super::samples::Sample;
use crate::eval::weights::{COLUMNS, KNOTS, Knots, SPACING};
use crate::tools::training::plots::{self, Area, CALIBRATION_BINS, Drawn, axes, legend, line};
use plotters::prelude::*;

/// What the columns of the table are called.
const NAMES: [&str; COLUMNS] = [
    "queen territory",
    "king territory",
    "queen position",
    "king position",
    "mobility",
    "side to move",
    "amazons without empty neighbour",
    "amazons with 1 empty neighbour",
    "amazons with 2 or 3",
    "squares one side alone reaches",
];

/// The two kinds of positions and their colours.
const KINDS: [(&str, RGBColor); 2] = [
    ("turn to begin", RGBColor(0x1f, 0x5f, 0xa8)),
    ("arrow to be shot", RGBColor(0xc8, 0x50, 0x1e)),
];

/// Panels side by side, and one below the other: the weights, the calibration and the legend.
const GRID: (usize, usize) = (4, (COLUMNS + 2).div_ceil(4));

/// Tables of both kinds, before and after a fit, and the samples that were held out.
pub struct Fits<'a> {
    /// The tables that are compiled in.
    pub before: [&'a Knots; 2],
    /// The fitted tables.
    pub after: [&'a Knots; 2],
    /// Held-out samples.
    pub held_out: [&'a [Sample]; 2],
}

/// The plot as the text of an SVG file.
#[must_use]
pub fn svg(fits: &Fits) -> String {
    plots::svg(GRID, |panels| {
        for (column, name) in NAMES.iter().enumerate() {
            weight(&panels[column], column, name, fits)?;
        }
        calibration(&panels[COLUMNS], fits)?;
        legend(&panels[COLUMNS + 1], entries())
    })
}

/// The panel of one weight over the phase.
fn weight(panel: &Area, column: usize, name: &str, fits: &Fits) -> Drawn {
    let tables = || fits.before.into_iter().chain(fits.after);
    let all = || tables().flatten().map(|row| row[column]);
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let margin = 0.05 * (high - low).max(1e-3);
    let last = ((KNOTS - 1) * SPACING) as f64;
    let labels = ["arrows on the board", "weight, log-odds"];
    let mut axes = axes(panel, name, 0.0..last, low - margin..high + margin, labels)?;
    axes.draw_series(LineSeries::new([(0.0, 0.0), (last, 0.0)], BLACK.mix(0.5)))?;
    for (tables, faint) in [(fits.before, true), (fits.after, false)] {
        for (table, (_, colour)) in tables.into_iter().zip(KINDS) {
            let points = (0..KNOTS).map(|knot| ((knot * SPACING) as f64, table[knot][column]));
            line(&mut axes, points, colour, faint)?;
        }
    }
    Ok(())
}

/// The panel of predicted against observed results.
fn calibration(panel: &Area, fits: &Fits) -> Drawn {
    let tables = fits.held_out.into_iter().zip(fits.after);
    let lines = tables.zip(KINDS).map(|((samples, table), (_, colour))| {
        let bins = fit::calibration::<CALIBRATION_BINS>(samples, table);
        (bins, colour)
    });
    plots::calibration(panel, "predicted: black wins", lines)
}

/// What the lines mean.
fn entries() -> impl Iterator<Item = (bool, String, RGBColor)> {
    let times = [(false, "fitted"), (true, "before")];
    times.into_iter().flat_map(|(faint, when)| {
        KINDS.map(|(name, colour)| (faint, format!("{name}, {when}"), colour))
    })
}
