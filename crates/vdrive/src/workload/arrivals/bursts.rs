//! Arrivals that come in bursts.

use super::{Instant, exponential, generator};
use crate::random::Random;

/// A Markov-modulated Poisson process of two states (Fischer & Meier-Hellstern, "The Markov-modulated Poisson process
/// cookbook", Performance Evaluation 18, 1993): a burst and a lull take turns, each as long as an exponential draw.
#[derive(Debug, Clone)]
pub struct Bursts {
    states: [BurstState; 2],
    now: usize,
    /// How long the present state still lasts.
    left_ns: f64,
    at: Instant,
    random: Random,
}

/// A burst or a lull.
#[derive(Debug, Clone, Copy)]
pub struct BurstState {
    /// Between I/Os, in the mean; more than 0.
    pub gap_ns: f64,
    /// How long it lasts in the mean; more than 0.
    pub mean_ns: f64,
}

/// A quarter of the time.
const BURST_NS: f64 = 2e6;
const LULL_NS: f64 = 6e6;
/// Of the mean rate: a quarter of the time at two and a half, the rest at a half, is one.
const BURST_RATE: f64 = 2.5;
const LULL_RATE: f64 = 0.5;

impl Bursts {
    /// A burst, then a lull, and so on.
    pub fn new(burst: BurstState, lull: BurstState, seed: u64) -> Self {
        let mut random = generator(seed);
        let left_ns = burst.mean_ns * exponential(&mut random);
        Self {
            states: [burst, lull],
            now: 0,
            left_ns,
            at: Instant::default(),
            random,
        }
    }

    /// With that gap in the mean: bursts of 2 ms at two and a half times the rate, lulls of 6 ms at half of it. Five eighths of
    /// all I/Os come in a quarter of the time.
    pub fn around(gap_ns: f64, seed: u64) -> Self {
        let state = |rate, mean_ns| BurstState {
            gap_ns: gap_ns / rate,
            mean_ns,
        };
        Self::new(state(BURST_RATE, BURST_NS), state(LULL_RATE, LULL_NS), seed)
    }

    /// What it comes to over a long time.
    pub fn mean_iops(&self) -> f64 {
        let [burst, lull] = self.states;
        let ios = burst.mean_ns / burst.gap_ns + lull.mean_ns / lull.gap_ns;
        ios / (burst.mean_ns + lull.mean_ns) * 1e9
    }

    /// The next; never earlier than the one before.
    pub fn next_ns(&mut self) -> u64 {
        let mut waited_ns = 0.0;
        loop {
            // An exponential gap has no memory: where the state ends first, the gap is drawn anew in the next one.
            let gap_ns = self.states[self.now].gap_ns * exponential(&mut self.random);
            if gap_ns <= self.left_ns {
                self.left_ns -= gap_ns;
                return self.at.after(waited_ns + gap_ns);
            }
            waited_ns += self.left_ns;
            self.now = 1 - self.now;
            self.left_ns = self.states[self.now].mean_ns * exponential(&mut self.random);
        }
    }

    /// How many come in the mean after the last one and before that time.
    pub fn mean_ios(&self, until_ns: u64) -> f64 {
        let [state, other] = [self.states[self.now], self.states[1 - self.now]];
        let time_ns = self.at.left_ns(until_ns);
        let state_ns = time_ns.min(self.left_ns);
        let rest_ns = time_ns - state_ns;
        let mean_per_ns = self.mean_iops() / 1e9;
        // The rest begins with the other state, whose share falls from all to that of a long time.
        let relaxation_ns = 1.0 / (1.0 / state.mean_ns + 1.0 / other.mean_ns);
        let other_ns = relaxation_ns * (1.0 - libm::exp(-rest_ns / relaxation_ns));
        state_ns / state.gap_ns + rest_ns * mean_per_ns + other_ns * (1.0 / other.gap_ns - mean_per_ns)
    }
}
