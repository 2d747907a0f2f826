//! A small drive that each test changes in the one respect it is about.

#![allow(dead_code, reason = "each test file uses its own part")]

use vdrive::workload::{Workload, WorkloadResult, run};
use vdrive::{Command, Spec, Sync, VDrive};

pub(crate) const KIB: u64 = 1 << 10;
pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const US: u64 = 1_000;
pub(crate) const SECOND: u64 = 1_000_000_000;

/// Eight dies of TLC behind four channels, no cache, no suspend, nothing clever.
pub(crate) const PLAIN: &str = r#"
name = "plain"
description = "for tests"
[geometry]
capacity = "256 MiB"
raw = "320 MiB"
superblock = "6 MiB"
channels = 4
dies = 8
bits_per_cell = 3
stripe_unit = "64 KiB"
page = "64 KiB"
[timing]
sense = ["50us", "50us", "50us"]
sense_slc = "25us"
program = "1200us"
program_slc = "150us"
erase = "0us"
channel = "1.6 GB/s"
link_read = "2 GB/s"
link_write = "2 GB/s"
read_overhead = "5us"
write_overhead = "5us"
unmapped_read = "5us"
[buffer]
kind = "volatile"
size = "4 MiB"
flush = "10us"
flush_metadata = "500us"
[map]
[slc]
[collection]
start = 4
hard = 2
[idle]
[read_ahead]
"#;

/// `PLAIN` with each `section.key = value` set.
pub(crate) fn text(settings: &[(&str, &str)]) -> String {
    let mut lines: Vec<String> = PLAIN.lines().map(str::to_owned).collect();
    for (path, value) in settings {
        let (section, key) = path.split_once('.').unwrap();
        let header = format!("[{section}]");
        if !lines.contains(&header) {
            lines.push(header.clone());
        }
        let first = lines.iter().position(|line| *line == header).unwrap() + 1;
        let after = lines[first..]
            .iter()
            .position(|line| line.starts_with('['))
            .map_or(lines.len(), |n| first + n);
        let present = lines[first..after]
            .iter()
            .position(|line| line.starts_with(&format!("{key} =")));
        let line = format!("{key} = {value}");
        match present {
            Some(index) => lines[first + index] = line,
            None => lines.insert(first, line),
        }
    }
    lines.join("\n")
}

pub(crate) fn spec(settings: &[(&str, &str)]) -> Spec {
    Spec::parse(&text(settings)).unwrap_or_else(|faults| panic!("{faults}"))
}

pub(crate) fn builtin(name: &str) -> Spec {
    Spec::parse(Spec::builtin_text(name).unwrap()).unwrap_or_else(|faults| panic!("{name}: {faults}"))
}

/// A drive and its clock.
pub(crate) struct Bench {
    pub(crate) drive: VDrive,
    pub(crate) now_ns: u64,
}

impl Bench {
    pub(crate) fn new(spec: &Spec) -> Self {
        Self {
            drive: VDrive::new(spec),
            now_ns: 0,
        }
    }

    pub(crate) fn plain(settings: &[(&str, &str)]) -> Self {
        Self::new(&spec(settings))
    }

    pub(crate) fn rest(&mut self, ns: u64) {
        self.now_ns += ns;
    }

    /// One command, waited for; its latency.
    pub(crate) fn one(&mut self, command: Command) -> u64 {
        let end_ns = self.drive.submit(self.now_ns, command).unwrap();
        let latency_ns = end_ns - self.now_ns;
        self.now_ns = end_ns;
        latency_ns
    }

    pub(crate) fn read(&mut self, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.one(Command::Read {
            offset_bytes,
            length_bytes,
        })
    }

    pub(crate) fn write(&mut self, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.one(Command::Write {
            offset_bytes,
            length_bytes,
            sync: Sync::Buffered,
        })
    }

    pub(crate) fn fua(&mut self, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.one(Command::Write {
            offset_bytes,
            length_bytes,
            sync: Sync::Fua,
        })
    }

