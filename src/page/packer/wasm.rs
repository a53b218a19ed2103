//! Packs the engine into a page: two WebAssembly modules in gzip and Base64, read from files or from another page.

use base::error::ToolError;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
// Both modules of the engine contain these weights; the page stores them once.
use engine::eval::value::WEIGHTS;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Texts before and after the engine in a page.
const AROUND_ENGINE: [&str; 2] = [
    "<script id=\"engine\" type=\"application/json\">",
    "</script>",
];

/// The engine of a page as JSON: both modules, or `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine(pub(crate) String);

/// Both WebAssembly modules of the engine, in gzip and Base64.
#[derive(Deserialize, Serialize)]
struct Modules {
    /// Complete module with `simd128`.
    simd: String,
    /// Module without `simd128`. Its network weights are cut out, because the page copies them from the module with `simd128`.
    plain: String,
    /// Offset at which the weights are inserted into `plain`, their offset in `simd`, and their length; all in bytes.
    weights: [usize; 3],
}

impl Engine {
    /// Returns the value for a page without an engine, which can show games but not search.
    #[must_use]
    pub fn none() -> Engine {
        Engine("null".to_owned())
    }

    /// Packs the engine from its WebAssembly modules with and without `simd128`.
    ///
    /// # Errors
    /// If a module can't be compressed, or does not contain the network's weights.
    pub fn from_modules(simd: &[u8], plain: &[u8]) -> Result<Engine, ToolError> {
        let [from, to] = [simd, plain].map(find_weights);
        let missing = "expected a module of the engine, with the weights of its network";
        let (from, to) = (from.ok_or(missing)?, to.ok_or(missing)?);
        let rest = [&plain[..to], &plain[to + WEIGHTS.len()..]].concat();
        let modules = Modules {
            simd: compress(simd)?,
            plain: compress(&rest)?,
            weights: [to, from, WEIGHTS.len()],
        };
        Ok(Engine(serde_json::to_string(&modules)?))
    }

    /// Reads the engine from a page.
    ///
    /// # Errors
    /// If the file can't be read, or is not a page with an engine.
    pub fn from_page(path: &Path) -> Result<Engine, ToolError> {
        let name = path.display();
        let page = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let page = String::from_utf8_lossy(&page);
        let [before, after] = AROUND_ENGINE;
        let engine = page.split_once(before);
        let engine = engine.and_then(|(_, rest)| rest.split_once(after));
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

/// Returns the offset of the network's weights in a module, in bytes.
fn find_weights(module: &[u8]) -> Option<usize> {
    let weights = WEIGHTS.as_bytes();
    let mut places = module.windows(weights.len());
    places.position(|window| window[..8] == weights[..8] && window == weights)
}

/// Compresses a module with gzip and encodes it in Base64.
fn compress(module: &[u8]) -> Result<String, ToolError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(module)?;
    Ok(BASE64_STANDARD.encode(encoder.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build_page;

    #[test]
    fn engine_is_read_back_from_a_page() {
        let [one, two] = ["one", "number two"].map(|name| format!("{name}{WEIGHTS} and more"));
        let engine = Engine::from_modules(one.as_bytes(), two.as_bytes()).expect("an engine");
        assert!(engine.0.ends_with(&format!("[10,3,{}]}}", WEIGHTS.len())));
        assert!(Engine::from_modules(one.as_bytes(), b"two").is_err());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        for (engine, is_there) in [(&engine, true), (&Engine::none(), false)] {
            fs::write(&path, build_page(&[], engine).expect("a page")).expect("written");
            let found = Engine::from_page(&path);
            assert_eq!(found.is_ok(), is_there);
            assert!(found.is_err() || found.is_ok_and(|found| found == *engine));
        }
    }
}
