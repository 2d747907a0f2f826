//! Reading Specs: what comes with the program, and every fault at once.

mod common;

use common::*;
use vdrive::{Command, Spec, Sync, VDrive};

fn faults(text: &str) -> Vec<(u32, String, String)> {
    let faults = Spec::parse(text).unwrap_err().faults;
    faults
        .into_iter()
        .map(|fault| (fault.line, fault.key, fault.message))
        .collect()
}

#[test]
fn every_built_in_spec_is_valid_and_named_as_its_file() {
    for name in Spec::BUILTIN_NAMES {
        let spec = builtin(name);
        assert_eq!(spec.name(), *name);
        assert!(!spec.description().is_empty());
    }
    assert_eq!(Spec::builtin_text("no-such-drive"), None);
}

#[test]
fn every_built_in_spec_can_be_rescaled_and_written_full_twice() {
    for name in Spec::BUILTIN_NAMES {
        for capacity in [256 * MIB, 1 << 30, 5_000_000_512] {
            let spec = builtin(name)
                .rescaled(capacity)
                .unwrap_or_else(|faults| panic!("{name}: {faults}"));
            assert_eq!(spec.capacity_bytes(), capacity);
            let mut bench = Bench::new(&spec);
            if capacity <= 1 << 30 {
                bench.fill();
                bench.fill();
            }
            let mut last = VDrive::new(&spec);
            let write = Command::Write {
                offset_bytes: capacity - 512,
                length_bytes: 512,
                sync: Sync::Buffered,
            };
            last.submit(0, write).unwrap();
        }
    }
}

#[test]
fn rescaling_to_nonsense_says_what_would_do() {
    for capacity in [0, 512, 100 * KIB + 1, u64::MAX] {
        let fault = builtin("pm9e1-1tb").rescaled(capacity).unwrap_err();
        assert_eq!(fault.faults.len(), 1);
        assert_eq!(fault.faults[0].key, "capacity");
    }
}

#[test]
fn all_faults_are_found_at_once_with_their_lines() {
    let text = text(&[
        ("timing.sense", "[\"50us\", \"soon\", \"50us\"]"),
        ("geometry.channels", "0"),
        ("buffer.kind", "\"volatil\""),
        ("slc.resreve", "\"1 GiB\""),
        ("colection.start", "3"),
    ]);
    let line_of = |key: &str| 1 + text.lines().position(|line| line.starts_with(key)).unwrap() as u32;
    let found = faults(&text);
    let lines: Vec<(u32, &str)> = found.iter().map(|(line, key, _)| (*line, key.as_str())).collect();
    let mut wanted = vec![
        (line_of("sense ="), "timing.sense"),
        (line_of("channels"), "geometry.channels"),
        (line_of("kind"), "buffer.kind"),
        (line_of("resreve"), "slc.resreve"),
        (line_of("[colection]"), "colection"),
    ];
    wanted.sort_unstable();
    assert_eq!(lines, wanted);
}

/// The message of the one fault that `section.key = value` causes.
fn message(path: &str, value: &str) -> String {
    let found = faults(&text(&[(path, value)]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].1, path);
    found[0].2.clone()
}

#[test]
fn a_fault_says_what_was_found_and_what_would_be_allowed() {
    let said = [
        message("geometry.channels", "0"),
        message("buffer.kind", "\"volatil\""),
        message("slc.resreve", "\"1 GiB\""),
        message("timing.program", "12"),
        message("timing.retry_probability", "1.5"),
        message("timing.channel", "\"fast\""),
        message("slc.unheard_of_setting", "1"),
    ];
    let wanted = [
        "must be a whole number from 1 to 64, found 0",
        "must be one of \"volatile\", \"protected\", \"write_through\", found \"volatil\"",
        "no such key; did you mean `reserve`?",
        "must be a time such as \"42us\" from 0 ns to 10 s, found 12",
        "must be a number from 0 to 1, found 1.5",
        "must be a rate such as \"2.4 GB/s\" (1 kB/s to 1 TB/s), or \"unlimited\", found \"fast\"",
        "no such key; allowed here: fold, static, max, reserve, after, fold_below_knee, knee, refill_below, fold_when_short",
    ];
    assert_eq!(said, wanted);
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let said = [
        message("geometry.raw", "\"270 MiB\""),
        message("geometry.superblock", "\"5 MiB\""),
        message("geometry.page", "\"48 KiB\""),
        message("collection.hard", "4"),
        message("buffer.size", "\"1 MiB\""),
        message("slc.static", "\"1 MiB\""),
        message("slc.max", "\"1 KiB\""),
    ];
    let wanted = [
        "must hold the capacity and 5 spare superblocks: at least 288 MiB",
        "must be a multiple of stripe unit x dies x bits per cell (1.50 MiB)",
        "must go 1 to 16 times into the stripe unit (64 KiB), evenly",
        "must be less than start (4)",
        "must hold one program of every die and one stripe unit more of each: 2.06 MiB",
        "must not exceed max (0 B)",
        "must hold at least one superblock in one-bit mode (2 MiB), or be 0",
    ];
    assert_eq!(said, wanted);
}

#[test]
fn a_second_write_stream_needs_its_part_of_the_buffer_and_no_slc_cache() {
    let found = faults(&text(&[
        ("collection.streams", "2"),
        ("slc.max", "\"12 MiB\""),
        ("geometry.raw", "\"290 MiB\""),
    ]));
    let said: Vec<&str> = found.iter().map(|(_, _, message)| message.as_str()).collect();
    let wanted = [
        "must hold the capacity and 7 spare superblocks: at least 300 MiB",
        "must hold one program of every die and one stripe unit more of each, for each write stream: 4.06 MiB",
        "must be 1 on a drive with an SLC cache",
    ];
    assert_eq!(said, wanted);
}

#[test]
fn a_missing_section_is_a_fault_of_each_key_it_must_have() {
    let text: String = text(&[]).replace("[buffer]\nkind = \"volatile\"\nsize = \"4 MiB\"", "[buffer]");
    let found = faults(&text);
    let keys: Vec<&str> = found.iter().map(|(_, key, _)| key.as_str()).collect();
    assert_eq!(keys, ["buffer.kind", "buffer.size"]);
}

#[test]
fn text_that_is_not_toml_is_a_fault_with_its_line() {
    let found = faults("name = \"x\"\ndescription = \n");
    assert!(
        found
            .iter()
            .any(|(line, key, message)| *line == 2 && key.is_empty() && message.contains("TOML")),
        "{found:?}"
    );
}

#[test]
fn faults_print_one_a_line() {
    let shown = Spec::parse(&text(&[("slc.resreve", "1"), ("geometry.channels", "0")]))
        .unwrap_err()
        .to_string();
    assert_eq!(shown.lines().count(), 2);
    assert!(shown.lines().all(|line| line.starts_with("line ")), "{shown}");
}
