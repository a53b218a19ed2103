//! Serializes moves and players for JSON: as strings such as `"c1 c6 f6"` (amazon from c1 to c6, arrow to f6) and
//! `"black"`.

use super::{Move, Player};
use serde_core::{Serialize, Serializer};

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
