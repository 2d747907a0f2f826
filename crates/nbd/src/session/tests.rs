use super::*;
use crate::pending::PENDING_MAX;
use crate::target;
use crate::wire::request::Durability;
use proptest::prelude::*;

const READ: u16 = 0;
const WRITE: u16 = 1;
const DISCONNECT: u16 = 2;
const TRIM: u16 = 4;
const BLOCK_STATUS: u16 = 7;

/// Client flags, structured replies, the allocation context and GO.
const HELLO: &[u8] = b"\x00\x00\x00\x03\
    IHAVEOPT\x00\x00\x00\x08\x00\x00\x00\x00\
    IHAVEOPT\x00\x00\x00\x0a\x00\x00\x00\x1b\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0fbase:allocation\
    IHAVEOPT\x00\x00\x00\x07\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00";

fn export() -> Export {
    Export::new(&target::resolve("zero").unwrap())
}

fn request(command: u16, offset_bytes: u64, length_bytes: u32) -> Vec<u8> {
    let mut bytes = vec![0x25, 0x60, 0x95, 0x13, 0, 0];
    bytes.extend_from_slice(&command.to_be_bytes());
    bytes.extend_from_slice(&7_u64.to_be_bytes());
    bytes.extend_from_slice(&offset_bytes.to_be_bytes());
    bytes.extend_from_slice(&length_bytes.to_be_bytes());
    bytes
}

/// Moves bytes into the session as a socket would, as many as it wants; returns how many it took.
fn feed(session: &mut Session, export: &Export, mut bytes: &[u8]) -> Result<usize, Violation> {
    let offered = bytes.len();
    while !bytes.is_empty() && session.wants_input() {
        let room = session.room();
        let count = bytes.len().min(room.len());
        assert!(count > 0, "a session that wants input has room for it");
        room[..count].copy_from_slice(&bytes[..count]);
        session.received(count);
        bytes = &bytes[count..];
        session.process(export)?;
    }
    Ok(offered - bytes.len())
}

/// Everything the session says, as long as somebody listens.
fn drain(session: &mut Session, export: &Export) -> Vec<u8> {
    let mut said = Vec::new();
    loop {
        session.complete(u64::MAX, export);
        if session.unsent().is_empty() {
            return said;
        }
        said.extend_from_slice(session.unsent());
        session.sent(session.unsent().len(), u64::MAX, export);
        session.process(export).unwrap();
    }
}

fn connected(export: &Export) -> Session {
    let mut session = Session::new(export);
    feed(&mut session, export, HELLO).unwrap();
    drain(&mut session, export);
    assert!(!session.is_in_handshake());
    session
}

/// A client of the export that forces every write.
const HELLO_FORCED: &[u8] = b"\x00\x00\x00\x03IHAVEOPT\x00\x00\x00\x07\x00\x00\x00\x0c\x00\x00\x00\x06forced\x00\x00";

#[test]
fn every_write_through_the_forced_export_is_forced() {
    let counts = |hello: &[u8]| {
        let export = export();
        let mut session = Session::new(&export);
        feed(&mut session, &export, hello).unwrap();
        drain(&mut session, &export);
        for at in 0..3 {
            let write = [request(WRITE, at * 512, 512), vec![0xa5; 512]].concat();
            feed(&mut session, &export, &write).unwrap();
            drain(&mut session, &export);
        }
        let sensors = export.sensors();
        (sensors.forced_writes, sensors.flushes)
    };
    assert_eq!(counts(HELLO_FORCED), (3, 0));
    assert_eq!(counts(HELLO), (0, 0));
}

#[test]
fn what_was_written_is_read_back() {
    let export = export();
    let mut session = connected(&export);
    feed(
        &mut session,
        &export,
        &[request(WRITE, 4096, 512), vec![0xa5; 512]].concat(),
    )
    .unwrap();
    assert_eq!(drain(&mut session, &export).len(), 16);
    feed(&mut session, &export, &request(READ, 4096, 1024)).unwrap();
    let reply = drain(&mut session, &export);
    assert_eq!(reply[28..], [[0xa5; 512], [0; 512]].concat());
}

#[test]
fn a_write_without_all_its_payload_changes_nothing() {
    let export = export();
    let mut session = connected(&export);
    feed(
        &mut session,
        &export,
        &[request(WRITE, 0, 4096), vec![1; 4095]].concat(),
    )
    .unwrap();
    assert_eq!(export.payload().stored_bytes().unwrap(), 0);
    feed(&mut session, &export, &[1]).unwrap();
    assert_ne!(export.payload().stored_bytes().unwrap(), 0);
}

#[test]
fn a_refused_write_changes_nothing_and_its_payload_is_skipped() {
    let export = export();
    let mut session = connected(&export);
    let past_the_end = [request(WRITE, export.capacity_bytes(), 4096), vec![1; 4096]].concat();
    feed(&mut session, &export, &[past_the_end, request(READ, 0, 512)].concat()).unwrap();
    let replies = drain(&mut session, &export);
    assert_eq!(replies[20..26], [0, 0, 0, 28, 0, 0]);
    assert_eq!(replies.len(), 26 + 28 + 512);
    assert_eq!(export.payload().stored_bytes().unwrap(), 0);
}

