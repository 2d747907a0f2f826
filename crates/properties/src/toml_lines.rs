use tomlpos::key_lines;

/// Any text is a document whose keys stand on lines that it has, in their order, or a fault at a place that it has.
///
/// # Panics
/// If not.
pub fn toml_lines(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let lines_max = text.matches('\n').count() as u32 + 1;
    match key_lines(text) {
        Ok(keys) => {
            let lines: Vec<u32> = keys.iter().map(|(_, line)| *line).collect();
            assert!(lines.is_sorted());
            assert!(lines.iter().all(|line| (1..=lines_max).contains(line)));
            assert!(keys.iter().all(|(path, _)| !path.is_empty()));
        }
        Err(fault) => {
            assert!((1..=lines_max).contains(&fault.line));
            assert!(fault.column >= 1 && !fault.message.is_empty());
        }
    }
}
