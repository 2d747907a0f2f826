use pattern::Kind;
use proptest::prelude::*;

use super::*;

const MIB: u64 = 1 << 20;

/// A drive in memory with a range that cannot be read.
struct Memory {
    data: Vec<u8>,
    unreadable: std::ops::Range<u64>,
    error: rustix::io::Errno,
    flushes: u32,
    written_bytes: u64,
    /// How much was written when it was flushed.
    durable_bytes: Vec<u64>,
}

impl Medium for Memory {
    fn write_at(&mut self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        self.data[offset_bytes as usize..][..data.len()].copy_from_slice(data);
        self.written_bytes = offset_bytes + data.len() as u64;
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flushes += 1;
        self.durable_bytes.push(self.written_bytes);
        Ok(())
    }

    fn read_at(&mut self, offset_bytes: u64, data: &mut [u8]) -> io::Result<()> {
        if offset_bytes < self.unreadable.end && self.unreadable.start < offset_bytes + data.len() as u64 {
            return Err(self.error.into());
        }
        data.copy_from_slice(&self.data[offset_bytes as usize..][..data.len()]);
        Ok(())
    }
}

fn memory(length_bytes: u64) -> Memory {
    Memory {
        data: vec![0; length_bytes as usize],
        unreadable: 0..0,
        error: rustix::io::Errno::IO,
        flushes: 0,
        written_bytes: 0,
        durable_bytes: Vec::new(),
    }
}

fn pass(length_bytes: u64, chunk_bytes: usize) -> Pass {
    Pass {
        offset_bytes: 0,
        length_bytes,
        chunk_bytes,
        flush_bytes: 1 << 20,
        pattern: Pattern::new(7, 1),
    }
}

fn checked(medium: &mut Memory, pass: Pass) -> Vec<Bad> {
    let mut found = Vec::new();
    check(medium, pass, |_| Flow::Continue(()), |bad| found.push(bad)).unwrap();
    found
}

fn written(length_bytes: u64) -> Memory {
    let mut medium = memory(length_bytes);
    write(&mut medium, pass(length_bytes, 1 << 20), |_| Flow::Continue(())).unwrap();
    medium
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_was_written_is_found_whole(sectors in 1..5000_u64, chunk_pages in 1..300_usize) {
        let length_bytes = sectors * 512;
        let mut medium = memory(length_bytes);
        let mut told = 0;
        write(&mut medium, pass(length_bytes, chunk_pages * 4096), |chunk| {
            told += chunk.length_bytes as u64;
            Flow::Continue(())
        })
        .unwrap();
        prop_assert_eq!(told, length_bytes);
        prop_assert!(checked(&mut medium, pass(length_bytes, 1 << 16)).is_empty());
    }

    #[test]
    fn what_was_not_written_is_told_to_the_sector(begin in 0..4000_u64, sectors in 1..4000_u64) {
        let mut medium = written(4 * MIB);
        let begin_bytes = begin * 512;
        let length_bytes = (sectors * 512).min(4 * MIB - begin_bytes);
        medium.data[begin_bytes as usize..][..length_bytes as usize].fill(0);
        let found: u64 = checked(&mut medium, pass(4 * MIB, 1 << 19))
            .iter()
            .map(|bad| match bad {
                Bad::Wrong(Finding { length_bytes, kind: Kind::Zero, .. }) => *length_bytes,
                other => panic!("{other:?}"),
            })
            .sum();
        prop_assert_eq!(found, length_bytes);
    }
}

#[test]
fn bytes_that_cannot_be_read_are_told_apart_from_wrong_ones_beside_them() {
    let mut medium = written(4 * MIB);
    medium.unreadable = MIB + 8192..MIB + 16384;
    medium.data[MIB as usize + 16384..][..512].fill(0);
    let found = checked(&mut medium, pass(4 * MIB, 2 << 20));
    let [
        Bad::Unreadable {
            offset_bytes,
            length_bytes,
            ..
        },
        Bad::Wrong(zero),
    ] = &found[..]
    else {
        panic!("{found:?}")
    };
    assert_eq!((*offset_bytes, *length_bytes), (MIB + 8192, 8192));
    assert_eq!(
        (zero.offset_bytes, zero.length_bytes, zero.kind),
        (MIB + 16384, 512, Kind::Zero)
    );
}

#[test]
fn a_drive_that_is_gone_is_not_taken_for_one_that_cannot_be_read() {
    let mut medium = written(4 * MIB);
    medium.unreadable = MIB..2 * MIB;
    medium.error = rustix::io::Errno::NODEV;
    let mut found = Vec::new();
    let failed = check(
        &mut medium,
        pass(4 * MIB, 1 << 20),
        |_| Flow::Continue(()),
        |bad| found.push(bad),
    )
    .unwrap_err();
    assert!(found.is_empty());
    assert_eq!(
        failed.to_string(),
        "1048576 bytes at 1048576 could not be read: No such device (os error 19)"
    );
}

