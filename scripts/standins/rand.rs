//! Replacement for the crate `rand`, limited to the functions that the bot uses, for builds without crates.

/// Random number generators.
pub mod rngs {
    /// xoshiro256++ (Blackman, Vigna 2019), seeded by SplitMix64.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Xoshiro256PlusPlus([u64; 4]);

    impl super::SeedableRng for Xoshiro256PlusPlus {
        fn seed_from_u64(mut seed: u64) -> Xoshiro256PlusPlus {
            let mut next = || {
                seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                mixed ^ (mixed >> 31)
            };
            Xoshiro256PlusPlus([next(), next(), next(), next()])
        }
    }

    impl super::Rng for Xoshiro256PlusPlus {
        #[inline]
        fn next_u64(&mut self) -> u64 {
            let [a, b, c, d] = self.0;
            let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
            let (c, d) = (c ^ a, d ^ b);
            self.0 = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
            result
        }
    }
}

/// A generator that can be seeded with a number.
pub trait SeedableRng {
    /// Creates a generator from a seed.
    fn seed_from_u64(seed: u64) -> Self;
}

/// A source of random numbers.
pub trait Rng {
    /// Returns a random 64-bit number.
    fn next_u64(&mut self) -> u64;

    /// Returns a random 32-bit number.
    #[inline]
    fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }
}
