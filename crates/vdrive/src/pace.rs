//! A drive whose speed is not constant: it wavers from window to window, drifts, or dips again and again.
//!
//! The drive's own time runs faster and slower than the host's. So everything it does takes part, whatever limits it at the
//! moment (link, flash, collection), and a dip to almost nothing is a stall.

use std::collections::VecDeque;

use crate::random::{Random, exp};
use crate::spec::{PaceSpec, Spec};

const HOUR_NS: f64 = 3_600e9;
/// Apart from the drive's other draws, which a pace must not change.
const STREAM: u64 = 0x7061_6365;
const SPEED_MIN: f64 = 0.001;
const SPEED_MAX: f64 = 1_000.0;

/// Maps the host's time to the drive's and back.
#[derive(Debug, Clone)]
pub(crate) struct Pace {
    spec: PaceSpec,
    random: Random,
    /// State of the first-order autoregression, of unit variance.
    wave: f64,
    /// From the present on, in order, without gaps.
    stretches: VecDeque<Stretch>,
    end: Moment,
    now_ns: u64,
}

/// The same moment on both clocks.
#[derive(Debug, Clone, Copy, Default)]
struct Moment {
    host_ns: u64,
    drive_ns: u64,
}

#[derive(Debug, Clone, Copy)]
struct Stretch {
    begin: Moment,
    speed: f64,
}

impl Pace {
    pub(crate) fn of(spec: &Spec) -> Option<Self> {
        let pace = spec.pace.clone()?;
        let mut random = Random::new(spec.seed ^ STREAM);
        Some(Self {
            wave: random.normal(),
            spec: pace,
            random,
            stretches: VecDeque::new(),
            end: Moment::default(),
            now_ns: 0,
        })
    }

    /// The drive's time at a moment of the host's; an earlier moment than before counts as the latest one seen.
    pub(crate) fn drive_time(&mut self, host_ns: u64) -> u64 {
        self.now_ns = self.now_ns.max(host_ns);
        while self.end.host_ns <= self.now_ns {
            self.stretches.clear();
            self.extend();
        }
        while self
            .stretches
            .get(1)
            .is_some_and(|next| next.begin.host_ns <= self.now_ns)
        {
            self.stretches.pop_front();
        }
        let Stretch { begin, speed } = self.stretches[0];
        begin.drive_ns + ((self.now_ns - begin.host_ns) as f64 * speed) as u64
    }

    /// The host's time at a moment of the drive's, never before the latest one seen.
    pub(crate) fn host_time(&mut self, drive_ns: u64) -> u64 {
        while self.end.drive_ns <= drive_ns {
            self.extend();
        }
        let at = self.stretches.partition_point(|one| one.begin.drive_ns <= drive_ns);
        let Stretch { begin, speed } = self.stretches[at.saturating_sub(1)];
        let later_ns = (drive_ns.saturating_sub(begin.drive_ns) as f64 / speed).ceil() as u64;
        (begin.host_ns + later_ns).max(self.now_ns)
    }

    /// Adds the stretch up to the next border of a window or a dip.
    fn extend(&mut self) {
        let begin = self.end;
        let window_ns = self.spec.window_ns;
        if begin.host_ns > 0 && begin.host_ns.is_multiple_of(window_ns) {
            let kept = self.spec.correlation;
            self.wave = kept * self.wave + (1.0 - kept * kept).sqrt() * self.random.normal();
        }
        let (dip_border_ns, dip) = self.dip(begin.host_ns);
        let host_ns = ((begin.host_ns / window_ns + 1) * window_ns).min(dip_border_ns);
        let lost = self.spec.drift_per_hour * begin.host_ns as f64 / HOUR_NS;
        let speed =
            (exp(self.spec.sigma * self.wave) * dip * (1.0 - lost).clamp(0.1, 10.0)).clamp(SPEED_MIN, SPEED_MAX);
        self.stretches.push_back(Stretch { begin, speed });
        self.end = Moment {
            host_ns,
            drive_ns: begin.drive_ns + ((host_ns - begin.host_ns) as f64 * speed) as u64,
        };
    }

    /// The next moment at which a dip begins or ends, and the factor until then; each dip ends its period.
    fn dip(&self, host_ns: u64) -> (u64, f64) {
        let Some(every_ns) = self.spec.dip_every_ns.filter(|_| self.spec.dip_length_ns > 0) else {
            return (u64::MAX, 1.0);
        };
        let period_ns = host_ns - host_ns % every_ns;
        let dip_ns = period_ns + every_ns.saturating_sub(self.spec.dip_length_ns);
        if host_ns < dip_ns {
            (dip_ns, 1.0)
        } else {
            (period_ns + every_ns, self.spec.dip_speed)
        }
    }
}
