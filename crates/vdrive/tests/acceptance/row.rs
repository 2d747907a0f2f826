//! One effect of the acceptance table: quantities, each with what is accepted.

use std::fmt::Write as _;

/// One effect on one drive.
#[derive(Debug)]
pub(crate) struct Row {
    effect: &'static str,
    drive: &'static str,
    /// Where the accepted values come from.
    grounds: &'static str,
    quantities: Vec<Quantity>,
}

#[derive(Debug)]
struct Quantity {
    name: String,
    measured: String,
    accepted: String,
    verdict: Verdict,
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Accepted,
    Refused,
}

impl Row {
    pub(crate) fn new(effect: &'static str, drive: &'static str, grounds: &'static str) -> Self {
        Row {
            effect,
            drive,
            grounds,
            quantities: Vec::new(),
        }
    }

    /// Accepts what is within a share of the expected value.
    #[must_use]
    pub(crate) fn within(
        self,
        name: impl Into<String>,
        measured: f64,
        expected: f64,
        percent: f64,
        unit: &str,
    ) -> Self {
        let accepted = format!("{} ± {percent} %", with_unit(expected, unit));
        let verdict = (measured - expected).abs() <= expected.abs() * percent / 100.0;
        self.quantity(name, with_unit(measured, unit), accepted, verdict)
    }

    #[must_use]
    pub(crate) fn at_least(self, name: impl Into<String>, measured: f64, least: f64, unit: &str) -> Self {
        let accepted = format!("at least {}", with_unit(least, unit));
        self.quantity(name, with_unit(measured, unit), accepted, measured >= least)
    }

    #[must_use]
    pub(crate) fn at_most(self, name: impl Into<String>, measured: f64, most: f64, unit: &str) -> Self {
        let accepted = format!("at most {}", with_unit(most, unit));
        self.quantity(name, with_unit(measured, unit), accepted, measured <= most)
    }

    #[must_use]
    pub(crate) fn between(self, name: impl Into<String>, measured: f64, least: f64, most: f64, unit: &str) -> Self {
        let accepted = format!("{} to {}", shown(least), with_unit(most, unit));
        self.quantity(
            name,
            with_unit(measured, unit),
            accepted,
            (least..=most).contains(&measured),
        )
    }

    #[must_use]
    pub(crate) fn exactly(self, name: &str, measured: f64, expected: f64, unit: &str) -> Self {
        let verdict = measured.to_bits() == expected.to_bits();
        self.quantity(
            name,
            with_unit(measured, unit),
            format!("exactly {}", with_unit(expected, unit)),
            verdict,
        )
    }

    /// A series that `fits` judges.
    #[must_use]
    pub(crate) fn series(self, name: &str, measured: &[f64], accepted: &str, fits: impl Fn(&[f64]) -> bool) -> Self {
        let verdict = fits(measured);
        self.quantity(name, listed(measured), accepted.to_owned(), verdict)
    }

    /// A series that is only shown: the quantities after it are judged.
    #[must_use]
    pub(crate) fn shown(self, name: &str, measured: &[f64]) -> Self {
        self.quantity(name, listed(measured), "see below".to_owned(), true)
    }

    fn quantity(mut self, name: impl Into<String>, measured: String, accepted: String, fits: bool) -> Self {
        let verdict = if fits { Verdict::Accepted } else { Verdict::Refused };
        self.quantities.push(Quantity {
            name: name.into(),
            measured,
            accepted,
            verdict,
        });
        self
    }

    /// The row as a section of the page.
    pub(crate) fn markdown(&self) -> String {
        let Row {
            effect,
            drive,
            grounds,
            quantities,
        } = self;
        let mut text = format!("## {effect}\n\nDrive: {drive}. Accepted: {grounds}.\n\n");
        text += "| Quantity | Measured | Accepted |\n|---|---|---|\n";
        for Quantity {
            name,
            measured,
            accepted,
            ..
        } in quantities
        {
            writeln!(text, "| {name} | {measured} | {accepted} |").expect("a String takes it all");
        }
        text
    }

    /// Everything that was not accepted; empty if all was.
    pub(crate) fn refused(&self) -> Vec<String> {
        let refused = self
            .quantities
            .iter()
            .filter(|quantity| quantity.verdict == Verdict::Refused);
        refused.map(|quantity| format!("{quantity:?}")).collect()
    }
}

fn listed(values: &[f64]) -> String {
    values.iter().map(|value| shown(*value)).collect::<Vec<_>>().join(" ")
}

fn with_unit(value: f64, unit: &str) -> String {
    let blank = if unit.is_empty() { "" } else { " " };
    format!("{}{blank}{unit}", shown(value))
}

/// A number with about four digits, always the same text for the same number.
fn shown(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 10.0 => format!("{value:.2}"),
        _ if value.fract() == 0.0 => format!("{value:.0}"),
        _ => format!("{value:.3}"),
    }
}
