use proptest::prelude::*;

use super::*;

fn fault_of(log: &str) -> LogFault {
    parse(log.as_bytes()).unwrap_err()
}

#[test]
fn a_log_of_every_io_gives_its_columns() {
    let log = parse(b"0, 78000, 0, 4096, 8192, 0\n0, 62000, 1, 4096, 0, 1\n1, 90000, 2, 65536, 4096, 0\n").unwrap();
    assert_eq!(log.time_ms, [0, 0, 1]);
    assert_eq!(log.value, [78_000, 62_000, 90_000]);
    assert_eq!(log.direction, [Direction::Read, Direction::Write, Direction::Trim]);
    assert_eq!(log.block_bytes, [4096, 4096, 65_536]);
    assert_eq!(log.offset_bytes, Some(vec![8192, 0, 4096]));
    assert_eq!((log.value_max, log.issue_ns), (None, None));
}

#[test]
fn a_log_of_averages_has_neither_offset_nor_maximum() {
    let log = parse(b"100, 78000, 0, 0, 0\n200, 62000, 1, 0, 0\n").unwrap();
    assert_eq!((log.offset_bytes, log.value_max), (None, None));
    assert_eq!(log.time_ms, [100, 200]);
}

#[test]
fn a_window_log_of_both_values_has_a_maximum() {
    let log = parse(b"100, 78000, 99000, 0, 0, 0\n100, 62000, 80000, 1, 0, 0\n").unwrap();
    assert_eq!(log.value_max, Some(vec![99_000, 80_000]));
    assert_eq!(log.direction, [Direction::Read, Direction::Write]);
}

#[test]
fn an_issue_time_is_told_from_an_offset() {
    let log = parse(b"0, 78000, 0, 4096, 0, 123456\n0, 78001, 0, 4096, 0, 123999\n").unwrap();
    assert_eq!((log.issue_ns, log.offset_bytes), (Some(vec![123_456, 123_999]), None));
}

#[test]
fn a_hexadecimal_priority_is_a_priority() {
    let log = parse(b"0, 78000, 0, 4096, 8192, 0x4001\n").unwrap();
    assert_eq!(log.offset_bytes, Some(vec![8192]));
}

#[test]
fn an_offset_of_fio_before_priorities_is_an_offset() {
    let log = parse(b"0, 78000, 0, 4096, 0\n0, 78000, 0, 4096, 8192\n").unwrap();
    assert_eq!(log.offset_bytes, Some(vec![0, 8192]));
}

#[test]
fn a_log_with_everything_gives_everything() {
    let log = parse(b"5, 10, 20, 1, 4096, 8192, 0x0001, 777\n").unwrap();
    assert_eq!(log.value_max, Some(vec![20]));
    assert_eq!(log.offset_bytes, Some(vec![8192]));
    assert_eq!(log.issue_ns, Some(vec![777]));
}

#[test]
fn an_empty_file_is_an_empty_log() {
    assert_eq!(parse(b""), Ok(IoLog::default()));
}

#[test]
fn windows_line_ends_are_read() {
    assert_eq!(parse(b"1, 2, 0, 512\r\n3, 4, 1, 512\r\n").unwrap().value, [2, 4]);
}

