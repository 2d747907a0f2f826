//! Any bytes scan to as many lines as the columns have, or to the fault that reading the columns gives.
#![no_main]

use fiolog::scan::{Input, ScanFault, scan};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let compressed = bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    let input = Input::stream("log".into(), std::io::Cursor::new(bytes.to_vec()));
    let scanned = scan(vec![input], &[], &mut || true);
    if compressed {
        return;
    }
    match (fiolog::log::parse(bytes), scanned) {
        (Ok(log), Ok(scan)) => assert_eq!(log.value.len() as u64, scan.logs[0].lines),
        (Err(fault), Ok(scan)) => assert_eq!(Some(fault.line), scan.logs[0].cut.as_ref().map(|cut| cut.line)),
        (Err(fault), Err(ScanFault::Damaged { fault: scanned, .. })) => assert_eq!(fault.line, scanned.line),
        (parsed, scanned) => panic!("{parsed:?} but {scanned:?}"),
    }
});
