//! A drive whose own time runs unevenly.

mod common;

use common::*;

/// Writes of 64 KiB begun in each window of 100 ms, one after the other.
fn rates(settings: &[(&str, &str)], seconds: u64) -> Vec<f64> {
    rates_of(&even(settings), seconds)
}

/// A drive that only its link limits.
fn even(settings: &[(&str, &str)]) -> vdrive::Spec {
    let steady = [("timing.link_write", "\"100 MB/s\""), ("timing.program", "\"0us\"")];
    spec(&[&steady[..], settings].concat())
}

fn rates_of(spec: &vdrive::Spec, seconds: u64) -> Vec<f64> {
    let mut bench = Bench::new(spec);
    let (mut ns, mut offset, mut counts) = (0, 0, vec![0.0; seconds as usize * 10]);
    while let Some(count) = counts.get_mut((ns / 100_000_000) as usize) {
        *count += 1.0;
        ns += bench.write(offset, 65_536);
        offset = (offset + 65_536) % bench.capacity();
    }
    counts
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Autocorrelation of neighbours, and the coefficient of variation.
fn scatter(values: &[f64]) -> (f64, f64) {
    let centre = mean(values);
    let variance = values.iter().map(|one| (one - centre).powi(2)).sum::<f64>();
    let products = values.windows(2).map(|pair| (pair[0] - centre) * (pair[1] - centre));
    let deviation = (variance / values.len() as f64).sqrt();
    (products.sum::<f64>() / variance, deviation / centre)
}

#[test]
fn without_settings_the_pace_changes_nothing() {
    assert_eq!(rates(&[("pace.sigma", "0")], 5), rates(&[], 5));
}

#[test]
fn windows_waver_as_asked() {
    let white = scatter(&rates(&[("pace.sigma", "0.1")], 200));
    assert!(white.0.abs() < 0.1 && (0.08..0.12).contains(&white.1), "{white:?}");
    let wandering = scatter(&rates(&[("pace.sigma", "0.1"), ("pace.correlation", "0.9")], 200));
    assert!(
        (0.8..0.95).contains(&wandering.0) && (0.07..0.13).contains(&wandering.1),
        "{wandering:?}"
    );
}

#[test]
fn a_dip_comes_at_the_end_of_each_period() {
    let dips = [
        ("pace.dip_every", "\"3s\""),
        ("pace.dip_length", "\"300ms\""),
        ("pace.dip_speed", "0.25"),
    ];
    let found = rates(&dips, 12);
    let usual = mean(&rates(&[], 12));
    for (at, rate) in found.iter().enumerate() {
        let wanted = if at % 30 < 27 { usual } else { usual / 4.0 };
        assert!(
            (rate - wanted).abs() < 0.03 * usual + 2.0,
            "window {at}: {rate}, {wanted}"
        );
    }
}

#[test]
fn a_drift_is_a_share_of_the_first_speed_an_hour() {
    let found = rates(&[("pace.drift_per_hour", "1")], 360);
    let (first, last) = (mean(&found[..100]), mean(&found[found.len() - 100..]));
    assert_within("after six minutes", last / first, 0.9, 0.01);
}

#[test]
fn the_same_seed_wavers_alike_and_another_does_not() {
    let wavering = ("pace.sigma", "0.2");
    assert_eq!(rates(&[wavering], 5), rates(&[wavering], 5));
    let other = even(&[wavering]).with_seed(9);
    assert_ne!(rates(&[wavering], 5), rates_of(&other, 5));
}

#[test]
fn a_dip_must_end_before_the_next_begins() {
    let text = text(&[("pace.dip_every", "\"1s\""), ("pace.dip_length", "\"1s\"")]);
    let faults = vdrive::Spec::parse(&text).unwrap_err().to_string();
    assert!(faults.contains("must be shorter than `dip_every`"), "{faults}");
}
