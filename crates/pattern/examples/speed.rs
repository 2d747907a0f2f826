//! `speed`: bytes a second of one core that generate and check data, beside copying it; one JSON object.

#![allow(clippy::print_stdout, reason = "that is what it is for")]

use pattern::Pattern;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// Larger than the second-level cache and smaller than what a drive is given at once.
const BUFFER_BYTES: usize = 8 << 20;
const ROUNDS: usize = 15;
const REPEATS: usize = 8;

fn main() {
    let pattern = Pattern::new(1, 1);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut copy = vec![0; BUFFER_BYTES];
    let mut rates = [const { Vec::new() }; 3];
    for round in 0..ROUNDS as u64 {
        let offset_bytes = round * BUFFER_BYTES as u64;
        rates[0].push(rate(|| pattern.fill(black_box(&mut buffer), offset_bytes).is_ok()));
        rates[1].push(rate(|| {
            pattern
                .check(black_box(&buffer), offset_bytes)
                .is_ok_and(|found| found.is_empty())
        }));
        rates[2].push(rate(|| {
            copy.copy_from_slice(black_box(&buffer));
            black_box(&copy)[0] == buffer[0]
        }));
    }
    let [generate, check, copy] = rates.map(median);
    println!(
        "{}",
        serde_json::json!({"generate": generate, "check": check, "copy": copy})
    );
}

/// Bytes a second of something done to the buffer.
fn rate(mut once: impl FnMut() -> bool) -> f64 {
    let start_s = cpu_s();
    for _ in 0..REPEATS {
        assert!(once(), "the data is not what was made");
    }
    (BUFFER_BYTES * REPEATS) as f64 / (cpu_s() - start_s)
}

/// Processor time of this thread: others on the machine make it wait, not work.
fn cpu_s() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
