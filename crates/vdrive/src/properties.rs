//! Random drives under random commands: nothing may break the accounts, whatever the Spec and the stream.

use crate::invariants::broken;
use crate::{Command, Rejected, SECTOR_BYTES, Spec, Sync, VDrive};
use proptest::prelude::*;

#[derive(Debug, Clone)]
enum Step {
    Read(u64, u64),
    Write(u64, u64, Sync),
    Trim(u64, u64),
    Flush,
    Purge,
    Rest(u64),
}

/// A small drive: few dies, few superblocks, everything else at random.
fn small_spec() -> impl Strategy<Value = Spec> {
    let sizes = (0u32..4, 0u32..2, 0u32..3, 1u64..=4, 1u64..=2, 0u64..300, 0u64..6);
    let policies = (0u64..4, 0u64..6, 0u64..4, 0usize..4, 0usize..3, 2u64..4, 1u64..3);
    let extras = (
        0usize..4,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        0u64..1000,
    );
    (sizes, policies, extras).prop_map(|(sizes, policies, extras)| {
        let text = spec_text(sizes, policies, extras);
        Spec::parse(&text).unwrap_or_else(|faults| panic!("{faults}\n{text}"))
    })
}

type Sizes = (u32, u32, u32, u64, u64, u64, u64);
type Policies = (u64, u64, u64, usize, usize, u64, u64);
type Extras = (usize, bool, bool, bool, bool, u64);

/// What does not vary.
const TIMES: &str = r#"
[timing]
sense_slc = "20us"
program = "600us"
program_slc = "100us"
erase = "2ms"
channel = "400 MB/s"
link_read = "1 GB/s"
link_write = "1 GB/s"
command = "1us"
"#;

/// Four senses and a program.
const ROW_NS_MAX: u64 = 4 * 40_000 + 600_000;

fn spec_text(sizes: Sizes, policies: Policies, extras: Extras) -> String {
    let (unit_power, stripe_power, die_power, bits, rows, extra_sectors, extra_blocks) = sizes;
    let (_, address, suspend, ..) = extras;
    let unit = 2048u64 << unit_power;
    let stripe = unit << stripe_power;
    let dies = 1u64 << die_power;
    let row = stripe * dies * bits;
    let superblock = row * rows;
    let capacity = (64 << 10) + extra_sectors * 3 * SECTOR_BYTES;
    let seed = extras.5;
    let cache = cache_superblocks(policies, bits);
    let streams = if cache.1 == 0 { 1 + seed / 4 % 2 } else { 1 };
    let raw = (capacity.div_ceil(superblock) + 3 + 2 * streams + extra_blocks) * superblock;
    let allocation = if address { "address" } else { "order" };
    let suspend = if suspend { "30us" } else { "none" };
    let sense = vec!["\"40us\""; bits as usize].join(", ");
    let geometry = format!(
        "[geometry]\ncapacity = {capacity}\nraw = {raw}\nsuperblock = {superblock}\nchannels = 1\ndies = {dies}\n\
         bits_per_cell = {bits}\nstripe_unit = {stripe}\npage = {stripe}\nallocation = \"{allocation}\""
    );
    let timing = format!("{TIMES}sense = [{sense}]\nsuspend = \"{suspend}\"");
    let buffer = streams * (row + stripe * dies) + stripe;
    let cache = (cache.0 * superblock / bits, cache.1 * superblock / bits);
    let policies = policy_text(policies, extras, cache, superblock, (buffer, streams));
    let uneven = uneven_text(seed, capacity.div_ceil(row));
    format!(
        "name = \"random\"\ndescription = \"-\"\nseed = {seed}\n{geometry}\n{timing}\n{policies}{uneven}\n[map]\nunit = {unit}\n{}\n",
        map_text(extras.0)
    )
}

fn map_text(cache: usize) -> &'static str {
    [
        "cache = \"dram\"",
        "cache = \"sram\"\nreach = \"2 MiB\"",
        "cache = \"hmb\"\nreach = \"4 KiB\"",
        "",
    ][cache]
}

/// The static part and all of the SLC cache.
fn cache_superblocks(policies: Policies, bits: u64) -> (u64, u64) {
    let (fixed, most, _, after, ..) = policies;
    let least = 2 * u64::from(after == 3);
    if bits == 1 {
        (0, 0)
    } else {
        (fixed.max(least), (most + fixed).max(least))
    }
}