#[test]
fn what_was_read_before_a_drive_went_away_is_told() {
    let mut medium = written(4 * MIB);
    medium.unreadable = MIB..2 * MIB;
    medium.error = rustix::io::Errno::NODEV;
    medium.data[512..1024].fill(0);
    let mut found = Vec::new();
    check(
        &mut medium,
        pass(4 * MIB, 1 << 20),
        |_| Flow::Continue(()),
        |bad| found.push(bad),
    )
    .unwrap_err();
    let [Bad::Wrong(zero)] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(
        (zero.offset_bytes, zero.length_bytes, zero.kind),
        (512, 512, Kind::Zero)
    );
}

/// A server whose answers make no sense.
struct OutOfStep(u32);

impl Medium for OutOfStep {
    fn write_at(&mut self, _: u64, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn read_at(&mut self, _: u64, _: &mut [u8]) -> io::Result<()> {
        self.0 += 1;
        Err(io::ErrorKind::InvalidData.into())
    }
}

#[test]
fn a_server_that_answers_without_sense_is_asked_no_more() {
    let mut medium = OutOfStep(0);
    let ended = check(
        &mut medium,
        pass(4 * MIB, 2 << 20),
        |_| Flow::Continue(()),
        |bad| panic!("{bad:?}"),
    );
    assert!(ended.is_err());
    assert_eq!(medium.0, 1);
}

#[test]
fn a_pass_ends_when_it_is_told_to() {
    let mut medium = memory(4 * MIB);
    let mut chunks = 0;
    write(&mut medium, pass(4 * MIB, 1 << 20), |_| {
        chunks += 1;
        if chunks == 2 {
            Flow::Break(())
        } else {
            Flow::Continue(())
        }
    })
    .unwrap();
    assert_eq!(chunks, 2);
    assert!(medium.data[2 * MIB as usize..].iter().all(|byte| *byte == 0));
}

#[test]
fn time_in_which_somebody_is_told_is_not_the_drives() {
    let mut medium = memory(4 * MIB);
    let (mut told, mut ended_ns) = (Duration::ZERO, 0);
    let began = Instant::now();
    write(&mut medium, pass(4 * MIB, 1 << 20), |chunk| {
        let asked = Instant::now();
        thread::sleep(Duration::from_millis(20));
        told += asked.elapsed();
        ended_ns = chunk.ended_ns;
        Flow::Continue(())
    })
    .unwrap();
    assert!(Duration::from_nanos(ended_ns) + told <= began.elapsed());
}

#[test]
fn the_drive_is_flushed_once_a_record_and_at_the_end() {
    let mut medium = memory(4 * MIB);
    let pass = pass(4 * MIB - 512, 384 << 10);
    write(&mut medium, pass, |_| Flow::Continue(())).unwrap();
    assert_eq!(medium.flushes, 4);
}

#[test]
fn a_record_is_durable_where_it_ends_also_where_chunks_do_not_divide_it() {
    // A record ends with the chunk with which it is long enough: after 6, 12 and 18 MiB, not where 5 divides.
    let mut medium = memory(20 * MIB);
    let odd = Pass {
        flush_bytes: 5 * MIB,
        ..pass(20 * MIB, 3 << 20)
    };
    write(&mut medium, odd, |_| Flow::Continue(())).unwrap();
    assert_eq!(medium.durable_bytes, [6 * MIB, 12 * MIB, 18 * MIB, 20 * MIB]);
}

#[test]
fn a_pass_that_is_stopped_is_durable_as_far_as_it_came() {
    let mut medium = memory(20 * MIB);
    let long = Pass {
        flush_bytes: 100 * MIB,
        ..pass(20 * MIB, 1 << 20)
    };
    let mut chunks = 0;
    write(&mut medium, long, |_| {
        chunks += 1;
        if chunks < 3 {
            Flow::Continue(())
        } else {
            Flow::Break(())
        }
    })
    .unwrap();
    assert_eq!(medium.durable_bytes, [3 * MIB]);
}

#[test]
fn a_drive_that_takes_too_long_over_its_errors_is_not_asked_for_the_rest_of_the_chunk() {
    let mut medium = written(4 * MIB);
    medium.unreadable = 0..4096;
    let mut data = vec![0; 4 << 20];
    let found = read_all(&mut medium, 0, &mut data, Duration::ZERO).unwrap();
    let [
        Bad::Unreadable {
            offset_bytes,
            length_bytes,
            error,
        },
    ] = &found[..]
    else {
        panic!("{found:?}");
    };
    assert_eq!((*offset_bytes, *length_bytes), (0, 4 * MIB));
    assert!(error.starts_with("not tried"));
    let found = read_all(&mut medium, 0, &mut data, PATIENCE).unwrap();
    assert!(matches!(
        &found[..],
        [Bad::Unreadable {
            offset_bytes: 0,
            length_bytes: 4096,
            ..
        }]
    ));
}
