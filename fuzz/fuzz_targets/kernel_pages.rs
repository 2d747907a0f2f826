#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::kernel_pages(bytes));
