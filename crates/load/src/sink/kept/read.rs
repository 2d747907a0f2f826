//! Reading a file of I/Os, whoever wrote it.

use std::io::{self, ErrorKind, Read};

use super::columns::{IO_BYTES, ios_of};
use super::{BLOCK_IOS, KeptIo, MAGIC};

/// A block that does not shrink is a little longer than what it holds.
const PACKED_BYTES_MAX: usize = BLOCK_IOS * IO_BYTES + (1 << 16);

/// Why a file of I/Os cannot be read on; the blocks before are whole.
#[derive(Debug, thiserror::Error)]
pub enum Damaged {
    /// The file.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Something else.
    #[error("it does not begin like a file of I/Os of ssdlab")]
    Magic,
    /// It was cut off.
    #[error("it ends in the middle of block {block}")]
    CutOff {
        /// Counted from 0.
        block: u64,
    },
    /// Its bytes were changed.
    #[error("block {block} makes no sense")]
    Block {
        /// Counted from 0.
        block: u64,
    },
}

/// Reads a file block by block.
pub struct KeptReader<R> {
    input: R,
    block: u64,
    ios: u64,
    packed: Vec<u8>,
}

impl<R: Read> KeptReader<R> {
    /// Opens a file.
    ///
    /// # Errors
    /// It is no such file.
    pub fn new(mut input: R) -> Result<Self, Damaged> {
        let mut magic = [0; MAGIC.len()];
        match input.read_exact(&mut magic) {
            Ok(()) if &magic == MAGIC => {}
            Ok(()) => return Err(Damaged::Magic),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(Damaged::Magic),
            Err(error) => return Err(error.into()),
        }
        Ok(Self {
            input,
            block: 0,
            ios: 0,
            packed: Vec::new(),
        })
    }

    /// The next I/Os, in the order of their completion; `None` at the end.
    ///
    /// # Errors
    /// What follows is damaged or cut off.
    pub fn next_block(&mut self) -> Result<Option<Vec<KeptIo>>, Damaged> {
        let mut head = [0; 8];
        if self.fill(&mut head)? < head.len() {
            return Err(Damaged::CutOff { block: self.block });
        }
        if head == [0; 8] {
            return self.end();
        }
        let [packed_bytes, ios] = [&head[..4], &head[4..]].map(little_endian);
        let nonsense = Damaged::Block { block: self.block };
        if !(1..=PACKED_BYTES_MAX).contains(&packed_bytes) || !(1..=BLOCK_IOS).contains(&ios) {
            return Err(nonsense);
        }
        let mut packed = std::mem::take(&mut self.packed);
        packed.resize(packed_bytes, 0);
        let filled = self.fill(&mut packed)?;
        self.packed = packed;
        if filled < packed_bytes {
            return Err(Damaged::CutOff { block: self.block });
        }
        let planes = zstd::bulk::decompress(&self.packed, ios * IO_BYTES).ok();
        let planes = planes.filter(|planes| planes.len() == ios * IO_BYTES);
        let found = planes.and_then(|planes| ios_of(&planes, ios)).ok_or(nonsense)?;
        self.block += 1;
        self.ios += found.len() as u64;
        Ok(Some(found))
    }

    /// Whether all that was written was read.
    fn end(&mut self) -> Result<Option<Vec<KeptIo>>, Damaged> {
        let mut written = [0; 8];
        if self.fill(&mut written)? < written.len() {
            return Err(Damaged::CutOff { block: self.block });
        }
        if u64::from_le_bytes(written) != self.ios || self.fill(&mut [0])? > 0 {
            return Err(Damaged::Block { block: self.block });
        }
        Ok(None)
    }

    /// As much as there is; returns how much.
    fn fill(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < target.len() {
            match self.input.read(&mut target[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

fn little_endian(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .rev()
        .fold(0, |value, &byte| value << 8 | usize::from(byte))
}
