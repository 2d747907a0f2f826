#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::kept_ios(bytes));
