//! Write buffer, flush, forced unit access, power-loss protection.

mod common;

use common::*;

const PROGRAM_US: u64 = 1_200;

fn bench(kind: &str) -> Bench {
    Bench::plain(&[("buffer.kind", kind)])
}

#[test]
fn a_flush_after_a_write_waits_for_the_program_unless_power_loss_is_covered() {
    let mut volatile = bench("\"volatile\"");
    let written = volatile.write(0, 4 * KIB);
    assert!(written < 20 * US, "{written}");
    assert!(volatile.flush() > PROGRAM_US * US);
    let mut protected = bench("\"protected\"");
    protected.write(0, 4 * KIB);
    assert_eq!(protected.flush(), 10 * US);
}

#[test]
fn a_flush_with_nothing_to_flush_is_cheap() {
    let mut volatile = bench("\"volatile\"");
    assert_eq!(volatile.flush(), 10 * US);
    volatile.write(0, 4 * KIB);
    volatile.flush();
    assert_eq!(volatile.flush(), 10 * US);
    volatile.read(0, 4 * KIB);
    assert_eq!(volatile.flush(), 10 * US);
}

#[test]
fn forced_unit_access_waits_for_the_program_unless_power_loss_is_covered() {
    assert!(bench("\"volatile\"").fua(0, 4 * KIB) > PROGRAM_US * US);
    let mut protected = bench("\"protected\"");
    assert_eq!(
        protected.fua(0, 4 * KIB),
        Bench::plain(&[("buffer.kind", "\"protected\"")]).write(0, 4 * KIB)
    );
}

#[test]
fn a_write_through_drive_acknowledges_after_the_program() {
    assert!(bench("\"write_through\"").write(0, 4 * KIB) > PROGRAM_US * US);
}

#[test]
fn the_metadata_of_a_flush_is_paid_once() {
    let latency_ns = |metadata: &str| {
        let mut bench = Bench::plain(&[("buffer.flush_metadata", metadata)]);
        bench.write(0, 4 * KIB);
        bench.flush()
    };
    assert_eq!(latency_ns("\"700us\"") - latency_ns("\"0us\""), 700 * US);
}

#[test]
fn a_flush_of_part_of_a_row_pads_it() {
    let mut bench = bench("\"volatile\"");
    bench.write(0, 4 * KIB);
    bench.flush();
    let now_ns = bench.now_ns;
    let truth = bench.drive.truth(now_ns);
    assert_eq!(truth.pad_bytes, 3 * 64 * KIB - 4 * KIB);
    assert_eq!(truth.programmed_bytes, 3 * 64 * KIB);
}

#[test]
fn a_burst_runs_at_link_speed_until_the_buffer_is_full() {
    let burst_mib = |buffer: &str| {
        let mut bench = Bench::plain(&[("buffer.size", buffer), ("timing.program", "\"20ms\"")]);
        let (mut at, mut slow_ns) = (0, 0);
        while slow_ns < 500 * US {
            slow_ns = bench.write(at, 64 * KIB);
            at += 64 * KIB;
        }
        at as f64 / MIB as f64
    };
    assert_within("4 MiB", burst_mib("\"4 MiB\""), 4.0, 0.05);
    assert_within("16 MiB", burst_mib("\"16 MiB\""), 16.0, 0.05);
}

#[test]
fn a_full_buffer_holds_the_host_to_the_speed_of_the_dies() {
    let fill = Bench::plain(&[]).fill();
    let row_bytes = (8 * 3 * 64 * KIB) as f64;
    let row_s = 1200e-6 + 3.0 * 65_536.0 / 1.6e9;
    assert_within("MiB/s", mib_per_s(&fill), row_bytes / row_s / MIB as f64, 0.03);
}

#[test]
fn a_silence_longer_than_the_window_empties_the_buffer() {
    let buffered = |rest_ns: u64, window: &str| {
        let mut bench = Bench::plain(&[("buffer.flush_window", window)]);
        bench.write(0, 4 * KIB);
        bench.rest(rest_ns);
        let now_ns = bench.now_ns;
        bench.drive.truth(now_ns).buffered_bytes
    };
    assert_eq!(buffered(SECOND / 10, "\"1s\""), 4 * KIB);
    assert_eq!(buffered(2 * SECOND, "\"1s\""), 0);
    assert_eq!(buffered(2 * SECOND, "\"none\""), 4 * KIB);
}

#[test]
fn the_link_bounds_what_the_cells_could_take() {
    let mut bench = Bench::plain(&[("timing.link_write", "\"300 MiB/s\""), ("timing.program", "\"100us\"")]);
    assert_within("MiB/s", mib_per_s(&bench.fill()), 300.0, 0.02);
    let mut bench = Bench::plain(&[("timing.link_read", "\"400 MiB/s\"")]);
    bench.fill();
    let reads = bench.run(Job {
        read_percent: 100,
        amount: 64 * MIB,
        ..Job::sequential_writes()
    });
    assert_within("MiB/s", mib_per_s(&reads), 400.0, 0.02);
}

#[test]
fn channels_bound_what_the_dies_could_take() {
    let mut bench = Bench::plain(&[("timing.channel", "\"100 MiB/s\""), ("timing.program", "\"100us\"")]);
    assert_within("MiB/s", mib_per_s(&bench.fill()), 400.0, 0.05);
}

#[test]
fn data_still_in_the_buffer_is_read_without_flash() {
    let mut bench = bench("\"volatile\"");
    bench.write(0, 4 * KIB);
    bench.rest(SECOND);
    assert!(bench.read(0, 4 * KIB) < 10 * US, "not programmed yet");
    bench.flush();
    bench.rest(SECOND);
    assert!(bench.read(0, 4 * KIB) > 50 * US, "programmed");
    bench.write(8 * KIB, 4 * KIB);
    for at in 0..8 {
        bench.write(MIB + at * MIB, MIB);
    }
    bench.rest(SECOND);
    assert!(bench.read(8 * KIB, 4 * KIB) > 50 * US, "pushed out by what came after");
}
