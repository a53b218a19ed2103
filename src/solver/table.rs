//! Transposition table of the solver ([`Table`]): stores the proof and disproof numbers of positions, and proven
//! winners.
//!
//! The lead of the side to move is the number of its free moves minus the number of the opponent's. Free moves are the
//! turns that a player may pass, and the fixed numbers of moves that some regions of the board are worth to a player.
//! Positions that differ only in the lead share one entry for their proofs, because who wins also wins with a larger
//! lead. The entry stores the minimum lead with which the side to move wins, and the maximum lead with which it loses.
//!
//! Several threads read and write the table at the same time, without locks (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Proof number (`win`) and disproof number (`loss`) of a position (Allis 1994): the expected work to prove that the
/// side to move wins or loses, in arbitrary units. A number is 0 if this is proven, and infinite if the opposite is
/// proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofNumbers {
    /// Proof number: expected work to prove that the side to move wins, in arbitrary units (not nodes).
    pub win: f32,
    /// Disproof number: expected work to prove that the side to move loses, in arbitrary units (not nodes).
    pub loss: f32,
}

impl ProofNumbers {
    /// Proof and disproof number of a position in which the side to move is proven to win: 0 and infinity.
    pub const WON: ProofNumbers = ProofNumbers::new(0.0, f32::INFINITY);
    /// Proof and disproof number of a position in which the side to move is proven to lose: infinity and 0.
    pub const LOST: ProofNumbers = ProofNumbers::WON.swapped();
    /// Proof number 1 and disproof number 1: for an edge for which there is no estimate. A win and a loss are expected
    /// to be equally difficult to prove.
    pub const EVEN: ProofNumbers = ProofNumbers::new(1.0, 1.0);
    /// Infinite proof and disproof number. As the limits of a search they mean: search until the winner is proven.
    pub const UNLIMITED: ProofNumbers = ProofNumbers::new(f32::INFINITY, f32::INFINITY);

    /// Joins a proof number and a disproof number.
    pub const fn new(win: f32, loss: f32) -> ProofNumbers {
        ProofNumbers { win, loss }
    }

    /// Swaps proof and disproof number, so that they are for the other player.
    pub const fn swapped(self) -> ProofNumbers {
        ProofNumbers::new(self.loss, self.win)
    }

    /// Tests if a win or a loss of the side to move is proven.
    pub const fn is_proven(self) -> bool {
        self.win == 0.0 || self.loss == 0.0
    }
}

/// Key of a position in the transposition table: two hashes and the lead. The lead is the number of free moves of the
/// side to move minus that of the opponent. The hashes describe whose turn it is, and all regions of the board that are
/// not reduced to a fixed number of free moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// First of two hashes of the position; the other is `check`, which identifies the position's entries within a
    /// bucket. The low bits are the index of the bucket (group of four entries) in the table. Free moves (`lead`) are
    /// not hashed.
    bucket_hash: u64,
    /// Second of two hashes of the position; the other is `bucket_hash`. Identifies the position's entries within a
    /// bucket. An entry with a proof stores this hash itself; any other entry stores it XORed with a hash of `lead`
    /// ([`Key::check_with_lead`]). Free moves (`lead`) are not hashed.
    check: u64,
    /// Lead of the side to move in tempi: the number of its free moves minus the number of the opponent's. A region
    /// whose value in combinatorial game theory is the integer *n* counts as *n* free moves of the player whom it
    /// favours. Each turn that a player may pass counts as one more.
    lead: i32,
}

impl Key {
    /// Computes the key of a position. `lead` is the number of free moves of the side to move minus that of the
    /// opponent: turns that a player may pass, and moves in regions that are worth a fixed number of moves. `parts`
    /// describe everything else:
    ///
    /// - indices 0 and 1: bitboards of black's and of white's amazons in the other regions
    /// - index 2: bitboard of the empty squares in the other regions
    /// - index 3: a number that encodes the side to move and the amazon that must shoot
    pub const fn new(parts: [u64; 4], lead: i32) -> Key {
        // The hash folds 128-bit products of 64-bit numbers, as wyhash does (Wang Yi 2019). The constants are those of
        // wyhash.
        let [a, b, c, d] = parts;
        let first = fold_product(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db);
        let second = fold_product(c ^ 0x8ebc_6af0_9c88_c6e3, d ^ 0x5899_65cc_7537_4cc3);
        Key {
            bucket_hash: fold_product(
                first ^ 0x1d8e_4e27_c47d_124f,
                second ^ 0xeb44_acca_b455_d165,
            ),
            check: fold_product(
                first.rotate_left(32) ^ 0xeb44_acca_b455_d165,
                second ^ 0xa076_1d64_78bd_642f,
            ),
            lead,
        }
    }

