//! A drive on the bench: made from a built-in Spec, its clock, and the few things that are done to it.

use vdrive::workload::arrivals::Spacing;
use vdrive::workload::{
    Action, DirectionResult, Draw, Durability, LatencyOverTime, LogEveryIo, Pattern, Workload, WorkloadResult, run,
};
use vdrive::{Command, Spec, Truth, VDrive};

pub(crate) const KIB: u64 = 1 << 10;
pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const GIB: u64 = 1 << 30;
pub(crate) const NS_PER_US: f64 = 1e3;
pub(crate) const NS_PER_MS: u64 = 1_000_000;
pub(crate) const NS_PER_S: u64 = 1_000_000_000;

/// The text of a built-in Spec with some lines replaced.
pub(crate) fn edited(name: &str, edits: &[(&str, &str)]) -> String {
    let mut text = Spec::builtin_text(name).expect("a built-in Spec").to_owned();
    for (old, new) in edits {
        assert!(text.contains(old), "{name} has no {old:?} to be edited");
        text = text.replacen(old, new, 1);
    }
    text
}

/// A drive with a clock.
pub(crate) struct Bench {
    pub(crate) drive: VDrive,
    pub(crate) now_ns: u64,
}

impl Bench {
    /// A built-in drive, fresh out of the box, at a share of its capacity.
    pub(crate) fn scaled(name: &str, divisor: u64) -> Self {
        Bench::of_text(&edited(name, &[]), Some(divisor))
    }

    /// A drive of this text, at a share of its capacity (rounded down to whole MiB) or as it is.
    pub(crate) fn of_text(text: &str, divisor: Option<u64>) -> Self {
        let spec = Spec::parse(text).unwrap_or_else(|faults| panic!("{faults}"));
        let scaled = |divisor: u64| {
            let capacity_bytes = spec.capacity_bytes() / divisor / MIB * MIB;
            spec.rescaled(capacity_bytes)
                .unwrap_or_else(|faults| panic!("{faults}"))
        };
        let spec = divisor.map_or_else(|| spec.clone(), scaled);
        Bench {
            drive: VDrive::new(&spec),
            now_ns: 0,
        }
    }

    pub(crate) fn capacity_bytes(&self) -> u64 {
        self.drive.spec().capacity_bytes()
    }

    pub(crate) fn rest(&mut self, rest_ns: u64) {
        self.now_ns += rest_ns;
    }

    pub(crate) fn truth(&mut self) -> Truth {
        self.drive.truth(self.now_ns)
    }

    pub(crate) fn run(&mut self, workload: &Workload) -> WorkloadResult {
        let result = run(&mut self.drive, self.now_ns, workload).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(result.first_error, None);
        self.now_ns = result.end_ns;
        result
    }

    /// One command alone: how long it took.
    pub(crate) fn once_ns(&mut self, command: Command) -> u64 {
        let submitted_ns = self.now_ns;
        self.now_ns = self
            .drive
            .submit(submitted_ns, command)
            .expect("a command that fits the drive");
        self.now_ns - submitted_ns
    }

    /// Random 4 KiB writes at QD32 over the whole drive, one capacity's worth, independent draws.
    pub(crate) fn random_writes(&self) -> Workload {
        Workload {
            pattern: Pattern::Random,
            draw: Draw::Independent,
            action: Action::ReadWrite,
            read_percent: 0,
            block_bytes: 4 * KIB,
            queue_depth: 32,
            jobs: 1,
            region_offset_bytes: 0,
            region_length_bytes: self.capacity_bytes(),
            amount_bytes: Some(self.capacity_bytes()),
            duration_ns: None,
            rate_iops: None,
            arrivals: Spacing::Poisson,
            sync: Durability::None,
            seed: 1,
            window_ns: 10 * NS_PER_MS,
            log_every_io: LogEveryIo::No,
            latency_over_time: LatencyOverTime::No,
            beside: Vec::new(),
        }
    }

    /// One sequential pass of 128 KiB writes at QD256 (METHODS C2).
    pub(crate) fn pass(&self) -> Workload {
        Workload {
            pattern: Pattern::Sequential,
            block_bytes: 128 * KIB,
            queue_depth: 256,
            ..self.random_writes()
        }
    }
}

/// I/Os per second of a direction.
pub(crate) fn iops(result: &DirectionResult) -> f64 {
    result.ios as f64 * 1e9 / result.runtime_ns as f64
}

/// MiB per second in each window.
pub(crate) fn window_mib_s(result: &DirectionResult) -> Vec<f64> {
    let block_mib = result.bytes as f64 / result.ios as f64 / MIB as f64;
    let mut begin_ns = 0;
    let windows = result.windows.end_ns.iter().zip(&result.windows.ios);
    let rate = |(&end_ns, &ios): (&u64, &u64)| {
        let seconds = (end_ns - begin_ns) as f64 / 1e9;
        begin_ns = end_ns;
        ios as f64 * block_mib / seconds
    };
    windows.map(rate).collect()
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
