use trace::{Format, Io, TraceError, read_source};

/// Of the formats that are no text: those of btrecord.
const SHORTEST_RECORD_BYTES: u64 = 24;

/// Any bytes are I/Os that a device can have had, in each format, or a fault at a line or record.
///
/// # Panics
/// If not.
pub fn trace_sources(bytes: &[u8]) {
    let _ = trace::detect(bytes);
    let newlines = bytes.split(|&byte| byte == b'\n').count() as u64;
    for format in Format::ALL {
        let mut ios = 0;
        let done = read_source(&mut &bytes[..], format, None, &mut |io: Io| {
            assert!(io.is_possible(), "{io:?}");
            ios += 1;
            Ok(())
        });
        assert!(ios <= newlines.max(bytes.len() as u64 / SHORTEST_RECORD_BYTES));
        if let Err(TraceError::Damaged(fault)) = done {
            assert!((1..=newlines.max(bytes.len() as u64 / SHORTEST_RECORD_BYTES + 1)).contains(&fault.at));
        }
    }
}
