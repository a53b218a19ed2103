//! Transposition table of the solver: proof and disproof numbers of positions, and proven winners.
//!
//! A player who wins also wins with a larger lead elsewhere. So one entry per position stores the proofs for all leads:
//! the minimum lead with which the side to move wins, and the maximum lead with which it loses.
//!
//! Several threads read and write the table without locks (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Proof and disproof numbers (Allis 1994): expected work until the side to move is proven to win (`win`) or to lose
/// (`loss`). 0 if proven, infinite if disproven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProofNumbers {
    pub win: f32,
    pub loss: f32,
}

impl ProofNumbers {
    pub const WON: ProofNumbers = ProofNumbers {
        win: 0.0,
        loss: f32::INFINITY,
    };
    pub const LOST: ProofNumbers = ProofNumbers::WON.swapped();
    /// Proof and disproof number of 1 each: a win takes as much work to prove as a loss.
    pub const EVEN: ProofNumbers = ProofNumbers {
        win: 1.0,
        loss: 1.0,
    };
    /// Proof and disproof number of infinity each. As a search limit, never reached before a proof.
    pub const UNLIMITED: ProofNumbers = ProofNumbers {
        win: f32::INFINITY,
        loss: f32::INFINITY,
    };

    /// Swaps proof and disproof number, which gives them from the view of the other player.
    pub const fn swapped(self) -> ProofNumbers {
        ProofNumbers {
            win: self.loss,
            loss: self.win,
        }
    }

    /// Tests if a win or a loss is proven.
    pub const fn is_proven(self) -> bool {
        self.win == 0.0 || self.loss == 0.0
    }
}

/// Hash key of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    bucket_hash: u64,
    /// Second hash of the position, without the lead, to detect collisions in the table.
    check: u64,
    lead: i32,
}

