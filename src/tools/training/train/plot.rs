//! The plot of a training: the losses over its epochs, and predicted against observed results.

use super::course::Epoch;
use crate::tools::training::plots::{self, Area, Calibration, Drawn, axes, legend, line};
use plotters::prelude::*;

/// The colours of the network, the linear evaluation and the training games.
const NETWORK: RGBColor = RGBColor(0x1f, 0x5f, 0xa8);
const LINEAR: RGBColor = RGBColor(0xc8, 0x50, 0x1e);
const TRAIN: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// What is drawn.
pub struct Training<'a> {
    /// The finished epochs.
    pub epochs: &'a [Epoch],
    /// Mean held-out loss of the linear evaluation.
    pub linear_loss: f64,
    /// Calibration of the linear evaluation.
    pub linear: Calibration,
    /// Calibration of the network.
    pub network: Calibration,
}

/// The plot as the text of an SVG file.
#[must_use]
pub fn svg(training: &Training) -> String {
    plots::svg((3, 1), |panels| {
        losses(&panels[0], training)?;
        let lines = [(training.linear, LINEAR), (training.network, NETWORK)];
        plots::calibration(&panels[1], "predicted: the mover wins", lines.into_iter())?;
        let entries = [
            (false, "network, held-out results", NETWORK),
            (false, "network, targets of the training", TRAIN),
            (true, "linear evaluation, held-out loss", LINEAR),
            (false, "linear evaluation, calibration", LINEAR),
        ];
        legend(&panels[2], entries.into_iter())
    })
}

/// The panel of the losses over the epochs.
fn losses(panel: &Area, training: &Training) -> Drawn {
    let series = |loss: fn(&Epoch) -> f64| {
        (1..)
            .zip(training.epochs)
            .map(move |(number, epoch)| (f64::from(number), loss(epoch)))
    };
    let all = || {
        let epochs = training.epochs.iter();
        let losses = epochs.flat_map(|epoch| [epoch.train, epoch.held_out]);
        losses.chain([training.linear_loss])
    };
    let (low, high) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(0.0, f64::max),
    );
    let margin = 0.05 * (high - low).max(1e-3);
    let last = training.epochs.len() as f64;
    let labels = ["epoch", "log-loss"];
    let mut axes = axes(
        panel,
        "loss",
        0.0..last,
        low - margin..high + margin,
        labels,
    )?;
    let linear = [0.0, last].map(|epoch| (epoch, training.linear_loss));
    line(&mut axes, linear.into_iter(), LINEAR, true)?;
    line(&mut axes, series(|epoch| epoch.train), TRAIN, false)?;
    line(&mut axes, series(|epoch| epoch.held_out), NETWORK, false)
}