    /// Returns a hash of the position and its lead: `check` XOR a hash of `lead`. The lead is the number of free moves
    /// of the side to move minus that of the opponent. The result identifies the entry of an unproven position, because
    /// proof and disproof numbers are valid only for one lead. Entries of proven positions use `check`, because they
    /// store for which leads each side wins.
    const fn check_with_lead(self) -> u64 {
        self.check ^ (self.lead as u64 ^ 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Multiplies two 64-bit integers, and returns the exclusive or of the upper and the lower 64 bits of the 128-bit
/// product.
const fn fold_product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// Entry of the transposition table, in one of two formats. The effort is the integer part of log₂(1 + number of nodes
/// searched below the position). The lead is the number of free moves of the side to move minus that of the opponent.
///
/// Unproven position:
/// - `check`: second hash of the position, combined with the lead ([`Key::check_with_lead`])
/// - `first`, bits 0–7 (the lowest): effort, in place of the low bits of the proof number
/// - `first`, bits 8–31: the same bits of the proof number (`f32`), rounded up
/// - `second`: disproof number (`f32`)
///
/// Proven position:
/// - `check`: second hash of the position
/// - `first`: effort
/// - `second`, bits 0–7: maximum lead with which the side to move loses (`i8`)
/// - `second`, bits 8–15: minimum lead with which the side to move wins (`i8`)
/// - `second`, bits 16–31: 16 bits of the bucket hash, above the bits that are the index of the bucket
#[derive(Clone, Copy, Default)]
struct TableEntry {
    /// Hash that identifies the position: [`Key::check`] for a proven position, [`Key::check_with_lead`] for an
    /// unproven one.
    check: u64,
    first: u32,
    second: u32,
}

/// Proven results for one position. They depend on its lead: the number of free moves of the side to move minus that of
/// the opponent. The side to move wins if the lead is at least `min_won`, and loses if it is at most `max_lost`.
#[derive(Clone, Copy)]
struct ProvenLeads {
    /// Maximum lead (free moves of the side to move minus free moves of the opponent) with which the side to move is
    /// proven to lose. `i8::MIN` if no loss is proven.
    max_lost: i8,
    /// Minimum lead (free moves of the side to move minus free moves of the opponent) with which the side to move is
    /// proven to win. `i8::MAX` if no win is proven.
    min_won: i8,
}

impl TableEntry {
    /// Bit mask of the effort in [`TableEntry::first`]. The effort is the integer part of log₂(1 + number of nodes
    /// searched below the position).
    const EFFORT_MASK: u32 = 0xff;

    fn effort(self) -> u32 {
        self.first & TableEntry::EFFORT_MASK
    }

    /// Tests if the entry has the format for a proven position. Such an entry stores proven results ([`ProvenLeads`]);
    /// any other entry stores a proof and a disproof number.
    fn is_proven(self) -> bool {
        self.first & !TableEntry::EFFORT_MASK == 0
    }

    fn numbers(self) -> ProofNumbers {
        let win = self.first & !TableEntry::EFFORT_MASK;
        ProofNumbers::new(f32::from_bits(win), f32::from_bits(self.second))
    }

    fn proven_leads(self) -> ProvenLeads {
        let [lost, won, ..] = self.second.to_le_bytes();
        ProvenLeads {
            max_lost: lost as i8,
            min_won: won as i8,
        }
    }
}

/// Storage of one [`TableEntry`], which several threads read and write without a lock (Hyatt and Mann 2002). A reader
/// may get the two numbers from different writes. Their XOR then matches, almost certainly, the hash of no position, so
/// the entry is ignored.
/// - index 0: [`TableEntry::check`] (a hash of the position) XOR index 1
/// - index 1: [`TableEntry::first`] in the low half, [`TableEntry::second`] in the high half
#[derive(Default)]
struct Slot([AtomicU64; 2]);

impl Slot {
    fn read(&self) -> TableEntry {
        let [check, data] = [0, 1].map(|half: usize| self.0[half].load(Relaxed));
        TableEntry {
            check: check ^ data,
            first: data as u32,
            second: (data >> 32) as u32,
        }
    }

    fn write(&self, entry: TableEntry) {
        let data = u64::from(entry.second) << 32 | u64::from(entry.first);
        self.0[0].store(entry.check ^ data, Relaxed);
        self.0[1].store(data, Relaxed);
    }
}

/// Table entry as three numbers, for files:
/// - index 0: the known low bits of the bucket hash (which selects the position's bucket), with a sentinel bit of value
///   1 directly above them
/// - index 1: check hash of the position; for an unproven position, XORed with a hash of the difference between both
///   players' free moves
/// - index 2: field `first` of `TableEntry` in the low half, field `second` in the high half
pub type SerializedEntry = [u64; 3];

/// Minimum effort of the table entries that are saved to a file. The effort is the integer part of log₂(1 + number of
/// nodes searched below the position), so the value 2 means at least 3 nodes.
const MIN_SAVED_EFFORT: u32 = 2;

/// Number of bits of the bucket hash that each entry of a proven position stores. These are the bits directly above the
/// index of the bucket, which consists of the hash's lowest bits. With them, the entry can be copied to a table with up
/// to 2^16 times as many buckets.
const STORED_HASH_BITS: u32 = 16;

/// Number of entries in a bucket: four of 16 bytes fill one cache line.
const BUCKET_ENTRIES: usize = 4;

/// Group of entries in one 64-byte cache line. A position may be stored in any entry of its bucket.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET_ENTRIES]);

impl Bucket {
    fn snapshot(&self) -> BucketSnapshot {
        BucketSnapshot(self.0.each_ref().map(Slot::read))
    }
}

/// Copy of the four table entries of a bucket. Later changes of the bucket by other threads do not affect the copy. The
/// entries are read one after another, so other threads may have changed some of them in between.
struct BucketSnapshot([TableEntry; BUCKET_ENTRIES]);

impl BucketSnapshot {
    fn position(&self, check: u64) -> Option<usize> {
        self.0.iter().position(|entry| entry.check == check)
    }

    /// Returns the index in the bucket, from 0 to 3, of the entry that a new entry replaces. It is the entry with the
    /// least effort: the fewest nodes (by the integer part of the logarithm) were searched below its position.
    fn victim(&self) -> usize {
        let indices = 0..BUCKET_ENTRIES;
        indices
            .min_by_key(|&at| self.0[at].effort())
            .unwrap_or_default()
    }
}

/// Transposition table of a fixed size: proof and disproof numbers, and proven winners, by position. Each position has
/// a bucket (group of four entries). If the bucket is full, a new entry replaces the entry with the smallest search
/// tree below its position.
pub struct Table {
    /// Buckets, indexed by the low bits of the bucket hash; their number is a power of two.
    buckets: Vec<Bucket>,
}

impl Table {
    /// Creates a table of at most `bytes` bytes, but of at least one bucket of 64 bytes. If the allocation fails, tries
    /// half the size, and so on.
    pub(super) fn with_bytes(bytes: usize) -> Table {
        let mut count = 1 << (bytes / size_of::<Bucket>()).max(1).ilog2();
        let mut buckets = Vec::new();
        while buckets.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        buckets.resize_with(count, Bucket::default);
        Table { buckets }
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// Returns the number of low bits of the bucket hash that select the bucket.
    fn index_bits(&self) -> u32 {
        self.buckets.len().ilog2()
    }

    /// Iterates over the entries that are worth saving to a file: at least 3 nodes were searched below the position.
    /// Pass each entry to [`Table::insert_serialized`] of another table.
    ///
    /// The other table needs enough bits of the hash to find the bucket; entries of unproven positions contain fewer of
    /// them:
    /// - not larger than this table: can take all entries
    /// - larger, but at most 2^16 times as large: can take only the entries of proven positions
    /// - more than 2^16 times as large: can take no entries
    pub fn serialized_entries(&self) -> impl Iterator<Item = SerializedEntry> {
        let buckets = self.buckets.iter().enumerate();
        let entries =
            buckets.flat_map(|(at, bucket)| bucket.0.iter().map(move |slot| (at, slot.read())));
        let saved = entries.filter(|(_, entry)| entry.effort() >= MIN_SAVED_EFFORT);
        saved.map(|(at, entry)| {
            let high_bits = match entry.is_proven() {
                true => 1 << STORED_HASH_BITS | u64::from(entry.second >> STORED_HASH_BITS),
                false => 1,
            };
            let data = u64::from(entry.second) << 32 | u64::from(entry.first);
            let hash = high_bits << self.index_bits() | at as u64;
            [hash, entry.check, data]
        })
    }

    /// Inserts `[hash, check, data]`, an entry from [`Table::serialized_entries`] of another table; the parts are
    /// described at [`SerializedEntry`]. The entry is ignored if `hash` contains too few bits to find its bucket (group
    /// of four entries) in this table, which may be larger. Otherwise it replaces the entry of the least effort
    /// (logarithm of the number of searched nodes) in its bucket, but only if its own effort is greater.
    pub fn insert_serialized(&self, [hash, check, data]: SerializedEntry) {
        let known_bits = hash.checked_ilog2();
        if known_bits.is_none_or(|bits| bits < self.index_bits()) {
            return;
        }
        let mut entry = TableEntry {
            check,
            first: data as u32,
            second: (data >> 32) as u32,
        };
        if entry.is_proven() {
            let high_bits = (hash >> self.index_bits()) as u16;
            entry.second = entry.second as u16 as u32 | u32::from(high_bits) << STORED_HASH_BITS;
        }
        let bucket = self.bucket(hash);
        let entries = bucket.snapshot();
        let at = entries.victim();
        if entries.0[at].effort() < entry.effort() {
            bucket.0[at].write(entry);
        }
    }

    /// Loads the buckets of `keys` into the processor's cache, so that the memory accesses of the following
    /// [`Table::get`] calls overlap.
    pub(super) fn prefetch(&self, keys: impl Iterator<Item = Key>) {
        let checks = keys.map(|key| self.bucket(key.bucket_hash).0[0].read().check);
        std::hint::black_box(checks.fold(0, |all, check| all ^ check));
    }

    /// Returns the proof and disproof number of the position with this key, for the side to move. Returns `None` if the
    /// table does not contain the position.
    pub(super) fn get(&self, key: Key) -> Option<ProofNumbers> {
        let bucket = self.bucket(key.bucket_hash).snapshot();
        if let Some(at) = bucket.position(key.check) {
            let ProvenLeads { max_lost, min_won } = bucket.0[at].proven_leads();
            if key.lead >= min_won.into() {
                return Some(ProofNumbers::WON);
            }
            if key.lead <= max_lost.into() {
                return Some(ProofNumbers::LOST);
            }
        }
        let at = bucket.position(key.check_with_lead())?;
        Some(bucket.0[at].numbers())
    }

    /// Returns the effort spent on the position with this key: the integer part of log₂(1 + number of nodes searched
    /// below it). Returns 0 if the table does not contain the position.
    pub(super) fn effort(&self, key: Key) -> u32 {
        let bucket = self.bucket(key.bucket_hash).snapshot();
        let checks = [key.check, key.check_with_lead()];
        let known = checks
            .into_iter()
            .filter_map(|check| bucket.position(check));
        known.map(|at| bucket.0[at].effort()).max().unwrap_or(0)
    }

    /// Stores the proof and disproof number of the position with this key. `nodes` is the number of nodes searched
    /// below the position.
    ///
    /// For a proven position, stores only the winner, and removes the unproven entry of the position. Positions that
    /// differ only in their lead (difference between both players' free moves) share one entry for their winners.
    pub(super) fn put(&self, key: Key, numbers: ProofNumbers, nodes: u64) {
        let slots = self.bucket(key.bucket_hash);
        let bucket = slots.snapshot();
        let effort = (nodes + 1).ilog2();
        let unproven = bucket.position(key.check_with_lead());
        if !numbers.is_proven() {
            let at = unproven.unwrap_or_else(|| bucket.victim());
            slots.0[at].write(TableEntry {
                check: key.check_with_lead(),
                first: rounded_up_bits(numbers.win) | effort,
                second: numbers.loss.to_bits(),
            });
            return;
        }
        if let Some(at) = unproven {
            slots.0[at].write(TableEntry::default());
        }
        let known = bucket.position(key.check);
        let at = known.or(unproven).unwrap_or_else(|| bucket.victim());
        let (mut proven, before) = match known {
            Some(at) => (bucket.0[at].proven_leads(), bucket.0[at].effort()),
            None => (
                ProvenLeads {
                    max_lost: i8::MIN,
                    min_won: i8::MAX,
                },
                0,
            ),
        };
        match numbers {
            ProofNumbers::WON => proven.min_won = proven.min_won.min(key.lead as i8),
            _ => proven.max_lost = proven.max_lost.max(key.lead as i8),
        }
        let leads = u16::from_le_bytes([proven.max_lost as u8, proven.min_won as u8]);
        let high_bits = (key.bucket_hash >> self.index_bits()) as u16;
        slots.0[at].write(TableEntry {
            check: key.check,
            first: effort.max(before),
            second: u32::from(high_bits) << STORED_HASH_BITS | u32::from(leads),
        });
    }
}

/// Returns the bits of `number`, a positive `f32`, as an integer rounded up to a multiple of 256. The low byte is then
/// free for the effort: the integer part of log₂(1 + number of searched nodes). A proof number that has reached a
/// threshold of the search is still at or above the threshold after rounding up.
fn rounded_up_bits(number: f32) -> u32 {
    (number.to_bits() + TableEntry::EFFORT_MASK) & !TableEntry::EFFORT_MASK
}
