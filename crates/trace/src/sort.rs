//! I/Os in the order of their arrival, whatever the order of the source, in bounded memory.
//!
//! Up to [`CHUNK_IOS`] I/Os are sorted in memory; what is more goes to a temporary file in sorted chunks, which are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::fault::TraceError;
use crate::io::{Flags, Io, Op};

/// I/Os that are sorted at once; each takes 80 bytes.
const CHUNK_IOS: usize = 1 << 20;

/// Bytes of an I/O in the temporary file.
const RECORD_BYTES: usize = 39;

/// I/Os that are read of a chunk at once.
const READ_IOS: usize = 1 << 12;

/// Takes I/Os in any order and gives them in order of time; those of one time, or of none, stay in the order of the source.
pub(crate) struct Sorter {
    chunk: Vec<Io>,
    chunk_ios: usize,
    spilled: Option<Spilled>,
}

struct Spilled {
    out: BufWriter<File>,
    /// I/Os of each chunk.
    chunks: Vec<u64>,
}

impl Sorter {
    pub(crate) fn new() -> Self {
        Self::with_chunks(CHUNK_IOS)
    }

    fn with_chunks(chunk_ios: usize) -> Self {
        Sorter {
            chunk: Vec::new(),
            chunk_ios,
            spilled: None,
        }
    }

    /// Takes an I/O.
    pub(crate) fn push(&mut self, io: Io) -> Result<(), TraceError> {
        if self.chunk.len() == self.chunk_ios {
            self.spill().map_err(TraceError::Unsorted)?;
        }
        self.chunk.push(io);
        Ok(())
    }

    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        self.chunk.sort_by_key(|io| io.at_ns);
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            none => none.insert(Spilled {
                out: BufWriter::with_capacity(1 << 20, unnamed_file()?),
                chunks: Vec::new(),
            }),
        };
        for io in &self.chunk {
            spilled.out.write_all(&encoded(io))?;
        }
        spilled.chunks.push(self.chunk.len() as u64);
        self.chunk.clear();
        Ok(())
    }

    /// Gives all I/Os in order.
    pub(crate) fn finish(mut self, mut give: impl FnMut(Io) -> Result<(), TraceError>) -> Result<(), TraceError> {
        self.chunk.sort_by_key(|io| io.at_ns);
        let Some(spilled) = self.spilled else {
            return self.chunk.into_iter().try_for_each(give);
        };
        let file = spilled
            .out
            .into_inner()
            .map_err(|error| TraceError::Unsorted(error.into_error()))?;
        let mut at = 0;
        let mut chunks: Vec<Chunk> = Vec::new();
        for ios in spilled.chunks {
            chunks.push(Chunk::of_file(at, ios));
            at += ios * RECORD_BYTES as u64;
        }
        chunks.push(Chunk::of_memory(self.chunk));
        let mut heads = BinaryHeap::new();
        for (index, chunk) in chunks.iter_mut().enumerate() {
            if let Some(io) = chunk.peek(&file).map_err(TraceError::Unsorted)? {
                heads.push(Reverse((io.at_ns, index)));
            }
        }
        while let Some(Reverse((_, index))) = heads.pop() {
            if let Some(io) = chunks[index].peek(&file).map_err(TraceError::Unsorted)? {
                chunks[index].next += 1;
                give(io)?;
            }
            if let Some(io) = chunks[index].peek(&file).map_err(TraceError::Unsorted)? {
                heads.push(Reverse((io.at_ns, index)));
            }
        }
        Ok(())
    }
}

/// A sorted chunk, of which a part is in memory.
struct Chunk {
    at: u64,
    left: u64,
    ios: Vec<Io>,
    next: usize,
}

impl Chunk {
    fn of_file(at: u64, ios: u64) -> Self {
        Chunk {
            at,
            left: ios,
            ios: Vec::new(),
            next: 0,
        }
    }

    fn of_memory(ios: Vec<Io>) -> Self {
        Chunk {
            at: 0,
            left: 0,
            ios,
            next: 0,
        }
    }

    fn peek(&mut self, file: &File) -> io::Result<Option<Io>> {
        if self.next == self.ios.len() && self.left > 0 {
            let ios = self.left.min(READ_IOS as u64);
            let mut bytes = vec![0; ios as usize * RECORD_BYTES];
            file.read_exact_at(&mut bytes, self.at)?;
            self.at += bytes.len() as u64;
            self.left -= ios;
            self.next = 0;
            self.ios.clear();
            for record in bytes.chunks_exact(RECORD_BYTES) {
                self.ios.push(decoded(record)?);
            }
        }
        Ok(self.ios.get(self.next).copied())
    }
}

