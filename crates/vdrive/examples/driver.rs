//! What the virtual-time driver itself costs, on a device that computes next to nothing: one JSON line per case on
//! standard output.

use std::error::Error;
use std::io::Write as _;

use vdrive::workload::{BlockDevice, Workload, run};
use vdrive::{Command, Rejected};

const MEASURED_IOS: u64 = 10_000_000;
const CAPACITY_BYTES: u64 = 1 << 40;

/// Completes each command after a time that its offset gives, so that completions come in another order than submissions.
struct Scattered;

impl BlockDevice for Scattered {
    fn capacity_bytes(&self) -> u64 {
        CAPACITY_BYTES
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let Command::Read { offset_bytes, .. } = command else {
            return Ok(now_ns);
        };
        Ok(now_ns + 50_000 + ((offset_bytes >> 12) & 0xFFFF))
    }
}

/// Processor time that this process has used.
fn processor_ns() -> Result<u64, Box<dyn Error>> {
    let statistics = std::fs::read_to_string("/proc/self/schedstat")?;
    Ok(statistics
        .split(' ')
        .next()
        .ok_or("/proc/self/schedstat is empty")?
        .parse()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (pattern, draw) in [
        ("sequential", "independent"),
        ("random", "independent"),
        ("random", "permutation"),
    ] {
        for queue_depth in [1, 32, 256] {
            for log_every_io in ["no", "yes"] {
                let workload = serde_json::json!({
                    "pattern": pattern, "draw": draw, "action": "read_write", "read_percent": 100, "block_bytes": 4096,
                    "queue_depth": queue_depth, "jobs": 1, "region_offset_bytes": 0,
                    "region_length_bytes": CAPACITY_BYTES, "amount_bytes": MEASURED_IOS * 4096, "duration_ns": null,
                    "rate_iops": null, "sync": "none", "seed": 1, "log_every_io": log_every_io,
                });
                let started_ns = processor_ns()?;
                run(&mut Scattered, 0, &Workload::from_json(&workload.to_string())?)?;
                let spent_ns = processor_ns()? - started_ns;
                let line = serde_json::json!({
                    "pattern": pattern, "draw": draw, "queue_depth": queue_depth, "log_every_io": log_every_io,
                    "ios_per_cpu_s": (MEASURED_IOS as f64 * 1e9 / spent_ns as f64).round(),
                });
                writeln!(std::io::stdout(), "{line}")?;
            }
        }
    }
    Ok(())
}