fn policy_text(policies: Policies, extras: Extras, cache: (u64, u64), superblock: u64, open: (u64, u64)) -> String {
    let (_, _, reserve, after, kind, hard, ramp) = policies;
    let (.., ahead, idle, _) = extras;
    let ((fixed, most), (buffer, streams)) = (cache, open);
    let after = [
        "direct",
        "fold",
        "refill",
        if most == 0 { "direct" } else { "cache_only" },
    ][after];
    let kind = ["volatile", "protected", "write_through"][kind];
    let reserve = reserve * superblock;
    let start = hard + ramp;
    let reclaim = if idle { "20ms" } else { "never" };
    let window = if ahead { "128 KiB" } else { "0 B" };
    format!(
        "[buffer]\nkind = \"{kind}\"\nsize = {buffer}\nflush_metadata = \"300us\"\nflush_window = \"10ms\"\n\
         [slc]\nstatic = {fixed}\nmax = {most}\nreserve = {reserve}\nafter = \"{after}\"\nfold = 0.5\n\
         [collection]\nhard = {hard}\nstart = {start}\nstreams = {streams}\n[idle]\nreclaim_after = \"{reclaim}\"\n\
         [read_ahead]\nwindow = \"{window}\"\n"
    )
}

/// What makes times differ and brings load of its own; nothing of it for every fourth seed.
///
/// `rows` of one program of each die keep the dies busy for up to half of the time.
fn uneven_text(seed: u64, rows: u64) -> String {
    let least_ms = (2 * rows * ROW_NS_MAX).div_ceil(1_000_000);
    let (soon, late) = (least_ms.max(30), least_ms.max(5_000));
    match seed % 4 {
        0 => String::new(),
        1 => "[spread]\nflash = 0.3\ncontroller = 0.2".to_owned(),
        2 => format!("[refresh]\nafter = \"{soon}ms\"\nevery = \"2ms\""),
        _ => format!("[refresh]\nafter = \"{late}ms\"\nevery = \"1s\"\n[spread]\nflash = 1"),
    }
}

/// Sectors beyond the end at which a range may still begin.
const BEYOND_SECTORS: u64 = 8;

/// Ranges in sectors, which [`fitted`] brings to the drive's size; some reach past the end.
fn step() -> impl Strategy<Value = Step> {
    let range = (0u64..100_000, prop_oneof![Just(0u64), 1..9u64, 8..100u64, Just(2000)]);
    prop_oneof![
        8 => (range.clone(), any::<bool>()).prop_map(|((at, length), fua)| {
            Step::Write(at, length, if fua { Sync::Fua } else { Sync::Buffered })
        }),
        3 => range.clone().prop_map(|(at, length)| Step::Read(at, length)),
        2 => range.prop_map(|(at, length)| Step::Trim(at, length)),
        1 => Just(Step::Flush),
        1 => prop_oneof![Just(0u64), Just(1_000), Just(500_000), Just(50_000_000), Just(3_000_000_000)].prop_map(Step::Rest),
        1 => prop_oneof![9 => Just(Step::Flush), 1 => Just(Step::Purge)],
    ]
}

/// The step on a drive of this many sectors.
fn fitted(step: &Step, sectors: u64) -> Step {
    let begin = |at: u64| at % (sectors + BEYOND_SECTORS);
    match *step {
        Step::Read(at, length) => Step::Read(begin(at), length),
        Step::Write(at, length, sync) => Step::Write(begin(at), length, sync),
        Step::Trim(at, length) => Step::Trim(begin(at), length),
        ref other => other.clone(),
    }
}

fn command(step: &Step) -> Option<Command> {
    let sectors = |count: u64| count * SECTOR_BYTES;
    match *step {
        Step::Read(at, length) => Some(Command::Read {
            offset_bytes: sectors(at),
            length_bytes: sectors(length),
        }),
        Step::Write(at, length, sync) => Some(Command::Write {
            offset_bytes: sectors(at),
            length_bytes: sectors(length),
            sync,
        }),
        Step::Trim(at, length) => Some(Command::Trim {
            offset_bytes: sectors(at),
            length_bytes: sectors(length),
        }),
        Step::Flush => Some(Command::Flush),
        Step::Purge | Step::Rest(_) => None,
    }
}

