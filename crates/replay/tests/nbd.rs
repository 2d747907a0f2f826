//! A trace on a virtual drive behind a real socket, which writes down what reaches it.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use load::{Export, Outcome};
use nbd::client::{Client, Patience};
use nbd::connection;
use nbd::pace::SpinPermits;
use recording::{HEADER_BYTES, RECORD_BYTES, Record, What};
use replay::{Pace, Replayed, replay};
use trace::{Flags, Io, Op};

const MIB: u64 = 1 << 20;
const IN_FLIGHT_MAX: u32 = 8;

/// A directory of this test alone, gone with it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ssdlab-replay-{}-{name}", std::process::id()));
        // A test of the same number may have been killed.
        drop(fs::remove_dir_all(&path));
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// What was done, and what reached the drive.
fn replayed(ios: &[Io], pace: Pace, directory: &Place) -> (Vec<Replayed>, Vec<Record>) {
    let (socket, file) = (directory.0.join("socket"), directory.0.join("recording"));
    let listener = UnixListener::bind(&socket).unwrap();
    let mut drive = nbd::export::Export::new(&nbd::target::resolve("zero?capacity=64MiB").unwrap());
    drive.record(&file, "zero").unwrap();
    let drive = Arc::new(drive);
    let of_thread = Arc::clone(&drive);
    let server = thread::spawn(move || {
        let (socket, _) = listener.accept().unwrap();
        // How it ends is the client's affair.
        drop(connection::serve(&socket, &of_thread, &SpinPermits::for_processors(2)));
    });
    let client = Client::connect(&socket, "", Patience::Endless).unwrap();
    let mut export = Export::new(client, IN_FLIGHT_MAX, 30_000_000_000, 1);
    let mut found = Vec::new();
    let ios = ios.iter().copied().map(Ok);
    replay(&mut export, ios, pace, IN_FLIGHT_MAX, &mut |io: &Replayed| {
        found.push(*io);
    })
    .unwrap();
    drop(export);
    server.join().unwrap();
    drive.end_recording().unwrap();
    found.sort_by_key(|io| io.number);
    (found, records(&file))
}

fn records(file: &Path) -> Vec<Record> {
    let bytes = fs::read(file).unwrap();
    let one = |bytes: &[u8]| Record::decoded(bytes.try_into().unwrap()).unwrap();
    bytes[HEADER_BYTES..].chunks_exact(RECORD_BYTES).map(one).collect()
}

fn io(op: Op, offset_bytes: u64, length_bytes: u64, flags: u8) -> Io {
    Io {
        at_ns: Some(0),
        flags: Some(Flags(flags)),
        ..Io::new(op, offset_bytes, length_bytes)
    }
}

#[test]
fn every_kind_of_command_reaches_the_drive_in_its_order() {
    let ios = [
        io(Op::Write, 0, 8192, 0),
        io(Op::Write, 8192, 4096, Flags::FUA),
        io(Op::Flush, 0, 0, 0),
        io(Op::Read, 4096, 4096, 0),
        io(Op::Discard, 0, 4 * MIB, 0),
        io(Op::WriteZeroes, 4 * MIB, MIB, 0),
    ];
    let (found, seen) = replayed(&ios, Pace::AsFast { in_flight_max: 1 }, &Place::new("kinds"));
    assert!(found.iter().all(|io| io.outcome == Outcome::Done));
    let seen: Vec<_> = seen
        .iter()
        .map(|record| {
            (
                record.what,
                record.offset_bytes,
                u64::from(record.length_bytes),
                record.flags & Record::DURABLE != 0,
            )
        })
        .collect();
    let expected = [
        (What::Write, 0, 8192, false),
        (What::Write, 8192, 4096, true),
        (What::Flush, 0, 0, false),
        (What::Read, 4096, 4096, false),
        (What::Trim, 0, 4 * MIB, false),
        (What::Trim, 4 * MIB, MIB, false),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn a_write_longer_than_a_request_may_be_is_one_io_in_parts() {
    // More parts than may be in flight.
    let ios = [io(Op::Write, MIB, 11 * MIB + 4096, 0), io(Op::Read, 0, 4096, 0)];
    let (found, seen) = replayed(&ios, Pace::AsFast { in_flight_max: 8 }, &Place::new("parts"));
    assert_eq!(found.len(), 2);
    let written: Vec<_> = seen.iter().filter(|record| record.what == What::Write).collect();
    assert_eq!(
        written.iter().map(|record| u64::from(record.length_bytes)).sum::<u64>(),
        11 * MIB + 4096
    );
    assert_eq!(written.len(), 12);
}

#[test]
fn one_that_fails_holds_up_nothing() {
    let ios = [io(Op::Read, 64 * MIB, 4096, 0), io(Op::Read, 0, 4096, 0)];
    let (found, _) = replayed(&ios, Pace::AsFast { in_flight_max: 1 }, &Place::new("fails"));
    assert!(matches!(found[0].outcome, Outcome::Failed { .. }));
    assert_eq!(found[1].outcome, Outcome::Done);
}

#[test]
fn nothing_is_submitted_before_its_recorded_time() {
    let ios: Vec<Io> = (0..500)
        .map(|which| Io {
            at_ns: Some(which * 400_000),
            ..Io::new(Op::Read, which * 4096, 4096)
        })
        .collect();
    let (found, _) = replayed(&ios, Pace::Timed, &Place::new("timed"));
    let start_ns = found[0].due_ns;
    for (io, replayed) in ios.iter().zip(&found) {
        assert_eq!(replayed.due_ns - start_ns, io.at_ns.unwrap());
        assert!(replayed.submitted_ns >= replayed.due_ns);
    }
}
