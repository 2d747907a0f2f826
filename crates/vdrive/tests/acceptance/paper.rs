//! The drives of the source paper (Ryu & Park): allocation, and read time against request size.

use vdrive::Command;
use vdrive::workload::{Draw, Workload};

use crate::bench::{Bench, KIB, MIB, NS_PER_US, edited};
use crate::row::Row;

/// Mean time of sequential reads of four pages after random, and after sequential page-sized writes (METHODS B2).
fn after_random_against_sequential(name: &str) -> f64 {
    let mut bench = Bench::scaled(name, 128);
    let page_bytes = 4 * KIB;
    let half_bytes = bench.capacity_bytes() / 2 / MIB * MIB;
    let at_random = Workload {
        draw: Draw::Permutation,
        queue_depth: 1,
        block_bytes: page_bytes,
        region_length_bytes: half_bytes,
        amount_bytes: Some(half_bytes),
        ..bench.random_writes()
    };
    let in_order = Workload {
        pattern: vdrive::workload::Pattern::Sequential,
        ..at_random.clone()
    };
    let read = Workload {
        read_percent: 100,
        block_bytes: 4 * page_bytes,
        ..in_order.clone()
    };
    bench.run(&at_random);
    let after_random = bench.run(&read).read.lat.moments.mean_ns().expect("reads");
    bench.run(&in_order);
    let after_sequential = bench.run(&read).read.lat.moments.mean_ns().expect("reads");
    after_random / after_sequential
}

pub(crate) fn allocation() -> Row {
    let [a, b, c] = ["ssd-a", "ssd-b", "ssd-c"].map(after_random_against_sequential);
    let grounds = "the paper found a gap of 15 % on its SSD C and almost none on A and B";
    Row::new(
        "Four-page reads after random against after sequential writes",
        "ssd-a, ssd-b, ssd-c at 1/128",
        grounds,
    )
    .within("ssd-a allocates by address", a, 1.0, 1.0, "")
    .within("ssd-b allocates by address", b, 1.0, 1.0, "")
    .within("ssd-c allocates in order", c, 1.15, 5.0, "")
}

const PAGE_US: u64 = 100;
const CHANNELS: u64 = 4;

/// Equations (1) and (2) in pages: a full stripe costs the pages of one channel and a synchronisation for each further
/// channel, the rest of the last stripe likewise for the channels it touches.
fn equation_us(pages: u64, unit_pages: u64, sync_us: u64) -> u64 {
    let stripe_pages = CHANNELS * unit_pages;
    let part_us = |pages: u64| match pages {
        0 => 0,
        _ => pages.min(unit_pages) * PAGE_US + (pages.div_ceil(unit_pages) - 1) * sync_us,
    };
    pages / stripe_pages * part_us(stripe_pages) + part_us(pages % stripe_pages)
}

/// Time of a read of `pages` pages from the start of a written drive.
fn read_us(unit_pages: u64, sync_us: u64, pages: u64) -> f64 {
    let placed = format!("pages_per_channel = {unit_pages}");
    let synchronised = format!("sync = \"{sync_us}us\"");
    let edits = [
        // The equations know no link.
        ("link_read = \"150 MB/s\"", "link_read = \"100 GB/s\""),
        ("read_base = \"173us\"", "read_base = \"0us\""),
        ("page_read = \"37us\"", "page_read = \"100us\""),
        ("pages_per_channel = 4", placed.as_str()),
        ("sync = \"130us\"", synchronised.as_str()),
    ];
    let mut bench = Bench::of_text(&edited("ssd-a", &edits), Some(128));
    bench.once_ns(Command::Write {
        offset_bytes: 0,
        length_bytes: MIB,
        sync: vdrive::Sync::Buffered,
    });
    bench.once_ns(Command::Read {
        offset_bytes: 0,
        length_bytes: pages * 4 * KIB,
    }) as f64
        / NS_PER_US
}

pub(crate) fn placement() -> Row {
    let mut mismatches = 0u32;
    for (unit_pages, sync_us) in [1, 2, 4, 8].into_iter().flat_map(|unit| [(unit, 10), (unit, 20)]) {
        for pages in 1..=32 {
            let expected_us = equation_us(pages, unit_pages, sync_us) as f64;
            mismatches += u32::from((read_us(unit_pages, sync_us, pages) - expected_us).abs() > 0.001);
        }
    }
    let grounds = "the paper's equations, counted in pages, each touched channel synchronised once";
    Row::new(
        "Read time against request size",
        "ssd-a with the parameters of the paper's figure 12",
        grounds,
    )
    .exactly(
        "of 256 points, not on the equations",
        f64::from(mismatches),
        0.0,
        "points",
    )
}
