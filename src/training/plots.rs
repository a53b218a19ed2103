//! Plots as SVG files: line charts (panels) in a grid, with a legend in the place after the last chart.

use engine::eval::probability;
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use std::collections::HashSet;
use std::io;
use std::ops::Range;

/// How error messages describe a plot's file, for example if `--plot` names an existing file of another type.
pub const FILE_DESCRIPTION: &str = "a plot";

/// First bytes of a plot's file. An existing file is overwritten only if it begins with these bytes.
pub const FILE_PREFIX: &[u8] = b"<svg ";

/// Number of bins of a calibration curve: equal intervals of the predicted probability, each 1/20 wide. A curve has at
/// most one point per bin.
const CALIBRATION_BINS: usize = 20;

/// Minimum number of predictions in a bin (interval of predicted probability) of a calibration curve. The curve has no
/// point for a bin with fewer.
const MIN_BIN_SAMPLES: f64 = 10.0;

/// Width and height of a panel, in pixels.
const PANEL_SIZE: (u32, u32) = (300, 240);

/// Colour of the curves of a trained network or of fitted weights.
pub const MODEL_COLOUR: RGBColor = RGBColor(0x1f, 0x5f, 0xa8);

/// Part of the SVG picture into which one panel (a line chart) or the legend is drawn.
type PlotArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Result of a drawing operation. It is always `Ok`, because the picture is written to a string, where no write error
/// can occur.
type DrawResult = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Curve of a panel: a sequence of points with a name and a style.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name of the curve in the legend. The legend shows a name once, even if several curves have it. It omits curves
    /// whose name is empty.
    pub name: String,
    /// Colour of the curve; in a dashed curve it is drawn with 60 % opacity.
    pub colour: RGBColor,
    /// True for a dashed curve without markers at its points, false for a solid curve with markers.
    pub is_dashed: bool,
    /// Coordinates (x, y) of the points, connected in their order.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Creates a curve through `points`, pairs of coordinates (x, y). `name` is its name in the legend; `is_dashed`
    /// selects a dashed curve without markers instead of a solid curve with markers.
    pub fn new(
        name: &str,
        colour: RGBColor,
        is_dashed: bool,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Curve {
        Curve {
            name: name.to_owned(),
            colour,
            is_dashed,
            points: points.into_iter().collect(),
        }
    }
}

/// Line chart with a title and two axes, whose ranges fit its curves.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title above the chart.
    pub title: &'static str,
    /// Axis labels, first of the x axis, then of the y axis.
    pub labels: [&'static str; 2],
    /// Curves of the chart. At least one curve must have a point, because the curves determine the ranges of the axes.
    pub curves: Vec<Curve>,
}

/// Draws a grid of `columns` columns: the panels row by row, and a legend in the cell after the last panel. Returns the
/// text of an SVG file.
#[must_use]
pub fn svg(columns: usize, panels: &[Panel]) -> String {
    let rows = (panels.len() + 1).div_ceil(columns);
    let size = (PANEL_SIZE.0 * columns as u32, PANEL_SIZE.1 * rows as u32);
    let mut text = String::new();
    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let draw = || -> DrawResult {
        root.fill(&WHITE)?;
        let areas = root.split_evenly((rows, columns));
        for (panel, area) in panels.iter().zip(&areas) {
            panel.draw(area)?;
        }
        draw_legend(&areas[panels.len()], panels)?;
        root.present()
    };
    draw().expect("a string takes everything");
    drop(root);
    text
}

/// Returns a panel (a line chart) with the calibration curves `curves` and a dashed diagonal, on which perfect
/// predictions would lie. The x axis shows predicted probabilities; `predicted` is its label. The y axis shows observed
/// frequencies.
#[must_use]
pub fn calibration_panel(predicted: &'static str, mut curves: Vec<Curve>) -> Panel {
    curves.push(Curve::new("", BLACK, true, [(0.0, 0.0), (1.0, 1.0)]));
    Panel {
        title: "calibration, held-out games",
        labels: [predicted, "observed"],
        curves,
    }
}

