//! The part of the crate `smallvec` that the bot uses, for a build without crates: a vector that reserves
//! room for its first elements in one allocation on the heap.

use std::ops::{Deref, DerefMut};

/// An array: element type and length.
pub trait Array {
    /// The element type.
    type Item;
    /// The length.
    const LENGTH: usize;
}

impl<T, const LENGTH: usize> Array for [T; LENGTH] {
    type Item = T;
    const LENGTH: usize = LENGTH;
}

/// A short list.
#[derive(Clone, Debug)]
pub struct SmallVec<A: Array>(Vec<A::Item>);

impl<A: Array> SmallVec<A> {
    /// An empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> SmallVec<A> {
        SmallVec(Vec::new())
    }

    /// Appends an element.
    #[inline]
    pub fn push(&mut self, item: A::Item) {
        if self.0.capacity() == 0 {
            self.0.reserve_exact(A::LENGTH);
        }
        self.0.push(item);
    }

    /// Removes all elements behind the first so many.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Removes all elements and keeps their room.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<A: Array> Deref for SmallVec<A> {
    type Target = [A::Item];

    fn deref(&self) -> &[A::Item] {
        &self.0
    }
}

impl<A: Array> DerefMut for SmallVec<A> {
    fn deref_mut(&mut self) -> &mut [A::Item] {
        &mut self.0
    }
}

impl<A: Array> IntoIterator for SmallVec<A> {
    type Item = A::Item;
    type IntoIter = std::vec::IntoIter<A::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
