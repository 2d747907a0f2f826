//! I/Os that somebody listed.

use super::Source;
use crate::request::Request;

/// The I/Os of an iterator, in its order.
pub struct Listed<I>(I);

impl<I: Iterator<Item = Request>> Listed<I> {
    /// What the iterator gives, without holding more than one.
    pub fn new(requests: impl IntoIterator<IntoIter = I>) -> Self {
        Self(requests.into_iter())
    }
}

impl<I: Iterator<Item = Request>> Source for Listed<I> {
    fn next(&mut self) -> Option<Request> {
        self.0.next()
    }
}
