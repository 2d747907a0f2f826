use std::io::Write as _;

use trace::{Io, Op, TraceReader, TraceWriter};

/// Any bytes are a trace of I/Os that a device can have had, or refused; in the middle of a whole trace, too.
///
/// # Panics
/// They are read for ever, or bring the reader down.
pub fn trace_file(bytes: &[u8]) {
    read(bytes);
    let mut whole = whole();
    let at = bytes.first().map_or(0, |first| usize::from(*first) * whole.len() / 256);
    for (byte, other) in whole[at..].iter_mut().zip(bytes) {
        *byte ^= other;
    }
    read(&whole);
}

/// A small trace.
fn whole() -> Vec<u8> {
    let meta = r#"{"version":1,"format":"spc","files":[],"device":null,"device_bytes":null,"captured_at":"unknown",
        "time_resolution_ns":1000,"started_unix_ns":null,"lost":null,"left_out":{},"licence":null,"anonymised":null}"#;
    let Ok(meta) = serde_json::from_str(meta) else {
        unreachable!("it is written above")
    };
    let mut out = Vec::new();
    let written = TraceWriter::new(&mut out).and_then(|mut writer| {
        for at in 0..50 {
            writer.push(Io {
                at_ns: Some(at * 1_000),
                latency_ns: at.is_multiple_of(3).then_some(at),
                ..Io::new(Op::Read, at * 4096, 4096)
            })?;
        }
        writer.finish(&meta)
    });
    assert!(written.is_ok(), "memory takes everything");
    out
}

fn read(bytes: &[u8]) {
    let Ok(mut file) = rustix::fs::memfd_create("trace", rustix::fs::MemfdFlags::CLOEXEC).map(std::fs::File::from)
    else {
        return;
    };
    if file.write_all(bytes).is_err() {
        return;
    }
    let Ok(mut trace) = TraceReader::new(file) else {
        return;
    };
    let (claimed, mut ios) = (trace.ios(), 0);
    while let Ok(Some(block)) = trace.next_block() {
        assert!(block.iter().all(Io::is_possible));
        ios += block.len() as u64;
        assert!(ios <= claimed);
        if ios > 1 << 20 {
            // A few bytes may stand for many rows; what follows is more of the same.
            return;
        }
    }
}
