//! Memory that the kernel lets pass straight to a drive.

/// What direct I/O asks of addresses; no drive asks for more.
const ALIGNMENT: usize = 4096;

/// A buffer that begins at a page.
pub(crate) struct Buffer {
    memory: Vec<u8>,
    begin: usize,
    length: usize,
}

impl Buffer {
    pub(crate) fn new(length: usize) -> Self {
        let memory = vec![0; length + ALIGNMENT];
        let begin = memory.as_ptr().align_offset(ALIGNMENT);
        Self { memory, begin, length }
    }

    /// The first `length` bytes.
    pub(crate) fn first_mut(&mut self, length: usize) -> &mut [u8] {
        &mut self.memory[self.begin..self.begin + length.min(self.length)]
    }

    pub(crate) fn first(&self, length: usize) -> &[u8] {
        &self.memory[self.begin..self.begin + length.min(self.length)]
    }
}
