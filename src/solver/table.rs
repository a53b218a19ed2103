//! What the solver remembers: proof numbers, and who has won, by position.
//!
//! Whoever wins also wins with more moves ahead elsewhere. So what is proven of a position is kept for all leads at once: from
//! which lead on the player to move wins, and up to which one loses.
//!
//! Several threads read and write a table without locks (Hyatt and Mann 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How much work is left, as far as known, until the player who chooses is proven to win, and to lose: proof number and disproof
/// number (Allis 1994). Nothing is left where it is proven, and no work is enough where the opposite is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    pub win: f32,
    pub loss: f32,
}

impl Numbers {
    pub const WON: Numbers = Numbers {
        win: 0.0,
        loss: f32::INFINITY,
    };
    pub const LOST: Numbers = Numbers::WON.swapped();
    /// As little work for the one as for the other.
    pub const EVEN: Numbers = Numbers {
        win: 1.0,
        loss: 1.0,
    };
    /// More work than any that is bounded.
    pub const UNLIMITED: Numbers = Numbers {
        win: f32::INFINITY,
        loss: f32::INFINITY,
    };

    /// The same for the other player.
    pub const fn swapped(self) -> Numbers {
        Numbers {
            win: self.loss,
            loss: self.win,
        }
    }

    /// Tests if the winner is proven.
    pub const fn is_proven(self) -> bool {
        self.win == 0.0 || self.loss == 0.0
    }
}

/// What stands for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    place: u64,
    /// Of the position without the lead.
    check: u64,
    lead: i32,
}

impl Key {
    /// The key of a position, which is four words and by how many moves the player to move is ahead elsewhere.
    pub const fn new(words: [u64; 4], lead: i32) -> Key {
        // Products of 128 bits, folded, mix well; the numbers are those of wyhash (Wang Yi 2019).
        let [a, b, c, d] = words;
        let first = folded(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db);
        let second = folded(c ^ 0x8ebc_6af0_9c88_c6e3, d ^ 0x5899_65cc_7537_4cc3);
        Key {
            place: folded(
                first ^ 0x1d8e_4e27_c47d_124f,
                second ^ 0xeb44_acca_b455_d165,
            ),
            check: folded(
                first.rotate_left(32) ^ 0xeb44_acca_b455_d165,
                second ^ 0xa076_1d64_78bd_642f,
            ),
            lead,
        }
    }

    /// Of the position with the lead.
    const fn check_with_lead(self) -> u64 {
        self.check ^ (self.lead as u64 ^ 1 << 63).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The product of two words, its halves laid on each other.
const fn folded(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// What is remembered under a check. Under that with the lead: proof and disproof number, floating-point numbers of which the
/// effort takes the last byte. Under that without it: the effort, the leads that are proven, and 16 bits of the key's place, for
/// larger tables.
#[derive(Clone, Copy, Default)]
struct Entry {
    check: u64,
    first: u32,
    second: u32,
}

/// Leads that are proven, as bytes.
#[derive(Clone, Copy)]
struct Proven {
    /// The player to move loses up to this lead.
    lost: i8,
    /// The player to move wins from this lead on.
    won: i8,
}

impl Entry {
    /// The low byte of the first word: the work that was spent on the position, a logarithm.
    const EFFORT: u32 = 0xff;

    fn effort(self) -> u32 {
        self.first & Entry::EFFORT
    }

    /// Tests if it is under a check without the lead.
    fn is_proven(self) -> bool {
        self.first & !Entry::EFFORT == 0
    }

    fn numbers(self) -> Numbers {
        Numbers {
            win: f32::from_bits(self.first & !Entry::EFFORT),
            loss: f32::from_bits(self.second),
        }
    }

    fn proven(self) -> Proven {
        let [lost, won, ..] = self.second.to_le_bytes();
        Proven {
            lost: lost as i8,
            won: won as i8,
        }
    }
}

/// The place of an entry: the check combined with the data by exclusive or, and the data. What two threads have written one half
/// of each is then an entry that nobody asks for.
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

/// An entry for another table: what is known of the key's place, below a bit that is set; the check; first and second word.
pub type Record = [u64; 3];

/// The least effort on an entry that is worth keeping: the logarithm of 3 nodes, rounded up.
const WORTH_KEEPING: u32 = 2;

/// Bits of the place that a proven entry holds besides those that the bucket tells.
const PLACE_BITS: u32 = 16;

/// Entries in a bucket: a cache line.
const ENTRIES: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; ENTRIES]);

impl Bucket {
    fn entries(&self) -> Entries {
        Entries(self.0.each_ref().map(Slot::read))
    }
}

/// What was read of a bucket.
struct Entries([Entry; ENTRIES]);

impl Entries {
    fn position(&self, check: u64) -> Option<usize> {
        self.0.iter().position(|entry| entry.check == check)
    }

    /// The entry on which the least work was spent.
    fn cheapest(&self) -> usize {
        let places = 0..ENTRIES;
        places
            .min_by_key(|&at| self.0[at].effort())
            .unwrap_or_default()
    }
}

/// A transposition table. Of what does not fit, it forgets what was cheapest.
pub struct Table {
    /// A power of two.
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table of at most so many bytes; of four entries if that is less.
    ///
    /// Where the system does not give them, half as many are asked for, and so on.
    pub(super) fn of_bytes(bytes: usize) -> Table {
        let mut count = 1 << (bytes / size_of::<Bucket>()).max(1).ilog2();
        let mut buckets = Vec::new();
        while buckets.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        buckets.resize_with(count, Bucket::default);
        Table { buckets }
    }

