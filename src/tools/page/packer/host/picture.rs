//! The pictures of a page on a host, drawn here dot by dot: its icons, and the one that stands beside a link to it.

use crate::board::{Board, SIDE};
use crate::tools::record::cells;
use crate::tools::support::error::ToolError;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// Red, green, blue; the colours are those of the page by daylight.
type Colour = [u8; 3];

const PAPER: Colour = [0xf4, 0xf1, 0xea];
const SQUARES: [Colour; 2] = [[0xdf, 0xd0, 0xb2], [0xef, 0xe6, 0xd3]];
const ARROW: Colour = [0x8d, 0x81, 0x70];

/// The disc, its edge and the crown of black's amazons and of white's.
const AMAZONS: [[Colour; 3]; 2] = [
    [[0x2a, 0x2d, 0x33], [0x0d, 0x0e, 0x10], [0xf4, 0xef, 0xe4]],
    [[0xff, 0xfe, 0xfb], [0x8c, 0x83, 0x73], [0x3a, 0x35, 0x2d]],
];

/// The corners of a crown, in hundredths of a square from its centre, up and to the right.
const CROWN: [[f64; 2]; 7] = [
    [-21.0, -17.0],
    [-25.0, 12.0],
    [-11.0, -1.0],
    [0.0, 20.0],
    [11.0, -1.0],
    [25.0, 12.0],
    [21.0, -17.0],
];

/// Dots along each side of a pixel, whose colours are mixed.
const FINE: usize = 3;

/// Squares of a side with what stands on them, by rows from the bottom.
struct Scene {
    cells: Vec<char>,
    side: usize,
}

/// An icon of so many pixels a side: a black amazon, a white one, an arrow. What stands within its middle is seen in any shape that a
/// telephone cuts out.
pub fn icon(pixels: usize) -> Result<Vec<u8>, ToolError> {
    let scene = Scene {
        cells: "bx.w".chars().collect(),
        side: 2,
    };
    scene.png([pixels, pixels], 0.62)
}

/// The picture beside a link: the start of a game, as wide and high as the sites ask that show it.
pub fn preview() -> Result<Vec<u8>, ToolError> {
    let scene = Scene {
        cells: cells::write(&Board::start()).chars().collect(),
        side: SIDE,
    };
    scene.png([1200, 630], 0.9)
}

impl Scene {
    /// The picture as PNG, with the squares in its middle over so much of its height.
    fn png(&self, [width, height]: [usize; 2], share: f64) -> Result<Vec<u8>, ToolError> {
        let square = share * height as f64 / self.side as f64;
        let at = |dot: usize, pixels: usize| {
            let middle = pixels as f64 / 2.0;
            ((dot as f64 + 0.5) / FINE as f64 - middle) / square + self.side as f64 / 2.0
        };
        let mut rows = Vec::with_capacity(height * (3 * width + 1));
        for row in 0..height {
            // Each row says first how it is to be read: as it is.
            rows.push(0);
            for column in 0..width {
                let mut sum = [0; 3];
                for dot in 0..FINE * FINE {
                    let x = at(FINE * column + dot % FINE, width);
                    let y = self.side as f64 - at(FINE * row + dot / FINE, height);
                    let colour = self.colour(x, y);
                    (0..3).for_each(|part| sum[part] += usize::from(colour[part]));
                }
                rows.extend(sum.map(|part| (part / (FINE * FINE)) as u8));
            }
        }
        encoded(width, height, &rows)
    }

    /// The colour at a place, in squares from the lower left corner.
    fn colour(&self, x: f64, y: f64) -> Colour {
        let inside = 0.0..self.side as f64;
        if !inside.contains(&x) || !inside.contains(&y) {
            return PAPER;
        }
        let (column, row) = (x as usize, y as usize);
        let ground = SQUARES[(column + row) % 2];
        let (x, y) = (x.fract() - 0.5, y.fract() - 0.5);
        match self.cells[self.side * row + column] {
            'x' if x.abs() < 0.36 && y.abs() < 0.36 => ARROW,
            'b' => amazon(x, y, AMAZONS[0], ground),
            'w' => amazon(x, y, AMAZONS[1], ground),
            _ => ground,
        }
    }
}

/// The colour of an amazon's square at a place from its centre.
fn amazon(x: f64, y: f64, [disc, edge, crown]: [Colour; 3], ground: Colour) -> Colour {
    match x.hypot(y) {
        far if far > 0.4 => ground,
        far if far > 0.36 => edge,
        _ if is_in_crown(100.0 * x, 100.0 * y) => crown,
        _ => disc,
    }
}

/// Tests if a place lies in the crown: whoever goes from there to the right crosses its edge an odd number of times.
fn is_in_crown(x: f64, y: f64) -> bool {
    let edges = (0..CROWN.len()).map(|at| [CROWN[at], CROWN[(at + 1) % CROWN.len()]]);
    let crosses = |[[x1, y1], [x2, y2]]: &[[f64; 2]; 2]| {
        (y1 > &y) != (y2 > &y) && x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    };
    edges.filter(crosses).count() % 2 == 1
}

/// The bytes of a PNG of rows of pixels, eight bits a colour.
fn encoded(width: usize, height: usize, rows: &[u8]) -> Result<Vec<u8>, ToolError> {
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    packed.write_all(rows)?;
    let sides = [width, height].map(|side| (side as u32).to_be_bytes());
    let header = [&sides.concat()[..], &[8, 2, 0, 0, 0]].concat();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in [
        (b"IHDR", header),
        (b"IDAT", packed.finish()?),
        (b"IEND", Vec::new()),
    ] {
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(&content);
        png.extend((content.len() as u32).to_be_bytes());
        png.extend(name);
        png.extend(content);
        png.extend(sum.sum().to_be_bytes());
    }
    Ok(png)
}
