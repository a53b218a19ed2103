//! The plot of a training run: loss curves over the epochs and, for the value network, calibration curves.

use super::head::Head;
use super::learner::predict;
use super::training_run::{Epoch, TrainingRun};
use crate::plots::{self, BLUE, Line, Panel};
use crate::samples::Data;
use plotters::style::RGBColor;

/// Colour of the baseline with which the network is compared.
pub const OTHER: RGBColor = RGBColor(0xc8, 0x50, 0x1e);

/// Colour of the training loss.
const TRAIN: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// Returns the plot as the text of an SVG file. `baseline` is the name of a simpler predictor, and `baseline_loss` is its
/// held-out loss, drawn as a horizontal line.
#[must_use]
pub fn svg<H: Head>(
    run: &TrainingRun<H>,
    data: &Data<H::Sample>,
    (baseline, baseline_loss): (&str, f64),
) -> String {
    type Loss = fn(&Epoch) -> f64;
    let (epochs, name) = (&run.epochs, H::ABOUT.name);
    let losses: [(_, _, Loss); 2] = [
        ("held-out", BLUE, |epoch| epoch.held_out),
        ("training", TRAIN, |epoch| epoch.train),
    ];
    let mut lines = Vec::from(losses.map(|(what, colour, loss)| {
        let points = (1..).map(f64::from).zip(epochs.iter().map(loss));
        Line::new(&format!("{name}, {what}"), colour, false, points)
    }));
    let points = [0.0, epochs.len() as f64].map(|epoch| (epoch, baseline_loss));
    lines.push(Line::new(
        &format!("{baseline}, held-out"),
        OTHER,
        true,
        points,
    ));
    let mut panels = vec![Panel {
        title: "loss",
        labels: ["epoch", H::ABOUT.loss],
        lines,
    }];
    let predictions = predict::<H>(&run.best, &data.held_out);
    let calibrations = H::calibrations(&data.held_out, &predictions);
    if !calibrations.is_empty() {
        let predicted = "predicted: the mover wins";
        panels.push(plots::calibration(predicted, calibrations));
    }
    plots::svg(panels.len() + 1, &panels)
}
