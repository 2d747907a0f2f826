use load::{KeptReader, KeptWriter};

/// Blocks that a file of so few bytes is read to: each takes at most a few megabytes.
const BLOCKS_MAX: usize = 64;

/// Any bytes are read, or refused where they make no sense; with the beginning of such a file in front of them, too.
///
/// # Panics
/// They are read for ever, or bring the reader down.
pub fn kept_ios(bytes: &[u8]) {
    read(bytes);
    let begun = KeptWriter::new(Vec::new()).and_then(KeptWriter::finish);
    let Ok(mut whole) = begun else {
        unreachable!("memory takes everything")
    };
    read(&whole);
    // After the first bytes, in place of the end mark.
    whole.truncate(whole.len() - 16);
    whole.extend_from_slice(bytes);
    read(&whole);
}

fn read(bytes: &[u8]) {
    let Ok(mut reader) = KeptReader::new(bytes) else {
        return;
    };
    let mut read_bytes = 0;
    for _ in 0..BLOCKS_MAX {
        match reader.next_block() {
            Ok(Some(ios)) => {
                assert!(!ios.is_empty(), "a block holds something");
                // A block has a head of eight bytes.
                read_bytes += 8;
                assert!(read_bytes <= bytes.len(), "more blocks than there are bytes for");
            }
            Ok(None) | Err(_) => return,
        }
    }
}
