use super::*;
use crate::fault::Problem;
use crate::io::{Flags, Io, Op};
use proptest::prelude::*;

const HEADER_PAGE: &str = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
    \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
    \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
    \tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

/// As Linux 6.1 tells it.
const ISSUE: &str = "name: block_rq_issue\nID: 1202\nformat:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
    \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
    \tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n\
    \tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n\
    \tfield:unsigned int bytes;\toffset:28;\tsize:4;\tsigned:0;\n\
    \tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:1;\n\
    \tfield:char comm[16];\toffset:40;\tsize:16;\tsigned:1;\n\
    \tfield:__data_loc char[] cmd;\toffset:56;\tsize:4;\tsigned:1;\n\n\
    print fmt: \"%d,%d\", ((unsigned int) ((REC->dev) >> 20))\n";

/// Kinds of what stands before an event.
const TIME_EXTEND: u32 = 30;
const TIME_STAMP: u32 = 31;

const DEVICE: u64 = 259 << 20;
const BEGAN_NS: u64 = 5_000_000_000;

fn layouts() -> Vec<EventLayout> {
    vec![
        EventLayout::parse(Happens::Issue, ISSUE).unwrap(),
        EventLayout::parse(Happens::Complete, &ISSUE.replace("1202", "1201")).unwrap(),
        EventLayout::parse(Happens::Requeue, &ISSUE.replace("1202", "1200")).unwrap(),
    ]
}

fn events() -> KernelEvents {
    KernelEvents::new(PageLayout::parse(HEADER_PAGE).unwrap(), layouts(), DEVICE)
}

/// The event of that number at a place, by a process.
fn event(id: u16, pid: u32, device: u64, (sector, sectors): (u64, u32), letters: &str) -> Vec<u8> {
    let mut bytes = vec![0; 60];
    bytes[..2].copy_from_slice(&id.to_le_bytes());
    bytes[4..8].copy_from_slice(&pid.to_le_bytes());
    bytes[8..12].copy_from_slice(&(device as u32).to_le_bytes());
    bytes[16..24].copy_from_slice(&sector.to_le_bytes());
    bytes[24..28].copy_from_slice(&sectors.to_le_bytes());
    bytes[32..32 + letters.len()].copy_from_slice(letters.as_bytes());
    bytes
}

