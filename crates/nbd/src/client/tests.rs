//! Servers that are old, silent, or never come to an end.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::*;

/// A socket with a server behind it that greets with these flags and then does `serve`.
fn served(name: &str, flags: u16, serve: impl FnOnce(&mut UnixStream) -> io::Result<()> + Send + 'static) -> PathBuf {
    let socket = std::env::temp_dir().join(format!("ssdlab-client-{}-{name}", std::process::id()));
    // A test of the same number may have been killed.
    drop(std::fs::remove_file(&socket));
    let listener = UnixListener::bind(&socket).unwrap();
    thread::spawn(move || -> io::Result<()> {
        let (mut stream, _) = listener.accept()?;
        stream.write_all(b"NBDMAGICIHAVEOPT")?;
        stream.write_all(&flags.to_be_bytes())?;
        serve(&mut stream)?;
        stream.read_to_end(&mut Vec::new())?;
        Ok(())
    });
    socket
}

fn reply(stream: &mut UnixStream, kind: u32, data: &[u8]) -> io::Result<()> {
    stream.write_all(&REPLY_MAGIC.to_be_bytes())?;
    stream.write_all(&OPTION_GO.to_be_bytes())?;
    stream.write_all(&kind.to_be_bytes())?;
    stream.write_all(&(data.len() as u32).to_be_bytes())?;
    stream.write_all(data)
}

/// Takes the flags and the option to enter the export without a name.
fn asked(stream: &mut UnixStream) -> io::Result<()> {
    stream.read_exact(&mut [0; 4 + 16 + 6])
}

fn limited(limit: Duration) -> Patience {
    Patience::Limited(limit, Box::new(|| Ok(())))
}

fn fault(socket: &Path, patience: Patience) -> String {
    match Client::connect(socket, "", patience) {
        Ok(_) => panic!("it connected"),
        Err(error) => error.to_string(),
    }
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_server_older_than_the_option_go_is_entered_by_name() {
    let flags = EXPORT_HAS_FLAGS | EXPORT_SEND_TRIM | EXPORT_READ_ONLY;
    let socket = served("old", FLAG_FIXED_NEWSTYLE, move |stream| {
        asked(stream)?;
        reply(stream, REPLY_UNSUPPORTED, &[])?;
        stream.read_exact(&mut [0; 16])?;
        stream.write_all(&4096_u64.to_be_bytes())?;
        stream.write_all(&flags.to_be_bytes())?;
        stream.write_all(&[0; EXPORT_NAME_PADDING_BYTES])
    });
    let export = Client::connect(&socket, "", limited(LONG)).unwrap().export();
    assert_eq!(
        (
            export.size_bytes,
            export.trims(),
            export.is_writable(),
            export.flushes()
        ),
        (4096, true, false, false)
    );
}

#[test]
fn a_server_that_only_speaks_the_oldest_form_is_refused() {
    let socket = served("oldest", 0, |_| Ok(()));
    assert!(fault(&socket, limited(LONG)).ends_with("it does not speak fixed newstyle NBD"));
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let socket = served("silent", FLAG_FIXED_NEWSTYLE, |_| Ok(()));
    assert!(fault(&socket, limited(Duration::from_millis(300))).ends_with("the server says nothing"));
}

#[test]
fn a_server_that_tells_facts_without_end_is_given_up() {
    let socket = served("endless", FLAG_FIXED_NEWSTYLE, |stream| {
        asked(stream)?;
        loop {
            reply(stream, REPLY_INFO, &[0, 9])?;
        }
    });
    assert!(fault(&socket, limited(LONG)).ends_with("it does not come to an end"));
}

#[test]
fn a_wait_looks_up_and_ends_when_it_is_told_to() {
    let socket = served("interrupted", FLAG_FIXED_NEWSTYLE, |_| Ok(()));
    let looks = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&looks);
    let look_up = Box::new(move || match seen.fetch_add(1, Ordering::Relaxed) {
        0 => Ok(()),
        _ => Err(io::Error::new(ErrorKind::Interrupted, "Ctrl-C")),
    });
    assert!(fault(&socket, Patience::Limited(LONG, look_up)).ends_with("Ctrl-C"));
    assert_eq!(looks.load(Ordering::Relaxed), 2);
}

#[test]
fn an_answer_to_another_request_is_none() {
    let socket = served("other", FLAG_FIXED_NEWSTYLE, |stream| {
        asked(stream)?;
        let mut info = INFO_EXPORT.to_be_bytes().to_vec();
        info.extend(4096_u64.to_be_bytes());
        info.extend(EXPORT_HAS_FLAGS.to_be_bytes());
        reply(stream, REPLY_INFO, &info)?;
        reply(stream, REPLY_ACK, &[])?;
        stream.read_exact(&mut [0; HEADER_BYTES])?;
        stream.write_all(&SIMPLE_MAGIC.to_be_bytes())?;
        stream.write_all(&[0; 4])?;
        stream.write_all(&7_u64.to_be_bytes())
    });
    let mut client = Client::connect(&socket, "", limited(LONG)).unwrap();
    let error = client.ask(Command::Trim, 0, 512, &mut []).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
}
