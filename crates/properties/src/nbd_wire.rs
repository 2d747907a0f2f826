use std::sync::LazyLock;

use nbd::export::Export;
use nbd::session::Session;
use vdrive::Spec;

/// What a session may hold beyond the bytes it was sent: its buffers at the start and one backlog of replies.
const MEMORY_BYTES_FREE: usize = 8 << 20;

const HELLO: &[u8] = b"\x00\x00\x00\x03\
    IHAVEOPT\x00\x00\x00\x08\x00\x00\x00\x00\
    IHAVEOPT\x00\x00\x00\x0a\x00\x00\x00\x1b\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0fbase:allocation\
    IHAVEOPT\x00\x00\x00\x07\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00";

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let text = Spec::builtin_text("zero").expect("zero is built in");
    Spec::parse(text)
        .and_then(|spec| spec.rescaled(64 << 20))
        .expect("zero fits any capacity")
});

/// Offers bytes as a socket would; false once the connection is over.
fn offer(session: &mut Session, export: &Export, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        if !session.wants_input() {
            session.complete(u64::MAX, export);
            session.sent(session.unsent().len(), u64::MAX, export);
            if session.is_over() || session.process(export).is_err() {
                return false;
            }
            continue;
        }
        let room = session.room();
        let count = bytes.len().min(room.len());
        assert!(count > 0, "a session that wants input has room for it");
        room[..count].copy_from_slice(&bytes[..count]);
        session.received(count);
        bytes = &bytes[count..];
        if session.process(export).is_err() {
            return false;
        }
    }
    true
}

/// No bytes of an NBD client make a session panic, stop in the middle of what it could answer, or take memory beyond what was
/// sent.
///
/// # Panics
/// If they do.
pub fn nbd_wire(input: &[u8]) {
    let [greeted, cut, bytes @ ..] = input else { return };
    let export = Export::new(&SPEC);
    let mut session = Session::new(&export);
    if greeted % 2 == 1 {
        assert!(offer(&mut session, &export, HELLO), "the greeting is well-formed");
    }
    for part in bytes.chunks(usize::from(*cut) + 1) {
        if !offer(&mut session, &export, part) {
            break;
        }
        assert!(session.memory_bytes() <= MEMORY_BYTES_FREE + 4 * input.len());
    }
}
