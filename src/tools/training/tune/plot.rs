//! The plot of a fit: every weight over the phase, and predicted against observed results.

use super::fit;
use super::samples::Sample;
use crate::eval::weights::{COLUMNS, KNOTS, Knots, SPACING};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::io;
use std::ops::Range;

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

/// How a plot begins.
pub const START: &str = "<svg ";

/// The two kinds of positions and their colours.
const KINDS: [(&str, RGBColor); 2] = [
    ("turn to begin", RGBColor(0x1f, 0x5f, 0xa8)),
    ("arrow to be shot", RGBColor(0xc8, 0x50, 0x1e)),
];

/// Bins of the calibration.
const BINS: usize = 20;

/// Samples that a bin of the calibration needs to be drawn.
const MIN_SAMPLES: f64 = 10.0;

/// Panels side by side, and one below the other: the weights, the calibration and the legend.
const GRID: (usize, usize) = (4, (COLUMNS + 2).div_ceil(4));

/// Width and height of a panel.
const PANEL: (u32, u32) = (300, 240);

/// Tables of both kinds, before and after a fit, and the samples that were held out.
pub struct Fits<'a> {
    /// The tables that are compiled in.
    pub before: [&'a Knots; 2],
    /// The fitted tables.
    pub after: [&'a Knots; 2],
    /// Held-out samples.
    pub held_out: [&'a [Sample]; 2],
}

/// A part of the picture.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// The axes of a panel, to draw series on.
type Axes<'a, 'b> = ChartContext<'b, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
/// Whether the text took what was drawn.
type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// The plot as the text of an SVG file.
#[must_use]
pub fn svg(fits: &Fits) -> String {
    let mut text = String::new();
    let size = (PANEL.0 * GRID.0 as u32, PANEL.1 * GRID.1 as u32);
    draw(
        SVGBackend::with_string(&mut text, size).into_drawing_area(),
        fits,
    )
    .expect("a string takes everything");
    text
}

fn draw(root: Area, fits: &Fits) -> Drawn {
    root.fill(&WHITE)?;
    let panels = root.split_evenly((GRID.1, GRID.0));
    for (column, name) in NAMES.iter().enumerate() {
        weight(&panels[column], column, name, fits)?;
    }
    calibration(&panels[COLUMNS], fits)?;
    legend(&panels[COLUMNS + 1])?;
    root.present()
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
    let labels = ["predicted: black wins", "observed"];
    let mut axes = axes(
        panel,
        "calibration, held-out games",
        0.0..1.0,
        0.0..1.0,
        labels,
    )?;
    line(&mut axes, [(0.0, 0.0), (1.0, 1.0)].into_iter(), BLACK, true)?;
    for ((samples, table), (_, colour)) in fits.held_out.into_iter().zip(fits.after).zip(KINDS) {
        let bins: [_; BINS] = fit::calibration(samples, table);
        let points = bins
            .into_iter()
            .filter(|(count, ..)| *count >= MIN_SAMPLES)
            .map(|(count, predicted, won)| (predicted / count, won / count));
        line(&mut axes, points, colour, false)?;
    }
    Ok(())
}

/// What the lines mean.
fn legend(panel: &Area) -> Drawn {
    let mut at = 50;
    for (faint, when) in [(false, "fitted"), (true, "before")] {
        for (name, colour) in KINDS {
            let ends = [(30, at), (70, at)];
            match faint {
                true => panel.draw(&DashedPathElement::new(ends, 3, 3, colour.mix(0.6)))?,
                false => panel.draw(&PathElement::new(ends, colour))?,
            }
            panel.draw(&Text::new(
                format!("{name}, {when}"),
                (80, at - 6),
                ("sans-serif", 12),
            ))?;
            at += 22;
        }
    }
    Ok(())
}

/// Draws a panel's title, axes and grid; `labels` are those of the axes across and up.
fn axes<'a, 'b>(
    panel: &'b Area<'a>,
    title: &str,
    x: Range<f64>,
    y: Range<f64>,
    labels: [&str; 2],
) -> Result<Axes<'a, 'b>, DrawingAreaErrorKind<io::Error>> {
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
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .x_desc(labels[0])
        .y_desc(labels[1])
        .draw()?;
    Ok(axes)
}

/// A number of an axis to a hundredth, without a minus in front of zero.
fn label(number: &f64) -> String {
    ((100.0 * number).round() / 100.0 + 0.0).to_string()
}

/// Draws a line through points, each marked if the line is not faint.
fn line(
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