/// What should be mapped: a unit is from its first written sector until all of it is trimmed at once.
struct Expected {
    sectors: u64,
    unit_sectors: u64,
    mapped: Vec<bool>,
}

impl Expected {
    fn new(spec: &Spec) -> Self {
        Self {
            sectors: spec.capacity_bytes() / SECTOR_BYTES,
            unit_sectors: spec.map.unit_bytes / SECTOR_BYTES,
            mapped: vec![false; spec.units() as usize],
        }
    }

    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Write(at, length, _) if length > 0 => {
                let (first, last) = (at / self.unit_sectors, (at + length - 1) / self.unit_sectors);
                self.mapped[first as usize..=last as usize].fill(true);
            }
            Step::Trim(at, length) => {
                let first = at.div_ceil(self.unit_sectors);
                let to_the_end = at + length == self.sectors;
                let end = if to_the_end {
                    self.mapped.len() as u64
                } else {
                    (at + length) / self.unit_sectors
                };
                self.mapped[first as usize..(end.max(first)) as usize].fill(false);
            }
            Step::Purge => self.mapped.fill(false),
            _ => {}
        }
    }
}

/// Whether the step reaches past the end, so that nothing may change.
fn refused(drive: &VDrive, step: &Step) -> bool {
    match *step {
        Step::Read(at, length) | Step::Write(at, length, _) | Step::Trim(at, length) => {
            (at + length) * SECTOR_BYTES > drive.spec().capacity_bytes()
        }
        _ => false,
    }
}

