//! What the plots of fits share: panels in a grid, axes, lines, and the calibration.

use crate::eval::probability;
use crate::tools::support::error::ToolError;
use crate::tools::support::files::Target;
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The file for a plot, if one is asked for.
///
/// # Errors
/// If it can't be written, or is something else than a plot; the message names it.
pub fn target(path: Option<&Path>) -> Result<Option<Target>, ToolError> {
    let is_plot = |old: &[u8]| old.starts_with(b"<svg ");
    let target = path.map(|path| Target::replacing(path, "a plot", is_plot));
    target.transpose()
}

/// Bins of a calibration.
const CALIBRATION_BINS: usize = 20;

/// Samples that a bin of the calibration needs to be drawn.
const MIN_SAMPLES: f64 = 10.0;

/// Width and height of a panel.
const PANEL: (u32, u32) = (300, 240);

/// The colour of a network, and of fitted weights.
pub const BLUE: RGBColor = RGBColor(0x1f, 0x5f, 0xa8);

/// A part of the picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// The axes of a panel, to draw series on.
pub type Axes<'a, 'b> =
    ChartContext<'b, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
/// Whether the text took what was drawn.
pub type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// For every bin of predictions: the number of samples, the sum of their predictions, and the number of wins.
pub type Calibration = [(f64, f64, f64); CALIBRATION_BINS];

/// Compares predictions, each the log-odds of an event, with whether it came true.
#[must_use]
pub fn calibrated(predictions: impl Iterator<Item = (f32, bool)>) -> Calibration {
    let mut bins = [(0.0, 0.0, 0.0); CALIBRATION_BINS];
    for (log_odds, is_true) in predictions {
        let predicted = f64::from(probability(log_odds));
        let bin = (predicted * CALIBRATION_BINS as f64) as usize;
        let (count, sum, won) = &mut bins[bin.min(CALIBRATION_BINS - 1)];
        *count += 1.0;
        *sum += predicted;
        *won += f64::from(u8::from(is_true));
    }
    bins
}

/// A plot as the text of an SVG file: so many panels side by side and one below the other.
pub fn svg(grid: (usize, usize), draw: impl FnOnce(&[Area]) -> Drawn) -> String {
    let mut text = String::new();
    let size = (PANEL.0 * grid.0 as u32, PANEL.1 * grid.1 as u32);
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = root
        .fill(&WHITE)
        .and_then(|()| draw(&root.split_evenly((grid.1, grid.0))))
        .and_then(|()| root.present());
    drawn.expect("a string takes everything");
    drop(root);
    text
}

/// Draws the panel of predicted against observed results, with a line for each calibration.
pub fn calibration(panel: &Area, predicted: &str, lines: &[(Calibration, RGBColor)]) -> Drawn {
    let title = "calibration, held-out games";
    let mut axes = axes(panel, title, 0.0..1.0, 0.0..1.0, [predicted, "observed"])?;
    line(&mut axes, [(0.0, 0.0), (1.0, 1.0)].into_iter(), BLACK, true)?;
    for (bins, colour) in lines {
        let points = bins
            .iter()
            .filter(|(count, ..)| *count >= MIN_SAMPLES)
            .map(|(count, predicted, won)| (predicted / count, won / count));
        line(&mut axes, points, *colour, false)?;
    }
    Ok(())
}

/// Draws what lines mean: whether each is faint, its name and its colour.
pub fn legend(panel: &Area, entries: &[(bool, &str, RGBColor)]) -> Drawn {
    for (at, &(faint, name, colour)) in (50..).step_by(22).zip(entries) {
        let ends = [(30, at), (70, at)];
        match faint {
            true => panel.draw(&DashedPathElement::new(ends, 3, 3, colour.mix(0.6)))?,
            false => panel.draw(&PathElement::new(ends, colour))?,
        }
        let (place, style) = ((80, at - 6), ("sans-serif", 12));
        panel.draw(&Text::new(name, place, style))?;
    }
    Ok(())
}

/// Draws a panel's title, axes and grid; `labels` are those of the axes across and up.
pub fn axes<'a, 'b>(
    panel: &'b Area<'a>,
    title: &str,
    x: Range<f64>,
    y: Range<f64>,
    labels: [&str; 2],
) -> Result<Axes<'a, 'b>, DrawingAreaErrorKind<io::Error>> {
    let digits = if y.end - y.start < 0.1 { 3 } else { 2 };
    let mut axes = ChartBuilder::on(panel)
        .caption(title, ("sans-serif", 12, FontStyle::Bold))
        .margin(8)
        .margin_right(16)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(x, y)?;
    axes.configure_mesh()
        .x_labels(7)
        .y_labels(6)
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .label_style(("sans-serif", 11))
        .x_label_formatter(&|number| label(*number, 2))
        .y_label_formatter(&|number| label(*number, digits))
        .x_desc(labels[0])
        .y_desc(labels[1])
        .draw()?;
    Ok(axes)
}

/// The range of an axis for some numbers, with a margin on both sides.
pub fn range(numbers: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let (low, high) = (
        numbers.clone().fold(f64::INFINITY, f64::min),
        numbers.fold(0.0, f64::max),
    );
    let margin = 0.05 * (high - low).max(1e-3);
    low - margin..high + margin
}

/// A number of an axis to so many digits, without a minus in front of zero.
fn label(number: f64, digits: i32) -> String {
    let unit = 10_f64.powi(digits);
    ((unit * number).round() / unit + 0.0).to_string()
}

/// Draws a line through points: dashed if it is faint, else with a mark on each point.
pub fn line(
    axes: &mut Axes,
    points: impl Iterator<Item = (f64, f64)> + Clone,
    colour: RGBColor,
    faint: bool,
) -> Drawn {
    match faint {
        true => axes.draw_series(DashedLineSeries::new(points, 3, 3, colour.mix(0.6).into()))?,
        false => axes.draw_series(LineSeries::new(points, colour.filled()).point_size(2))?,
    };
    Ok(())
}
