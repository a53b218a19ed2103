//! Plot of a fit of the evaluation's weights: for each feature of the evaluation a chart that shows its weight over the
//! number of arrows, and one chart with calibration curves.

use super::fit;
use super::regressors::Sample;
use crate::plots::{self, Curve, MODEL_COLOUR, Panel};
use engine::eval::weights::{COLUMNS, KNOT_STEP, KNOTS, Knots};
use plotters::style::BLACK;

/// Names of the evaluation's features, in the order of the columns of its weight table. They are the titles of the
/// charts.
const FEATURE_NAMES: [&str; COLUMNS] = [
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

/// Number of charts in a row of the plot.
const PANELS_PER_ROW: usize = 4;

/// Draws, for each feature of the evaluation, a chart of its weight over the number of arrows, before and after a fit.
/// A last chart shows the calibration of the fitted weights on the held-out samples. Returns the text of an SVG file.
#[must_use]
pub fn svg([before, after]: [&Knots; 2], held_out: &[Sample]) -> String {
    let arrows = |knot: usize| (knot * KNOT_STEP) as f64;
    let weights = |table: &Knots, column: usize| {
        let weights = table.iter().enumerate();
        let weights = weights.map(|(knot, row)| (arrows(knot), row[column]));
        weights.collect::<Vec<_>>()
    };
    let panel = |(column, title)| Panel {
        title,
        labels: ["arrows on the board", "weight, log-odds"],
        curves: vec![
            Curve::new(
                "",
                BLACK,
                true,
                [0, KNOTS - 1].map(|knot| (arrows(knot), 0.0)),
            ),
            Curve::new("fitted", MODEL_COLOUR, false, weights(after, column)),
            Curve::new("before", MODEL_COLOUR, true, weights(before, column)),
        ],
    };
    let mut panels: Vec<Panel> = FEATURE_NAMES.into_iter().enumerate().map(panel).collect();
    let points = plots::calibration_points(fit::predict(held_out, after));
    let fitted = Curve::new("fitted", MODEL_COLOUR, false, points);
    panels.push(plots::calibration_panel(
        "predicted: black wins",
        vec![fitted],
    ));
    plots::svg(PANELS_PER_ROW, &panels)
}
