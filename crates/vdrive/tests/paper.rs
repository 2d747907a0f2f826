//! The drives of Ryu & Park: equations (1) and (2), management blocks, allocation.

mod common;

use common::*;
use vdrive::Spec;

/// Figure 12's parameters: four channels, 4 KiB pages, 100 us a page.
fn figure_12(unit_pages: u64, sync_us: u64) -> Bench {
    let text = Spec::builtin_text("ssd-a").unwrap();
    let legacy = format!(
        "[legacy]\nread_base = \"0us\"\npage_read = \"100us\"\nsync = \"{sync_us}us\"\npages_per_channel = {unit_pages}\n\
         write_base = \"0us\"\nwrite_rate = \"unlimited\"\ncopy = \"500us\"\n"
    );
    let text = text.replace("150 MB/s", "unlimited");
    let (before, _) = text.split_once("[legacy]").unwrap();
    let mut bench = Bench::new(&Spec::parse(&format!("{before}{legacy}")).unwrap());
    bench.write(0, 8 * MIB);
    bench
}

/// The paper's formula in its consistent reading: everything in pages, a synchronisation for each further channel that
/// is touched.
fn equation_us(pages: u64, unit_pages: u64, sync_us: u64) -> u64 {
    let stripe = 4 * unit_pages;
    let (full, rest) = (pages / stripe, pages % stripe);
    let part = if rest == 0 {
        0
    } else {
        rest.min(unit_pages) * 100 + (rest.div_ceil(unit_pages) - 1) * sync_us
    };
    full * (unit_pages * 100 + 3 * sync_us) + part
}

#[test]
fn reads_take_what_the_equations_say_for_every_size_and_placement() {
    for sync_us in [10, 20] {
        for unit_pages in [1, 2, 4, 8] {
            let mut bench = figure_12(unit_pages, sync_us);
            for pages in 1..=32 {
                let found = bench.read(0, pages * 4 * KIB);
                let wanted = equation_us(pages, unit_pages, sync_us) * US;
                assert_eq!(found, wanted, "{unit_pages} pages a channel, {pages} pages read");
            }
        }
    }
}

#[test]
fn figure_12s_landmarks() {
    let read_us = |unit_pages, sync_us, kib: u64| figure_12(unit_pages, sync_us).read(0, kib * KIB) / US;
    assert_eq!(read_us(1, 10, 128), 1040);
    assert_eq!(read_us(4, 10, 128), 860);
    assert_eq!(read_us(8, 20, 64), 820);
    assert_eq!(read_us(1, 20, 8), 120);
}

/// Mean latency of writes of `length` at each shift inside a chunk, over many chunks.
fn shifted_writes(name: &str, length: u64, chunk: u64) -> Vec<u64> {
    let mut bench = Bench::new(&builtin(name).rescaled(2 << 30).unwrap());
    bench.run(Job {
        amount: 64 * MIB,
        ..Job::sequential_writes()
    });
    let shifts = chunk / (4 * KIB);
    (0..shifts)
        .map(|shift| {
            (0..8)
                .map(|at| bench.write(at * 4 * MIB + shift * 4 * KIB, length))
                .sum::<u64>()
                / 8
        })
        .collect()
}

#[test]
fn a_write_that_straddles_two_management_blocks_copies_both() {
    let small = shifted_writes("ssd-a", 8 * KIB, 64 * KIB);
    let straddling: Vec<usize> = (0..16).filter(|shift| small[*shift] > small[0] + 100 * US).collect();
    assert_eq!(straddling, [3, 7, 11, 15], "8 KiB writes spike every 16 KiB");
    let whole = shifted_writes("ssd-a", 16 * KIB, 64 * KIB);
    let aligned: Vec<usize> = (0..16).filter(|shift| whole[*shift] + 100 * US < whole[1]).collect();
    assert_eq!(aligned, [0, 4, 8, 12], "16 KiB writes dip every 16 KiB");
}

#[test]
fn ssd_bs_random_writes_take_the_same_time_at_every_size() {
    let mut bench = Bench::new(&builtin("ssd-b").rescaled(2 << 30).unwrap());
    bench.run(Job {
        amount: 512 * MIB,
        ..Job::sequential_writes()
    });
    for (kib, published_us) in [(4, 6590.0), (8, 6531.0), (16, 6544.0), (32, 6734.0), (64, 7139.0)] {
        let random = Job {
            block: kib * KIB,
            depth: 1,
            length: 512 * MIB,
            amount: 200 * kib * KIB,
            ..Job::random_writes()
        };
        assert_within("B, us", 1e6 / iops(&bench.run(random)), published_us, 0.04);
    }
}

#[test]
fn random_reads_are_as_published() {
    let published = [
        ("ssd-a", [210.0, 230.0, 321.0, 456.0, 704.0]),
        ("ssd-b", [175.0, 223.0, 319.0, 516.0, 913.0]),
        ("ssd-c", [203.0, 223.0, 258.0, 315.0, 487.0]),
    ];
    for (name, times_us) in published {
        let mut bench = Bench::new(&builtin(name).rescaled(1 << 30).unwrap());
        bench.fill();
        for (power, published_us) in times_us.into_iter().enumerate() {
            let block = (4 << power) * KIB;
            let reads = Job {
                block,
                depth: 1,
                amount: 400 * block,
                ..Job::random_reads()
            };
            assert_within(
                &format!("{name} {power}"),
                1e6 / iops(&bench.run(reads)),
                published_us,
                0.1,
            );
        }
    }
}

/// Speed of 16 KiB sequential reads after sequential writes, over that after random writes.
fn order_gap(name: &str) -> f64 {
    let mut bench = Bench::new(&builtin(name).rescaled(256 * MIB).unwrap());
    let (length, amount) = (128 * MIB, 128 * MIB);
    let read = Job {
        read_percent: 100,
        block: 16 * KIB,
        depth: 1,
        length,
        amount,
        ..Job::sequential_writes()
    };
    bench.run(Job {
        draw: "permutation",
        depth: 1,
        length,
        amount,
        ..Job::random_writes()
    });
    let scattered = iops(&bench.run(read));
    bench.run(Job {
        block: 4 * KIB,
        depth: 1,
        length,
        amount,
        ..Job::sequential_writes()
    });
    iops(&bench.run(read)) / scattered
}

#[test]
fn only_ssd_c_places_data_in_the_order_of_writing() {
    assert_within("A", order_gap("ssd-a"), 1.0, 0.005);
    assert_within("B", order_gap("ssd-b"), 1.0, 0.005);
    assert_within("C", order_gap("ssd-c"), 1.15, 0.02);
}
