use std::fmt::Write as _;

use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::export::{Exported, Target, export};
use crate::fault::Problem;
use crate::io::{Flags, Io, Op};
use crate::store::{Meta, TraceReader};

fn read(text: &[u8], format: Format, device: Option<&str>) -> Result<(Vec<Io>, Told), TraceError> {
    let mut ios = Vec::new();
    let told = read_source(&mut &text[..], format, device, &mut |io| {
        ios.push(io);
        Ok(())
    })?;
    Ok((ios, told))
}

fn problem_of(text: &[u8], format: Format) -> (u64, Problem) {
    match read(text, format, None) {
        Err(TraceError::Damaged(fault)) => (fault.at, fault.problem),
        other => panic!("read as {other:?}"),
    }
}

fn import_into(sources: &[&[u8]], format: Format, out: &mut Vec<u8>) -> Result<(u64, Meta), Failed> {
    let told = Import {
        format,
        device: None,
        device_bytes: None,
        licence: None,
        files: Vec::new(),
    };
    let mut readers: Vec<&[u8]> = sources.to_vec();
    let mut sources: Vec<&mut dyn Read> = readers.iter_mut().map(|reader| reader as &mut dyn Read).collect();
    import(&mut sources, &told, out, &mut || true)
}

fn imported(sources: &[&[u8]], format: Format) -> (Meta, Vec<Io>, Bytes) {
    let mut out = Vec::new();
    let (count, meta) = import_into(sources, format, &mut out).unwrap();
    let file = Bytes::from(out);
    let mut trace = TraceReader::new(file.clone()).unwrap();
    let mut ios = Vec::new();
    trace
        .for_each(|io| {
            ios.push(*io);
            Ok(())
        })
        .unwrap();
    assert_eq!((count, &meta), (ios.len() as u64, trace.meta()));
    (meta, ios, file)
}

#[test]
fn columns_are_read_in_their_units() {
    let msr =
        b"128166372003061629,usr,0,Read,7014609920,24576,41286\n128166372016382155,usr,0,Write,1317441536,8192,1963\n";
    let (ios, told) = read(msr, Format::MsrCambridge, None).unwrap();
    let from = (128_166_372_003_061_629 - 116_444_736_000_000_000) * 100;
    assert_eq!(told.device.as_deref(), Some("usr,0"));
    let first = Io {
        at_ns: Some(from),
        latency_ns: Some(4_128_600),
        ..Io::new(Op::Read, 7_014_609_920, 24_576)
    };
    assert_eq!(ios[0], first);
    assert_eq!((ios[1].at_ns, ios[1].op), (Some(from + 1_332_052_600), Op::Write));

    let systor = b"Timestamp,Response,IOType,LUN,Offset,Size\n1456095145.133076000,0.000806000,R,0,899056122368,131072\n1456095145.2,,,0,,\n";
    let (ios, told) = read(systor, Format::Systor17, None).unwrap();
    let only = Io {
        at_ns: Some(1_456_095_145_133_076_000),
        latency_ns: Some(806_000),
        ..Io::new(Op::Read, 899_056_122_368, 131_072)
    };
    assert_eq!(ios, [only]);
    assert_eq!(
        told.left_out.into_iter().collect::<Vec<_>>(),
        [("operation-unnamed".to_owned(), 1)]
    );

    let (ios, _) = read(b"419,W,8792731648,16384,1577808000000046\r\n", Format::Alibaba, None).unwrap();
    let only = Io {
        at_ns: Some(1_577_808_000_000_046_000),
        ..Io::new(Op::Write, 8_792_731_648, 16_384)
    };
    assert_eq!(ios, [only]);

    let (ios, _) = read(b"1538323199,128,8,1,12", Format::Tencent, None).unwrap();
    let only = Io {
        at_ns: Some(1_538_323_199_000_000_000),
        ..Io::new(Op::Write, 65_536, 4096)
    };
    assert_eq!(ios, [only]);

    let fiu = b"89966104471300 4892 syslogd 904265560 8 W 6 0 531e779e8d\n";
    let (ios, told) = read(fiu, Format::Fiu, None).unwrap();
    let only = Io {
        at_ns: Some(89_966_104_471_300),
        stream: Some(0),
        ..Io::new(Op::Write, 904_265_560 * 512, 4096)
    };
    assert_eq!((ios, told.device.as_deref()), (vec![only], Some("6,0")));

    let (ios, _) = read(b"0,21741712,24576,R,0.000774\n0,1,512,w,1.5,more\n", Format::Spc, None).unwrap();
    assert_eq!((ios[0].at_ns, ios[0].offset_bytes), (Some(774_000), 21_741_712 * 512));
    assert_eq!((ios[1].at_ns, ios[1].op), (Some(1_500_000_000), Op::Write));
}