impl Key {
    /// Hashes a position, given as four words and the lead of the side to move in moves.
    pub const fn new(words: [u64; 4], lead: i32) -> Key {
        // Folded 128-bit products mix well; the constants are those of wyhash (Wang Yi 2019).
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

    /// Returns a second hash of the position and its lead, stored in table entries to detect collisions.
    const fn check_with_lead(self) -> u64 {
        self.check ^ (self.lead as u64 ^ 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Multiplies two words to 128 bits and combines both halves by exclusive or.
const fn fold_product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// A table entry of one of two kinds. An unproven entry has a check that includes the lead: `first` is the proof number
/// as an `f32`, whose low byte is replaced by the effort; `second` is the disproof number as an `f32`. A proven entry
/// has a check that excludes the lead: `first` is the effort; `second` holds the proven leads and 16 bits of the hash
/// that selects the bucket.
#[derive(Clone, Copy, Default)]
struct Entry {
    check: u64,
    first: u32,
    second: u32,
}

/// Leads of the side to move, in moves, for which the winner of a position is proven.
#[derive(Clone, Copy)]
struct Proven {
    /// Maximum lead with which the side to move is proven to lose.
    max_lost: i8,
    /// Minimum lead with which the side to move is proven to win.
    min_won: i8,
}

impl Entry {
    /// Mask of the effort in `first`. The effort is the binary logarithm of one plus the number of nodes spent.
    const EFFORT_MASK: u32 = 0xff;

    fn effort(self) -> u32 {
        self.first & Entry::EFFORT_MASK
    }

    /// Tests if the entry stores proven leads. Other entries store proof and disproof numbers of one unproven position.
    fn is_proven(self) -> bool {
        self.first & !Entry::EFFORT_MASK == 0
    }

    fn numbers(self) -> ProofNumbers {
        ProofNumbers {
            win: f32::from_bits(self.first & !Entry::EFFORT_MASK),
            loss: f32::from_bits(self.second),
        }
    }

    fn proven(self) -> Proven {
        let [lost, won, ..] = self.second.to_le_bytes();
        Proven {
            max_lost: lost as i8,
            min_won: won as i8,
        }
    }
}

/// A table entry that threads share without a lock, stored as `check` XOR data, and data. If writes of two threads mix,
/// the decoded check matches no position (Hyatt and Mann 2002).
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

/// A serialised table entry of three words: the known bits of the hash that selects the bucket, below a leading 1 bit;
/// the second hash that detects collisions; the data.
pub type Record = [u64; 3];

/// Minimum effort of an entry to be saved to a file; 2 means that at least 3 nodes were spent on the entry.
const MIN_SAVED_EFFORT: u32 = 2;

/// Number of hash bits that an entry with proofs stores in addition to those given by its bucket. A larger table needs
/// these bits to find the bucket.
const STORED_HASH_BITS: u32 = 16;

/// Number of entries in a bucket, which fills one cache line.
const BUCKET_ENTRIES: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET_ENTRIES]);

impl Bucket {
    fn entries(&self) -> BucketSnapshot {
        BucketSnapshot(self.0.each_ref().map(Slot::read))
    }
}

/// Snapshot of the entries in one bucket.
struct BucketSnapshot([Entry; BUCKET_ENTRIES]);

impl BucketSnapshot {
    fn position(&self, check: u64) -> Option<usize> {
        self.0.iter().position(|entry| entry.check == check)
    }

    /// Returns the index of the entry with the least effort.
    fn least_effort(&self) -> usize {
        let indices = 0..BUCKET_ENTRIES;
        indices
            .min_by_key(|&at| self.0[at].effort())
            .unwrap_or_default()
    }
}

/// A transposition table. A new entry replaces the entry of its bucket with the least effort.
pub struct Table {
    /// Buckets of the table; their number is a power of two.
    buckets: Vec<Bucket>,
}

impl Table {
    /// Creates a table of at most `bytes` bytes, but with at least one bucket of four entries. If the allocation fails,
    /// tries half the size, and so on.
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

    /// Returns the number of hash bits that select the bucket of a position.
    fn index_bits(&self) -> u32 {
        self.buckets.len().ilog2()
    }

    /// Returns the entries worth saving, for transfer to another table. A table of the same or a smaller size accepts
    /// all of them, a larger one only the proofs.
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

    /// Inserts an entry of another table, unless at least as much effort was spent on every entry in its bucket. If
    /// this table is larger than the other one, entries without proofs are rejected.
    pub fn put_record(&self, [hash, check, data]: Record) {
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

    /// Prefetches the buckets of `keys`, so that the cache misses of the next [`Table::get`] calls overlap.
    pub(super) fn prefetch(&self, keys: impl Iterator<Item = Key>) {
        let words = keys.map(|key| self.bucket(key.bucket_hash).0[0].read().check);
        std::hint::black_box(words.fold(0, |all, word| all ^ word));
    }

    /// Returns the proof and disproof number of a position, if known.
    pub(super) fn get(&self, key: Key) -> Option<ProofNumbers> {
        let bucket = self.bucket(key.bucket_hash).entries();
        if let Some(at) = bucket.position(key.check) {
            let Proven { max_lost, min_won } = bucket.0[at].proven();
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

    /// Returns the effort spent on a position, as a binary logarithm of nodes; 0 if the position is not in the table.
    pub(super) fn effort(&self, key: Key) -> u32 {
        let bucket = self.bucket(key.bucket_hash).entries();
        let checks = [key.check, key.check_with_lead()];
        let known = checks
            .into_iter()
            .filter_map(|check| bucket.position(check));
        known.map(|at| bucket.0[at].effort()).max().unwrap_or(0)
    }

    /// Stores the numbers of a position on which `nodes` nodes were spent.
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
                Proven {
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

/// Returns the bits of a positive `f32`, rounded up to a multiple of 256, because the low byte of the stored number
/// holds the effort. Rounding up ensures that a number that reached a search limit still reaches the limit when read
/// back.
fn round_up(number: f32) -> u32 {
    (number.to_bits() + Entry::EFFORT_MASK) & !Entry::EFFORT_MASK
}
