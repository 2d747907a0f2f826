//! Times that differ from one operation to the next, and data that the drive rewrites by itself.

mod common;

use common::*;

fn filled(settings: &[(&str, &str)]) -> Bench {
    filled_of(&spec(settings))
}

fn filled_of(spec: &vdrive::Spec) -> Bench {
    let mut bench = Bench::new(spec);
    bench.fill();
    bench.rest(SECOND);
    bench
}

/// Sorted latencies of reads, or of writes with rests between them, one at a time.
fn latencies(bench: &mut Bench, one: fn(&mut Bench, u64) -> u64) -> Vec<u64> {
    let mut found: Vec<u64> = (0..20_000u64)
        .map(|number| {
            bench.rest(10_000 * US);
            one(bench, (number * 7_919 % 4_000) * 64 * KIB)
        })
        .collect();
    found.sort_unstable();
    found
}

fn quantile(sorted: &[u64], share: f64) -> f64 {
    sorted[(share * sorted.len() as f64) as usize] as f64
}

const READ: fn(&mut Bench, u64) -> u64 = |bench, offset| bench.read(offset, 4 * KIB);
const WRITE: fn(&mut Bench, u64) -> u64 = |bench, offset| bench.write(offset, 4 * KIB);

#[test]
fn without_a_spread_all_reads_of_a_page_type_take_equally_long() {
    let found = latencies(&mut filled(&[]), READ);
    assert_eq!(found.first(), found.last());
}

#[test]
fn a_spread_of_the_flash_keeps_the_median_and_lengthens_the_tail() {
    let quiet = quantile(&latencies(&mut filled(&[]), READ), 0.5);
    let found = latencies(&mut filled(&[("spread.flash", "0.3")]), READ);
    assert_within("median", quantile(&found, 0.5), quiet, 0.01);
    // Of the whole latency 50 us are the sense; the factor of 1 in 10,000 is e^(0.3 x 3.6).
    let other = quiet - 50_000.0;
    let sense = (quantile(&found, 0.9999) - other) / 50_000.0;
    assert_within("99.99 %", sense, (0.3f64 * 3.6).exp(), 0.1);
}

#[test]
fn a_spread_of_the_controller_concerns_reads_and_writes() {
    let settings = [
        ("spread.controller", "0.5"),
        ("timing.read_overhead", "\"50us\""),
        ("timing.write_overhead", "\"50us\""),
    ];
    for (what, one, other) in [("reads", READ, 50_000.0), ("writes", WRITE, 0.0)] {
        let quiet = quantile(&latencies(&mut filled(&settings[1..]), one), 0.5);
        let found = latencies(&mut filled(&settings), one);
        assert_within(what, quantile(&found, 0.5), quiet, 0.02);
        let wanted = 50_000.0 * 0.5f64.exp() + (quiet - 50_000.0);
        assert_within(what, quantile(&found, 0.841), wanted, 0.03);
        assert!(found[0] as f64 >= other, "{what}: {}", found[0]);
    }
}

#[test]
fn spread_programs_slow_the_writes_they_hold_up() {
    let even = mib_per_s(&Bench::plain(&[]).fill());
    let uneven = mib_per_s(&Bench::plain(&[("spread.flash", "0.2")]).fill());
    assert!((0.8..0.99).contains(&(uneven / even)), "{uneven} of {even}");
}

#[test]
fn the_same_seed_draws_alike_and_another_does_not() {
    let spec = spec(&[("spread.flash", "0.2"), ("spread.controller", "0.2")]);
    let first = latencies(&mut filled_of(&spec), READ);
    assert_eq!(first, latencies(&mut filled_of(&spec), READ));
    assert_ne!(first, latencies(&mut filled_of(&spec.with_seed(9)), READ));
}

const REFRESH: [(&str, &str); 2] = [("refresh.after", "\"100s\""), ("refresh.every", "\"1s\"")];

#[test]
fn all_data_is_rewritten_once_in_the_time_asked_for() {
    let mut bench = filled(&REFRESH);
    let begin_ns = bench.now_ns;
    let before = bench.drive.truth(begin_ns);
    let after = bench.drive.truth(begin_ns + 200 * SECOND);
    let rewritten = after.refreshed_bytes - before.refreshed_bytes;
    assert_within("twice", rewritten as f64, 2.0 * before.mapped_bytes as f64, 0.01);
    assert_eq!(after.programmed_bytes - before.programmed_bytes, rewritten);
    assert_eq!(after.mapped_bytes, before.mapped_bytes);
}

#[test]
fn an_empty_drive_rewrites_nothing() {
    let mut bench = Bench::plain(&REFRESH);
    bench.rest(500 * SECOND);
    bench.read(0, 4 * KIB);
    let now_ns = bench.now_ns;
    assert_eq!(bench.drive.truth(now_ns).refreshed_bytes, 0);
}

#[test]
fn reads_meet_the_rewriting_in_every_period_and_none_besides() {
    let mut bench = filled(&[&REFRESH[..], &[("refresh.after", "\"20s\"")]].concat());
    let quick_ns = filled(&[]).read(0, 4 * KIB);
    let (mut slow, mut count) = (vec![0; 10], 0);
    let begin_ns = bench.now_ns.next_multiple_of(SECOND);
    bench.now_ns = begin_ns;
    while bench.now_ns < begin_ns + 10 * SECOND {
        let at_ns = bench.now_ns - begin_ns;
        if bench.read(count % 4_000 * 64 * KIB, 4 * KIB) > quick_ns {
            slow[(at_ns / SECOND) as usize] += 1;
            assert!(at_ns % SECOND < SECOND / 10, "at {at_ns} ns");
        }
        count += 1;
        bench.rest(1_000 * US);
    }
    assert!(slow.iter().all(|number| *number > 0), "{slow:?}");
}

#[test]
fn what_cannot_be_is_said() {
    let said = |settings: &[(&str, &str)]| vdrive::Spec::parse(&text(settings)).unwrap_err().to_string();
    let backwards = [("refresh.after", "\"1s\""), ("refresh.every", "\"2s\"")];
    assert!(said(&backwards).contains("refresh.every: must not be longer than `after`"));
    assert!(said(&[("refresh.after", "\"1s\"")]).contains("refresh.every: is missing"));
    // 1366 rows of three stripe units, 1350 us each, on eight dies take 230 ms.
    let busy = [("refresh.after", "\"460ms\""), ("refresh.every", "\"100ms\"")];
    assert!(
        said(&busy).contains("refresh.after: must be at least 461 ms"),
        "{}",
        said(&busy)
    );
    spec(&[("refresh.after", "\"461ms\""), busy[1]]);
    assert!(said(&[("spread.flash", "-1")]).contains("must be a number from 0 to 2"));
    assert!(said(&[("slc.fold_when_short", "0.5")]).contains("must be a number from 1 to 64"));
}
