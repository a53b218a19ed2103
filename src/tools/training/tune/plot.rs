//! The plot of a fit: every weight over the phase, and predicted against observed results.

use super::fit;
use super::samples::Sample;
use crate::eval::weights::{COLUMNS, KNOTS, Knots, SPACING};
use std::fmt::Write;

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
const KINDS: [(&str, &str); 2] = [
    ("turn to begin", "#1f5fa8"),
    ("arrow to be shot", "#c8501e"),
];

/// Bins of the calibration.
const BINS: usize = 20;

/// Samples that a bin of the calibration needs to be drawn.
const MIN_SAMPLES: f64 = 10.0;

/// Panels side by side.
const PER_ROW: usize = 4;

/// Size of a panel with its labels.
const CELL: (f64, f64) = (300.0, 240.0);

/// Upper left corner of the axes in a panel, and their size.
const AXES: (f64, f64, f64, f64) = (58.0, 30.0, 222.0, 160.0);

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
    let rows = (COLUMNS + 2).div_ceil(PER_ROW);
    let (width, height) = (CELL.0 * PER_ROW as f64, CELL.1 * rows as f64);
    let mut text = format!(
        "{START}xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (column, name) in NAMES.iter().enumerate() {
        text += &weight_panel(column, name, fits);
    }
    text += &calibration_panel(COLUMNS, fits);
    text += &legend(COLUMNS + 1);
    text + "</svg>\n"
}

/// The panel of one weight over the phase.
fn weight_panel(column: usize, name: &str, fits: &Fits) -> String {
    let tables = || fits.before.into_iter().chain(fits.after);
    let all = || tables().flatten().map(|row| row[column]);
    let y = Scale::around(all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let x = Scale {
        from: 0.0,
        to: ((KNOTS - 1) * SPACING) as f64,
        step: 12.0,
    };
    let panel = Panel { x, y };
    let mut text = panel.frame(column, name, "arrows on the board", "weight, log-odds");
    for (tables, faint) in [(fits.before, true), (fits.after, false)] {
        for (table, (_, colour)) in tables.into_iter().zip(KINDS) {
            let points = (0..KNOTS).map(|knot| ((knot * SPACING) as f64, table[knot][column]));
            text += &panel.line(points, colour, faint);
        }
    }
    text + "</g>\n"
}

/// The panel of predicted against observed results.
fn calibration_panel(place: usize, fits: &Fits) -> String {
    let unit = || Scale {
        from: 0.0,
        to: 1.0,
        step: 0.25,
    };
    let panel = Panel {
        x: unit(),
        y: unit(),
    };
    let title = "calibration, held-out games";
    let mut text = panel.frame(place, title, "predicted: black wins", "observed");
    text += &panel.line([(0.0, 0.0), (1.0, 1.0)].into_iter(), "#888", true);
    for ((samples, table), (_, colour)) in fits.held_out.into_iter().zip(fits.after).zip(KINDS) {
        let bins: [_; BINS] = fit::calibration(samples, table);
        let points = bins
            .into_iter()
            .filter(|(count, ..)| *count >= MIN_SAMPLES)
            .map(|(count, predicted, won)| (predicted / count, won / count));
        text += &panel.line(points, colour, false);
    }
    text + "</g>\n"
}

/// What the lines mean.
fn legend(place: usize) -> String {
    let mut text = group(place);
    let mut at = AXES.1 + 20.0;
    for (faint, when) in [(false, "fitted"), (true, "before")] {
        for (name, colour) in KINDS {
            let style = stroke(colour, faint);
            writeln!(
                text,
                "<path d=\"M30 {at}h40\" {style}/><text x=\"80\" y=\"{}\">{name}, {when}</text>",
                at + 4.0
            )
            .expect("a string takes everything");
            at += 22.0;
        }
    }
    text + "</g>\n"
}

/// A range of numbers along an axis.
struct Scale {
    from: f64,
    to: f64,
    step: f64,
}

impl Scale {
    /// A range of whole steps of 1, 2 or 5 times a power of ten around two numbers.
    fn around(low: f64, high: f64) -> Scale {
        let rough = (high - low).max(1e-3) / 4.0;
        let power = 10.0_f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .find(|factor| factor * power >= rough);
        let step = factor.unwrap_or(10.0) * power;
        Scale {
            from: (low / step).floor() * step,
            to: ((high / step).ceil() * step).max(step),
            step,
        }
    }

    /// Where a number lies, 0 to 1.
    fn place(&self, number: f64) -> f64 {
        (number - self.from) / (self.to - self.from)
    }

    /// The numbers to be labelled.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.to - self.from) / self.step).round() as usize;
        (0..=count).map(|tick| self.from + tick as f64 * self.step)
    }

    /// A label as short as the step allows.
    fn label(&self, number: f64) -> String {
        let digits = match self.step {
            step if step >= 1.0 => 0,
            // A quarter needs one digit more than its size says.
            0.25 => 2,
            step => (-step.log10()).ceil() as usize,
        };
        // No minus in front of zero.
        format!(
            "{:.digits$}",
            if number.abs() < self.step / 2.0 {
                0.0
            } else {
                number
            }
        )
    }
}

/// A pair of axes.
struct Panel {
    x: Scale,
    y: Scale,
}

impl Panel {
    /// Where a point is drawn in its cell.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (left, top, width, height) = AXES;
        (
            left + self.x.place(x) * width,
            top + (1.0 - self.y.place(y)) * height,
        )
    }

    /// Opens the panel's group and draws its title, axes and grid.
    fn frame(&self, place: usize, title: &str, x_label: &str, y_label: &str) -> String {
        let (left, top, width, height) = AXES;
        let (middle, bottom) = (left + width / 2.0, top + height);
        let mut text = group(place);
        text += &format!(
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{title}</text>\n\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{x_label}</text>\n\
             <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{y_label}</text>\n",
            top - 10.0,
            bottom + 32.0,
            top + height / 2.0
        );
        for tick in self.x.ticks() {
            let (x, _) = self.at((tick, self.y.from));
            text += &format!(
                "<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"#ddd\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                bottom + 15.0,
                self.x.label(tick)
            );
        }
        for tick in self.y.ticks() {
            let (_, y) = self.at((self.x.from, tick));
            // The line of zero is the one to be found again.
            let grey = if tick.abs() < self.y.step / 2.0 {
                "#777"
            } else {
                "#ddd"
            };
            text += &format!(
                "<path d=\"M{left} {y:.1}h{width}\" stroke=\"{grey}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                left - 5.0,
                y + 4.0,
                self.y.label(tick)
            );
        }
        text
    }

    /// A line through points, each marked if the line is not faint.
    fn line(&self, points: impl Iterator<Item = (f64, f64)>, colour: &str, faint: bool) -> String {
        let points: Vec<_> = points.map(|point| self.at(point)).collect();
        let path: Vec<_> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let style = stroke(colour, faint);
        let mut text = format!("<polyline points=\"{}\" {style}/>\n", path.join(" "));
        for (x, y) in points.iter().filter(|_| !faint) {
            text += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"{colour}\"/>\n");
        }
        text
    }
}

/// Opens the group of a panel.
fn group(place: usize) -> String {
    let (x, y) = (place % PER_ROW, place / PER_ROW);
    format!(
        "<g transform=\"translate({} {})\">\n",
        CELL.0 * x as f64,
        CELL.1 * y as f64
    )
}

/// How a line is drawn.
fn stroke(colour: &str, faint: bool) -> String {
    let rest = if faint {
        " stroke-dasharray=\"3 3\" stroke-opacity=\"0.6\""
    } else {
        ""
    };
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{rest}")
}
