use fiolog::hist_log::parse;

/// Any bytes are a histogram log whose windows and histograms count the same I/Os, or a fault on a line that exists.
///
/// # Panics
/// If not.
pub fn hist_log(bytes: &[u8]) {
    let newlines = bytes.split(|&byte| byte == b'\n').count() - 1;
    match parse(bytes) {
        Ok(log) => {
            assert_eq!([log.time_ms.len(), log.ios.len(), log.longest_ns.len()], [newlines; 3]);
            for (direction, histogram) in log.histograms.iter().enumerate() {
                let windows = log.direction.iter().zip(&log.ios);
                let of_direction = windows.filter(|&(&window, _)| window as usize == direction);
                assert_eq!(histogram.count(), of_direction.map(|(_, ios)| ios).sum::<u64>());
            }
        }
        Err(fault) => assert!((1..=newlines as u64 + 1).contains(&fault.line)),
    }
}
