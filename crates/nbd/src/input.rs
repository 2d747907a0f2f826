//! Bytes that a client has sent and nobody has taken yet.

/// Room that a connection has from the start; it takes many small requests in one read.
const CAPACITY_BYTES_MIN: usize = 256 * 1024;

/// Room beyond which a buffer is given back as soon as it is empty.
const CAPACITY_BYTES_KEPT: usize = 4 * 1024 * 1024;

/// A queue of bytes that grows only when it is full, up to a limit: memory follows what a client sent, never what it
/// announced.
#[derive(Debug)]
pub struct Input {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    capacity_bytes_max: usize,
}

impl Input {
    /// An empty queue that never holds more than `capacity_bytes_max` (or its initial size, if that is more).
    pub fn new(capacity_bytes_max: usize) -> Self {
        let capacity_bytes_max = capacity_bytes_max.max(CAPACITY_BYTES_MIN);
        Self {
            bytes: vec![0; CAPACITY_BYTES_MIN],
            start: 0,
            end: 0,
            capacity_bytes_max,
        }
    }

    /// What has not been taken.
    pub fn waiting(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Removes bytes from the front.
    pub fn take(&mut self, count: usize) {
        self.start += count;
        debug_assert!(self.start <= self.end, "more was taken than was there");
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            if self.bytes.len() > CAPACITY_BYTES_KEPT {
                self.bytes = vec![0; CAPACITY_BYTES_MIN];
            }
        }
    }

    /// Room for a socket to write to. Empty only if the queue holds its maximum.
    pub fn room(&mut self) -> &mut [u8] {
        if self.end == self.bytes.len() {
            self.make_room();
        }
        &mut self.bytes[self.end..]
    }

    /// Counts bytes that were written to the front of [`Input::room`].
    pub fn received(&mut self, count: usize) {
        self.end += count;
        debug_assert!(self.end <= self.bytes.len(), "more was received than there was room");
    }

    /// Memory in use, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    fn make_room(&mut self) {
        if self.start == 0 {
            let grown = (self.bytes.len() * 2).min(self.capacity_bytes_max);
            self.bytes.reserve_exact(grown - self.bytes.len());
            self.bytes.resize(grown, 0);
        } else {
            self.bytes.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MAX: usize = 3 * CAPACITY_BYTES_MIN + 5;

    #[test]
    fn holds_its_maximum_and_not_a_byte_more() {
        let mut input = Input::new(MAX);
        loop {
            let room = input.room().len();
            if room == 0 {
                break;
            }
            input.received(room);
        }
        assert_eq!(input.waiting().len(), MAX);
        assert_eq!(input.memory_bytes(), MAX);
    }

    #[test]
    fn gives_a_large_buffer_back_when_empty() {
        let mut input = Input::new(2 * CAPACITY_BYTES_KEPT);
        while input.waiting().len() < 2 * CAPACITY_BYTES_KEPT {
            let room = input.room().len();
            input.received(room);
        }
        input.take(2 * CAPACITY_BYTES_KEPT);
        assert_eq!(input.memory_bytes(), CAPACITY_BYTES_MIN);
    }

    proptest! {
        #[test]
        fn bytes_leave_in_the_order_they_came(steps in proptest::collection::vec((0..200_000_usize, 0..200_000_usize), 1..20)) {
            let (mut input, mut sent, mut taken) = (Input::new(MAX), 0_usize, 0_usize);
            for (send, take) in steps {
                let room = input.room();
                let count = send.min(room.len());
                room[..count].iter_mut().zip(sent..).for_each(|(byte, position)| *byte = (position % 251) as u8);
                input.received(count);
                sent += count;
                let count = take.min(input.waiting().len());
                let in_order = input.waiting()[..count].iter().zip(taken..).all(|(byte, position)| *byte == (position % 251) as u8);
                prop_assert!(in_order);
                input.take(count);
                taken += count;
                prop_assert_eq!(input.waiting().len(), sent - taken);
            }
        }
    }
}