#[test]
fn version_2_of_fios_log_has_an_order_and_no_times() {
    let log = b"fio version 2 iolog\n/dev/sda add\n/dev/sda open\n/dev/sda read 0 4096\n/dev/sda wait 1000 0\n/dev/sda sync 0 0\n/dev/sda trim 8192 4096\n/dev/sda close\n";
    let (meta, ios, _) = imported(&[log], Format::FioIolog);
    assert_eq!(
        ios,
        [
            Io::new(Op::Read, 0, 4096),
            Io::new(Op::Flush, 0, 0),
            Io::new(Op::Discard, 8192, 4096)
        ]
    );
    assert_eq!((meta.time_resolution_ns, meta.started_unix_ns), (None, None));
    assert_eq!(meta.left_out["waits"], 1);
}

#[test]
fn ios_with_times_and_without_are_no_trace_in_either_order() {
    let timed = b"fio version 3 iolog\n0 f add\n0 f open\n5 f read 0 4096\n";
    let timeless = b"fio version 2 iolog\nf add\nf open\nf read 0 4096\n";
    for sources in [[&timed[..], timeless], [timeless, timed]] {
        let found = import_into(&sources, Format::FioIolog, &mut Vec::new());
        let Err((1, TraceError::Damaged(fault))) = found else {
            panic!("{found:?}")
        };
        assert_eq!((fault.at, fault.problem), (4, Problem::Times));
    }
}

#[test]
fn what_is_damaged_is_named_by_its_line() {
    assert_eq!(
        problem_of(b"419,W,0,16384,1\n419,W,0,x,1\n", Format::Alibaba),
        (2, Problem::Number)
    );
    assert_eq!(
        problem_of(b"419,X,0,16384,1\n", Format::Alibaba),
        (1, Problem::Operation)
    );
    assert_eq!(
        problem_of(b"419,W,0,16384,1,7\n", Format::Alibaba),
        (1, Problem::Columns)
    );
    assert_eq!(problem_of(b"419,W,0,0,1\n", Format::Alibaba), (1, Problem::Impossible));
    assert_eq!(
        problem_of(b"419,W,18446744073709551615,4096,1\n", Format::Alibaba),
        (1, Problem::Impossible)
    );
    assert_eq!(
        problem_of(b"419,W,0,512,1\n420,W,0,512,1\n", Format::Alibaba),
        (2, Problem::SecondDevice)
    );
    assert_eq!(
        problem_of(b"fio version 1 iolog\n", Format::FioIolog),
        (1, Problem::Magic)
    );
    assert_eq!(problem_of(&vec![b'7'; 1 << 21], Format::Alibaba), (1, Problem::TooLong));
    assert_eq!(problem_of(&[0; 48], Format::Blktrace), (1, Problem::Magic));
    assert_eq!(problem_of(&[0; 47], Format::Blktrace), (1, Problem::CutOff));
    assert_eq!(problem_of(&[0; 64], Format::Recording), (1, Problem::Magic));
    assert_eq!(problem_of(b"SSDLABIO", Format::Recording), (1, Problem::CutOff));
}