/// A page of events at times after its own, written as the kernel does: times that do not fit go before their event.
fn page(happened: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut last_ns = 0;
    let word = |data: &mut Vec<u8>, word: u32| data.extend_from_slice(&word.to_le_bytes());
    for (at_ns, bytes) in happened {
        let mut delta = at_ns - last_ns;
        last_ns = *at_ns;
        if delta >> 27 != 0 {
            word(&mut data, TIME_EXTEND | ((delta & 0x7ff_ffff) as u32) << 5);
            word(&mut data, (delta >> 27) as u32);
            delta = 0;
        }
        if bytes.len() <= 28 * 4 {
            word(&mut data, (bytes.len() as u32).div_ceil(4) | (delta as u32) << 5);
        } else {
            word(&mut data, (delta as u32) << 5);
            word(&mut data, bytes.len() as u32 + 4);
        }
        data.extend_from_slice(bytes);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let mut page = BEGAN_NS.to_le_bytes().to_vec();
    page.extend_from_slice(&(data.len() as u64).to_le_bytes());
    page.extend_from_slice(&data);
    page.resize(page.len().max(4096), 0);
    page
}

fn all(events: &mut KernelEvents) -> Vec<Io> {
    let mut given = Vec::new();
    events
        .finish(&mut |io| {
            given.push(io);
            Ok(())
        })
        .unwrap();
    given
}

fn io(at_ns: u64, op: Op, flags: u8, (sector, sectors): (u64, u64), latency_ns: Option<u64>) -> Io {
    Io {
        at_ns: Some(BEGAN_NS + at_ns),
        flags: Some(Flags(flags)),
        latency_ns,
        stream: Some(0),
        ..Io::new(op, sector * 512, sectors * 512)
    }
}

#[test]
fn what_is_issued_on_one_processor_ends_on_another() {
    let mut events = events();
    let first = page(&[
        (0, event(1202, 7, DEVICE, (8, 16), "WFSM")),
        (9_000, event(1202, 7, DEVICE, (800, 8), "RA")),
    ]);
    let second = page(&[(4_000, event(1201, 0, DEVICE, (8, 16), "WFSM"))]);
    events.take_page(&second).unwrap();
    assert_eq!(events.take_page(&first), Ok(BEGAN_NS + 9_000));
    let flags = Flags::FUA | Flags::SYNC | Flags::META;
    assert_eq!(
        all(&mut events),
        [
            io(0, Op::Write, flags, (8, 16), Some(4_000)),
            io(9_000, Op::Read, Flags::AHEAD, (800, 8), None)
        ]
    );
}

#[test]
fn what_has_not_settled_waits_for_the_next_look() {
    let mut events = events();
    let issue = (10, event(1202, 7, DEVICE, (8, 8), "R"));
    let complete = (30, event(1201, 0, DEVICE, (8, 8), "R"));
    events.take_page(&page(&[issue, complete])).unwrap();
    let mut given = Vec::new();
    for until_ns in [0, 20, 30] {
        events
            .settle(BEGAN_NS + until_ns, &mut |io| {
                given.push((until_ns, io));
                Ok(())
            })
            .unwrap();
    }
    assert_eq!(given, [(30, io(10, Op::Read, 0, (8, 8), Some(20)))]);
}

#[test]
fn letters_say_what_a_request_is_and_those_of_tomorrow_end_nothing() {
    for (letters, sectors, op, flags) in [
        ("FF", 0, Op::Flush, 0),
        ("FWS", 0, Op::Flush, Flags::SYNC),
        ("FWFS", 8, Op::Write, Flags::FUA | Flags::SYNC | Flags::PREFLUSH),
        ("DE", 8, Op::Discard, 0),
        ("NS", 8, Op::WriteZeroes, Flags::SYNC),
        ("WZS", 8, Op::WriteZeroes, Flags::SYNC),
        ("WSU", 8, Op::Write, Flags::SYNC),
    ] {
        let mut events = events();
        let of_it = |id, at_ns| {
            (
                at_ns,
                event(id, 7, DEVICE, (if sectors > 0 { 64 } else { 0 }, sectors), letters),
            )
        };
        events.take_page(&page(&[of_it(1202, 0), of_it(1201, 5)])).unwrap();
        let place = if sectors > 0 { (64, 8) } else { (0, 0) };
        assert_eq!(all(&mut events), [io(0, op, flags, place, Some(5))], "{letters}");
    }
}

#[test]
fn commands_without_blocks_and_other_drives_are_none_of_its_business() {
    let mut events = events();
    events
        .take_page(&page(&[
            (0, event(1202, 7, DEVICE, (0, 0), "N")),
            (1, event(1202, 7, DEVICE + 1, (8, 8), "R")),
            (2, event(77, 7, DEVICE, (8, 8), "R")),
        ]))
        .unwrap();
    assert_eq!(all(&mut events), []);
}

#[test]
fn a_request_that_the_driver_gave_back_counts_once() {
    let mut events = events();
    let of_it = |id, at_ns| (at_ns, event(id, 7, DEVICE, (8, 8), "R"));
    events
        .take_page(&page(&[
            of_it(1202, 0),
            of_it(1200, 5),
            of_it(1202, 20),
            of_it(1201, 50),
        ]))
        .unwrap();
    assert_eq!(all(&mut events), [io(20, Op::Read, 0, (8, 8), Some(30))]);
}

#[test]
fn an_absolute_time_has_its_upper_bits_from_the_page() {
    let stamp_ns = BEGAN_NS + 77;
    let mut page = page(&[(0, vec![0; 4]), (3, event(1202, 7, DEVICE, (8, 8), "R"))]);
    // In place of the first event, which takes as much room.
    page[16..20].copy_from_slice(&(TIME_STAMP | ((stamp_ns & 0x7ff_ffff) as u32) << 5).to_le_bytes());
    page[20..24].copy_from_slice(&((stamp_ns >> 27) as u32).to_le_bytes());
    assert_eq!(events().take_page(&page), Ok(stamp_ns + 3));
}

#[test]
fn a_page_that_says_it_lost_events_is_read_as_any_other() {
    let mut whole = page(&[(5, event(1202, 7, DEVICE, (8, 8), "R"))]);
    whole[8 + 3] |= 0xc0;
    assert_eq!(events().take_page(&whole), Ok(BEGAN_NS + 5));
}

#[test]
fn a_format_that_lacks_a_part_names_it() {
    let without = ISSUE.replace("nr_sector", "other");
    let fault = EventLayout::parse(Happens::Issue, &without).unwrap_err();
    assert_eq!((fault.problem, fault.found.as_str()), (Problem::Columns, "nr_sector"));
    assert!(PageLayout::parse("").is_err());
    assert!(PageLayout::parse(&HEADER_PAGE.replace("4080", "99999999999")).is_err());
}

prop_compose! {
    /// Requests that begin and end, one at a place at a time.
    fn requests()(
        requests in prop::collection::vec(
            (0..1u64 << 30, 1..1u64 << 30, 0..4usize, 0..2usize, 0..2usize, prop::sample::select(&["R", "WS", "D"])), 0..40
        )
    ) -> Vec<(u64, u64, usize, [usize; 2], &'static str)> {
        requests
            .into_iter()
            .map(|(at_ns, latency_ns, process, begins_on, ends_on, letters)| (at_ns, latency_ns, process, [begins_on, ends_on], letters))
            .collect()
    }
}

proptest! {
    #[test]
    fn every_request_is_given_with_its_times_whatever_processors_saw_it(requests in requests()) {
        let mut buffers: [Vec<(u64, Vec<u8>)>; 2] = Default::default();
        for (index, (at_ns, latency_ns, process, on, letters)) in requests.iter().enumerate() {
            let place = (index as u64 * 8, 8);
            let pid = *process as u32 + 100;
            buffers[on[0]].push((*at_ns, event(1202, pid, DEVICE, place, letters)));
            buffers[on[1]].push((at_ns + latency_ns, event(1201, 0, DEVICE, place, letters)));
        }
        let mut events = events();
        for buffer in &mut buffers {
            buffer.sort_by_key(|(at_ns, _)| *at_ns);
            for part in buffer.chunks(50) {
                events.take_page(&page(part)).unwrap();
            }
        }
        let mut found: Vec<_> = all(&mut events)
            .iter()
            .map(|io| (io.offset_bytes, io.at_ns.unwrap() - BEGAN_NS, io.latency_ns))
            .collect();
        found.sort_unstable();
        let expected: Vec<_> = requests
            .iter()
            .enumerate()
            .map(|(index, (at_ns, latency_ns, ..))| (index as u64 * 8 * 512, *at_ns, Some(*latency_ns)))
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_bytes_are_events_or_a_fault(mut bytes in prop::collection::vec(any::<u8>(), 0..300), committed in 0..400u64) {
        if bytes.len() >= 16 {
            bytes[8..16].copy_from_slice(&committed.to_le_bytes());
        }
        let mut events = events();
        let _ = events.take_page(&bytes);
        for io in all(&mut events) {
            prop_assert!(io.is_possible());
        }
    }
}
