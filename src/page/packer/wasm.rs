//! The engine in a page: both its WebAssembly modules by gzip and base64, from files or from another page.

use base::error::ToolError;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
// The largest text that both modules of the engine hold.
use engine::eval::network::WEIGHTS;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::Path;

/// What stands around the engine in a page.
const AROUND_ENGINE: [&str; 2] = [
    "<script id=\"engine\" type=\"application/json\">",
    "</script>",
];

/// The engine of a page, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine(pub(crate) String);

/// Both modules of the engine, by gzip and base64.
#[derive(Deserialize, Serialize)]
struct Modules {
    /// The one with `simd128`, whole.
    simd: String,
    /// The one without it. The network's weights are cut out: they stand in the other one.
    plain: String,
    /// Where they belong, where they stand in the other one, and their length, in bytes.
    weights: [usize; 3],
}

impl Engine {
    /// No engine: the page shows what is in it, and nothing thinks.
    #[must_use]
    pub fn none() -> Engine {
        Engine("null".to_owned())
    }

    /// The engine from its two WebAssembly modules, with `simd128` and without.
    ///
    /// # Errors
    /// If a module can't be packed, or does not hold the weights of the network.
    pub fn of_modules(simd: &[u8], plain: &[u8]) -> Result<Engine, ToolError> {
        let [from, to] = [simd, plain].map(weights_in);
        let missing = "expected a module of the engine, with the weights of its network";
        let (from, to) = (from.ok_or(missing)?, to.ok_or(missing)?);
        let rest = [&plain[..to], &plain[to + WEIGHTS.len()..]].concat();
        let modules = Modules {
            simd: packed(simd)?,
            plain: packed(&rest)?,
            weights: [to, from, WEIGHTS.len()],
        };
        Ok(Engine(serde_json::to_string(&modules)?))
    }

    /// The engine of a page that has one.
    ///
    /// # Errors
    /// If the file can't be read, or is no page with an engine.
    pub fn of_page(path: &Path) -> Result<Engine, ToolError> {
        let name = path.display();
        let page = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let page = String::from_utf8_lossy(&page);
        let [before, behind] = AROUND_ENGINE;
        let engine = page.split_once(before);
        let engine = engine.and_then(|(_, rest)| rest.split_once(behind));
        match engine {
            Some((engine, _)) if serde_json::from_str::<Modules>(engine).is_ok() => {
                Ok(Engine(engine.to_owned()))
            }
            _ => Err(
                format!("{name}: expected a page with the engine, as scripts/page makes it").into(),
            ),
        }
    }
}

/// Where the weights of the network stand in a module.
fn weights_in(module: &[u8]) -> Option<usize> {
    let weights = WEIGHTS.as_bytes();
    let mut places = module.windows(weights.len());
    places.position(|window| window[..8] == weights[..8] && window == weights)
}

/// A module by gzip and base64.
fn packed(module: &[u8]) -> Result<String, ToolError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(module)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page;

    #[test]
    fn the_engine_of_a_page_is_found_again() {
        let [one, two] = ["one", "number two"].map(|name| format!("{name}{WEIGHTS} and more"));
        let engine = Engine::of_modules(one.as_bytes(), two.as_bytes()).expect("an engine");
        assert!(engine.0.ends_with(&format!("[10,3,{}]}}", WEIGHTS.len())));
        assert!(Engine::of_modules(one.as_bytes(), b"two").is_err());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        for (engine, is_there) in [(&engine, true), (&Engine::none(), false)] {
            fs::write(&path, page(&[], engine).expect("a page")).expect("written");
            let found = Engine::of_page(&path);
            assert_eq!(found.is_ok(), is_there);
            assert!(found.is_err() || found.is_ok_and(|found| found == *engine));
        }
    }
}
