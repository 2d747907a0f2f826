use std::collections::BTreeSet;
use std::io::Write;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use nbd::client::{Client, Command, Patience, Pipeline};
use nbd::clock::Clock;

/// More than a socket takes while nobody reads.
const INPUT_BYTES_MAX: usize = 64 << 10;

/// All that is said before the answers: the greeting, the size and flags of the export, and that it is entered.
const HELLO: &[u8] = b"NBDMAGICIHAVEOPT\x00\x01\
    \x00\x03\xe8\x89\x04\x55\x65\xa9\x00\x00\x00\x07\x00\x00\x00\x03\x00\x00\x00\x0c\
    \x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x01\
    \x00\x03\xe8\x89\x04\x55\x65\xa9\x00\x00\x00\x07\x00\x00\x00\x01\x00\x00\x00\x00";

/// By their numbers: what is asked, and how long it is.
const REQUESTS: [(Command, u32); 6] = [
    (Command::Read, 512),
    (Command::Read, 4096),
    (Command::Write, 512),
    (Command::Write, 4096),
    (Command::Trim, 4096),
    (Command::Flush, 0),
];

const REPLY_BYTES: usize = 16;

/// No bytes of an NBD server that then hangs up make a client panic or wait, or count an answer that is none: each is to a request
/// that was not answered before, and whole.
///
/// # Panics
/// If they do.
pub fn nbd_client(input: &[u8]) {
    let [greeted, bytes @ ..] = input else { return };
    let Ok((client, mut server)) = UnixStream::pair() else {
        return;
    };
    let bytes = &bytes[..bytes.len().min(INPUT_BYTES_MAX)];
    let hello = if greeted % 2 == 1 { HELLO } else { &[] };
    let said = server.write_all(hello).and_then(|()| server.write_all(bytes));
    said.and_then(|()| server.shutdown(Shutdown::Write))
        .expect("a socket takes that much");
    let patience = Patience::Limited(Duration::from_secs(60), Box::new(|| Ok(())));
    let Ok(client) = Client::greeted(client, "", patience) else {
        assert!(hello.is_empty(), "the greeting is well-formed");
        return;
    };
    answers(Pipeline::new(client, REQUESTS.len()), bytes.len());
}

/// Takes what comes until the connection is over.
fn answers(mut pipeline: Pipeline, said_bytes: usize) {
    for (cookie, (command, length_bytes)) in (0..).zip(REQUESTS) {
        let payload = vec![
            0;
            if command == Command::Write {
                length_bytes as usize
            } else {
                0
            }
        ];
        if pipeline.send(command, cookie, 0, length_bytes, &payload).is_err() {
            return;
        }
    }
    let mut answered = Vec::new();
    while pipeline.wait(Clock::start(), None, &mut answered).is_ok() {}
    let cookies: BTreeSet<u32> = answered.iter().map(|answered| answered.cookie).collect();
    assert_eq!(cookies.len(), answered.len(), "each request is answered once");
    let whole_bytes: usize = answered
        .iter()
        .map(|answered| {
            let (command, length_bytes) = REQUESTS[answered.cookie as usize];
            let has_payload = command == Command::Read && answered.errno == 0;
            REPLY_BYTES + if has_payload { length_bytes as usize } else { 0 }
        })
        .sum();
    assert!(whole_bytes <= said_bytes, "nothing is answered by what did not come");
}