#[test]
fn an_oversized_write_is_skipped_without_being_held() {
    let export = export();
    let mut session = connected(&export);
    feed(&mut session, &export, &request(WRITE, 0, PAYLOAD_BYTES_MAX + 512)).unwrap();
    let memory_bytes = session.memory_bytes();
    feed(&mut session, &export, &vec![1; PAYLOAD_BYTES_MAX as usize + 512]).unwrap();
    assert_eq!(session.memory_bytes(), memory_bytes);
    assert_eq!(drain(&mut session, &export)[20..26], [0, 0, 0, 22, 0, 0]);
}

#[test]
fn holes_are_told_from_data() {
    let export = export();
    let mut session = connected(&export);
    feed(
        &mut session,
        &export,
        &[request(WRITE, 4096, 4096), vec![1; 4096]].concat(),
    )
    .unwrap();
    drain(&mut session, &export);
    feed(&mut session, &export, &request(BLOCK_STATUS, 0, 12288)).unwrap();
    assert_eq!(
        drain(&mut session, &export)[24..],
        [
            0, 0, 16, 0, 0, 0, 0, 3, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 3
        ]
    );
    feed(&mut session, &export, &request(TRIM, 0, 12288)).unwrap();
    assert_eq!(export.payload().stored_bytes().unwrap(), 0);
}

#[test]
fn goodbye_waits_for_what_is_under_way() {
    let export = export();
    let mut session = connected(&export);
    feed(
        &mut session,
        &export,
        &[request(READ, 0, 512), request(DISCONNECT, 0, 0)].concat(),
    )
    .unwrap();
    assert!(!session.is_over());
    assert_eq!(drain(&mut session, &export).len(), 28 + 512);
    assert!(session.is_over());
}

#[test]
fn requests_stop_being_taken_while_nobody_takes_the_replies() {
    let export = export();
    let mut session = connected(&export);
    let reads = request(READ, 0, 4096).repeat(2 * PENDING_MAX);
    let taken = feed(&mut session, &export, &reads).unwrap();
    assert!(session.is_congested() && !session.wants_input());
    session.complete(u64::MAX, &export);
    let memory_bytes = session.memory_bytes();
    assert!(memory_bytes < 8 << 20, "{memory_bytes}");
    let mut replies = drain(&mut session, &export).len();
    feed(&mut session, &export, &reads[taken..]).unwrap();
    replies += drain(&mut session, &export).len();
    assert_eq!(replies, 2 * PENDING_MAX * (28 + 4096));
}

#[test]
fn a_slow_listener_gets_every_byte_in_bounded_memory() {
    let export = export();
    let mut session = connected(&export);
    export.payload().write(0, &[3; 4096], Durability::Buffered).unwrap();
    feed(&mut session, &export, &request(READ, 0, 64 * 1024).repeat(100)).unwrap();
    let mut received = 0;
    loop {
        session.complete(u64::MAX, &export);
        let count = session.unsent().len().min(10_000);
        if count == 0 {
            break;
        }
        received += count;
        session.sent(count, u64::MAX, &export);
        assert!(session.memory_bytes() < 8 << 20);
    }
    assert_eq!(received, 100 * (28 + 64 * 1024));
}

#[test]
fn garbage_after_the_handshake_is_a_violation() {
    let export = export();
    let mut session = connected(&export);
    let outcome = feed(&mut session, &export, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert_eq!(outcome, Err(Violation::RequestMagic(u32::from_be_bytes(*b"GET "))));
}

/// Bytes that get further than noise does: valid pieces with wild numbers between them.
fn wild_bytes() -> impl Strategy<Value = Vec<u8>> {
    let length = prop_oneof![0..3_u32, 0..70_000_u32, any::<u32>()];
    let piece = prop_oneof![
        (0..9_u16, any::<u64>(), length.clone()).prop_map(|(command, offset, length)| request(command, offset, length)),
        (0..9_u16, 0..200_u64, length.clone()).prop_map(|(command, block, length)| request(
            command,
            block * 512,
            length / 512 * 512
        )),
        (0..13_u32, length).prop_map(|(option, length)| [
            b"IHAVEOPT",
            &option.to_be_bytes()[..],
            &length.to_be_bytes()
        ]
        .concat()),
        proptest::collection::vec(any::<u8>(), 0..2000),
        (any::<u8>(), 0..100_000_usize).prop_map(|(fill, length)| vec![fill; length]),
    ];
    (any::<bool>(), proptest::collection::vec(piece, 0..12)).prop_map(|(greeted, pieces)| {
        let hello = if greeted { HELLO } else { b"" };
        [hello, &pieces.concat()].concat()
    })
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_or_take_memory_it_did_not_receive(
        bytes in wild_bytes(),
        cuts in proptest::collection::vec(1..50_000_usize, 1..30),
    ) {
        let export = export();
        let mut session = Session::new(&export);
        let mut rest = &bytes[..];
        for cut in cuts.into_iter().cycle() {
            let (now, later) = rest.split_at(cut.min(rest.len()));
            if now.is_empty() || feed(&mut session, &export, now).is_err() {
                break;
            }
            prop_assert!(session.memory_bytes() <= (1 << 20) + 4 * bytes.len());
            rest = later;
        }
    }
}