#[test]
fn one_device_of_several_is_chosen_by_its_name() {
    let (ios, told) = read(
        b"1,W,0,512,1\n2,R,512,512,2\n1,W,1024,512,3\n",
        Format::Alibaba,
        Some("1"),
    )
    .unwrap();
    assert_eq!(ios.iter().map(|io| io.offset_bytes).collect::<Vec<_>>(), [0, 1024]);
    assert_eq!(told.device.as_deref(), Some("1"));
    assert_eq!(
        read(b"1,W,0,512,1\n", Format::Alibaba, Some("3")).unwrap().1.device,
        None
    );
}

#[test]
fn blkparse_gives_what_was_issued_with_the_time_to_its_completion() {
    let text = b"  8,16   1        1     0.000000000   697  Q  WS 223490 + 8 [kjournald]
  8,16   1        2     0.000001829   697  G  WS 223490 + 8 [kjournald]
  8,16   1        3     0.000002000   697  P   N [kjournald]
  8,16   1        4     0.000004000   697  D  WS 223490 + 8 [kjournald]
  8,16   1        5     0.000005000     9  D FWS [kworker]
  8,16   1        6     0.000006000     0  C FWS 0 [0]
  8,16   1        7     0.000104500     0  C  WS 223490 + 8 [0]
  8,16   1        8     0.000200000   697  D  RA 0 + 16 [cat]
CPU0 (sdb):
 Reads Queued:           0,        0KiB
";
    let (meta, ios, _) = imported(&[text], Format::Blkparse);
    let io = |at_ns, op, sector: u64, sectors: u64, flags, stream, latency_ns| Io {
        at_ns: Some(at_ns),
        op,
        offset_bytes: sector * 512,
        length_bytes: sectors * 512,
        flags: Some(Flags(flags)),
        latency_ns,
        stream: Some(stream),
    };
    assert_eq!(
        ios,
        [
            io(0, Op::Write, 223_490, 8, Flags::SYNC, 0, Some(100_500)),
            io(1_000, Op::Flush, 0, 0, Flags::SYNC, 1, Some(1_000)),
            io(196_000, Op::Read, 0, 16, Flags::AHEAD, 0, None),
        ]
    );
    assert_eq!(meta.captured_at, CapturedAt::Issue);
    assert_eq!(meta.left_out["latencies-without-completion"], 1);
}

#[test]
fn what_blkparse_tells_of_its_files_is_no_event_wherever_it_stands() {
    let events = "  8,0 0 1 0.000001000 100 D W 1000 + 8 [a]\n  8,0 0 2 0.000101000 0 C W 1000 + 8 [0]\n";
    let files = "Input file sda.blktrace.0 added\nInput file sda.blktrace.1 added\n";
    let discarded =
        "\ndiscarded traces containing low-level device driver specific data (only available in binary output)\n";
    for text in [[files, events, discarded], [events, discarded, files]].map(|parts| parts.concat()) {
        assert_eq!(detect(text.as_bytes()), Some(Format::Blkparse));
        assert_eq!(imported(&[text.as_bytes()], Format::Blkparse).1.len(), 1);
    }
}

fn record(cpu: u32, sequence: u32, time_ns: u64, sector: u64, action: u32, beyond: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [0x6561_7407, sequence] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    for long in [time_ns, sector] {
        bytes.extend_from_slice(&long.to_le_bytes());
    }
    for word in [4096, action, 42, 8 << 20 | 16, cpu] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&0_u16.to_le_bytes());
    bytes.extend_from_slice(&(beyond.len() as u16).to_le_bytes());
    bytes.extend_from_slice(beyond);
    bytes
}