    fn place(&self, place: u64) -> usize {
        place as usize & (self.buckets.len() - 1)
    }

    /// How many bits of a key's place tell the bucket.
    fn bits(&self) -> u32 {
        self.buckets.len().ilog2()
    }

    /// Returns the entries that are worth keeping, for another table. One that is not larger takes over all of them, a larger
    /// one only what is proven.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        let buckets = self.buckets.iter().enumerate();
        let entries =
            buckets.flat_map(|(at, bucket)| bucket.0.iter().map(move |slot| (at, slot.read())));
        let worth = entries.filter(|(_, entry)| entry.effort() >= WORTH_KEEPING);
        worth.map(|(at, entry)| {
            let above = match entry.is_proven() {
                true => 1 << PLACE_BITS | u64::from(entry.second >> PLACE_BITS),
                false => 1,
            };
            let data = u64::from(entry.second) << 32 | u64::from(entry.first);
            [above << self.bits() | at as u64, entry.check, data]
        })
    }

    /// Remembers an entry of another table, unless more work was spent on what is in its place, or this table is larger and
    /// nothing is proven.
    pub fn put_record(&self, [place, check, data]: Record) {
        let known = place.checked_ilog2();
        if known.is_none_or(|bits| bits < self.bits()) {
            return;
        }
        let mut entry = Entry {
            check,
            first: data as u32,
            second: (data >> 32) as u32,
        };
        if entry.is_proven() {
            let above = (place >> self.bits()) as u16;
            entry.second = entry.second as u16 as u32 | u32::from(above) << PLACE_BITS;
        }
        let bucket = &self.buckets[self.place(place)];
        let entries = bucket.entries();
        let at = entries.cheapest();
        if entries.0[at].effort() < entry.effort() {
            bucket.0[at].write(entry);
        }
    }

    /// Fetches what [`Table::get`] will read of some keys, side by side: each alone would have to be waited for.
    pub(super) fn fetch(&self, keys: impl Iterator<Item = Key>) {
        let words = keys.map(|key| self.buckets[self.place(key.place)].0[0].read().check);
        std::hint::black_box(words.fold(0, |all, word| all ^ word));
    }

    /// The numbers of a position.
    pub(super) fn get(&self, key: Key) -> Option<Numbers> {
        let bucket = self.buckets[self.place(key.place)].entries();
        if let Some(at) = bucket.position(key.check) {
            let Proven { lost, won } = bucket.0[at].proven();
            if key.lead >= won.into() {
                return Some(Numbers::WON);
            }
            if key.lead <= lost.into() {
                return Some(Numbers::LOST);
            }
        }
        let at = bucket.position(key.check_with_lead())?;
        Some(bucket.0[at].numbers())
    }

    /// The work that was spent on a position, a logarithm; 0 if nothing is remembered.
    pub(super) fn effort(&self, key: Key) -> u32 {
        let bucket = self.buckets[self.place(key.place)].entries();
        let checks = [key.check, key.check_with_lead()];
        let known = checks
            .into_iter()
            .filter_map(|check| bucket.position(check));
        known.map(|at| bucket.0[at].effort()).max().unwrap_or(0)
    }

    /// Remembers the numbers of a position, on which so many nodes were spent.
    pub(super) fn put(&self, key: Key, numbers: Numbers, nodes: u64) {
        let slots = &self.buckets[self.place(key.place)];
        let bucket = slots.entries();
        let effort = (nodes + 1).ilog2();
        let unproven = bucket.position(key.check_with_lead());
        if !numbers.is_proven() {
            let at = unproven.unwrap_or_else(|| bucket.cheapest());
            slots.0[at].write(Entry {
                check: key.check_with_lead(),
                first: rounded_up(numbers.win) | effort,
                second: numbers.loss.to_bits(),
            });
            return;
        }
        if let Some(at) = unproven {
            slots.0[at].write(Entry::default());
        }
        let known = bucket.position(key.check);
        let at = known.or(unproven).unwrap_or_else(|| bucket.cheapest());
        let (mut proven, before) = match known {
            Some(at) => (bucket.0[at].proven(), bucket.0[at].effort()),
            None => (
                Proven {
                    lost: i8::MIN,
                    won: i8::MAX,
                },
                0,
            ),
        };
        match numbers {
            Numbers::WON => proven.won = proven.won.min(key.lead as i8),
            _ => proven.lost = proven.lost.max(key.lead as i8),
        }
        let leads = u16::from_le_bytes([proven.lost as u8, proven.won as u8]);
        let above = (key.place >> self.bits()) as u16;
        slots.0[at].write(Entry {
            check: key.check,
            first: effort.max(before),
            second: u32::from(above) << PLACE_BITS | u32::from(leads),
        });
    }
}

/// The bits of a positive number, rounded up to one whose low byte is zero. Whoever gives a node up for its numbers finds them
/// no smaller later.
fn rounded_up(number: f32) -> u32 {
    (number.to_bits() + Entry::EFFORT) & !Entry::EFFORT
}
