//! Random writes from fresh out of the box to steady state, and the traps of preconditioning.

use vdrive::workload::{DirectionResult, Draw, Workload};

use crate::bench::{Bench, GIB, edited, iops};
use crate::row::Row;

const KIOPS: f64 = 1e3;

const EARLIER_MODEL: &str = "the shape; amounts as in an earlier model of the same drive, written independently";

/// Write amplification of uniform random writes when the superblock written longest ago, or that with the least valid data, is
/// collected: `A = a / (a + W(-a exp(-a)))` with `a` the flash in use over the data on it (Desnoyers, "Analytic modeling of
/// SSD write performance", SYSTOR 2012).
fn amplification_in_theory(flash_over_data: f64) -> f64 {
    let target = -flash_over_data * (-flash_over_data).exp();
    // Newton's method for the principal branch of Lambert's W, from the side on which it converges.
    let mut w = -0.5;
    for _ in 0..100 {
        let power: f64 = f64::exp(w);
        w -= (w * power - target) / (power * (w + 1.0));
    }
    flash_over_data / (flash_over_data + w)
}

struct Steady {
    fresh_iops: f64,
    iops: f64,
    amplification: f64,
    theory: f64,
}

/// Writes at random into the first `used` of a drive with this much raw flash until nothing changes any more.
fn to_steady(raw: &str, used: f64) -> Steady {
    let text = edited("mlc-1tb", &[("raw = \"1024 GiB\"", raw)]);
    let spec_bytes = vdrive::Spec::parse(&text)
        .unwrap_or_else(|faults| panic!("{faults}"))
        .capacity_bytes();
    let mut bench = Bench::of_text(&text, Some(spec_bytes / (4 * GIB)));
    let region_bytes = (bench.capacity_bytes() as f64 * used) as u64;
    let writes = Workload {
        region_length_bytes: region_bytes,
        ..bench.random_writes()
    };
    let fresh = bench
        .run(&Workload {
            amount_bytes: Some(region_bytes / 4),
            ..writes.clone()
        })
        .write;
    bench.run(&Workload {
        amount_bytes: Some(6 * region_bytes),
        seed: 2,
        ..writes.clone()
    });
    let before = bench.truth();
    let steady = bench
        .run(&Workload {
            amount_bytes: Some(2 * region_bytes),
            seed: 3,
            ..writes
        })
        .write;
    let after = bench.truth();
    let moved = (after.collected_bytes - before.collected_bytes) as f64;
    let written = (after.host_written_bytes - before.host_written_bytes) as f64;
    // How many are free goes up and down by a few while it collects.
    let held_back_bytes = u64::from(before.free_superblocks + after.free_superblocks) * after.superblock_bytes / 2;
    Steady {
        fresh_iops: iops(&fresh),
        iops: iops(&steady),
        amplification: 1.0 + moved / written,
        theory: amplification_in_theory((after.raw_bytes - held_back_bytes) as f64 / after.mapped_bytes as f64),
    }
}

/// Fresh out of the box, transition, steady: how far the speed falls follows from the spare flash alone.
pub(crate) fn over_provisioning() -> Row {
    let little = to_steady("raw = \"1024 GiB\"", 1.0);
    let much = to_steady("raw = \"1211 GiB\"", 1.0);
    let trimmed = to_steady("raw = \"1024 GiB\"", 0.75);
    Row::new(
        "Random writes to steady state",
        "mlc-1tb at 4 GiB",
        "theory of uniform random writes (Desnoyers, SYSTOR 2012)",
    )
    .within(
        "10 % spare: write amplification",
        little.amplification,
        little.theory,
        4.0,
        "",
    )
    .within(
        "30 % spare: write amplification",
        much.amplification,
        much.theory,
        4.0,
        "",
    )
    .within(
        "10 % spare, 25 % trimmed: write amplification",
        trimmed.amplification,
        trimmed.theory,
        4.0,
        "",
    )
    .at_least("10 % spare: fresh", little.fresh_iops / KIOPS, 300.0, "kIOPS")
    .at_most(
        "10 % spare: steady against fresh",
        little.iops / little.fresh_iops,
        0.35,
        "",
    )
    .at_least("30 % against 10 % spare: steady", much.iops / little.iops, 1.8, "")
    .at_least(
        "25 % trimmed against 30 % spare: steady",
        trimmed.iops / much.iops,
        1.05,
        "",
    )
}

/// How the four passes of a trap went.
struct Passes {
    /// kIOPS in each eighth of each pass.
    eighths: Vec<f64>,
    collected_per_written: f64,
}

impl Passes {
    fn pass(&self, number: usize) -> &[f64] {
        &self.eighths[(number - 1) * 8..number * 8]
    }

    /// Largest deviation of any eighth from the first, as a share.
    fn unevenness(&self) -> f64 {
        self.eighths
            .iter()
            .map(|eighth| (eighth / self.eighths[0] - 1.0).abs())
            .fold(0.0, f64::max)
    }
}

#[derive(Clone, Copy)]
enum Reseeding {
    /// One job of four passes.
    Never,
    /// Four jobs of one pass, all with the same seed, as fio's `randrepeat=1` makes them.
    EachPass,
}

