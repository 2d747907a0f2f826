//! Devices so simple that the right answer is known, and the workload that most tests vary.

use std::collections::BTreeMap;

use vdrive::workload::arrivals::Spacing;
use vdrive::workload::{
    Action, BlockDevice, Draw, Durability, LatencyOverTime, LogEveryIo, Pattern, Workload, WorkloadResult, run,
};
use vdrive::{Command, Rejected};

pub(crate) const KIB: u64 = 1024;
pub(crate) const MIB: u64 = 1024 * KIB;

/// Completes each command after a time that depends on its offset alone, any number at once, and remembers what it saw.
pub(crate) struct Parallel {
    pub(crate) capacity_bytes: u64,
    pub(crate) latency_ns: fn(u64) -> u64,
    pub(crate) last_ns: u64,
    pub(crate) completions_ns: Vec<u64>,
    pub(crate) in_flight_max: usize,
    pub(crate) commands: Vec<Command>,
}

impl Parallel {
    pub(crate) fn new(latency_ns: fn(u64) -> u64) -> Self {
        let (last_ns, in_flight_max) = (0, 0);
        let (completions_ns, commands) = (Vec::new(), Vec::new());
        Parallel {
            capacity_bytes: 64 * MIB,
            latency_ns,
            last_ns,
            completions_ns,
            in_flight_max,
            commands,
        }
    }

    pub(crate) fn offsets_bytes(&self) -> impl Iterator<Item = u64> + '_ {
        self.commands.iter().map(|command| range(*command).0)
    }
}

impl BlockDevice for Parallel {
    fn capacity_bytes(&self) -> u64 {
        self.capacity_bytes
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        assert!(now_ns >= self.last_ns, "presented at {now_ns} after {}", self.last_ns);
        self.last_ns = now_ns;
        self.commands.push(command);
        let (offset_bytes, length_bytes) = range(command);
        assert!(offset_bytes + length_bytes <= self.capacity_bytes);
        self.completions_ns.retain(|&completion_ns| completion_ns > now_ns);
        let completion_ns = now_ns + (self.latency_ns)(offset_bytes);
        self.completions_ns.push(completion_ns);
        self.in_flight_max = self.in_flight_max.max(self.completions_ns.len());
        Ok(completion_ns)
    }
}

/// Does one command after the other.
pub(crate) struct Serial {
    pub(crate) service_ns: u64,
    pub(crate) free_ns: u64,
}

impl BlockDevice for Serial {
    fn capacity_bytes(&self) -> u64 {
        64 * MIB
    }

    fn submit(&mut self, now_ns: u64, _: Command) -> Result<u64, Rejected> {
        self.free_ns = self.free_ns.max(now_ns) + self.service_ns;
        Ok(self.free_ns)
    }
}

/// Refuses everything from a certain offset on.
pub(crate) struct BadFrom(pub(crate) u64);

impl BlockDevice for BadFrom {
    fn capacity_bytes(&self) -> u64 {
        64 * MIB
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let (offset_bytes, length_bytes) = range(command);
        let refused = Rejected::PastTheEnd {
            offset_bytes,
            length_bytes,
            capacity_bytes: self.0,
        };
        if offset_bytes < self.0 {
            Ok(now_ns + 1000)
        } else {
            Err(refused)
        }
    }
}

pub(crate) fn range(command: Command) -> (u64, u64) {
    match command {
        Command::Read {
            offset_bytes,
            length_bytes,
        }
        | Command::Write {
            offset_bytes,
            length_bytes,
            ..
        }
        | Command::Trim {
            offset_bytes,
            length_bytes,
        } => (offset_bytes, length_bytes),
        Command::Flush => (0, 0),
    }
}

pub(crate) fn fixed(_: u64) -> u64 {
    100_000
}

pub(crate) fn scattered(offset_bytes: u64) -> u64 {
    20_000 + (offset_bytes.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 46)
}

/// 1000 random 4 KiB reads at queue depth 4 on 16 MiB.
pub(crate) fn workload() -> Workload {
    Workload {
        pattern: Pattern::Random,
        draw: Draw::Independent,
        action: Action::ReadWrite,
        read_percent: 100,
        block_bytes: 4 * KIB,
        queue_depth: 4,
        jobs: 1,
        region_offset_bytes: 0,
        region_length_bytes: 16 * MIB,
        amount_bytes: Some(1000 * 4 * KIB),
        duration_ns: None,
        rate_iops: None,
        arrivals: Spacing::Poisson,
        sync: Durability::None,
        seed: 1,
        window_ns: 1_000_000,
        log_every_io: LogEveryIo::No,
        latency_over_time: LatencyOverTime::No,
        beside: Vec::new(),
    }
}

pub(crate) fn on_parallel(workload: &Workload, latency_ns: fn(u64) -> u64) -> (WorkloadResult, Parallel) {
    let mut device = Parallel::new(latency_ns);
    let result = run(&mut device, 0, workload).unwrap();
    (result, device)
}

pub(crate) fn times_each(offsets_bytes: impl Iterator<Item = u64>) -> BTreeMap<u64, u32> {
    let mut times = BTreeMap::new();
    for offset_bytes in offsets_bytes {
        *times.entry(offset_bytes).or_insert(0) += 1;
    }
    times
}