/// Returns the points of a calibration curve. The predictions are grouped into 20 equal intervals (bins) of predicted
/// probability. Each bin of at least 10 predictions gives a point (x, y): x is the mean predicted probability of the
/// event, y the frequency with which the event occurred.
///
/// `predictions` are pairs. First: predicted log-odds of the event. Second: true if the event occurred.
pub fn calibration_points(predictions: impl Iterator<Item = (f32, bool)>) -> Vec<(f64, f64)> {
    let mut bins = [(0.0, 0.0, 0.0); CALIBRATION_BINS];
    for (log_odds, is_true) in predictions {
        let predicted = f64::from(probability(log_odds));
        let bin = (predicted * CALIBRATION_BINS as f64) as usize;
        let (count, sum, won) = &mut bins[bin.min(CALIBRATION_BINS - 1)];
        *count += 1.0;
        *sum += predicted;
        *won += f64::from(u8::from(is_true));
    }
    let bins = bins.into_iter().filter(|bin| bin.0 >= MIN_BIN_SAMPLES);
    bins.map(|(count, sum, won)| (sum / count, won / count))
        .collect()
}

impl Panel {
    /// Draws the panel into `area`: title, axes with tick labels, and curves.
    fn draw(&self, area: &PlotArea) -> DrawResult {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let x = axis_range(points().map(|point| point.0), 0.0);
        let y = axis_range(points().map(|point| point.1), 0.05);
        let digits = if y.end - y.start < 0.1 { 3 } else { 2 };
        let mut axes = ChartBuilder::on(area)
            .caption(self.title, ("sans-serif", 12, FontStyle::Bold))
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
            .x_label_formatter(&|number| tick_label(*number, 2))
            .y_label_formatter(&|number| tick_label(*number, digits))
            .x_desc(self.labels[0])
            .y_desc(self.labels[1])
            .draw()?;
        for curve in &self.curves {
            let (points, colour) = (curve.points.iter().copied(), curve.colour);
            match curve.is_dashed {
                true => {
                    let style = colour.mix(0.6).into();
                    axes.draw_series(DashedLineSeries::new(points, 3, 3, style))?
                }
                false => {
                    let series = LineSeries::new(points, colour.filled());
                    axes.draw_series(series.point_size(2))?
                }
            };
        }
        Ok(())
    }
}

/// Draws the legend into `area`. Each distinct name of the panels' curves is listed once, beside a short line in the
/// style of the first curve that has this name.
fn draw_legend(area: &PlotArea, panels: &[Panel]) -> DrawResult {
    let mut names = HashSet::from([""]);
    let curves = panels.iter().flat_map(|panel| &panel.curves);
    let curves = curves.filter(|curve| names.insert(&curve.name));
    for (at, curve) in (50..).step_by(22).zip(curves) {
        let (ends, colour) = ([(30, at), (70, at)], curve.colour);
        match curve.is_dashed {
            true => area.draw(&DashedPathElement::new(ends, 3, 3, colour.mix(0.6)))?,
            false => area.draw(&PathElement::new(ends, colour))?,
        }
        let (place, style) = ((80, at - 6), ("sans-serif", 12));
        area.draw(&Text::new(curve.name.as_str(), place, style))?;
    }
    Ok(())
}

/// Returns the range of an axis on which all `coordinates` are visible. It extends from the smallest to the largest
/// coordinate and, at both ends, further by `margin` times the distance between these two. A distance below 0.001
/// counts as 0.001.
fn axis_range(coordinates: impl Iterator<Item = f64> + Clone, margin: f64) -> Range<f64> {
    let low = coordinates.clone().fold(f64::INFINITY, f64::min);
    let high = coordinates.fold(f64::NEG_INFINITY, f64::max);
    let margin = margin * (high - low).max(1e-3);
    low - margin..high + margin
}

/// Formats a tick label, rounded to `digits` decimals without trailing zeros; negative zero becomes "0".
fn tick_label(number: f64, digits: i32) -> String {
    let unit = 10_f64.powi(digits);
    ((unit * number).round() / unit + 0.0).to_string()
}
