//! Dies, planes and channels: when a sense or a program that starts now will end.
//!
//! Nothing here waits for an event: a die is two running totals (the end of its last program and of its last sense), a
//! channel is a running total of transfer time, and every end is known at submission.

use super::map::Place;
use super::superblock::Cell;
use crate::random::Random;
use crate::spec::{Spec, Timing};
use crate::spread::spread;

/// How long reads may hold back a die's programs, in programs, before one gets its turn.
const SUSPENDED_PROGRAMS_MAX: u64 = 4;

#[derive(Debug, Clone, Default)]
struct Die {
    program_end_ns: u64,
    sense_end_ns: u64,
    operation_ns: u64,
    pushed_ns: u64,
    erases_done: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Media {
    timing: Timing,
    sigma: f64,
    dies: Vec<Die>,
    plane_end_ns: Vec<u64>,
    planes: u32,
    channels: u32,
    channel_read_end_ns: Vec<u64>,
    channel_write_end_ns: Vec<u64>,
    /// Erases owed by every die since the drive was new.
    pub(crate) erases: u64,
    /// Latest end of any program.
    pub(crate) program_end_ns_max: u64,
    pub(crate) senses: u64,
    pub(crate) retries: u64,
}

/// Bytes times a rate, rounded to whole nanoseconds.
#[inline]
pub(crate) fn transfer_ns(bytes: u64, ns_per_byte: f64) -> u64 {
    (bytes as f64 * ns_per_byte + 0.5) as u64
}

impl Media {
    pub(crate) fn new(spec: &Spec) -> Self {
        let geometry = &spec.geometry;
        let planes = (geometry.stripe_unit_bytes / geometry.page_bytes) as u32;
        Self {
            timing: spec.timing.clone(),
            sigma: spec.spread.flash_sigma,
            dies: vec![Die::default(); geometry.dies as usize],
            plane_end_ns: vec![0; (geometry.dies * planes) as usize],
            planes,
            channels: geometry.channels,
            channel_read_end_ns: vec![0; geometry.channels as usize],
            channel_write_end_ns: vec![0; geometry.channels as usize],
            erases: 0,
            program_end_ns_max: 0,
            senses: 0,
            retries: 0,
        }
    }

    pub(crate) fn sense_ns(&self, place: Place) -> u64 {
        match place.cell {
            Cell::Cache => self.timing.sense_slc_ns,
            Cell::Native => self.timing.sense_ns[place.page_type as usize],
        }
    }

    /// Senses one page and moves `bytes` of it to the controller.
    pub(crate) fn read(&mut self, start_ns: u64, place: Place, page: u64, bytes: u64, random: &mut Random) -> u64 {
        let mut sense_ns = self.sense_ns(place);
        if self.timing.retry_probability > 0.0 && random.unit() < self.timing.retry_probability {
            sense_ns += self.timing.retry_ns;
            self.retries += 1;
        }
        let page_end_ns = self.sense(start_ns, place.die, page, sense_ns, random);
        let moved_ns = transfer_ns(bytes, self.timing.channel_ns_per_byte);
        let channel = &mut self.channel_read_end_ns[(place.die % self.channels) as usize];
        *channel = (*channel).max(start_ns) + moved_ns;
        (*channel).max(page_end_ns + moved_ns)
    }

    /// Occupies a plane for about `sense_ns`; programs in the way are suspended or waited for.
    pub(crate) fn sense(&mut self, start_ns: u64, die: u32, page: u64, sense_ns: u64, random: &mut Random) -> u64 {
        let sense_ns = spread(sense_ns, self.sigma, random);
        self.senses += 1;
        let plane = (die * self.planes) as usize + (page % u64::from(self.planes)) as usize;
        let die = &mut self.dies[die as usize];
        let mut start = start_ns.max(self.plane_end_ns[plane]);
        let mut penalty_ns = 0;
        if die.program_end_ns > start {
            let operation_ns = die.operation_ns.max(1);
            let in_burst = die.sense_end_ns > start;
            // Programs went on between the last sense and this one, which makes up for as much waiting.
            die.pushed_ns = die.pushed_ns.saturating_sub(start.saturating_sub(die.sense_end_ns));
            if die.pushed_ns > SUSPENDED_PROGRAMS_MAX * operation_ns {
                start = start.max(die.sense_end_ns);
                start += die.program_end_ns.saturating_sub(start) % operation_ns;
                die.pushed_ns = 0;
            } else if !in_burst {
                let remaining_ns = (die.program_end_ns - start) % operation_ns;
                let suspend_ns = self.timing.suspend_ns.unwrap_or(u64::MAX);
                penalty_ns = if remaining_ns > suspend_ns { suspend_ns } else { 0 };
                start += remaining_ns.min(suspend_ns);
            }
        }
        let end = start + sense_ns;
        let newly_busy_ns = end.saturating_sub(die.sense_end_ns.max(start));
        if die.program_end_ns > start {
            let pushed = newly_busy_ns + penalty_ns;
            die.program_end_ns += pushed;
            die.pushed_ns += pushed;
            self.program_end_ns_max = self.program_end_ns_max.max(die.program_end_ns);
        }
        die.sense_end_ns = die.sense_end_ns.max(end);
        self.plane_end_ns[plane] = end;
        end
    }

    /// Moves `bytes` to a die and programs them; `busy_ns` is about all the die does for it. Owed erases come first.
    pub(crate) fn program(&mut self, start_ns: u64, die: u32, bytes: u64, busy_ns: u64, random: &mut Random) -> u64 {
        let busy_ns = spread(busy_ns, self.sigma, random);
        let moved_ns = transfer_ns(bytes, self.timing.channel_ns_per_byte);
        let channel = &mut self.channel_write_end_ns[(die % self.channels) as usize];
        *channel = (*channel).max(start_ns) + moved_ns;
        let die = &mut self.dies[die as usize];
        let ready_ns = start_ns.max(die.program_end_ns).max(die.sense_end_ns);
        let erase_ns = (self.erases - die.erases_done) * self.timing.erase_ns;
        die.erases_done = self.erases;
        let end = (*channel).max(ready_ns + moved_ns) + busy_ns + erase_ns;
        die.program_end_ns = end;
        die.operation_ns = busy_ns.max(1);
        self.program_end_ns_max = self.program_end_ns_max.max(end);
        end
    }

    /// Background work has erased what was owed while nobody was waiting.
    pub(crate) fn settle_erases(&mut self) {
        for die in &mut self.dies {
            die.erases_done = self.erases;
        }
    }

    /// Leaves every second die or so in the middle of a program, as background work that is cut off does.
    pub(crate) fn interrupt(&mut self, now_ns: u64, operation_ns: u64, random: &mut Random) {
        for die in &mut self.dies {
            if random.next_u64() & 1 == 0 {
                die.program_end_ns = die.program_end_ns.max(now_ns + random.below(operation_ns.max(1)));
                die.operation_ns = operation_ns.max(1);
                self.program_end_ns_max = self.program_end_ns_max.max(die.program_end_ns);
            }
        }
    }
}