#[test]
fn every_fault_names_its_line_and_what_was_found() {
    let faults = [
        "0, 1, 0, 4096, 0\n0, 1, 0, 4096\n",
        "0, 1, 0, 4096, 0\n0, 1, 0, 4096, 0, 0\n",
        "0, 1, 0, 4096, 0\n0, -1, 0, 4096, 0\n",
        "0, 1, 0, 4096, 0\n0, 1x, 0, 4096, 0\n",
        "0, 1, 0, 4096, 0\n\n0, 1, 0, 4096, 0\n",
        "0, 1, 3, 4096\n",
        "0, 99999999999999999999, 0, 4096\n",
        "0, 9, 80, 0, 0, 0\n0, 9, 8, 0, 0, 0\n",
        "0, 1, 0, 4096, 7, 2, 7\n",
        "job started\n",
        "0, 1, 0, 1, 2, 3, 4, 5, 6, 7\n",
    ]
    .map(|log| fault_of(log).to_string());
    insta::assert_snapshot!(faults.join("\n"), @r#"
    line 2: 5 columns expected as in the first line, found "0, 1, 0, 4096"
    line 2: 5 columns expected as in the first line, found "0, 1, 0, 4096, 0, 0"
    line 2: the value is not a whole number of at least 0, found "0, -1, 0, 4096, 0"
    line 2: the value is not a whole number of at least 0, found "0, 1x, 0, 4096, 0"
    line 2: the time is not a whole number of at least 0, found ""
    line 1: the direction is 3: allowed are 0 (read), 1 (write), 2 (trim), found "0, 1, 3, 4096"
    line 1: the value does not fit into 64 bits, found "0, 99999999999999999999, 0, 4096"
    line 2: the window's largest value is below its mean, found "0, 9, 8, 0, 0, 0"
    line 1: the priority is 2: allowed are 0, 1 and hexadecimal numbers, found "0, 1, 0, 4096, 7, 2, 7"
    line 1: a fio log has 4 to 8 columns and not 1 (histogram logs have many more, and a reader of their own), found "job started"
    line 1: a fio log has 4 to 8 columns and not 10 (histogram logs have many more, and a reader of their own), found "0, 1, 0, 1, 2, 3, 4, 5, 6, 7"
    "#);
}

#[test]
fn a_last_line_without_its_end_is_reported_even_if_it_looks_whole() {
    for cut in [
        "0, 1, 0, 4096\n5, 1, 0, 4096",
        "0, 1, 0, 4096\n5, 1",
        "0, 1, 0, 4096\n5, ",
        "0, 1, 0, 4096\n5, 1, 0, 40\r",
    ] {
        let fault = fault_of(cut);
        assert_eq!((fault.line, fault.problem), (2, Problem::Truncated), "{cut:?}");
    }
    assert_eq!(fault_of("0, 1, 0").problem, Problem::Truncated);
}

#[test]
fn a_long_line_is_quoted_in_part() {
    let fault = fault_of(&"x".repeat(1_000_000));
    assert_eq!(fault.found, "x".repeat(100));
}

/// Lines as fio prints them for a layout, with an offset and an issue time that show what they are.
fn printed(layout: Layout, rows: &[(u64, u64, u8)]) -> String {
    let field = |column: &Column, number: u64, (time_ms, value, direction): (u64, u64, u8)| match column {
        Column::Time => time_ms.to_string(),
        Column::Value => value.to_string(),
        Column::ValueMax => (value + 3 + number).to_string(),
        Column::Direction => direction.to_string(),
        Column::Block => "4096".to_owned(),
        Column::Offset => ((number + 1) * 4096).to_string(),
        Column::Priority => "0".to_owned(),
        Column::IssueTime => (time_ms * 1_000_000 + 5).to_string(),
    };
    let line = |(number, row): (usize, &(u64, u64, u8))| {
        let fields: Vec<String> = layout
            .columns()
            .iter()
            .map(|column| field(column, number as u64, *row))
            .collect();
        fields.join(", ") + "\n"
    };
    rows.iter().enumerate().map(line).collect()
}

fn rows() -> impl Strategy<Value = Vec<(u64, u64, u8)>> {
    let after_the_first = prop::collection::vec((any::<u32>(), 0u64..1 << 40, 0u8..3), 0..50);
    after_the_first.prop_map(|rows| {
        let first = (0, 1000, 0);
        std::iter::once(first)
            .chain(
                rows.into_iter()
                    .map(|(time, value, kind)| (u64::from(time), value, kind)),
            )
            .collect()
    })
}

proptest! {
    #[test]
    fn what_fio_prints_is_read_back(layout in prop::sample::select(Layout::ALL), rows in rows()) {
        let text = printed(layout, &rows);
        prop_assert_eq!(Layout::detect(text.as_bytes()), Ok(layout));
        let log = parse(text.as_bytes()).unwrap();
        let read: Vec<_> = (0..rows.len()).map(|row| (log.time_ms[row], log.value[row], log.direction[row] as u8)).collect();
        prop_assert_eq!(read, rows);
    }

    #[test]
    fn a_log_cut_anywhere_inside_a_line_is_refused(rows in rows(), cut: prop::sample::Index) {
        let text = printed(Layout::ALL[3], &rows);
        let kept = &text[..cut.index(text.len())];
        let whole_lines = kept.matches('\n').count() as u64;
        match parse(kept.as_bytes()) {
            Ok(log) => prop_assert_eq!((kept.is_empty() || kept.ends_with('\n'), log.value.len() as u64), (true, whole_lines)),
            Err(fault) => prop_assert_eq!((fault.line, fault.problem), (whole_lines + 1, Problem::Truncated)),
        }
    }

    #[test]
    fn any_bytes_give_columns_of_one_length_or_a_fault(log in prop::collection::vec(any::<u8>(), 0..300)) {
        check_any(&log)?;
    }

    #[test]
    fn almost_logs_give_columns_of_one_length_or_a_fault(log in "([0-3]{1,2}[, \r\nx-]{0,2}){0,60}\n?") {
        check_any(log.as_bytes())?;
    }
}

fn check_any(bytes: &[u8]) -> Result<(), TestCaseError> {
    let newlines = bytes.split(|&byte| byte == b'\n').count() - 1;
    match parse(bytes) {
        Ok(log) => {
            prop_assert_eq!(log.value.len(), newlines);
            prop_assert_eq!(log.time_ms.len(), newlines);
            prop_assert_eq!(log.direction.len(), newlines);
            prop_assert_eq!(log.block_bytes.len(), newlines);
        }
        Err(fault) => prop_assert!((1..=newlines as u64 + 1).contains(&fault.line)),
    }
    Ok(())
}
