#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::trace_file(bytes));
