//! Value and policy networks for evaluation and search: compiled into the program, or read from files.

use engine::eval::{Networks, policy, value};
use std::fs;
use std::path::PathBuf;

/// Network files whose networks the bot uses instead of those compiled into the program. The user names the files in
/// command-line options, or in the settings of a `self:` player, which is the program's own bot.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct NetworkFiles {
    /// File with a value network, written by `amazons train`, that replaces the compiled one
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// File with a policy network, written by `amazons train policy`, that replaces the compiled one
    #[arg(long, value_name = "FILE")]
    pub policy: Option<PathBuf>,
}

impl NetworkFiles {
    /// Reads the given files; uses the compiled network in place of each file that is not given.
    ///
    /// # Errors
    /// If a file can't be read or holds no network of the expected kind; the message names the file.
    pub fn read(&self) -> Result<ChosenNetworks, String> {
        type With = fn(Networks, &str) -> Result<Networks, String>;
        let files: [(_, _, _, With); 2] = [
            ("network", "train", &self.network, Networks::with_value),
            (
                "policy",
                "train policy",
                &self.policy,
                Networks::with_policy,
            ),
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

/// Value and policy network that a bot plays with, and the checksums of their files, by which users can tell networks
/// apart.
#[derive(Clone, Debug)]
pub struct ChosenNetworks {
    /// The value network and the policy network.
    pub networks: Networks,
    /// CRC-32 checksums of the texts of both network files, without their comment lines (`# …`). Index 0: value
    /// network; index 1: policy network.
    pub checksums: [u32; 2],
    /// Network files that were read. First: the setting that selects the file, such as `network=FILE`, as it stands in
    /// a player's specification (`self:network=FILE`); second: the CRC-32 checksum of the file's text.
    files: Vec<(String, u32)>,
}

impl ChosenNetworks {
    /// Iterates over one setting for each network file that was read: `network=FILE` for a value network, `policy=FILE`
    /// for a policy network. Users write such settings into a player's specification, such as `self:network=FILE`. A
    /// network that is compiled into the program has no setting.
    pub fn settings(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(setting, _)| setting.as_str())
    }

    /// Iterates over descriptions of the networks that were read from files, such as `network=FILE (0a1b2c3d)`: the
    /// kind of network, the file's path, and the file's CRC-32 checksum in hexadecimal.
    pub fn descriptions(&self) -> impl Iterator<Item = String> {
        let files = self.files.iter();
        files.map(|(setting, sum)| format!("{setting} ({sum:08x})"))
    }
}

impl Default for ChosenNetworks {
    /// Returns the networks that are compiled into the program.
    fn default() -> ChosenNetworks {
        ChosenNetworks {
            networks: Networks::default(),
            checksums: [value::WEIGHTS, policy::WEIGHTS].map(checksum),
            files: Vec::new(),
        }
    }
}

/// Computes the CRC-32 checksum of a network file's text. Neither comment lines (`# …`) nor the kind of line breaks (LF
/// or CR LF) change the result.
fn checksum(text: &str) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    hasher.finalize()
}