/// A file without a name, gone with the process.
fn unnamed_file() -> io::Result<File> {
    let directory = std::env::temp_dir();
    let opened = rustix::fs::open(
        &directory,
        OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC,
        Mode::RUSR | Mode::WUSR,
    );
    match opened {
        // What file systems say that know no such files, and kernels that leave it to them.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL) => unlinked_file(&directory),
        other => Ok(File::from(other?)),
    }
}

/// A new file whose name is taken away again.
fn unlinked_file(directory: &Path) -> io::Result<File> {
    let process = std::process::id();
    for number in 0.. {
        let path = directory.join(format!("ssdlab-{process}-{number}"));
        let opened = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        match opened {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => {
                let file = other?;
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn encoded(io: &Io) -> [u8; RECORD_BYTES] {
    let mut record = [0; RECORD_BYTES];
    let mut rest = &mut record[..];
    let known = u8::from(io.at_ns.is_some())
        | u8::from(io.latency_ns.is_some()) << 1
        | u8::from(io.flags.is_some()) << 2
        | u8::from(io.stream.is_some()) << 3;
    let mut put = |bytes: &[u8]| {
        // The record is as long as what is put into it.
        let _ = rest.write_all(bytes);
    };
    put(&io.at_ns.unwrap_or(0).to_le_bytes());
    put(&io.offset_bytes.to_le_bytes());
    put(&io.length_bytes.to_le_bytes());
    put(&io.latency_ns.unwrap_or(0).to_le_bytes());
    put(&io.stream.unwrap_or(0).to_le_bytes());
    put(&[known, io.op as u8, io.flags.unwrap_or_default().0]);
    record
}

fn decoded(mut record: &[u8]) -> io::Result<Io> {
    let mut number = || {
        let mut bytes = [0; 8];
        record.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    };
    let (at_ns, offset_bytes, length_bytes, latency_ns) = (number()?, number()?, number()?, number()?);
    let mut rest = [0; 7];
    record.read_exact(&mut rest)?;
    let [a, b, c, d, known, op, flags] = rest;
    Ok(Io {
        at_ns: (known & 1 != 0).then_some(at_ns),
        op: *Op::ALL.get(usize::from(op)).ok_or(io::ErrorKind::InvalidData)?,
        offset_bytes,
        length_bytes,
        flags: (known & 4 != 0).then_some(Flags(flags)),
        latency_ns: (known & 2 != 0).then_some(latency_ns),
        stream: (known & 8 != 0).then_some(u32::from_le_bytes([a, b, c, d])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn io() -> impl Strategy<Value = Io> {
        let number = 0..1_000_u64;
        (
            proptest::option::of(0..50_u64),
            0..5_usize,
            number.clone(),
            number.clone(),
            proptest::option::of(number),
            proptest::option::of(0..9_u32),
            proptest::option::of(0..32_u8),
        )
            .prop_map(
                |(at_ns, op, offset_bytes, length_bytes, latency_ns, stream, flags)| Io {
                    at_ns,
                    op: Op::ALL[op],
                    offset_bytes,
                    length_bytes,
                    flags: flags.map(Flags),
                    latency_ns,
                    stream,
                },
            )
    }

    proptest! {
        #[test]
        fn gives_what_a_stable_sort_gives_whatever_fits_into_memory(
            ios in proptest::collection::vec(io(), 0..200), chunk_ios in 1..70_usize
        ) {
            let mut sorter = Sorter::with_chunks(chunk_ios);
            for io in &ios {
                sorter.push(*io).unwrap();
            }
            let mut given = Vec::new();
            sorter.finish(|io| { given.push(io); Ok(()) }).unwrap();
            let mut expected = ios;
            expected.sort_by_key(|io| io.at_ns);
            prop_assert_eq!(given, expected);
        }
    }
    #[test]
    fn where_files_need_a_name_it_is_taken_away_at_once() {
        let directory = std::env::temp_dir().join(format!("ssdlab-sort-{}", std::process::id()));
        std::fs::create_dir(&directory).unwrap();
        let (one, other) = (unlinked_file(&directory).unwrap(), unlinked_file(&directory).unwrap());
        assert!(std::fs::read_dir(&directory).unwrap().next().is_none());
        one.write_all_at(b"one", 0).unwrap();
        other.write_all_at(b"two", 0).unwrap();
        let mut read = [0; 3];
        one.read_exact_at(&mut read, 0).unwrap();
        assert_eq!(&read, b"one");
        std::fs::remove_dir(&directory).unwrap();
    }
}