fn replay(drive: &mut VDrive, steps: &[Step]) -> Result<Vec<u64>, TestCaseError> {
    let mut expected = Expected::new(drive.spec());
    let mut now_ns = 0;
    let mut ends = Vec::new();
    for step in steps {
        let step = &fitted(step, drive.spec().capacity_bytes() / SECTOR_BYTES);
        if let Step::Rest(rest_ns) = step {
            now_ns += rest_ns;
            continue;
        }
        let before = refused(drive, step).then(|| format!("{drive:?}"));
        let outcome = match command(step) {
            Some(command) => drive.submit(now_ns, command),
            None => Ok(drive.purge(now_ns)),
        };
        match outcome {
            Ok(end_ns) => {
                prop_assert_eq!(&before, &None, "taken past the end");
                prop_assert!(end_ns >= now_ns, "{step:?} ended before it began");
                expected.apply(step);
                ends.push(end_ns);
            }
            Err(Rejected::PastTheEnd { .. }) => {
                prop_assert_eq!(
                    before,
                    Some(format!("{drive:?}")),
                    "a refused command changed the drive"
                );
            }
            Err(rejected) => prop_assert!(false, "whole sectors of a healthy drive were refused: {rejected}"),
        }
        let fault = broken(drive);
        prop_assert!(fault.is_none(), "after {step:?}: {fault:?}");
    }
    for (unit, mapped) in expected.mapped.iter().enumerate() {
        prop_assert_eq!(drive.flash().is_mapped(unit as u64), *mapped, "unit {}", unit);
    }
    Ok(ends)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn the_accounts_hold_after_every_command(spec in small_spec(), steps in prop::collection::vec(step(), 1..30)) {
        replay(&mut VDrive::new(&spec), &steps)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn the_same_seed_and_commands_give_the_same_times(spec in small_spec(), steps in prop::collection::vec(step(), 1..30)) {
        let first = replay(&mut VDrive::new(&spec), &steps)?;
        prop_assert_eq!(first, replay(&mut VDrive::new(&spec), &steps)?);
    }

    #[test]
    fn the_accounts_hold_when_epoch_ids_run_out(spec in small_spec(), steps in prop::collection::vec(step(), 40..100)) {
        let mut drive = VDrive::new(&spec);
        drive.flash().forget_epoch_names();
        replay(&mut drive, &steps)?;
    }

    #[test]
    fn a_full_drive_with_the_least_spare_flash_takes_every_write(
        spec in small_spec(),
        draws in prop::collection::vec(any::<u64>(), 200..300),
    ) {
        let mut drive = VDrive::new(&spec);
        let unit = spec.map.unit_bytes;
        let units = spec.units();
        let whole = Command::Write { offset_bytes: 0, length_bytes: spec.capacity_bytes(), sync: Sync::Buffered };
        let mut now_ns = drive.submit(0, whole).unwrap();
        for draw in draws {
            let offset_bytes = draw % units * unit;
            let length_bytes = unit.min(spec.capacity_bytes() - offset_bytes);
            let write = Command::Write { offset_bytes, length_bytes, sync: Sync::Buffered };
            now_ns = drive.submit(now_ns, write).unwrap();
        }
        let fault = broken(&mut drive);
        prop_assert!(fault.is_none(), "{:?}", fault);
        prop_assert_eq!(drive.flash().account().mapped_units, units);
    }
}

/// What a text might say in place of a sensible value.
const ODD_VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "255",
    "1e308",
    "nan",
    "true",
    "[]",
    "{}",
    "[\"1us\"]",
    "[\"1us\", \"2us\", \"3us\"]",
    "\"\"",
    "\"0 B\"",
    "\"1 B\"",
    "\"512 B\"",
    "\"3 KiB\"",
    "\"64 KiB\"",
    "\"24 MiB\"",
    "\"1 GiB\"",
    "\"0us\"",
    "\"1us\"",
    "\"10s\"",
    "\"unlimited\"",
    "\"never\"",
    "\"none\"",
    "\"sram\"",
    "\"direct\"",
    "\"cache_only\"",
    "\"1 kB/s\"",
    "0.5",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn a_text_with_odd_values_is_refused_or_makes_a_drive_that_works(
        which in 0..Spec::BUILTIN_NAMES.len(),
        oddities in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(ODD_VALUES)), 1..4),
    ) {
        let text = Spec::builtin_text(Spec::BUILTIN_NAMES[which]).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (index, value) in oddities {
            let line = &mut lines[index.index(text.lines().count())];
            if let Some((key, _)) = line.clone().split_once(" = ") {
                *line = format!("{key} = {value}");
            }
        }
        match Spec::parse(&lines.join("\n")) {
            Err(faults) => prop_assert!(!faults.faults.is_empty()),
            Ok(spec) => {
                if let Ok(spec) = spec.rescaled(4 << 20) {
                    let mut drive = VDrive::new(&spec);
                    let whole = Command::Write { offset_bytes: 0, length_bytes: 4 << 20, sync: Sync::Buffered };
                    drive.submit(0, whole).unwrap();
                    let fault = broken(&mut drive);
                    prop_assert!(fault.is_none(), "{fault:?}");
                }
            }
        }
    }

    #[test]
    fn any_text_is_refused_or_read_without_a_panic(text in "[a-z\\[\\]=\"0-9 .\n#{},]{0,200}") {
        prop_assert!(Spec::parse(&text).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn the_accounts_hold_for_the_built_in_drives(
        which in 0..Spec::BUILTIN_NAMES.len(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let text = Spec::builtin_text(Spec::BUILTIN_NAMES[which]).unwrap();
        if let Ok(spec) = Spec::parse(text).unwrap().rescaled(8 << 20) {
            replay(&mut VDrive::new(&spec), &steps)?;
        }
    }
}

#[test]
fn epoch_ids_do_run_out_in_the_property_above() {
    let spec = Spec::parse(Spec::builtin_text("demo").unwrap())
        .unwrap()
        .rescaled(64 << 20)
        .unwrap();
    let mut drive = VDrive::new(&spec);
    let units = spec.capacity_bytes() / spec.map.unit_bytes;
    drive.flash().forget_epoch_names();
    let mut random = crate::random::Random::new(1);
    for now_ns in 0..100_000u64 {
        let offset_bytes = random.below(units) * spec.map.unit_bytes;
        let write = Command::Write {
            offset_bytes,
            length_bytes: spec.map.unit_bytes,
            sync: Sync::Buffered,
        };
        drive.submit(now_ns * 10_000, write).unwrap();
    }
    let renumberings = drive.flash().account().renumberings;
    assert!(renumberings > 1, "{renumberings}");
    assert_eq!(broken(&mut drive), None);
}
