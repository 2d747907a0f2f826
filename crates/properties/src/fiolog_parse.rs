/// Any bytes are a log with columns of one length, or a fault on a line that exists.
///
/// # Panics
/// If not.
pub fn fiolog_parse(bytes: &[u8]) {
    let newlines = bytes.split(|&byte| byte == b'\n').count() - 1;
    match fiolog::log::parse(bytes) {
        Ok(log) => {
            let columns = [
                log.time_ms.len(),
                log.value.len(),
                log.direction.len(),
                log.block_bytes.len(),
            ];
            assert_eq!(columns, [newlines; 4]);
            for column in [&log.value_max, &log.offset_bytes, &log.issue_ns] {
                assert!(column.as_ref().is_none_or(|column| column.len() == newlines));
            }
        }
        Err(fault) => assert!((1..=newlines as u64 + 1).contains(&fault.line)),
    }
}
