//! What is written is read again; what was not written by us is refused.

use proptest::prelude::*;

use super::*;
use crate::request::Request;
use crate::sink::{Outcome, Phase};

fn operation() -> impl Strategy<Value = Operation> {
    prop::sample::select(Operation::ALL.to_vec())
}

prop_compose! {
    fn io()(
        point in 0..4_u32,
        number: u64,
        operation in operation(),
        length_bytes: u32,
        stream: u16,
        errno in prop::option::of(1..200_i32),
        is_measured: bool,
        times in prop::array::uniform4(0..1_u64 << 62),
    ) -> Finished {
        let mut times = times;
        times.sort_unstable();
        let [due_ns, ready_ns, submitted_ns, completed_ns] = times;
        Finished {
            point,
            number,
            request: Request { operation, offset_bytes: 0, length_bytes, stream },
            phase: if is_measured { Phase::Measured } else { Phase::Ramp },
            due_ns,
            ready_ns,
            submitted_ns,
            completed_ns,
            outcome: errno.map_or(Outcome::Done, |errno| Outcome::Failed { errno }),
        }
    }
}

fn kept(io: &Finished) -> KeptIo {
    KeptIo {
        point: io.point,
        number: io.number,
        operation: io.request.operation,
        length_bytes: io.request.length_bytes,
        stream: io.request.stream,
        is_measured: io.phase == Phase::Measured,
        errno: match io.outcome {
            Outcome::Done => 0,
            Outcome::Failed { errno } => errno,
        },
        completed_ns: io.completed_ns,
        response_ns: io.response_ns(),
        service_ns: io.service_ns(),
        lateness_ns: io.lateness_ns(),
    }
}

fn written(ios: &[Finished]) -> Vec<u8> {
    let mut writer = KeptWriter::new(Vec::new()).unwrap();
    for io in ios {
        writer.finished(io);
    }
    writer.finish().unwrap()
}

/// What can be read, and why no more.
fn read(bytes: &[u8]) -> (Vec<KeptIo>, Option<Damaged>) {
    let mut found = Vec::new();
    let mut reader = match KeptReader::new(bytes) {
        Ok(reader) => reader,
        Err(damaged) => return (found, Some(damaged)),
    };
    loop {
        match reader.next_block() {
            Ok(Some(block)) => found.extend(block),
            Ok(None) => return (found, None),
            Err(damaged) => return (found, Some(damaged)),
        }
    }
}

proptest! {
    #[test]
    fn every_io_is_read_as_it_was(ios in prop::collection::vec(io(), 0..300)) {
        let (found, damaged) = read(&written(&ios));
        prop_assert!(damaged.is_none());
        prop_assert_eq!(found, ios.iter().map(kept).collect::<Vec<_>>());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        drop(read(&bytes));
        drop(read(&[MAGIC.as_slice(), &bytes].concat()));
    }

    #[test]
    fn a_changed_byte_is_never_another_io(ios in prop::collection::vec(io(), 1..50), at: prop::sample::Index, bit in 0..8_u8) {
        let mut bytes = written(&ios);
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let (found, damaged) = read(&bytes);
        prop_assert!(damaged.is_some() || found == ios.iter().map(kept).collect::<Vec<_>>());
    }
}

/// As a device with some noise gives them.
fn plausible(count: u64) -> impl Iterator<Item = Finished> {
    let mut random = vdrive::random::Random::new(1);
    let mut due_ns = 0;
    (0..count).map(move |number| {
        due_ns += random.below(20_000);
        let completed_ns = due_ns + 80_000 + random.below(1 << 12);
        Finished {
            point: 0,
            number,
            request: Request {
                operation: if random.below(10) < 7 {
                    Operation::Read
                } else {
                    Operation::Write
                },
                offset_bytes: 0,
                length_bytes: 4096,
                stream: 0,
            },
            phase: Phase::Measured,
            due_ns,
            ready_ns: due_ns,
            submitted_ns: due_ns + random.below(64),
            completed_ns,
            outcome: Outcome::Done,
        }
    })
}

#[test]
fn an_io_takes_a_few_bytes() {
    let ios: Vec<Finished> = plausible(3 * BLOCK_IOS as u64).collect();
    let bytes_an_io = written(&ios).len() as f64 / ios.len() as f64;
    assert!(bytes_an_io < 6.0, "{bytes_an_io}");
}

#[test]
fn what_was_cut_off_loses_its_last_block_only() {
    let ios: Vec<Finished> = plausible(BLOCK_IOS as u64 + 10).collect();
    let bytes = written(&ios);
    let mark_bytes = 16;
    for lost_bytes in [mark_bytes + 1, mark_bytes + 100] {
        let (found, damaged) = read(&bytes[..bytes.len() - lost_bytes]);
        assert_eq!(found.len(), BLOCK_IOS);
        assert!(matches!(damaged, Some(Damaged::CutOff { block: 1 })));
    }
    // Between two blocks, too, it is seen.
    for lost_bytes in [1, mark_bytes] {
        let (found, damaged) = read(&bytes[..bytes.len() - lost_bytes]);
        assert_eq!(found.len(), ios.len());
        assert!(matches!(damaged, Some(Damaged::CutOff { block: 2 })));
    }
}

#[test]
fn a_full_disk_breaks_it_and_what_was_written_is_whole() {
    /// Takes so many bytes and no more.
    struct Disk<'a>(&'a mut Vec<u8>, usize);
    impl Write for Disk<'_> {
        fn write(&mut self, data: &[u8]) -> io::Result<usize> {
            if self.0.len() + data.len() > self.1 {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            self.0.extend(data);
            Ok(data.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let ios: Vec<Finished> = plausible(4 * BLOCK_IOS as u64).collect();
    let mut on_disk = Vec::new();
    let mut writer = KeptWriter::new(Disk(&mut on_disk, written(&ios).len() / 2)).unwrap();
    let taken = ios.iter().take_while(|io| {
        writer.finished(io);
        !writer.is_broken()
    });
    assert!(taken.count() < ios.len());
    assert!(writer.finish().is_err());
    let (found, _) = read(&on_disk);
    assert_eq!(found, ios[..found.len()].iter().map(kept).collect::<Vec<_>>());
    assert_eq!(found.len() % BLOCK_IOS, 0);
    assert!(!found.is_empty());
}