#[test]
fn files_of_two_processors_are_one_trace_and_gaps_are_what_was_lost() {
    const READ_ISSUED: u32 = (1 << 0 | 1 << 6) << 16 | 7;
    const READ_DONE: u32 = (1 << 0 | 1 << 7) << 16 | 8;
    let first = [
        record(0, 1, 100, 8, READ_ISSUED, b"ab"),
        record(0, 2, 300, 80, READ_ISSUED, b""),
    ];
    let second = [
        record(1, 5, 250, 8, READ_DONE, b""),
        record(1, 8, 900, 80, READ_DONE, b"x"),
    ];
    let (meta, ios, _) = imported(&[&second.concat(), &first.concat()], Format::Blktrace);
    let told: Vec<_> = ios
        .iter()
        .map(|io| (io.at_ns, io.offset_bytes, io.latency_ns))
        .collect();
    assert_eq!(told, [(Some(0), 4096, Some(150)), (Some(200), 40_960, Some(600))]);
    assert_eq!((meta.lost, meta.device.as_deref()), (Some(2), Some("8,16")));
    let swapped: Vec<u8> = first[0]
        .chunks(4)
        .flat_map(|word| word.iter().rev().copied().collect::<Vec<_>>())
        .collect();
    assert_eq!(problem_of(&swapped, Format::Blktrace), (1, Problem::ByteOrder));
    assert_eq!(problem_of(&first[0][..49], Format::Blktrace), (1, Problem::CutOff));
}

#[test]
fn records_that_name_a_control_group_are_the_same_without_it() {
    let actions = [1 << 16 | 7, 1 << 16 | 8];
    let file = |bit: u32, beyond: &[u8]| {
        let [issued, done] = actions.map(|action| action | bit);
        [record(0, 1, 100, 8, issued, beyond), record(0, 2, 250, 8, done, beyond)].concat()
    };
    let (_, plain, _) = imported(&[&file(0, b"")], Format::Blktrace);
    assert_eq!(plain.len(), 1);
    assert_eq!(imported(&[&file(1 << 8, &[7; 8])], Format::Blktrace).1, plain);
}

#[test]
fn damage_is_of_the_processor_whose_file_has_it() {
    let whole = record(0, 1, 100, 8, 1 << 16 | 7, b"");
    let cut_off = &whole[..20];
    for (sources, damaged) in [([&whole[..], cut_off], 1), ([cut_off, &whole], 0)] {
        let found = import_into(&sources, Format::Blktrace, &mut Vec::new());
        assert!(matches!(found, Err((index, TraceError::Damaged(_))) if index == damaged));
    }
    let mut other_device = record(1, 1, 200, 8, 1 << 16 | 7, b"");
    other_device[36] ^= 1;
    let more = record(1, 2, 300, 8, 1 << 16 | 7, b"");
    let found = import_into(
        &[&whole, &[other_device, more].concat()],
        Format::Blktrace,
        &mut Vec::new(),
    );
    assert!(matches!(found, Err((1, TraceError::Damaged(fault))) if fault.at == 1));
}

/// Takes so many bytes.
struct Room(usize);

impl std::io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_no_fault_of_what_is_read() {
    let log = b"fio version 3 iolog\n0 f open\n5 f read 0 4096\n";
    let told = Import {
        format: Format::FioIolog,
        device: None,
        device_bytes: None,
        licence: None,
        files: Vec::new(),
    };
    let (_, _, file) = imported(&[log], Format::FioIolog);
    for room in [0, 10, 200] {
        let found = import(&mut [&mut &log[..]], &told, Room(room), &mut || true);
        assert!(matches!(found, Err((_, TraceError::Unwritten(_)))), "{found:?}");
    }
    for target in [Target::FioIolog("f".to_owned()), Target::Blkparse] {
        let found = export(&mut TraceReader::new(file.clone()).unwrap(), &target, Room(30));
        assert!(matches!(found, Err(TraceError::Unwritten(_))), "{found:?}");
    }
}

