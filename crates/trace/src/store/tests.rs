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
    fn merged_traces_are_all_their_ios_in_order_and_no_stream_is_of_two(
        mut parts in proptest::collection::vec(proptest::collection::vec(io(), 0..60), 1..4)
    ) {
        for ios in &mut parts {
            ios.sort_by_key(|io| io.at_ns);
        }
        let mut out = Vec::new();
        let traces = parts.iter().map(|ios| TraceReader::new(written(ios)).unwrap()).collect();
        let count = merge(traces, &mut out).unwrap();
        let (_, found) = read(Bytes::from(out)).unwrap();
        let mut expected: Vec<(usize, Io)> = parts
            .iter()
            .enumerate()
            .flat_map(|(part, ios)| ios.iter().map(move |io| (part, *io)))
            .collect();
        expected.sort_by_key(|(_, io)| io.at_ns);
        prop_assert_eq!(count, expected.len() as u64);
        let mut streams = std::collections::HashMap::new();
        for ((part, io), merged) in expected.iter().zip(&found) {
            prop_assert_eq!(Io { stream: io.stream, ..*merged }, *io);
            let was = streams.entry(merged.stream).or_insert((*part, io.stream));
            prop_assert_eq!(*was, (*part, io.stream));
        }
    }

    #[test]
    fn a_scaled_trace_arrives_in_its_share_of_the_time_and_tells_no_latency(
        mut ios in proptest::collection::vec(io(), 1..100), speed in 0.01_f64..100.0
    ) {
        ios.sort_by_key(|io| io.at_ns);
        let mut out = Vec::new();
        let count = scale(&mut TraceReader::new(written(&ios)).unwrap(), speed, &mut out).unwrap();
        let (_, found) = read(Bytes::from(out)).unwrap();
        prop_assert_eq!(count, ios.len() as u64);
        for (io, scaled) in ios.iter().zip(&found) {
            let (at_ns, scaled_ns) = (io.at_ns.unwrap() as f64, scaled.at_ns.unwrap() as f64);
            prop_assert!((scaled_ns - at_ns / speed).abs() <= 0.5 + scaled_ns * f64::EPSILON);
            prop_assert_eq!(Io { at_ns: io.at_ns, latency_ns: io.latency_ns, ..*scaled }, *io);
            prop_assert_eq!(scaled.latency_ns, None);
        }
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

#[test]
fn of_merged_traces_is_known_what_is_known_of_each() {
    let told = |meta: Meta| {
        let mut writer = TraceWriter::new(Vec::new()).unwrap();
        writer
            .push(Io {
                at_ns: Some(0),
                ..Io::new(Op::Read, 0, 4096)
            })
            .unwrap();
        TraceReader::new(Bytes::from(writer.finish(&meta).unwrap())).unwrap()
    };
    let one = Meta {
        device_bytes: Some(1 << 30),
        licence: Some("MIT".to_owned()),
        lost: Some(2),
        left_out: [("waits".to_owned(), 3)].into(),
        ..meta()
    };
    let other = Meta {
        format: "blkparse".to_owned(),
        device: Some("8,16".to_owned()),
        device_bytes: Some(2 << 30),
        captured_at: CapturedAt::Issue,
        time_resolution_ns: Some(1),
        licence: Some("CC-BY-4.0".to_owned()),
        left_out: [("waits".to_owned(), 4)].into(),
        ..meta()
    };
    let mut out = Vec::new();
    assert_eq!(merge(vec![told(one.clone()), told(other)], &mut out).unwrap(), 2);
    let (found, _) = read(Bytes::from(out)).unwrap();
    let expected = Meta {
        format: "fio-iolog, blkparse".to_owned(),
        device: None,
        device_bytes: Some(2 << 30),
        captured_at: CapturedAt::Unknown,
        licence: Some("MIT AND CC-BY-4.0".to_owned()),
        left_out: [("waits".to_owned(), 7)].into(),
        ..one.clone()
    };
    assert_eq!(found, expected);
    let mut out = Vec::new();
    merge(vec![told(one.clone()), told(Meta { licence: None, ..one })], &mut out).unwrap();
    assert_eq!(read(Bytes::from(out)).unwrap().0.licence, None);
}

#[test]
fn a_trace_without_ios_takes_no_times_from_those_it_is_merged_with() {
    let timeless = Meta {
        time_resolution_ns: None,
        ..meta()
    };
    let empty = TraceWriter::new(Vec::new()).unwrap().finish(&timeless).unwrap();
    let timed = written(&[Io {
        at_ns: Some(0),
        ..Io::new(Op::Read, 0, 4096)
    }]);
    let traces = [Bytes::from(empty), timed].map(|file| TraceReader::new(file).unwrap());
    let mut out = Vec::new();
    assert_eq!(merge(Vec::from(traces), &mut out).unwrap(), 1);
    assert_eq!(read(Bytes::from(out)).unwrap().0.time_resolution_ns, Some(1_000));
}

#[test]
fn a_trace_without_times_is_named_among_those_to_be_merged_and_not_scaled() {
    let timed = written(&[Io {
        at_ns: Some(0),
        ..Io::new(Op::Read, 0, 4096)
    }]);
    let timeless = written(&[Io::new(Op::Read, 0, 4096)]);
    let open = |file: &Bytes| TraceReader::new(file.clone()).unwrap();
    let merged = merge(vec![open(&timed), open(&timeless)], Vec::new());
    assert!(matches!(merged, Err((Some(1), TraceError::NoTrace(_)))));
    assert!(matches!(
        scale(&mut open(&timeless), 2.0, Vec::new()),
        Err(TraceError::NoTrace(_))
    ));
}
