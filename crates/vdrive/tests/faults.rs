//! The `[[fault]]` tables: what they may say, and what those of commands do.

mod common;

use common::*;
use vdrive::{Command, DataDefect, FlushEffect, Rejected, Spec, Sync, VDrive};

fn parse(faults: &str) -> Result<Spec, vdrive::SpecFaults> {
    Spec::parse(&format!("{PLAIN}{faults}"))
}

fn drive(faults: &str) -> VDrive {
    VDrive::new(&parse(faults).unwrap_or_else(|found| panic!("{found}")))
}

/// What is wrong with the tables, with lines counted from the first of them.
fn said(faults: &str) -> Vec<String> {
    let before = PLAIN.lines().count() as u32;
    let found = parse(faults).unwrap_err().faults;
    found
        .into_iter()
        .map(|fault| format!("{} {}: {}", fault.line - before, fault.key, fault.message))
        .collect()
}

fn read(offset_bytes: u64, length_bytes: u64) -> Command {
    Command::Read {
        offset_bytes,
        length_bytes,
    }
}

fn write(offset_bytes: u64, length_bytes: u64) -> Command {
    Command::Write {
        offset_bytes,
        length_bytes,
        sync: Sync::Buffered,
    }
}

const ERROR: &str = "[[fault]]\nkind = \"error\"\noffset = \"1 MiB\"\nlength = \"4 KiB\"\n";

#[test]
fn commands_that_touch_a_bad_range_fail_and_others_do_not() {
    let mut drive = drive(ERROR);
    let bad = [(MIB, 512), (MIB + 4096 - 512, 1024), (MIB - 512, 1024), (0, 2 * MIB)];
    let good = [(MIB - 512, 512), (MIB + 4096, 512)];
    for command in [read, write] {
        for (offset, length) in bad {
            assert_eq!(drive.submit(0, command(offset, length)), Err(Rejected::Medium));
        }
        for (offset, length) in good {
            assert!(drive.submit(0, command(offset, length)).is_ok());
        }
    }
    assert!(drive.submit(0, Command::Flush).is_ok());
    assert_eq!(drive.fault_counts()[0].acted, 8);
}

#[test]
fn an_error_can_be_of_one_direction_and_begin_later() {
    let mut drive = drive(&format!("{ERROR}on = \"read\"\nafter = 2\n"));
    let answers: Vec<bool> = (0..4).map(|_| drive.submit(0, read(MIB, 4096)).is_ok()).collect();
    assert_eq!(answers, [true, true, false, false]);
    assert!(drive.submit(0, write(MIB, 4096)).is_ok());
}

#[test]
fn a_stall_holds_up_one_command_and_all_behind_it_once() {
    let mut well = drive("");
    let mut drive = drive("[[fault]]\nkind = \"stall\"\nafter = 1\nduration = \"30s\"\n");
    let ends =
        |drive: &mut VDrive| -> Vec<u64> { (0..3).map(|n| drive.submit(n * US, read(0, 4096)).unwrap()).collect() };
    let (stalled, undisturbed) = (ends(&mut drive), ends(&mut well));
    assert_eq!(stalled[0], undisturbed[0]);
    assert!(stalled[1] >= 30 * SECOND && stalled[2] >= 30 * SECOND);
    assert!(stalled[2] < 31 * SECOND);
    let later = drive.submit(40 * SECOND, read(0, 4096)).unwrap();
    assert!(later < 41 * SECOND, "once");
}

#[test]
fn a_worn_out_drive_takes_no_more_writes_and_still_reads() {
    let mut drive = drive("[[fault]]\nkind = \"read_only\"\nafter = 2\n");
    let trim = Command::Trim {
        offset_bytes: 0,
        length_bytes: 4096,
    };
    assert!(drive.submit(0, write(0, 4096)).is_ok() && drive.submit(0, trim).is_ok());
    assert_eq!(drive.submit(0, write(0, 4096)), Err(Rejected::WriteProtected));
    assert_eq!(drive.submit(0, trim), Err(Rejected::WriteProtected));
    assert!(drive.submit(0, read(0, 4096)).is_ok() && drive.submit(0, Command::Flush).is_ok());
}

#[test]
fn a_purge_does_not_heal() {
    let mut drive = drive("[[fault]]\nkind = \"read_only\"\n");
    drive.purge(0);
    assert_eq!(drive.submit(SECOND, write(0, 4096)), Err(Rejected::WriteProtected));
}

#[test]
fn faults_of_data_are_told_to_whoever_holds_it() {
    let text = "[[fault]]\nkind = \"wrap\"\nreal = \"64 MiB\"\n[[fault]]\nkind = \"flip\"\nevery = 1000\n\
                [[fault]]\nkind = \"lost_cache\"\ncache = \"1 MiB\"\n";
    let spec = parse(text).unwrap();
    let cache = DataDefect::LostCache {
        cache_bytes: MIB,
        flush: FlushEffect::Obeyed,
    };
    let wrap = |real_bytes| DataDefect::Wrap { real_bytes };
    assert_eq!(
        spec.data_defects(),
        [wrap(64 * MIB), DataDefect::Flip { every: 1000 }, cache]
    );
    assert_eq!(spec.rescaled(1 << 30).unwrap().data_defects()[0], wrap(256 * MIB));
}

#[test]
fn places_of_errors_move_with_the_capacity() {
    let spec = parse(ERROR).unwrap().rescaled(1 << 30).unwrap();
    let mut drive = VDrive::new(&spec);
    assert!(drive.submit(0, read(MIB, 4096)).is_ok());
    assert_eq!(drive.submit(0, read(4 * MIB, 4096)), Err(Rejected::Medium));
}

#[test]
fn each_table_is_checked_and_all_faults_are_listed() {
    let text = "[[fault]]\nkind = \"stal\"\n[[fault]]\nkind = \"stall\"\nafter = -1\n[[fault]]\n\
                [[fault]]\nkind = \"swap\"\nevery = 1\nduration = \"1s\"\n\
                [[fault]]\nkind = \"wrap\"\nreal = \"256 MiB\"\n\
                [[fault]]\nkind = \"error\"\noffset = \"255 MiB\"\nlength = \"2 MiB\"\n";
    assert_eq!(
        said(text),
        [
            "2 fault[0].kind: must be one of \"error\", \"stall\", \"read_only\", \"wrap\", \"swap\", \"flip\", \
             \"trim_ignored\", \"stale_after_trim\", \"lost_cache\", found \"stal\"",
            "3 fault[1].duration: is missing and has no default",
            "5 fault[1].after: must be a whole number from 0 to 1000000000000, found -1",
            "6 fault[2].kind: is missing and has no default",
            "9 fault[3].every: must be a whole number from 2 to 1000000000000, found 1",
            "10 fault[3].duration: no such key; allowed here: kind, every",
            "13 fault[4].real: must be whole 4 KiB and less than the capacity (256 MiB)",
            "16 fault[5].offset: must end, with the length, within the capacity (256 MiB)",
        ]
    );
}

#[test]
fn one_table_says_all_about_capacity() {
    let wrap = "[[fault]]\nkind = \"wrap\"\nreal = \"64 MiB\"\n";
    let error = "[[fault]]\nkind = \"error\"\n";
    assert_eq!(
        said(&format!("{wrap}{wrap}{error}{error}")),
        ["5 fault[1].kind: there is one of this kind already"]
    );
}

#[test]
fn a_single_table_is_not_a_list() {
    assert_eq!(
        said("[fault]\nkind = \"flip\"\n"),
        ["1 fault: must be a list of tables, each written as [[fault]]"]
    );
}
