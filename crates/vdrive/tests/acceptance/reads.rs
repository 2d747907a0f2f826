//! Reads: reach of the mapping cache, reads among writes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fiolog::Percent;
use vdrive::workload::{Latency, Workload};
use vdrive::{Command, Sync};

use crate::bench::{Bench, GIB, KIB, MIB, NS_PER_S, NS_PER_US, edited, iops};
use crate::row::Row;

const KIOPS: f64 = 1e3;

/// METHODS C3: speed over the active range on a filled drive; 1/16 of the drive, so 1/16 of every range too.
fn over_range(name: &str) -> Vec<f64> {
    let mut bench = Bench::scaled(name, 16);
    bench.run(&bench.pass());
    bench.run(&bench.pass());
    bench.rest(5 * 60 * NS_PER_S);
    let mut kiops = Vec::new();
    for range_gib in [16, 32, 64, 128, 256, 512] {
        let read = Workload {
            read_percent: 100,
            queue_depth: 256,
            region_length_bytes: range_gib * GIB / 16,
            amount_bytes: Some(400 * MIB),
            seed: range_gib,
            ..bench.random_writes()
        };
        bench.run(&read);
        bench.rest(NS_PER_S);
        kiops.push(
            iops(
                &bench
                    .run(&Workload {
                        seed: range_gib + 1,
                        ..read
                    })
                    .read,
            ) / KIOPS,
        );
    }
    kiops
}

pub(crate) fn active_range() -> Row {
    let buffered = over_range("qlc-dramless-1tb");
    let full_table = over_range("pm9e1-1tb");
    let spread =
        |kiops: &[f64]| kiops.iter().copied().fold(0.0, f64::max) / kiops.iter().copied().fold(f64::MAX, f64::min);
    let drives = "qlc-dramless-1tb, whose mapping cache reaches 64 GiB, and pm9e1-1tb, which maps all; at 1/16";
    Row::new(
        "Speed over the active range",
        drives,
        "a knee at the reach, and none without one",
    )
    .shown("qlc-dramless: kIOPS at 16 32 64 128 256 512 GiB", &buffered)
    .shown("pm9e1: kIOPS at 16 32 64 128 256 512 GiB", &full_table)
    .at_most(
        "qlc-dramless: best against worst up to its reach",
        spread(&buffered[..3]),
        1.05,
        "",
    )
    .at_most(
        "qlc-dramless: at twice its reach against at its reach",
        buffered[3] / buffered[2],
        0.75,
        "",
    )
    .at_most(
        "pm9e1: best against worst over all ranges",
        spread(&full_table),
        1.05,
        "",
    )
}

const PROGRAM_US: f64 = 1680.0;
const SUSPENDING: (&str, &str) = ("suspend = \"60us\"", "suspend = \"60us\"");
const NOT_SUSPENDING: (&str, &str) = ("suspend = \"60us\"", "suspend = \"none\"");

/// A filled pm9e1 whose writes go to native cells, that suspends programs for reads or does not.
fn filled(suspend: (&str, &str)) -> Bench {
    let mut bench = Bench::of_text(&edited("pm9e1-1tb", &[suspend]), Some(16));
    bench.run(&bench.pass());
    bench.run(&bench.pass());
    bench
}

/// METHODS C6: the mix against the harmonic interpolation between pure writes and pure reads.
fn mix_against_harmonic(suspend: (&str, &str)) -> Vec<f64> {
    let mut bench = filled(suspend);
    let mut at_share = |read_percent: u8| {
        let mix = Workload {
            read_percent,
            queue_depth: 4,
            amount_bytes: Some(64 * MIB),
            seed: u64::from(read_percent),
            ..bench.random_writes()
        };
        let result = bench.run(&mix);
        (result.read.ios + result.write.ios) as f64 * 1e9 / result.read.runtime_ns.max(result.write.runtime_ns) as f64
    };
    let (writes, reads) = (at_share(0), at_share(100));
    let against = |share: u8, mixed: f64| {
        let reading = f64::from(share) / 100.0;
        mixed * (reading / reads + (1.0 - reading) / writes)
    };
    [10, 30, 50, 70, 80, 90]
        .map(|share| against(share, at_share(share)))
        .to_vec()
}

