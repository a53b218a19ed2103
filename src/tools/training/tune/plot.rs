//! The plot of a fit: every weight over the phase, and predicted against observed results.

use super::fit;
use super::regressors::Sample;
use crate::eval::weights::{COLUMNS, KNOTS, Knots, SPACING};
use crate::tools::training::plots::{self, Area, BLUE, Drawn, axes, legend, line, range};
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

/// Panels side by side, and one below the other: the weights, the calibration and the legend.
const GRID: (usize, usize) = (4, (COLUMNS + 2).div_ceil(4));

/// The plot as the text of an SVG file, of the tables before and after a fit and the samples that were held out.
#[must_use]
pub fn svg(tables: [&Knots; 2], held_out: &[Sample]) -> String {
    plots::svg(GRID, |panels| {
        for (column, name) in NAMES.iter().enumerate() {
            weight(&panels[column], column, name, tables)?;
        }
        let bins = plots::calibrated(fit::predicted(held_out, tables[1]));
        plots::calibration(&panels[COLUMNS], "predicted: black wins", &[(bins, BLUE)])?;
        let entries = [(false, "fitted", BLUE), (true, "before", BLUE)];
        legend(&panels[COLUMNS + 1], &entries)
    })
}

/// The panel of one weight over the phase, before a fit and after it.
fn weight(panel: &Area, column: usize, name: &str, tables: [&Knots; 2]) -> Drawn {
    let all = tables.into_iter().flatten().map(|row| row[column]);
    let last = ((KNOTS - 1) * SPACING) as f64;
    let labels = ["arrows on the board", "weight, log-odds"];
    let mut axes = axes(panel, name, 0.0..last, range(all.chain([0.0])), labels)?;
    axes.draw_series(LineSeries::new([(0.0, 0.0), (last, 0.0)], BLACK.mix(0.5)))?;
    for (table, faint) in tables.into_iter().zip([true, false]) {
        let points = (0..KNOTS).map(|knot| ((knot * SPACING) as f64, table[knot][column]));
        line(&mut axes, points, BLUE, faint)?;
    }
    Ok(())
}
