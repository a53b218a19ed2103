//! Prepares the engine for embedding in a page: compresses its two WebAssembly modules (with and without SIMD) with
//! gzip, and encodes them as text in base 91, which takes 8 % less space than Base64.

use base::error::Result;
// Weights of the value network. The WebAssembly modules with and without SIMD both contain them. The page stores them
// only in the module with SIMD, and copies them from there into the other one.
use engine::eval::value::WEIGHTS;
use serde::{Deserialize, Serialize};
use std::fs;
use std::num::NonZeroU64;
use std::path::Path;
use zopfli::{Format, Options};

/// HTML tags directly before and after the JSON text in a page that contains the engine's WebAssembly modules.
const ENGINE_TAGS: [&str; 2] = [
    "<script id=\"engine\" type=\"application/json\">",
    "</script>",
];

/// The digits of base 91, in the order of their values 0 to 90: printable ASCII characters that need no escape in JSON
/// and in HTML.
const ALPHABET: &[u8; 91] =
    b"!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// Number of bits that a pair of base-91 digits encodes. It is the largest possible number, because 91² = 8281 pairs
/// suffice for the 2¹³ = 8192 values of 13 bits, but not for the values of 14 bits.
const PAIR_BITS: u32 = 13;

/// Settings of the compression by zopfli: one iteration, because with more iterations the output is only 0.2 % smaller.
const ZOPFLI: Options = Options {
    iteration_count: NonZeroU64::MIN,
    iterations_without_improvement: NonZeroU64::MIN,
    maximum_block_splits: 15,
};

/// The engine in the form in which a page contains it: a JSON text with two WebAssembly modules, one with and one
/// without SIMD. The text is `null` for a page without an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageEngine(pub(crate) String);

/// The engine's two WebAssembly modules, with and without SIMD, as the page's JSON contains them: each compressed with
/// gzip and encoded by [`encode`].
#[derive(Deserialize, Serialize)]
struct Modules {
    /// Module with SIMD instructions (`simd128`), including the value network's weights.
    simd: EncodedWasm,
    /// Module without SIMD. The value network's weights are cut out of it; the page inserts them again, copied from the
    /// module `simd`.
    plain: EncodedWasm,
    /// Where the value network's weights belong in both modules. Only `simd` contains them, so that the page stores them
    /// once; after decompression, the page copies them from there into `plain`. All numbers are bytes. First: offset in
    /// `plain` at which the page inserts the weights. Second: their offset in `simd`. Third: their length.
    weights: [usize; 3],
}

/// WebAssembly module, compressed with gzip and encoded in base 91 by [`encode`], for embedding in JSON.
#[derive(Deserialize, Serialize)]
struct EncodedWasm {
    /// Length of the compressed module in bytes, before the encoding in base 91.
    bytes: usize,
    /// Compressed module as a text of base-91 digits: each 13 bits ([`PAIR_BITS`]) give two digits. If fewer than 13
    /// bits remain at the end, zero bits are appended to them.
    text: String,
}

impl PageEngine {
    /// Returns an engine without WebAssembly modules, for a page that shows games but cannot search.
    #[must_use]
    pub fn none() -> PageEngine {
        PageEngine("null".to_owned())
    }

    /// Returns the engine for a page, made from two WebAssembly modules: `simd`, compiled with `simd128`, and `plain`,
    /// compiled without. Compresses and encodes both.
    ///
    /// # Errors
    /// If a module can't be compressed, or does not contain the value network's weights.
    pub fn from_modules(simd: &[u8], plain: &[u8]) -> Result<PageEngine> {
        let [from, to] = [simd, plain].map(find_weights);
        let missing = "expected a module of the engine, with the weights of its network";
        let (from, to) = (from.ok_or(missing)?, to.ok_or(missing)?);
        let rest = [&plain[..to], &plain[to + WEIGHTS.len()..]].concat();
        let modules = Modules {
            simd: compress(simd)?,
            plain: compress(&rest)?,
            weights: [to, from, WEIGHTS.len()],
        };
        Ok(PageEngine(serde_json::to_string(&modules)?))
    }

    /// Reads the engine from the page in the file `path`.
    ///
    /// # Errors
    /// If the file can't be read, or is not a page with an engine.
    pub fn from_page(path: &Path) -> Result<PageEngine> {
        let name = path.display();
        let page = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let page = String::from_utf8_lossy(&page);
        let [before, after] = ENGINE_TAGS;
        let engine = page.split_once(before);
        let engine = engine.and_then(|(_, rest)| rest.split_once(after));
        match engine {
            Some((engine, _)) if serde_json::from_str::<Modules>(engine).is_ok() => {
                Ok(PageEngine(engine.to_owned()))
            }
            _ => Err(
                format!("{name}: expected a page with the engine, as scripts/page makes it").into(),
            ),
        }
    }
}

/// Returns the offset in bytes of the value network's weights in a WebAssembly module; `None` if they are not found.
fn find_weights(module: &[u8]) -> Option<usize> {
    let weights = WEIGHTS.as_bytes();
    let mut places = module.windows(weights.len());
    places.position(|window| window[..8] == weights[..8] && window == weights)
}

/// Compresses a WebAssembly module to gzip data and encodes the compressed bytes in base 91. Uses the compressor
/// zopfli, whose output is 4 % smaller than that of zlib.
///
/// # Errors
/// If the compression fails.
fn compress(module: &[u8]) -> Result<EncodedWasm> {
    let mut bytes = Vec::new();
    zopfli::compress(ZOPFLI, Format::Gzip, module, &mut bytes)?;
    Ok(encode(&bytes))
}

/// Encodes bytes in base 91: each 13 bits ([`PAIR_BITS`]), most significant bit first, become a pair of characters.
/// Fills the last pair up with zero bits. `worker.js` decodes the text.
fn encode(bytes: &[u8]) -> EncodedWasm {
    let (mut text, mut bits, mut count) = (String::new(), 0_u32, 0);
    let mut push = |pair: u32| {
        let (pair, base) = (pair as usize, ALPHABET.len());
        for number in [pair / base, pair % base] {
            text.push(ALPHABET[number].into());
        }
    };
    for &byte in bytes {
        (bits, count) = (bits << 8 | u32::from(byte), count + 8);
        if count >= PAIR_BITS {
            count -= PAIR_BITS;
            push(bits >> count);
            bits &= (1 << count) - 1;
        }
    }
    if count > 0 {
        push(bits << (PAIR_BITS - count));
    }
    EncodedWasm {
        bytes: bytes.len(),
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build_page;

    #[test]
    fn engine_is_read_back_from_a_page() {
        let [one, two] = ["one", "number two"].map(|name| format!("{name}{WEIGHTS} and more"));
        let engine = PageEngine::from_modules(one.as_bytes(), two.as_bytes()).expect("an engine");
        assert!(engine.0.ends_with(&format!("[10,3,{}]}}", WEIGHTS.len())));
        assert!(PageEngine::from_modules(one.as_bytes(), b"two").is_err());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("page.html");
        for (engine, is_there) in [(&engine, true), (&PageEngine::none(), false)] {
            fs::write(&path, build_page(&[], engine).expect("a page")).expect("written");
            let found = PageEngine::from_page(&path);
            assert_eq!(found.is_ok(), is_there);
            assert!(found.is_err() || found.is_ok_and(|found| found == *engine));
        }
    }
}
