//! Quantities as a Spec writes them: `"64 KiB"`, `"42us"`, `"12.8 GB/s"`.

/// Bytes and their units; decimal and binary prefixes mean what they say.
const BYTE_UNITS: &[(&str, f64)] = &[
    ("TiB", 1_099_511_627_776.0),
    ("GiB", 1_073_741_824.0),
    ("MiB", 1_048_576.0),
    ("KiB", 1024.0),
    ("TB", 1e12),
    ("GB", 1e9),
    ("MB", 1e6),
    ("kB", 1e3),
    ("KB", 1e3),
    ("B", 1.0),
];

const TIME_UNITS: &[(&str, f64)] = &[
    ("min", 60e9),
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("h", 3600e9),
];

/// Splits `text` into its number and the factor of its unit.
fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let trimmed = text.trim();
    let (number, factor) = units
        .iter()
        .find_map(|(unit, factor)| trimmed.strip_suffix(unit).map(|number| (number, *factor)))?;
    let value: f64 = number.trim().replace('_', "").parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value * factor)
}

/// `"1.5 GiB"` as whole bytes.
pub fn bytes(text: &str) -> Option<u64> {
    scaled(text, BYTE_UNITS)
        .filter(|value| *value < 1e18)
        .map(|value| value.round() as u64)
}

/// `"3.5 ms"` as whole nanoseconds.
pub(crate) fn duration_ns(text: &str) -> Option<u64> {
    scaled(text, TIME_UNITS)
        .filter(|value| *value < 1e18)
        .map(|value| value.round() as u64)
}

/// `"2.4 GB/s"` as bytes per second.
pub(crate) fn bytes_per_s(text: &str) -> Option<f64> {
    scaled(text.trim().strip_suffix("/s")?, BYTE_UNITS).filter(|value| *value > 0.0)
}

/// Bytes for people: the largest binary unit that leaves a short number.
pub(crate) fn show_bytes(value: u64) -> String {
    for (unit, factor) in [
        ("TiB", 1u64 << 40),
        ("GiB", 1 << 30),
        ("MiB", 1 << 20),
        ("KiB", 1 << 10),
    ] {
        if value >= factor {
            let whole = value as f64 / factor as f64;
            return if value.is_multiple_of(factor) {
                format!("{whole} {unit}")
            } else {
                format!("{whole:.2} {unit}")
            };
        }
    }
    format!("{value} B")
}

/// Nanoseconds for people.
pub(crate) fn show_ns(value: u64) -> String {
    for (unit, factor) in [("s", 1_000_000_000u64), ("ms", 1_000_000), ("us", 1_000)] {
        if value >= factor {
            return format!("{} {unit}", value as f64 / factor as f64);
        }
    }
    format!("{value} ns")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_and_binary_bytes_differ() {
        assert_eq!(bytes("1 GiB"), Some(1 << 30));
        assert_eq!(bytes("1GB"), Some(1_000_000_000));
        assert_eq!(bytes("1.5 KiB"), Some(1536));
        assert_eq!(bytes("1_000 B"), Some(1000));
    }

    #[test]
    fn a_number_without_a_known_unit_is_no_quantity() {
        for text in ["12", "GiB", "-1 GiB", "nan B", "inf B", "1 GiBs", "1 gib", ""] {
            assert_eq!(bytes(text), None, "{text}");
        }
        assert_eq!(duration_ns("5 minutes"), None);
        assert_eq!(bytes_per_s("5 GB"), None);
        assert_eq!(bytes_per_s("0 GB/s"), None);
    }

    #[test]
    fn durations_and_rates() {
        assert_eq!(duration_ns("0.45us"), Some(450));
        assert_eq!(duration_ns("5 min"), Some(300_000_000_000));
        assert_eq!(duration_ns("3.5 ms"), Some(3_500_000));
        assert_eq!(bytes_per_s("2.4 GB/s"), Some(2.4e9));
        assert_eq!(bytes_per_s("1 MiB/s"), Some(1_048_576.0));
    }

    #[test]
    fn shown_in_the_largest_unit() {
        assert_eq!(show_bytes(1536 << 20), "1.50 GiB");
        assert_eq!(show_bytes(4096), "4 KiB");
        assert_eq!(show_ns(1_680_000), "1.68 ms");
    }
}
