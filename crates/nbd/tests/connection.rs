//! A connection over a real socket: the bytes of a session, the waiting and the end.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nbd::connection::{self, ConnectionFault};
use nbd::export::Export;
use nbd::pace::SpinPermits;
use nbd::target;
use nbd::wire::Violation;

const READ: u16 = 0;
const WRITE: u16 = 1;
const DISCONNECT: u16 = 2;
const REPLY_BYTES: usize = 16;

struct Client {
    socket: UnixStream,
    server: JoinHandle<Result<(), ConnectionFault>>,
}

/// Connects to `export` and takes it by name.
fn connect(export: &Arc<Export>, processors: usize) -> Client {
    let (mut socket, other_end) = UnixStream::pair().unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let export = Arc::clone(export);
    let serve = move || connection::serve(&other_end, &export, &SpinPermits::for_processors(processors));
    let server = std::thread::spawn(serve);
    socket.write_all(b"\0\0\0\x03IHAVEOPT\0\0\0\x01\0\0\0\0").unwrap();
    read_bytes(&mut socket, 18 + 10);
    Client { socket, server }
}

fn export(target: &str) -> Arc<Export> {
    Arc::new(Export::new(&target::resolve(target).unwrap()))
}

fn request(command: u16, offset_bytes: u64, length_bytes: u32) -> Vec<u8> {
    let head = [&[0x25, 0x60, 0x95, 0x13, 0, 0][..], &command.to_be_bytes(), &[7; 8]].concat();
    [&head[..], &offset_bytes.to_be_bytes(), &length_bytes.to_be_bytes()].concat()
}

fn read_bytes(socket: &mut UnixStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    socket.read_exact(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_client_writes_reads_and_leaves() {
    let mut client = connect(&export("zero?capacity=64MiB"), 2);
    client
        .socket
        .write_all(&[request(WRITE, 4096, 512), vec![0xa5; 512]].concat())
        .unwrap();
    read_bytes(&mut client.socket, REPLY_BYTES);
    client
        .socket
        .write_all(&[request(READ, 4096, 512), request(DISCONNECT, 0, 0)].concat())
        .unwrap();
    assert_eq!(
        read_bytes(&mut client.socket, REPLY_BYTES + 512)[REPLY_BYTES..],
        [0xa5; 512]
    );
    assert!(client.server.join().unwrap().is_ok());
}

#[test]
fn no_reply_is_early_with_or_without_the_right_to_spin() {
    for processors in [1, 2] {
        let export = export("demo?capacity=256MiB");
        let mut client = connect(&export, processors);
        for block in 0..200 {
            let start = Instant::now();
            client.socket.write_all(&request(READ, block * 4096, 4096)).unwrap();
            read_bytes(&mut client.socket, REPLY_BYTES + 4096);
            // The specification's `unmapped_read` of demo is the least a read can take.
            assert!(start.elapsed() >= Duration::from_micros(20));
        }
        client.socket.write_all(&request(DISCONNECT, 0, 0)).unwrap();
        client.server.join().unwrap().unwrap();
        assert_eq!(export.lateness().count, 200);
    }
}

#[test]
fn a_request_larger_than_every_buffer_goes_through() {
    let length_bytes = nbd::wire::PAYLOAD_BYTES_MAX;
    let payload: Vec<u8> = (0..length_bytes).map(|position| (position % 251) as u8).collect();
    let mut client = connect(&export("zero?capacity=64MiB"), 2);
    client
        .socket
        .write_all(&[&request(WRITE, 512, length_bytes)[..], &payload].concat())
        .unwrap();
    read_bytes(&mut client.socket, REPLY_BYTES);
    client.socket.write_all(&request(READ, 512, length_bytes)).unwrap();
    assert!(read_bytes(&mut client.socket, REPLY_BYTES + payload.len())[REPLY_BYTES..] == payload);
}

#[test]
fn a_client_that_is_gone_is_no_fault() {
    let client = connect(&export("zero?capacity=64MiB"), 2);
    drop(client.socket);
    assert!(client.server.join().unwrap().is_ok());
}

#[test]
fn a_breach_of_the_protocol_ends_the_connection() {
    let mut client = connect(&export("zero?capacity=64MiB"), 2);
    client.socket.write_all(&[0x41; 28]).unwrap();
    assert!(matches!(
        client.server.join().unwrap(),
        Err(ConnectionFault::Violation(Violation::RequestMagic(0x4141_4141)))
    ));
}
