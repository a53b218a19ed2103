//! The plot of a training: the losses over its epochs, and predicted against observed results where a head has them.

use super::course::{Course, Epoch};
use super::head::Head;
use super::learner::predict;
use crate::tools::training::plots::{self, Area, BLUE, Drawn, axes, legend, line, range};
use crate::tools::training::samples::Data;
use plotters::style::RGBColor;

/// The colour of what the network is compared with.
pub const OTHER: RGBColor = RGBColor(0xc8, 0x50, 0x1e);

/// The colour of the losses of the samples to train with.
pub const TRAIN: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// The plot as the text of an SVG file. `baseline` is the held-out loss to compare with.
#[must_use]
pub fn svg<H: Head>(course: &Course<H>, data: &Data<H::Sample>, baseline: f64) -> String {
    let predictions = predict::<H>(&course.best, &data.held_out);
    let calibrations = H::calibrations(&data.held_out, &predictions);
    let calibrated = usize::from(!calibrations.is_empty());
    plots::svg((2 + calibrated, 1), |panels| {
        losses::<H>(&panels[0], &course.epochs, baseline)?;
        if !calibrations.is_empty() {
            let predicted = "predicted: the mover wins";
            plots::calibration(&panels[1], predicted, &calibrations)?;
        }
        legend(&panels[1 + calibrated], H::ABOUT.legend)
    })
}

/// The panel of the losses over the epochs.
fn losses<H: Head>(panel: &Area, epochs: &[Epoch], baseline: f64) -> Drawn {
    let series = |loss: fn(&Epoch) -> f64| {
        (1..)
            .zip(epochs)
            .map(move |(number, epoch)| (f64::from(number), loss(epoch)))
    };
    let all = epochs
        .iter()
        .flat_map(|epoch| [epoch.train, epoch.held_out])
        .chain([baseline]);
    let last = epochs.len() as f64;
    let labels = ["epoch", H::ABOUT.loss];
    let mut axes = axes(panel, "loss", 0.0..last, range(all), labels)?;
    let baseline = [0.0, last].map(|epoch| (epoch, baseline));
    line(&mut axes, baseline.into_iter(), OTHER, true)?;
    line(&mut axes, series(|epoch| epoch.train), TRAIN, false)?;
    line(&mut axes, series(|epoch| epoch.held_out), BLUE, false)
}