#[test]
fn every_format_is_known_by_its_beginning() {
    let mut bunch = [0_u8; 72];
    (bunch[2], bunch[16], bunch[24], bunch[32], bunch[49]) = (1, 1, 1, 1, 2);
    let samples: [(&[u8], Format); 14] = [
        (b"fio version 3 iolog\n", Format::FioIolog),
        (
            b"  8,0  3  1  0.000000000  697  Q  W 223490 + 8 [k]\n",
            Format::Blkparse,
        ),
        (b"\x07tae....", Format::Blktrace),
        (
            b"128166372003061629,usr,0,Read,7014609920,24576,41286\n",
            Format::MsrCambridge,
        ),
        (
            b"Timestamp,Response,IOType,LUN,Offset,Size\n1.5,0.1,W,0,0,512\n",
            Format::Systor17,
        ),
        (b"419,W,8792731648,16384,1577808000000046\n", Format::Alibaba),
        (b"1538323199,128,8,1,12\n", Format::Tencent),
        (b"89966104471300 4892 syslogd 904265560 8 W 6 0 531e\n", Format::Fiu),
        (b"0,21741712,24576,R,0.000774\n", Format::Spc),
        (&bunch, Format::Btrecord),
        (
            b"# block_id io_offset\n310 0 65536 1572074461.57806 1 24 3 5\n",
            Format::Tectonic,
        ),
        (b"7 0 65536 1634299200 2 3 12 401 1\n", Format::Tectonic),
        (b"7 0 65536 1679702400.1 5 3 12 0 1 401\n", Format::Tectonic),
        (b"\r\nBeginHeader\r\n", Format::Etw),
    ];
    for (sample, format) in samples {
        assert_eq!(detect(sample), Some(format));
    }
    for other in [&b""[..], b"\n\n", b"hello\n", b"1,2,3\n", b"PAR1"] {
        assert_eq!(detect(other), None);
    }
}

/// I/Os as a device of sectors has them, each at a time and place of its own.
fn ios() -> impl Strategy<Value = Vec<Io>> {
    let one = (0..4_usize, 1..3_000_u64, 1..5_000_u64, 0..3_u32);
    proptest::collection::vec(one, 1..60).prop_map(|all| {
        let mut at_us = 0;
        let mut last_stream = 0;
        (0..)
            .zip(all)
            .map(|(index, (op, gap_us, latency_us, stream))| {
                let op = Op::ALL[op];
                at_us += if index == 0 { 0 } else { gap_us };
                // Streams are numbered as they appear.
                let stream = stream.min(last_stream);
                last_stream = last_stream.max(stream + 1);
                let (offset_bytes, length_bytes) = match op {
                    Op::Flush => (0, 0),
                    _ => (index * 1_048_576, 512 * gap_us),
                };
                Io {
                    at_ns: Some(at_us * 1_000),
                    op,
                    offset_bytes,
                    length_bytes,
                    flags: Some(Flags(if op == Op::Write { Flags::FUA | Flags::SYNC } else { 0 })),
                    // No two flushes at once: what ends a flush does not say which.
                    latency_ns: Some(if op == Op::Flush { 1 } else { latency_us * 1_000 }),
                    stream: Some(stream),
                }
            })
            .collect()
    })
}

fn exported(file: Bytes, target: &Target) -> (Vec<u8>, Exported) {
    let mut out = Vec::new();
    let done = export(&mut TraceReader::new(file).unwrap(), target, &mut out).unwrap();
    (out, done)
}

proptest! {
    #[test]
    fn what_is_exported_is_read_back(ios in ios()) {
        let mut log = "fio version 3 iolog\n0 f add\n0 f open\n".to_owned();
        for io in &ios {
            let action = ["read", "write", "sync", "trim"][io.op as usize];
            writeln!(log, "{} f {action} {} {}", io.at_ns.unwrap() / 1_000, io.offset_bytes, io.length_bytes).unwrap();
        }
        let (_, plain, file) = imported(&[log.as_bytes()], Format::FioIolog);
        let (again, done) = exported(file, &Target::FioIolog("f".to_owned()));
        prop_assert_eq!(done.ios, ios.len() as u64);
        prop_assert_eq!(imported(&[&again], Format::FioIolog).1, plain);

        let mut writer = crate::store::TraceWriter::new(Vec::new()).unwrap();
        for io in &ios {
            writer.push(*io).unwrap();
        }
        let (meta, _, _) = imported(&[log.as_bytes()], Format::FioIolog);
        let meta = Meta { captured_at: CapturedAt::Issue, ..meta };
        let file = Bytes::from(writer.finish(&meta).unwrap());
        let (text, _) = exported(file, &Target::Blkparse);
        prop_assert_eq!(imported(&[&text], Format::Blkparse).1, ios);
    }
}
