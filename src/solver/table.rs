//! Transposition table of the solver: stores the proof and disproof numbers of unproven positions, and for which leads
//! the winner of a position is proven.
//!
//! A player who wins a position also wins it with a larger lead (in moves) in the resolved regions. So one entry per
//! position stores the proofs for all leads: the minimum lead with which the side to move wins, and the maximum lead
//! with which it loses.
//!
//! Several threads read and write the table at the same time, without locks (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Proof and disproof number of a position (Allis 1994): the expected work, in arbitrary units, to prove that the side
/// to move wins (`win`) or loses (`loss`). 0 if proven, infinite if disproven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofNumbers {
    /// Proof number: expected work to prove a win of the side to move.
    pub win: f32,
    /// Disproof number: expected work to prove a loss of the side to move.
    pub loss: f32,
}

impl ProofNumbers {
    /// Numbers of a position that the side to move is proven to win.
    pub const WON: ProofNumbers = ProofNumbers {
        win: 0.0,
        loss: f32::INFINITY,
    };
    /// Numbers of a position that the side to move is proven to lose.
    pub const LOST: ProofNumbers = ProofNumbers::WON.swapped();
    /// Initial numbers without any estimate: proof and disproof number are both 1.
    pub const EVEN: ProofNumbers = ProofNumbers {
        win: 1.0,
        loss: 1.0,
    };
    /// Proof and disproof number are both infinite. As the limit of a search: continue until the winner is proven.
    pub const UNLIMITED: ProofNumbers = ProofNumbers {
        win: f32::INFINITY,
        loss: f32::INFINITY,
    };

    /// Swaps the proof and the disproof number, so that they apply to the other player.
    pub const fn swapped(self) -> ProofNumbers {
        ProofNumbers {
            win: self.loss,
            loss: self.win,
        }
    }

    /// Tests if a win or a loss of the side to move is proven.
    pub const fn is_proven(self) -> bool {
        self.win == 0.0 || self.loss == 0.0
    }
}

/// Key of a position in the transposition table: two independent hashes, and the lead of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// Hash of the position without the lead; its low bits select the bucket.
    bucket_hash: u64,
    /// Second hash of the position without the lead; it is stored in the entry, to recognise hash collisions.
    check: u64,
    /// Lead of the side to move in the resolved regions, in moves, extra tempi included.
    lead: i32,
}