fn four_passes(draw: Draw, reseeding: Reseeding) -> Passes {
    let mut bench = Bench::scaled("mlc-1tb", 256);
    let pass = Workload {
        draw,
        region_length_bytes: bench.capacity_bytes(),
        window_ns: 2_000_000,
        ..bench.random_writes()
    };
    let all = Workload {
        amount_bytes: Some(4 * bench.capacity_bytes() / 4096 * 4096),
        ..pass.clone()
    };
    let eighths = match reseeding {
        Reseeding::Never => kiops_of_parts(&bench.run(&all).write, 32),
        Reseeding::EachPass => (0..4)
            .flat_map(|_| kiops_of_parts(&bench.run(&pass).write, 8))
            .collect(),
    };
    let truth = bench.truth();
    Passes {
        eighths,
        collected_per_written: truth.collected_bytes as f64 / truth.host_written_bytes as f64,
    }
}

/// kIOPS in equal parts of the I/Os, interpolated inside windows.
fn kiops_of_parts(result: &DirectionResult, parts: u64) -> Vec<f64> {
    let (mut ends_s, mut done, mut begin_ns) = (Vec::new(), 0u64, 0u64);
    for (&end_ns, &ios) in result.windows.end_ns.iter().zip(&result.windows.ios) {
        while (ends_s.len() as u64) < parts {
            let wanted = result.ios * (ends_s.len() as u64 + 1) / parts;
            if wanted > done + ios {
                break;
            }
            let inside = (wanted - done) as f64 / ios as f64;
            ends_s.push((begin_ns as f64 + inside * (end_ns - begin_ns) as f64) / 1e9);
        }
        (done, begin_ns) = (done + ios, end_ns);
    }
    let begins_s = std::iter::once(0.0).chain(ends_s.iter().copied());
    let ios_each = result.ios as f64 / parts as f64;
    begins_s
        .zip(&ends_s)
        .map(|(begin_s, end_s)| ios_each / (end_s - begin_s) / KIOPS)
        .collect()
}

/// Independent draws are the only order that ends in a steady state (METHODS 0).
pub(crate) fn independent_draws() -> Row {
    let passes = four_passes(Draw::Independent, Reseeding::Never);
    let falls =
        |eighths: &[f64]| eighths.windows(2).all(|pair| pair[1] < pair[0] * 1.02) && eighths[7] < 0.8 * eighths[0];
    let fresh = passes.eighths[0];
    Row::new("Preconditioning: independent draws", "mlc-1tb at 1/256", EARLIER_MODEL)
        .series(
            "kIOPS in the eighths of pass 2",
            passes.pass(2),
            "falls all the way",
            falls,
        )
        .series("kIOPS in the eighths of pass 4", passes.pass(4), "settles", settles)
        .at_most("end of pass 4 against fresh", passes.pass(4)[7] / fresh, 0.35, "")
        .within(
            "collected bytes a written byte",
            passes.collected_per_written,
            1.58,
            15.0,
            "",
        )
}

fn settles(eighths: &[f64]) -> bool {
    eighths.windows(2).all(|pair| (pair[1] / pair[0] - 1.0).abs() < 0.15)
}

fn end_against_slowest(eighths: &[f64]) -> f64 {
    eighths[7] / eighths.iter().copied().fold(f64::MAX, f64::min)
}

fn is_tooth(eighths: &[f64]) -> bool {
    end_against_slowest(eighths) > 2.0 && eighths[1..].is_sorted()
}

/// A map that is drawn anew each pass never settles: a sawtooth with the period of the drive.
pub(crate) fn new_order_each_pass() -> Row {
    let passes = four_passes(Draw::Permutation, Reseeding::Never);
    let rise = |number| end_against_slowest(passes.pass(number));
    Row::new(
        "Preconditioning: a new permutation each pass",
        "mlc-1tb at 1/256",
        EARLIER_MODEL,
    )
    .series(
        "kIOPS in the eighths of pass 3",
        passes.pass(3),
        "a tooth: falls at once, rises to the end",
        is_tooth,
    )
    .at_least("pass 2: end against slowest", rise(2), 2.0, "")
    .at_least("pass 4: end against slowest", rise(4), 2.0, "")
    .within(
        "collected bytes a written byte",
        passes.collected_per_written,
        1.71,
        15.0,
        "",
    )
}

/// The same permutation again and again: blocks die in the order in which they were written, nothing is ever copied.
pub(crate) fn same_order_each_pass() -> Row {
    never_collects("Preconditioning: the same permutation each pass", Draw::Permutation)
}

/// The same independent draws again and again, as a generator re-seeded each pass gives them.
pub(crate) fn same_draws_each_pass() -> Row {
    never_collects("Preconditioning: the same draws each pass", Draw::Independent)
}

fn never_collects(effect: &'static str, draw: Draw) -> Row {
    let passes = four_passes(draw, Reseeding::EachPass);
    Row::new(
        effect,
        "mlc-1tb at 1/256",
        "blocks die in the order in which they were written",
    )
    .series("kIOPS in the eighths of pass 4", passes.pass(4), "as fresh", |_| {
        passes.unevenness() < 0.05
    })
    .at_most(
        "largest deviation from fresh over four passes",
        passes.unevenness(),
        0.05,
        "",
    )
    .exactly("collected bytes a written byte", passes.collected_per_written, 0.0, "")
}
