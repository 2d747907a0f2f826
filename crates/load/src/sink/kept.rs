//! Every I/O, in a file.
//!
//! The file begins with [`MAGIC`]; blocks of up to [`BLOCK_IOS`] I/Os follow, each a zstd frame behind its length (four bytes, little
//! endian) and its number of I/Os (the same). After the last block the same eight bytes are 0, and
//! eight more are the number of all I/Os. A frame holds the columns one after the other, each as eight planes of bytes:
//! the lowest byte of every value, then the next, and so on. Planes of equal bytes cost nothing, and what is left is what
//! cannot be foretold. A file that was cut off loses its last block, and says so.
//!
//! Offsets are not kept: source and seed give them anew from the number of an I/O.

mod columns;
mod read;

use std::io::{self, Write};

use columns::Columns;

use super::{Finished, Sink};
use crate::request::Operation;

pub use read::{Damaged, KeptReader};

/// The first bytes of a file, the last two of which count its versions.
pub(super) const MAGIC: &[u8; 8] = b"SSDIOS01";

/// I/Os of a block: what a power cut loses at most, and what both sides hold in memory.
pub(super) const BLOCK_IOS: usize = 1 << 16;

/// The fastest level: the others gain little on what cannot be foretold.
const LEVEL: i32 = 1;

/// What is kept of an I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptIo {
    /// Of which point, counted from 0.
    pub point: u32,
    /// The how-manieth of that point in the order of submission, counted from 0.
    pub number: u64,
    /// What it did.
    pub operation: Operation,
    /// How long it was.
    pub length_bytes: u32,
    /// Which part of the mix, or stream of a list, it belonged to.
    pub stream: u16,
    /// Whether it is measured; else it belongs to the ramp.
    pub is_measured: bool,
    /// 0, or the system's number of its error.
    pub errno: i32,
    /// When it completed, by the back-end's time.
    pub completed_ns: u64,
    /// From when it was due to its completion.
    pub response_ns: u64,
    /// From its submission to its completion.
    pub service_ns: u64,
    /// From when it could have been submitted to its submission.
    pub lateness_ns: u64,
}

/// Writes every I/O to a file, in bounded memory. Use a [`Write`] without a buffer of its own.
pub struct KeptWriter<W: Write> {
    out: W,
    columns: Columns,
    compressor: zstd::bulk::Compressor<'static>,
    packed: Vec<u8>,
    written: u64,
    failed: Option<io::Error>,
}

impl<W: Write> KeptWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        out.write_all(MAGIC)?;
        let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
        compressor.include_checksum(true)?;
        Ok(Self {
            out,
            columns: Columns::default(),
            compressor,
            packed: Vec::new(),
            written: 0,
            failed: None,
        })
    }

    /// Writes what is left, and gives the file back.
    ///
    /// # Errors
    /// It cannot be written, or could not before: what was written then is whole.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_block();
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.out.write_all(&[0; 8])?;
        self.out.write_all(&self.written.to_le_bytes())?;
        Ok(self.out)
    }

    #[cold]
    fn write_block(&mut self) {
        if self.failed.is_some() || self.columns.ios() == 0 {
            return;
        }
        self.failed = self.try_write_block().err();
        self.columns.clear();
    }

    fn try_write_block(&mut self) -> io::Result<()> {
        let planes = self.columns.planes();
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(planes.len()));
        let bytes = self.compressor.compress_to_buffer(planes, &mut self.packed)?;
        let head = [(bytes as u32).to_le_bytes(), (self.columns.ios() as u32).to_le_bytes()].concat();
        self.out.write_all(&head)?;
        self.out.write_all(&self.packed)?;
        self.written += self.columns.ios() as u64;
        Ok(())
    }
}

impl<W: Write> Sink for KeptWriter<W> {
    #[inline]
    fn finished(&mut self, io: &Finished) {
        if self.failed.is_some() {
            return;
        }
        self.columns.push(io);
        if self.columns.ios() == BLOCK_IOS {
            self.write_block();
        }
    }

    fn is_broken(&self) -> bool {
        self.failed.is_some()
    }
}

#[cfg(test)]
mod tests;