pub(crate) fn mixed() -> Row {
    let with = mix_against_harmonic(SUSPENDING);
    let without = mix_against_harmonic(NOT_SUSPENDING);
    let least = |ratios: &[f64]| ratios.iter().copied().fold(f64::MAX, f64::min);
    let grounds = "a dip in the middle without program suspension and hardly any with it";
    Row::new(
        "Mixed reads and writes at QD4, against the harmonic mean",
        "pm9e1-1tb at 1/16, filled",
        grounds,
    )
    .shown("suspending programs: at 10 30 50 70 80 90 % reads", &with)
    .shown("not suspending: at 10 30 50 70 80 90 % reads", &without)
    .at_least("suspending: worst mix", least(&with), 0.8, "")
    .at_most("not suspending: worst mix", least(&without), 0.8, "")
    .at_most(
        "not suspending against suspending at 50 % reads",
        without[2] / with[2],
        0.85,
        "",
    )
}

/// Latency of QD1 reads beside QD4 writes, both random 4 KiB.
fn reads_beside_writes(suspend: (&str, &str)) -> Latency {
    const READER: u32 = 0;
    const READS: u64 = 200_000;
    let mut bench = filled(suspend);
    let blocks = bench.capacity_bytes() / (4 * KIB);
    let mut latency = Latency::default();
    let mut draw = 0u64;
    let mut due: BinaryHeap<Reverse<(u64, u32)>> = (0..5).map(|slot| Reverse((bench.now_ns, slot))).collect();
    while latency.moments.count() < READS {
        let Reverse((now_ns, slot)) = due.pop().expect("five commands are always in flight");
        draw = draw
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let offset_bytes = (draw >> 20) % blocks * 4 * KIB;
        let command = match slot {
            READER => Command::Read {
                offset_bytes,
                length_bytes: 4 * KIB,
            },
            _ => Command::Write {
                offset_bytes,
                length_bytes: 4 * KIB,
                sync: Sync::Buffered,
            },
        };
        let done_ns = bench.drive.submit(now_ns, command).expect("a block of the drive");
        if slot == READER {
            latency.histogram.record(done_ns - now_ns);
            latency.moments.record(done_ns - now_ns);
        }
        due.push(Reverse((done_ns, slot)));
    }
    latency
}

pub(crate) fn tail() -> Row {
    let with = reads_beside_writes(SUSPENDING);
    let without = reads_beside_writes(NOT_SUSPENDING);
    let shares = [50.0, 99.0, 99.9, 99.99];
    let us = |latency: &Latency| {
        shares.map(|share| {
            let percent = Percent::try_from(share).expect("a percentage");
            latency.histogram.percentile_ns(percent).expect("ten reads above it") as f64 / NS_PER_US
        })
    };
    let max_us = |latency: &Latency| latency.moments.max_ns().expect("reads") as f64 / NS_PER_US;
    let grounds = "a read waits for a whole program only if programs are not suspended, or have been too often";
    Row::new(
        "QD1 reads beside QD4 writes",
        "pm9e1-1tb at 1/16, filled; a program takes 1680 us",
        grounds,
    )
    .shown("suspending: us at 50 99 99.9 99.99 %", &us(&with))
    .shown("not suspending: us at 50 99 99.9 99.99 %", &us(&without))
    .at_most("suspending: 99 % against a program", us(&with)[1] / PROGRAM_US, 0.5, "")
    .at_least(
        "not suspending: 99 % against a program",
        us(&without)[1] / PROGRAM_US,
        0.8,
        "",
    )
    .at_most(
        "suspending: longest against a program",
        max_us(&with) / PROGRAM_US,
        1.5,
        "",
    )
    .at_most(
        "not suspending: longest against a program",
        max_us(&without) / PROGRAM_US,
        1.5,
        "",
    )
}
