//! Plot of a training run: loss curves over the epochs and, for the value network, calibration curves.

use super::learner::predict;
use super::network::TrainableNetwork;
use super::training_run::{Epoch, TrainingRun};
use crate::plots::{self, Curve, MODEL_COLOUR, Panel};
use crate::samples::Dataset;
use plotters::style::RGBColor;

/// Colour of the baseline's curves. The baseline is the predictor with which the trained network is compared: the
/// linear evaluation or, for the policy network, the compiled-in network.
pub const BASELINE_COLOUR: RGBColor = RGBColor(0xc8, 0x50, 0x1e);

/// Colour of the curve of the training loss.
const TRAINING_COLOUR: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// Draws the plot of a training run and returns the text of an SVG file.
///
/// The baseline is the predictor with which the network is compared: the linear evaluation or, for the policy network,
/// the compiled-in network. `baseline` is its name; `baseline_loss` is its mean held-out loss, drawn as a horizontal
/// line.
#[must_use]
pub fn svg<N: TrainableNetwork>(
    run: &TrainingRun<N>,
    data: &Dataset<N::Sample>,
    (baseline, baseline_loss): (&str, f64),
) -> String {
    type Loss = fn(&Epoch) -> f64;
    let (epochs, name) = (&run.epochs, N::INFO.name);
    let losses: [(_, _, Loss); 2] = [
        ("held-out", MODEL_COLOUR, |epoch| epoch.held_out),
        ("training", TRAINING_COLOUR, |epoch| epoch.train),
    ];
    let mut curves = Vec::from(losses.map(|(set, colour, loss)| {
        let points = (1..).map(f64::from).zip(epochs.iter().map(loss));
        Curve::new(&format!("{name}, {set}"), colour, false, points)
    }));
    let points = [0.0, epochs.len() as f64].map(|epoch| (epoch, baseline_loss));
    let baseline = format!("{baseline}, held-out");
    curves.push(Curve::new(&baseline, BASELINE_COLOUR, true, points));
    let mut panels = vec![Panel {
        title: "loss",
        labels: ["epoch", N::INFO.loss_name],
        curves,
    }];
    let predictions = predict::<N>(&run.best, &data.held_out);
    let calibrations = N::calibrations(&data.held_out, &predictions);
    if !calibrations.is_empty() {
        let predicted = "predicted: the mover wins";
        panels.push(plots::calibration_panel(predicted, calibrations));
    }
    plots::svg(panels.len() + 1, &panels)
}
