//! How fast the model simulates: one JSON line per case on standard output.
//!
//! `speed [CAPACITY_GIB ...]` (default 64 931 3725): 4 KiB random writes with garbage collection on the built-in MLC
//! drive, and a sequential pass over it, measured in processor time of this process.
//!
//! For comparison: no published simulation rate of `MQSim` (Tavakkol et al., FAST 2018) was found. One run of it,
//! observed while this model was designed and on another host, took 7.4 s of processor time for 381,870 reads and 3.8 s
//! for 110,789 writes: 30,000 to 50,000 commands a second, an order of magnitude to compare with and no more.

use std::error::Error;
use std::io::Write as _;
use vdrive::workload::{Workload, run};
use vdrive::{Spec, VDrive};

/// Random writes before measuring, as a share of the capacity: enough to use up the spare flash and start collecting.
const PRIMING_SHARE: f64 = 0.25;
const MEASURED_IOS: u64 = 20_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let named: Vec<u64> = std::env::args()
        .skip(1)
        .map(|text| text.parse())
        .collect::<Result<_, _>>()?;
    let sizes_gib = if named.is_empty() { vec![64, 931, 3725] } else { named };
    let text = Spec::builtin_text("mlc-1tb").ok_or("no built-in mlc-1tb")?;
    for size_gib in sizes_gib {
        let spec = Spec::parse(text)?.rescaled(size_gib << 30)?;
        case(&spec, size_gib)?;
    }
    Ok(())
}

fn case(spec: &Spec, size_gib: u64) -> Result<(), Box<dyn Error>> {
    let mut drive = VDrive::new(spec);
    let capacity = spec.capacity_bytes();
    let started_s = processor_s()?;
    let filled = run(&mut drive, 0, &workload("sequential", 131_072, capacity, capacity)?)?;
    let fill_s = processor_s()? - started_s;
    let priming = (capacity as f64 * PRIMING_SHARE) as u64;
    let primed = run(&mut drive, filled.end_ns, &workload("random", 4096, capacity, priming)?)?;
    let started_s = processor_s()?;
    let measured = run(
        &mut drive,
        primed.end_ns,
        &workload("random", 4096, capacity, MEASURED_IOS * 4096)?,
    )?;
    let random_s = processor_s()? - started_s;
    let truth = drive.truth(measured.end_ns);
    let line = serde_json::json!({
        "capacity_gib": size_gib,
        "random_write_ios_per_cpu_s": (MEASURED_IOS as f64 / random_s).round(),
        "random_write_cpu_ns_per_io": random_s * 1e9 / MEASURED_IOS as f64,
        "sequential_128k_cpu_ns_per_io": fill_s * 1e9 / (capacity / 131_072) as f64,
        "sequential_pass_cpu_s": fill_s,
        "write_amplification_recent": truth.write_amplification_recent,
        "peak_resident_mib": peak_resident_mib()?,
    });
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}

fn workload(pattern: &str, block_bytes: u64, length_bytes: u64, amount_bytes: u64) -> Result<Workload, Box<dyn Error>> {
    let json = serde_json::json!({
        "pattern": pattern, "draw": "independent", "action": "read_write", "read_percent": 0,
        "block_bytes": block_bytes, "queue_depth": 32, "jobs": 1,
        "region_offset_bytes": 0, "region_length_bytes": length_bytes, "amount_bytes": amount_bytes,
        "duration_ns": null, "rate_iops": null, "sync": "none", "seed": amount_bytes,
        "window_ns": 1_000_000_000, "log_every_io": "no",
    });
    Ok(Workload::from_json(&json.to_string())?)
}

/// Processor time of this process, user and system, from `/proc/self/stat` (hundredths of a second).
fn processor_s() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |index: usize| {
        fields
            .get(index)
            .ok_or("short /proc/self/stat")?
            .parse::<f64>()
            .map_err(Box::<dyn Error>::from)
    };
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}

/// Largest resident set of this process so far.
fn peak_resident_mib() -> Result<f64, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .ok_or("no VmHWM")?;
    let kib: f64 = line.split_whitespace().nth(1).ok_or("no number in VmHWM")?.parse()?;
    Ok((kib / 1024.0).round())
}
