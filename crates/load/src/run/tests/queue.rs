//! Response latency on servers of one service time against the queue M/D/c: random arrivals, first come, first served.

use super::*;
use crate::{Phase, Poisson};

const SERVERS: [u32; 4] = [1, 2, 4, 8];
const LOADS: [f64; 6] = [0.1, 0.2, 0.5, 0.7, 0.8, 0.9];
const SERVICE_NS: u64 = 100_000;

/// Logarithm of the probability that a Poisson variable of that mean is so much.
fn log_poisson(number: f64, mean: f64) -> f64 {
    number * mean.ln() - mean - libm::lgamma(number + 1.0)
}

/// Mean wait of M/D/c in service times (Crommelin, "Delay probability formulae when the holding times are constant",
/// Post Office Electrical Engineers' Journal 25, 1932).
fn crommelin(servers: u32, load: f64) -> f64 {
    let (servers, rate) = (f64::from(servers), load * f64::from(servers));
    let mut wait = 0.0;
    for services in (1..).map(f64::from) {
        let (mean, from) = (services * rate, services * servers);
        let first = log_poisson(from, mean).exp();
        // Poisson probabilities of `from` and more; each is less than the one before.
        let (mut tail, mut term, mut number) = (0.0, first, from);
        while term > 1e-18 {
            tail += term;
            number += 1.0;
            term *= mean / number;
        }
        let more = tail - (servers / rate) * (tail - first);
        wait += more;
        if more < 1e-12 {
            return wait;
        }
    }
    unreachable!("terms vanish below full load")
}

/// Probabilities that so many are in the system M/D/c (Fry, "Probability and its engineering uses", 1928; Tijms, "A first course in
/// stochastic models", 2003, section 9.6): in one service time all leave that were in service, and as many come as chance has it.
fn in_system(servers: usize, load: f64) -> Vec<f64> {
    const STATES: usize = 300;
    let rate = load * servers as f64;
    let come: Vec<f64> = (0..60)
        .map(|number| log_poisson(f64::from(number), rate).exp())
        .collect();
    let mut now = vec![0.0; STATES];
    now[0] = 1.0;
    loop {
        let mut next = vec![0.0; STATES];
        for (found, share) in now.iter().enumerate() {
            let stay = found.saturating_sub(servers);
            for (place, chance) in next[stay..].iter_mut().zip(&come) {
                *place += share * chance;
            }
        }
        let moved: f64 = now.iter().zip(&next).map(|(old, new)| (old - new).abs()).sum();
        now = next;
        if moved < 1e-12 {
            return now;
        }
    }
}

/// Shares of I/Os that wait for longer than 0, 1, 2, ... service times: who finds `n` begins within the service time `n / c`.
fn shares_waiting_longer(servers: usize, load: f64) -> Vec<f64> {
    let found = in_system(servers, load);
    (1..=5)
        .map(|services| 1.0 - found[..services * servers].iter().sum::<f64>())
        .collect()
}

/// Waits of what is measured.
#[derive(Default)]
struct Waits {
    ios: u64,
    sum_ns: u64,
    /// Of those that waited longer than 0, 1, 2, ... service times.
    longer: [u64; 5],
}

impl Sink for Waits {
    fn finished(&mut self, io: &Finished) {
        if io.phase == Phase::Ramp {
            return;
        }
        let wait_ns = io.response_ns() - SERVICE_NS;
        self.ios += 1;
        self.sum_ns += wait_ns;
        for (services, count) in (0..).zip(&mut self.longer) {
            *count += u64::from(wait_ns > services * SERVICE_NS);
        }
    }
}

fn waits(servers: u32, load: f64) -> Waits {
    let rate_iops = load * f64::from(servers) * 1e9 / SERVICE_NS as f64;
    let mut device = Servers::new(servers as usize, SERVICE_NS);
    let poisson = Poisson::new(rate_iops, 5).unwrap();
    let point = open(poisson, Length::of_ios(1_000_000).after(SECOND_NS / 10));
    let mut waits = Waits::default();
    run(&mut Model::new(&mut device, 0), vec![point], &mut waits, &mut NoJudge).unwrap();
    waits
}

#[test]
fn two_published_ways_give_the_same_mean_wait() {
    for load in LOADS {
        // One server: half the load over the idle share (Pollaczek & Khinchine).
        let one = load / (2.0 * (1.0 - load));
        assert!((crommelin(1, load) / one - 1.0).abs() < 1e-6, "{load}");
        for servers in SERVERS {
            let there: f64 = (0..)
                .zip(in_system(servers as usize, load))
                .map(|(number, share)| f64::from(number) * share)
                .sum();
            // Little: those who are there, over those who come in a service time, is how long they stay.
            let stay = there / (load * f64::from(servers));
            let expected = 1.0 + crommelin(servers, load);
            assert!(
                (stay / expected - 1.0).abs() < 1e-6,
                "{servers} at {load}: {stay} for {expected}"
            );
        }
    }
}

#[test]
fn response_latency_is_that_of_the_queue() {
    for servers in SERVERS {
        for load in LOADS {
            let found = waits(servers, load);
            assert_eq!(found.ios, 1_000_000);
            let mean = 1.0 + found.sum_ns as f64 / (found.ios * SERVICE_NS) as f64;
            let expected = 1.0 + crommelin(servers, load);
            assert!(
                (mean / expected - 1.0).abs() < 0.03,
                "{servers} at {load}: {mean} for {expected} service times"
            );
            let shares = shares_waiting_longer(servers as usize, load);
            for (services, (count, expected)) in found.longer.iter().zip(shares).enumerate() {
                let share = *count as f64 / found.ios as f64;
                assert!(
                    (share - expected).abs() < 0.01,
                    "{servers} at {load}, longer than {services}: {share} for {expected}"
                );
            }
        }
    }
}
