//! Any bytes are a log with columns of one length, or a fault on a line that exists.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let newlines = bytes.split(|&byte| byte == b'\n').count() - 1;
    match fiolog::log::parse(bytes) {
        Ok(log) => {
            assert_eq!(log.value.len(), newlines);
            assert!(log.offset_bytes.is_none_or(|offsets| offsets.len() == newlines));
        }
        Err(fault) => assert!((1..=newlines as u64 + 1).contains(&fault.line)),
    }
});
