//! Loads in real time on a virtual drive behind a real socket.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use load::{
    Because, Constant, Counts, Ending, Export, Length, Mix, NoJudge, Operation, Part, Point, Poisson, Region, Schedule,
    Stalled, run,
};
use nbd::client::{Client, Patience};
use nbd::connection;
use nbd::pace::SpinPermits;

const SECOND_NS: u64 = 1_000_000_000;
const DEPTH: u32 = 512;
const REGION: Region = Region {
    offset_bytes: 0,
    length_bytes: 64 << 20,
};

/// A socket of a name that nothing else has.
fn listener() -> (UnixListener, PathBuf) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("ssdlab-load-{}-{number}", std::process::id()));
    // A test of the same number may have been killed.
    drop(std::fs::remove_file(&path));
    (UnixListener::bind(&path).unwrap(), path)
}

fn export_of(target: &str) -> Export {
    let (listener, path) = listener();
    let drive = Arc::new(nbd::export::Export::new(&nbd::target::resolve(target).unwrap()));
    thread::spawn(move || {
        let (socket, _) = listener.accept().unwrap();
        // How it ends is the client's affair.
        drop(connection::serve(&socket, &drive, &SpinPermits::for_processors(2)));
    });
    let client = Client::connect(&path, "", Patience::Endless).unwrap();
    std::fs::remove_file(&path).unwrap();
    Export::new(client, DEPTH, 30 * SECOND_NS, 1)
}

fn mix() -> Mix {
    let parts = vec![
        Part::uniform(Operation::Read, 4096, REGION, 1).unwrap().weighing(7),
        Part::uniform(Operation::Write, 8192, REGION, 2).unwrap().weighing(2),
        Part::uniform(Operation::Trim, 4096, REGION, 3).unwrap(),
    ];
    Mix::new(parts, 1).unwrap()
}

fn point(schedule: Schedule, length: Length) -> Point {
    Point {
        source: Box::new(mix()),
        schedule,
        length,
    }
}

fn counted(export: &mut Export, points: Vec<Point>) -> Result<(Counts, Vec<Ending>), Stalled> {
    let mut counts = Counts::default();
    let endings = run(export, points, &mut counts, &mut NoJudge)?;
    Ok((counts, endings))
}

#[test]
fn every_io_of_a_closed_loop_is_answered_and_counted_at_any_depth() {
    for queue_depth in [1, 32, DEPTH] {
        let points = vec![point(Schedule::Closed { queue_depth }, Length::of_ios(5_000))];
        let (counts, endings) = counted(&mut export_of("zero?capacity=64MiB"), points).unwrap();
        let [reads, writes, trims] = counts.point(0).unwrap();
        assert_eq!(reads.ios + writes.ios + trims.ios, 5_000);
        assert_eq!((reads.bytes, writes.bytes), (reads.ios * 4096, writes.ios * 8192));
        assert_eq!(endings[0].because, Because::AsPlanned);
    }
}

#[test]
fn an_open_loop_keeps_its_rate_and_its_points_their_order() {
    let open = |arrivals| Schedule::Open {
        arrivals,
        in_flight_max: DEPTH,
    };
    let points = vec![
        point(
            open(Box::new(Constant::new(2_000.0).unwrap())),
            Length::of_ns(SECOND_NS),
        ),
        point(
            open(Box::new(Poisson::new(5_000.0, 3).unwrap())),
            Length::of_ns(SECOND_NS),
        ),
    ];
    let (counts, endings) = counted(&mut export_of("zero?capacity=64MiB"), points).unwrap();
    let ios = |number| counts.point(number).unwrap().iter().map(|of| of.ios).sum::<u64>();
    // What is due is submitted, however late the host is, or counted where a busy one left no room for it.
    let due = |number: u32| ios(number) + endings[number as usize].unsubmitted;
    assert_eq!(due(0), 1_999);
    assert!(due(1).abs_diff(5_000) < 5 * 71, "{}", due(1));
    assert!(endings[1].start_ns - endings[0].end_ns < 5_000_000);
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let (listener, path) = listener();
    thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        socket.write_all(b"NBDMAGICIHAVEOPT\0\x01").unwrap();
        let mut option = [0; 4 + 16 + 6];
        socket.read_exact(&mut option).unwrap();
        let option_magic = 0x0003_e889_0455_65a9_u64.to_be_bytes();
        let info = [
            &0_u16.to_be_bytes()[..],
            &(64_u64 << 20).to_be_bytes(),
            &1_u16.to_be_bytes(),
        ]
        .concat();
        for (kind, data) in [(3_u32, info), (1, Vec::new())] {
            let length = (data.len() as u32).to_be_bytes();
            socket
                .write_all(
                    &[
                        &option_magic[..],
                        &7_u32.to_be_bytes(),
                        &kind.to_be_bytes(),
                        &length,
                        &data,
                    ]
                    .concat(),
                )
                .unwrap();
        }
        drop(socket.read_to_end(&mut Vec::new()));
    });
    let client = Client::connect(&path, "", Patience::Endless).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut export = Export::new(client, DEPTH, SECOND_NS / 5, 1);
    let points = vec![point(
        Schedule::Closed { queue_depth: 4 },
        Length::of_ns(60 * SECOND_NS),
    )];
    match counted(&mut export, points) {
        Err(Stalled::Silent {
            waited_ns,
            in_flight: 4,
        }) => assert!(waited_ns >= SECOND_NS / 5),
        other => panic!("{:?}", other.map(|(_, endings)| endings)),
    }
}

#[test]
fn a_server_that_goes_is_an_error() {
    let (listener, path) = listener();
    let drive = Arc::new(nbd::export::Export::new(
        &nbd::target::resolve("zero?capacity=64MiB").unwrap(),
    ));
    thread::spawn(move || {
        let (socket, _) = listener.accept().unwrap();
        let end = socket.try_clone().unwrap();
        thread::spawn(move || {
            thread::sleep(std::time::Duration::from_millis(200));
            drop(end.shutdown(std::net::Shutdown::Both));
        });
        drop(connection::serve(&socket, &drive, &SpinPermits::for_processors(2)));
    });
    let client = Client::connect(&path, "", Patience::Endless).unwrap();
    std::fs::remove_file(&path).unwrap();
    let mut export = Export::new(client, DEPTH, 30 * SECOND_NS, 1);
    let points = vec![point(
        Schedule::Closed { queue_depth: 8 },
        Length::of_ns(60 * SECOND_NS),
    )];
    assert!(matches!(counted(&mut export, points), Err(Stalled::Gone { .. })));
}
