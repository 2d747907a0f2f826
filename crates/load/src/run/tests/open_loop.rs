//! What an open loop really submits, in virtual time.

use super::*;
use crate::Poisson;
use crate::schedule::tests::{LOOKS_EXPONENTIAL_MAX, anderson_darling};

const RATES_IOPS: [f64; 8] = [
    100.0, 1_000.0, 10_000.0, 20_000.0, 60_000.0, 100_000.0, 300_000.0, 500_000.0,
];
/// The standard deviation of a Poisson count of them is 0.1 %.
const IOS: u64 = 1_000_000;

/// Keeps when each I/O was submitted, in the order of submission.
#[derive(Default)]
struct Submissions(Vec<(u64, u64)>);

impl Submissions {
    fn gaps_ns(mut self) -> Vec<u64> {
        self.0.sort_unstable();
        self.0.windows(2).map(|pair| pair[1].1 - pair[0].1).collect()
    }
}

impl Sink for Submissions {
    fn finished(&mut self, io: &Finished) {
        self.0.push((io.number, io.submitted_ns));
    }
}

/// Of as long a time as this many I/Os take in the mean.
fn found_iops(arrivals: impl Arrivals + Send + 'static, rate_iops: f64) -> f64 {
    let duration_ns = (IOS as f64 / rate_iops * 1e9).ceil();
    let (counts, endings) = counted(
        &mut Servers::new(64, 50_000),
        vec![open(arrivals, Length::of_ns(duration_ns as u64))],
    );
    assert_eq!(endings[0].unsubmitted, 0);
    counts.point(0).unwrap()[0].ios as f64 / duration_ns * 1e9
}

#[test]
fn a_constant_rate_is_kept_to_the_io() {
    for rate_iops in RATES_IOPS {
        let found_iops = found_iops(Constant::new(rate_iops).unwrap(), rate_iops);
        // One may be due at the very end.
        assert!(
            (found_iops / rate_iops - 1.0).abs() < 2.0 / IOS as f64,
            "{found_iops} for {rate_iops}"
        );
    }
}

#[test]
fn the_mean_rate_of_random_arrivals_is_within_half_a_percent() {
    for rate_iops in RATES_IOPS {
        let found_iops = found_iops(Poisson::new(rate_iops, 11).unwrap(), rate_iops);
        assert!(
            (found_iops / rate_iops - 1.0).abs() < 0.005,
            "{found_iops} for {rate_iops}"
        );
    }
}

#[test]
fn gaps_between_submissions_are_exponential() {
    for rate_iops in [100.0, 20_000.0, 500_000.0] {
        let passed = (0..100)
            .filter(|&seed| {
                let mut submissions = Submissions::default();
                let mut device = Servers::new(64, 50_000);
                let point = open(Poisson::new(rate_iops, seed).unwrap(), Length::of_ios(2_001));
                run(
                    &mut Model::new(&mut device, 0),
                    vec![point],
                    &mut submissions,
                    &mut NoJudge,
                )
                .unwrap();
                let gaps_ns = submissions.gaps_ns();
                assert_eq!(gaps_ns.len(), 2_000);
                anderson_darling(gaps_ns, 1e9 / rate_iops) < LOOKS_EXPONENTIAL_MAX
            })
            .count();
        assert!(passed >= 93, "{passed} of 100 at {rate_iops}");
    }
}

#[test]
fn a_device_without_room_makes_the_gaps_anything_but_exponential() {
    let mut submissions = Submissions::default();
    let mut device = Servers::new(1, 50_000);
    let point = Point {
        source: reads(),
        schedule: Schedule::Open {
            arrivals: Box::new(Poisson::new(18_000.0, 1).unwrap()),
            in_flight_max: 1,
        },
        length: Length::of_ios(2_001),
    };
    run(
        &mut Model::new(&mut device, 0),
        vec![point],
        &mut submissions,
        &mut NoJudge,
    )
    .unwrap();
    assert!(anderson_darling(submissions.gaps_ns(), 1e9 / 18_000.0) > 10.0 * LOOKS_EXPONENTIAL_MAX);
}
