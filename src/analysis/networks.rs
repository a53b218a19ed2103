//! The networks that the engine plays with: those that are compiled in, or others from files.

use engine::eval::{Networks, network, order};
use std::fs;
use std::path::PathBuf;

/// The files of networks, on a command line or in a specification.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct NetworkFiles {
    /// Value network instead of the compiled one, as `amazons train` writes it
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Order network instead of the compiled one, as `amazons train order` writes it
    #[arg(long, value_name = "FILE")]
    pub order: Option<PathBuf>,
}

impl NetworkFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// If a file can't be read or holds no such network; the message names it.
    pub fn read(&self) -> Result<ChosenNetworks, String> {
        type With = fn(Networks, &str) -> Result<Networks, String>;
        let files: [(_, _, _, With); 2] = [
            ("network", "train", &self.network, Networks::with_value),
            ("order", "train order", &self.order, Networks::with_order),
        ];
        let mut chosen = ChosenNetworks::default();
        for (place, (key, tool, path, with)) in files.into_iter().enumerate() {
            let Some(path) = path else { continue };
            let name = path.display();
            let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
            chosen.networks = with(chosen.networks, &text).map_err(|error| {
                format!("{name}: expected what `amazons {tool}` writes: {error}")
            })?;
            let sum = checksum(&text);
            chosen.checksums[place] = sum;
            chosen.files.push((format!("{key}={name}"), sum));
        }
        Ok(chosen)
    }
}

/// Networks to play with, and what tells them from others.
#[derive(Clone, Debug)]
pub struct ChosenNetworks {
    /// The networks.
    pub networks: Networks,
    /// Checksums (CRC-32) of the weights of the value network and of the order network.
    pub checksums: [u32; 2],
    /// Each file that was read, as a setting of a `self:` player, and its checksum.
    files: Vec<(String, u32)>,
}

impl ChosenNetworks {
    /// The settings of a `self:` player that has these networks.
    pub fn settings(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(setting, _)| setting.as_str())
    }

    /// The settings, each with the checksum of its file.
    pub fn described(&self) -> impl Iterator<Item = String> {
        let files = self.files.iter();
        files.map(|(setting, sum)| format!("{setting} ({sum:08x})"))
    }
}

impl Default for ChosenNetworks {
    /// The networks that are compiled in.
    fn default() -> ChosenNetworks {
        ChosenNetworks {
            networks: Networks::default(),
            checksums: [network::WEIGHTS, order::WEIGHTS].map(checksum),
            files: Vec::new(),
        }
    }
}

/// The checksum of the weights that a text holds, whatever its comments say.
fn checksum(text: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}
