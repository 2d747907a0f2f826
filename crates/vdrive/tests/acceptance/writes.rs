//! Small writes: indirection unit, flush.

use vdrive::workload::Workload;
use vdrive::{Command, Sync};

use crate::bench::{Bench, KIB, MIB, NS_PER_S, NS_PER_US, edited, median};
use crate::row::Row;

/// Bandwidth of random writes of `block_kib` on a filled drive whose mapping counts in units of `unit_kib`.
fn mb_s(unit_kib: u64, block_kib: u64) -> f64 {
    let unit = format!("[map]\nunit = \"{unit_kib} KiB\"\n\n[collection]");
    let edits = [
        // Whole units of any size.
        ("capacity = \"3840755982336 B\"", "capacity = \"3840 GB\""),
        // Flash so slow that it alone is the limit, not the link and not the controller.
        ("program = \"1400us\"", "program = \"14ms\""),
        ("[collection]", unit.as_str()),
    ];
    let text = edited("plp-enterprise-3t84", &edits);
    let mut bench = Bench::of_text(&text, Some(128));
    bench.run(&bench.pass());
    bench.rest(NS_PER_S);
    let write = Workload {
        block_bytes: block_kib * KIB,
        // As many units in every case: far more than the buffer holds, not so many that collection begins.
        amount_bytes: Some(2048 * MIB * block_kib / unit_kib.max(block_kib)),
        ..bench.random_writes()
    };
    bench.run(&write);
    let result = bench.run(&Workload { seed: 2, ..write }).write;
    result.bytes as f64 / result.runtime_ns as f64 * 1e3
}

pub(crate) fn indirection_unit() -> Row {
    let small = [4, 16, 64].map(|unit_kib| mb_s(unit_kib, 4));
    let blocks = [4, 8, 16, 32].map(|block_kib| mb_s(16, block_kib));
    let drive = "plp-enterprise-3t84 at 1/128, filled, its flash ten times slower so that it alone is the limit";
    Row::new(
        "Writes smaller than the indirection unit",
        drive,
        "the whole unit is written for every part of it",
    )
    .shown("4 KiB writes: MB/s with units of 4 16 64 KiB", &small)
    .shown("units of 16 KiB: MB/s of 4 8 16 32 KiB writes", &blocks)
    .within(
        "4 KiB writes: units of 4 against 16 KiB",
        small[0] / small[1],
        4.0,
        10.0,
        "",
    )
    .within(
        "4 KiB writes: units of 16 against 64 KiB",
        small[1] / small[2],
        4.0,
        10.0,
        "",
    )
    .within(
        "units of 16 KiB: 16 against 8 KiB writes",
        blocks[2] / blocks[1],
        2.0,
        10.0,
        "",
    )
    .within(
        "units of 16 KiB: 32 against 16 KiB writes",
        blocks[3] / blocks[2],
        1.0,
        2.0,
        "",
    )
}

struct Flushes {
    after_write_us: f64,
    after_flush_us: f64,
}

/// Medians of a flush after each of many 4 KiB writes, and of a second flush with nothing to do.
fn flushes(name: &str) -> Flushes {
    let mut bench = Bench::scaled(name, 64);
    bench.run(&bench.pass());
    bench.rest(5 * 60 * NS_PER_S);
    let (mut dirty, mut clean) = (Vec::new(), Vec::new());
    for index in 0..1000 {
        let offset_bytes = index * 7919 % 100_000 * 4 * KIB;
        bench.once_ns(Command::Write {
            offset_bytes,
            length_bytes: 4 * KIB,
            sync: Sync::Buffered,
        });
        dirty.push(bench.once_ns(Command::Flush) as f64 / NS_PER_US);
        clean.push(bench.once_ns(Command::Flush) as f64 / NS_PER_US);
    }
    Flushes {
        after_write_us: median(dirty),
        after_flush_us: median(clean),
    }
}

pub(crate) fn flush() -> Row {
    let volatile = flushes("pm9e1-1tb");
    let protected = flushes("plp-enterprise-3t84");
    let drives = "pm9e1-1tb (volatile buffer) and plp-enterprise-3t84 (protected buffer), at 1/64, filled and rested";
    let grounds = "the class in which flushes of a consumer drive were published (0.9 to 1.6 ms), and next to nothing";
    Row::new("Flush after a 4 KiB write", drives, grounds)
        .between(
            "volatile buffer: with something to flush",
            volatile.after_write_us,
            700.0,
            1643.0,
            "us",
        )
        .at_most(
            "volatile buffer: with nothing to flush",
            volatile.after_flush_us,
            25.0,
            "us",
        )
        .at_most(
            "protected buffer: with something to flush",
            protected.after_write_us,
            25.0,
            "us",
        )
}
