//! The parts of a line.

use crate::fault::Problem;

/// What is left of a line.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Fields { rest: line }
    }

    /// The part up to a separator, or to the end of the line.
    #[inline]
    pub(super) fn until(&mut self, separator: u8) -> &'a [u8] {
        let end = self.rest.iter().position(|&byte| byte == separator);
        let (part, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        part
    }

    /// The next word, between any number of blanks; empty after the last.
    #[inline]
    pub(super) fn word(&mut self) -> &'a [u8] {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let from = self.rest.iter().position(|byte| !is_blank(byte));
        let rest = &self.rest[from.unwrap_or(self.rest.len())..];
        let end = rest.iter().position(is_blank).unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }

    /// Whether nothing but blanks is left.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }
}

/// A whole number, with blanks around it or none.
#[inline]
pub(super) fn number(text: &[u8]) -> Result<u64, Problem> {
    let text = text.trim_ascii();
    if text.is_empty() {
        return Err(Problem::Number);
    }
    // Nineteen digits fit in any case.
    if text.len() > 19 {
        return std::str::from_utf8(text)
            .ok()
            .filter(|text| !text.starts_with('+'))
            .and_then(|text| text.parse().ok())
            .ok_or(Problem::Number);
    }
    let mut value = 0_u64;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(Problem::Number);
        }
        value = value * 10 + u64::from(digit);
    }
    Ok(value)
}

/// Seconds as nanoseconds; what is finer is cut off.
#[inline]
pub(super) fn seconds_ns(text: &[u8]) -> Result<u64, Problem> {
    let mut rest = text.trim_ascii();
    let (mut whole, mut ns) = (0_u64, 0_u64);
    let is_bare_point = rest == b".";
    if rest.is_empty() || is_bare_point {
        return Err(Problem::Number);
    }
    while let [digit @ b'0'..=b'9', after @ ..] = rest {
        whole = times(whole, 10)?
            .checked_add(u64::from(digit - b'0'))
            .ok_or(Problem::Number)?;
        rest = after;
    }
    if let [b'.', after @ ..] = rest {
        rest = after;
        let mut worth_ns = 100_000_000;
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            ns += u64::from(digit - b'0') * worth_ns;
            worth_ns /= 10;
            rest = after;
        }
    }
    if !rest.is_empty() {
        return Err(Problem::Number);
    }
    times(whole, 1_000_000_000)?.checked_add(ns).ok_or(Problem::Number)
}

/// A number in another unit.
#[inline]
pub(super) fn times(value: u64, factor: u64) -> Result<u64, Problem> {
    value.checked_mul(factor).ok_or(Problem::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn seconds_may_lack_either_side_of_the_point() {
        assert_eq!(seconds_ns(b"1.5"), Ok(1_500_000_000));
        assert_eq!(seconds_ns(b"7"), Ok(7_000_000_000));
        assert_eq!(seconds_ns(b".25"), Ok(250_000_000));
        assert_eq!(seconds_ns(b"3."), Ok(3_000_000_000));
        assert_eq!(seconds_ns(b"0.0000000019"), Ok(1));
        for wrong in [&b""[..], b".", b"1.x", b"-1", b"1e3", b"99999999999999"] {
            assert_eq!(seconds_ns(wrong), Err(Problem::Number), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_what_its_digits_say(value: u64) {
            prop_assert_eq!(number(value.to_string().as_bytes()), Ok(value));
        }

        #[test]
        fn no_other_text_is_a_number(text in "[0-9]{0,3}[^0-9 \t\n\r\x0c]{1,3}[0-9]{0,25}") {
            prop_assert_eq!(number(text.as_bytes()), Err(Problem::Number));
        }
    }
}
