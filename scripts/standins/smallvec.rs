//! Replacement for the crate `smallvec`, limited to the functions that the bot uses, for builds without crates. The vector
//! reserves capacity for its first elements in one heap allocation.

use std::ops::{Deref, DerefMut};

/// An array type, which gives the element type and the initial capacity.
pub trait Array {
    /// Type of the elements.
    type Item;
    /// Length of the array.
    const LENGTH: usize;
}

impl<T, const LENGTH: usize> Array for [T; LENGTH] {
    type Item = T;
    const LENGTH: usize = LENGTH;
}

/// A vector for few elements.
#[derive(Clone, Debug)]
pub struct SmallVec<A: Array>(Vec<A::Item>);

impl<A: Array> SmallVec<A> {
    /// Creates an empty vector.
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

    /// Removes all elements after the first `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Removes all elements and keeps the capacity.
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
