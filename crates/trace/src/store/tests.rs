use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::fault::TraceError;
use crate::io::{Flags, Io, Op};

fn meta() -> Meta {
    Meta {
        version: VERSION,
        format: "fio-iolog".to_owned(),
        files: Vec::new(),
        device: Some("nvme0n1".to_owned()),
        device_bytes: None,
        captured_at: CapturedAt::Application,
        time_resolution_ns: Some(1_000),
        started_unix_ns: None,
        lost: None,
        left_out: std::collections::BTreeMap::new(),
        licence: None,
        anonymised: None,
    }
}

fn written(ios: &[Io]) -> Bytes {
    let mut writer = TraceWriter::new(Vec::new()).unwrap();
    for io in ios {
        writer.push(*io).unwrap();
    }
    Bytes::from(writer.finish(&meta()).unwrap())
}

fn read(file: Bytes) -> Result<(Meta, Vec<Io>), TraceError> {
    let mut reader = TraceReader::new(file)?;
    let mut ios = Vec::new();
    reader.for_each(|io| {
        ios.push(*io);
        Ok(())
    })?;
    Ok((reader.meta().clone(), ios))
}

fn io() -> impl Strategy<Value = Io> {
    (
        0..(1_u64 << 40),
        0..5_usize,
        0..(1_u64 << 50),
        1..(1_u64 << 20),
        proptest::option::of(0..(1_u64 << 40)),
        proptest::option::of(0..9_u32),
        proptest::option::of(0..=Flags::ALL),
    )
        .prop_map(|(at_ns, op, offset_bytes, length_bytes, latency_ns, stream, flags)| {
            let op = Op::ALL[op];
            Io {
                at_ns: Some(at_ns),
                op,
                offset_bytes,
                length_bytes: if op == Op::Flush { 0 } else { length_bytes },
                flags: flags.map(Flags),
                latency_ns,
                stream,
            }
        })
}

proptest! {
    #[test]
    fn a_trace_is_read_as_it_was_written(mut ios in proptest::collection::vec(io(), 0..300), has_times: bool) {
        ios.sort_by_key(|io| io.at_ns);
        if !has_times {
            for io in &mut ios {
                io.at_ns = None;
            }
        }
        let (told, found) = read(written(&ios)).unwrap();
        prop_assert_eq!(told, meta());
        prop_assert_eq!(found, ios);
    }

    #[test]
    fn a_damaged_trace_is_read_or_refused(
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
        cut in any::<proptest::sample::Index>(), is_cut: bool
    ) {
        let ios: Vec<Io> = (0..500).map(|at| Io { at_ns: Some(at), ..Io::new(Op::Write, at * 4096, 4096) }).collect();
        let mut bytes = written(&ios).to_vec();
        for (index, byte) in damage {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok((_, found)) = read(Bytes::from(bytes)) {
            prop_assert!(found.iter().all(Io::is_possible));
        }
    }
}

#[test]
fn more_than_a_row_group_keeps_its_order() {
    let ios: Vec<Io> = (0..600_000_u64)
        .map(|at| Io {
            at_ns: Some(at * 1_000),
            ..Io::new(Op::Read, at.wrapping_mul(0x9e37_79b9) % (1 << 38) * 4096, 4096)
        })
        .collect();
    assert_eq!(read(written(&ios)).unwrap().1, ios);
}

#[test]
fn what_is_out_of_order_is_refused() {
    let at = |at_ns| Io {
        at_ns,
        ..Io::new(Op::Read, 0, 4096)
    };
    for ios in [
        [at(Some(5)), at(Some(4))],
        [at(Some(5)), at(None)],
        [at(None), at(Some(5))],
    ] {
        assert!(matches!(read(written(&ios)), Err(TraceError::NoTrace(_))));
    }
}

#[test]
fn a_cut_begins_at_zero_and_says_when_that_was() {
    let ios: Vec<Io> = (0..10)
        .map(|at| Io {
            at_ns: Some(at * 10),
            ..Io::new(Op::Read, at * 512, 512)
        })
        .collect();
    let mut trace = TraceReader::new(written(&ios)).unwrap();
    let mut out = Vec::new();
    assert_eq!(cut(&mut trace, 25..60, &mut out).unwrap(), 3);
    let (_, found) = read(Bytes::from(out)).unwrap();
    assert_eq!(
        found.iter().map(|io| (io.at_ns, io.offset_bytes)).collect::<Vec<_>>(),
        [(Some(0), 3 * 512), (Some(10), 4 * 512), (Some(20), 5 * 512)]
    );
}