    pub(crate) fn flush(&mut self) -> u64 {
        self.one(Command::Flush)
    }

    pub(crate) fn trim(&mut self, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.one(Command::Trim {
            offset_bytes,
            length_bytes,
        })
    }

    pub(crate) fn capacity(&self) -> u64 {
        self.drive.spec().capacity_bytes()
    }

    pub(crate) fn run(&mut self, job: Job) -> WorkloadResult {
        let workload = job.workload(self.capacity());
        let result = run(&mut self.drive, self.now_ns, &workload).unwrap();
        self.now_ns = result.end_ns;
        result
    }

    /// The whole drive, sequentially.
    pub(crate) fn fill(&mut self) -> WorkloadResult {
        let amount = self.capacity() / (128 * KIB) * 128 * KIB;
        self.run(Job {
            amount,
            ..Job::sequential_writes()
        })
    }
}

/// A workload in few words.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    pub(crate) pattern: &'static str,
    pub(crate) draw: &'static str,
    pub(crate) read_percent: u8,
    pub(crate) block: u64,
    pub(crate) depth: u32,
    pub(crate) from: u64,
    /// 0 for the rest of the drive.
    pub(crate) length: u64,
    pub(crate) amount: u64,
    pub(crate) seed: u64,
}

impl Job {
    pub(crate) fn sequential_writes() -> Self {
        let block = 128 * KIB;
        Self {
            pattern: "sequential",
            draw: "independent",
            read_percent: 0,
            block,
            depth: 32,
            from: 0,
            length: 0,
            amount: block,
            seed: 1,
        }
    }

    pub(crate) fn random_writes() -> Self {
        Self {
            pattern: "random",
            block: 4 * KIB,
            ..Self::sequential_writes()
        }
    }

    pub(crate) fn random_reads() -> Self {
        Self {
            read_percent: 100,
            ..Self::random_writes()
        }
    }

    fn workload(self, capacity: u64) -> Workload {
        let length = if self.length == 0 {
            capacity - self.from
        } else {
            self.length
        };
        let json = serde_json::json!({
            "pattern": self.pattern, "draw": self.draw, "action": "read_write", "read_percent": self.read_percent,
            "block_bytes": self.block, "queue_depth": self.depth, "jobs": 1, "region_offset_bytes": self.from,
            "region_length_bytes": length, "amount_bytes": self.amount, "duration_ns": null,
            "rate_iops": null, "sync": "none", "seed": self.seed, "window_ns": 1_000_000, "log_every_io": "no",
        });
        Workload::from_json(&json.to_string()).unwrap()
    }
}

pub(crate) fn mib_per_s(result: &WorkloadResult) -> f64 {
    let bytes = result.read.bytes + result.write.bytes;
    bytes as f64 / MIB as f64 / (result.read.runtime_ns.max(result.write.runtime_ns) as f64 / 1e9)
}

pub(crate) fn iops(result: &WorkloadResult) -> f64 {
    let ios = result.read.ios + result.write.ios;
    ios as f64 / (result.read.runtime_ns.max(result.write.runtime_ns) as f64 / 1e9)
}

/// Mean speed of the writes between two positions, in MiB/s.
pub(crate) fn mib_per_s_between(result: &WorkloadResult, block: u64, from: u64, to: u64) -> f64 {
    let (mut at, mut bytes, mut windows) = (0u64, 0u64, 0u64);
    for ios in &result.write.windows.ios {
        let length = ios * block;
        if at >= from && at + length <= to {
            bytes += length;
            windows += 1;
        }
        at += length;
    }
    bytes as f64 / MIB as f64 / (windows as f64 * 1e-3)
}

pub(crate) fn assert_within(what: &str, found: f64, wanted: f64, tolerance: f64) {
    assert!(
        (found / wanted - 1.0).abs() <= tolerance,
        "{what}: {found:.3}, wanted {wanted:.3} within {tolerance}"
    );
}