impl Key {
    /// Returns the key of a position. `words` describes the unresolved regions, the side to move and the action that
    /// is due (see `canonical.rs`); `lead` is the lead of the side to move, in moves.
    pub const fn new(words: [u64; 4], lead: i32) -> Key {
        // The hash multiplies to 128 bits and folds the product, which mixes well; the constants are those of wyhash
        // (Wang Yi 2019).
        let [a, b, c, d] = words;
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

    /// Returns the second hash combined with the lead. Entries of unproven positions store it, because their numbers
    /// are valid for one lead only.
    const fn check_with_lead(self) -> u64 {
        self.check ^ (self.lead as u64 ^ 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Multiplies two 64-bit words and returns the exclusive or of both halves of the 128-bit product.
const fn fold_product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// Table entry, in one of two formats. Unproven: `check` includes the lead, `first` is the proof number as `f32` bits
/// with the low byte replaced by the effort, and `second` is the disproof number as `f32` bits. Proven: `check`
/// excludes the lead, `first` is the effort, and `second` holds the two proven leads in its low bytes and 16 further
/// bits of the bucket hash in its high half.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// Second hash of the position, with or without the lead.
    check: u64,
    first: u32,
    second: u32,
}

/// Leads of the side to move, in moves, with which the winner of a position is proven.
#[derive(Clone, Copy)]
struct ProvenLeads {
    /// Maximum lead with which the side to move is proven to lose; `i8::MIN` if none.
    max_lost: i8,
    /// Minimum lead with which the side to move is proven to win; `i8::MAX` if none.
    min_won: i8,
}

impl Entry {
    /// Bit mask of the effort in `first`. The effort is the integer part of log₂(1 + number of nodes searched below the
    /// position).
    const EFFORT_MASK: u32 = 0xff;

    fn effort(self) -> u32 {
        self.first & Entry::EFFORT_MASK
    }

    /// Tests if the entry has the proven format, with leads; the other format has proof and disproof numbers.
    fn is_proven(self) -> bool {
        self.first & !Entry::EFFORT_MASK == 0
    }

    fn numbers(self) -> ProofNumbers {
        ProofNumbers {
            win: f32::from_bits(self.first & !Entry::EFFORT_MASK),
            loss: f32::from_bits(self.second),
        }
    }

    fn proven(self) -> ProvenLeads {
        let [lost, won, ..] = self.second.to_le_bytes();
        ProvenLeads {
            max_lost: lost as i8,
            min_won: won as i8,
        }
    }
}

/// Table entry that threads share without a lock. The first word is the check XOR the data, the second word is the
/// data. If the writes of two threads mix, the decoded check matches no position (Hyatt and Mann 2002).
#[derive(Default)]
struct Slot([AtomicU64; 2]);

impl Slot {
    fn read(&self) -> Entry {
        let [check, data] = [0, 1].map(|half: usize| self.0[half].load(Relaxed));
        Entry {
            check: check ^ data,
            first: data as u32,
            second: (data >> 32) as u32,
        }
    }

    fn write(&self, entry: Entry) {
        let data = u64::from(entry.second) << 32 | u64::from(entry.first);
        self.0[0].store(entry.check ^ data, Relaxed);
        self.0[1].store(data, Relaxed);
    }
}

/// Serialised table entry of three words. First: the known low bits of the bucket hash, with a 1 bit above them that
/// marks their number. Second: the check, a second hash. Third: the data, with `first` in the low and `second` in the
/// high half.
pub type Record = [u64; 3];

/// Minimum effort of the entries that are saved, as a binary logarithm: 2 means that at least 3 nodes were searched.
const MIN_SAVED_EFFORT: u32 = 2;

/// Number of bits of the bucket hash that a proven entry stores, in addition to those that the index of its bucket
/// implies. A table up to 2^16 times as large needs these bits to find the bucket.
const STORED_HASH_BITS: u32 = 16;

/// Number of entries in a bucket: four of 16 bytes fill one cache line.
const BUCKET_ENTRIES: usize = 4;

/// Group of entries in one 64-byte cache line; an entry may stand in any slot of its bucket.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET_ENTRIES]);

impl Bucket {
    fn entries(&self) -> BucketSnapshot {
        BucketSnapshot(self.0.each_ref().map(Slot::read))
    }
}

/// Copy of the entries of one bucket, read once so that further tests agree.
struct BucketSnapshot([Entry; BUCKET_ENTRIES]);

impl BucketSnapshot {
    fn position(&self, check: u64) -> Option<usize> {
        self.0.iter().position(|entry| entry.check == check)
    }

    /// Returns the index of the entry on which the least effort was spent. This entry is replaced next.
    fn least_effort(&self) -> usize {
        let indices = 0..BUCKET_ENTRIES;
        indices
            .min_by_key(|&at| self.0[at].effort())
            .unwrap_or_default()
    }
}

/// Transposition table of a fixed size. A new entry replaces the entry with the least effort in its bucket.
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

    /// Iterates over the entries on which at least 3 nodes were spent, serialised for a file or another table.
    /// [`Table::insert_record`] accepts all of them if its table is not larger than this one, otherwise only the proven
    /// ones.
    pub fn records(&self) -> impl Iterator<Item = Record> {
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

    /// Inserts an entry from [`Table::records`] of another table, unless at least as much effort was spent on every
    /// entry of its bucket. If this table is larger than the other one, unproven entries are ignored.
    pub fn insert_record(&self, [hash, check, data]: Record) {
        let known_bits = hash.checked_ilog2();
        if known_bits.is_none_or(|bits| bits < self.index_bits()) {
            return;
        }
        let mut entry = Entry {
            check,
            first: data as u32,
            second: (data >> 32) as u32,
        };
        if entry.is_proven() {
            let high_bits = (hash >> self.index_bits()) as u16;
            entry.second = entry.second as u16 as u32 | u32::from(high_bits) << STORED_HASH_BITS;
        }
        let bucket = self.bucket(hash);
        let entries = bucket.entries();
        let at = entries.least_effort();
        if entries.0[at].effort() < entry.effort() {
            bucket.0[at].write(entry);
        }
    }

    /// Reads the buckets of `keys` into the cache, so that the cache misses of the following [`Table::get`] calls
    /// overlap.
    pub(super) fn prefetch(&self, keys: impl Iterator<Item = Key>) {
        let words = keys.map(|key| self.bucket(key.bucket_hash).0[0].read().check);
        std::hint::black_box(words.fold(0, |all, word| all ^ word));
    }

    /// Returns the proof and disproof number of a position for its side to move, or `None` if the table does not
    /// contain the position.
    pub(super) fn get(&self, key: Key) -> Option<ProofNumbers> {
        let bucket = self.bucket(key.bucket_hash).entries();
        if let Some(at) = bucket.position(key.check) {
            let ProvenLeads { max_lost, min_won } = bucket.0[at].proven();
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

    /// Returns the effort spent on a position: the integer part of log₂(1 + number of nodes). Returns 0 if the table
    /// does not contain the position.
    pub(super) fn effort(&self, key: Key) -> u32 {
        let bucket = self.bucket(key.bucket_hash).entries();
        let checks = [key.check, key.check_with_lead()];
        let known = checks
            .into_iter()
            .filter_map(|check| bucket.position(check));
        known.map(|at| bucket.0[at].effort()).max().unwrap_or(0)
    }

    /// Stores the proof and disproof numbers of a position, in whose search `nodes` nodes were expanded. A proof is
    /// merged with the proofs for other leads, and replaces the entry of the unproven position.
    pub(super) fn put(&self, key: Key, numbers: ProofNumbers, nodes: u64) {
        let slots = self.bucket(key.bucket_hash);
        let bucket = slots.entries();
        let effort = (nodes + 1).ilog2();
        let unproven = bucket.position(key.check_with_lead());
        if !numbers.is_proven() {
            let at = unproven.unwrap_or_else(|| bucket.least_effort());
            slots.0[at].write(Entry {
                check: key.check_with_lead(),
                first: round_up(numbers.win) | effort,
                second: numbers.loss.to_bits(),
            });
            return;
        }
        if let Some(at) = unproven {
            slots.0[at].write(Entry::default());
        }
        let known = bucket.position(key.check);
        let at = known.or(unproven).unwrap_or_else(|| bucket.least_effort());
        let (mut proven, before) = match known {
            Some(at) => (bucket.0[at].proven(), bucket.0[at].effort()),
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
        slots.0[at].write(Entry {
            check: key.check,
            first: effort.max(before),
            second: u32::from(high_bits) << STORED_HASH_BITS | u32::from(leads),
        });
    }
}

/// Returns the bits of `number`, a positive `f32`, rounded up to a multiple of 256, because the low byte of the stored
/// number holds the effort. Rounding up keeps a number that has reached a search limit at or above the limit.
fn round_up(number: f32) -> u32 {
    (number.to_bits() + Entry::EFFORT_MASK) & !Entry::EFFORT_MASK
}
