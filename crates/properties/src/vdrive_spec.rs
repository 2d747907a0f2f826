use vdrive::Spec;

/// Any text is a specification that can be scaled or says why not, or faults on lines that the text has.
///
/// # Panics
/// If not.
pub fn vdrive_spec(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines_max = text.matches('\n').count() as u32 + 1;
    match Spec::parse(text) {
        Ok(spec) => {
            assert!(spec.capacity_bytes() > 0);
            assert!(spec.slc_cache_bytes_min() <= spec.slc_cache_bytes_max());
            if let Ok(smaller) = spec.rescaled(256 << 20) {
                assert!(smaller.capacity_bytes() > 0);
            }
        }
        Err(faults) => {
            assert!(!faults.faults.is_empty());
            for fault in &faults.faults {
                assert!((1..=lines_max).contains(&fault.line), "{fault:?} of {lines_max} lines");
                assert!(!fault.message.is_empty());
            }
        }
    }
}
