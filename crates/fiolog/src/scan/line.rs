//! Reading the lines that fio writes eight bytes at a time; every other line is left to [`Cursor`](crate::log::cursor).
//!
//! The eight digits of a word are added up by arithmetic on the whole word. Where they end is found in the same way, one
//! column after the other, or for the whole line at once where the processor can ([`vector`]).

// Called for every line: a call costs as much as what is called.
#![allow(clippy::inline_always)]

#[cfg(target_arch = "x86_64")]
pub(super) mod vector;

use crate::log::{Column, Layout};

/// Bytes that must be readable after the start of a line; no line that is read here is longer.
pub(super) const LOOKAHEAD: usize = 96;

const WORD: usize = 8;

/// Longer numbers are not read here; these cannot be too large for 64 bits.
const DIGITS_MAX: usize = 15;
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// What is counted of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) time_ms: u64,
    pub(super) value: u64,
    pub(super) direction: usize,
    pub(super) block_bytes: u64,
}

/// The columns after the block size, as far as lines are read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    offset: bool,
    priority: bool,
    issue_time: bool,
    commas: u32,
}

impl Shape {
    /// `None` for logs with a window's largest value: they are averages, and so short that speed does not matter.
    pub(super) fn of(layout: Layout) -> Option<Shape> {
        let has = |column| layout.columns().contains(&column);
        (!has(Column::ValueMax)).then(|| Shape {
            offset: has(Column::Offset),
            priority: has(Column::Priority),
            issue_time: has(Column::IssueTime),
            commas: layout.columns().len() as u32 - 1,
        })
    }
}

/// What the line before said, as text: most lines repeat its time and block size, and comparing is cheaper than reading.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Last {
    time: Repeated,
    block: Repeated,
}

#[derive(Clone, Copy, Debug, Default)]
struct Repeated {
    word: u64,
    mask: u64,
    text_bytes: usize,
    number: u64,
}

/// Reads the line at the start of `text`: what it says and how many bytes it takes. `None` if it is not written the way fio
/// usually does, which may still be a valid line.
#[inline(always)]
pub(super) fn read(text: &[u8; LOOKAHEAD], shape: Shape, last: &mut Last) -> Option<(Counted, usize)> {
    let (time_ms, at) = last.time.number(text, 0)?;
    let (value, at) = number(text, separated(text, at)?)?;
    let (direction, at) = direction(text, at)?;
    let (block_bytes, mut at) = last.block.number(text, at)?;
    if shape.offset {
        at = digits_end(text, separated(text, at)?)?;
    }
    if shape.priority {
        at = priority_end(text, at)?;
    }
    if shape.issue_time {
        at = digits_end(text, separated(text, at)?)?;
    }
    let counted = Counted {
        time_ms,
        value,
        direction,
        block_bytes,
    };
    (*text.get(at)? == b'\n').then_some((counted, at + 1))
}

impl Repeated {
    /// As [`number`], which it only asks if the text is another one than before.
    #[inline(always)]
    fn number(&mut self, text: &[u8; LOOKAHEAD], at: usize) -> Option<(u64, usize)> {
        let word = word_at(text, at)?;
        if self.repeats(word) {
            return Some((self.number, at + self.text_bytes));
        }
        let (number, end) = number(text, at)?;
        self.keep(word, end - at, number);
        Some((number, end))
    }

    /// As [`spelt`], which it only asks if the text is another one than before.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn spelt(&mut self, text: &[u8; LOOKAHEAD], at: usize, digits: usize) -> Option<u64> {
        let word = word_at(text, at)?;
        if !self.repeats(word) {
            let number = spelt(text, at, digits)?;
            self.keep(word, digits, number);
            return Some(number);
        }
        Some(self.number)
    }

    #[inline(always)]
    fn repeats(&self, word: u64) -> bool {
        (word ^ self.word) & self.mask == 0 && self.text_bytes > 0
    }

    #[inline(always)]
    fn keep(&mut self, word: u64, text_bytes: usize, number: u64) {
        if text_bytes < WORD {
            // The byte after the digits is compared too, so that no longer number passes for this one.
            let mask = u64::MAX >> (8 * (WORD - 1 - text_bytes));
            *self = Repeated {
                word,
                mask,
                text_bytes,
                number,
            };
        }
    }
}

/// The direction in `, 0, ` at `at`.
#[inline(always)]
fn direction(text: &[u8; LOOKAHEAD], at: usize) -> Option<(usize, usize)> {
    const PATTERN: u64 = u64::from_le_bytes(*b", \0, \0\0\0");
    const MASK: u64 = 0x0000_00ff_ff00_ffff;
    let word = word_at(text, at)?;
    let number = ((word >> 16) as u8).wrapping_sub(b'0');
    (word & MASK == PATTERN && number <= 2).then_some((usize::from(number), at + 5))
}

/// The end of a priority of 0 or 1 in `, 0` at `at`.
#[inline(always)]
fn priority_end(text: &[u8; LOOKAHEAD], at: usize) -> Option<usize> {
    let at = separated(text, at)?;
    (*text.get(at)? | 1 == b'1').then_some(at + 1)
}

/// Where the number after `, ` at `at` begins.
#[inline(always)]
fn separated(text: &[u8; LOOKAHEAD], at: usize) -> Option<usize> {
    (text.get(at..at + 2)? == b", ").then_some(at + 2)
}

#[inline(always)]
fn word_at(text: &[u8; LOOKAHEAD], at: usize) -> Option<u64> {
    let bytes = text.get(at..at + WORD)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// The number of 1 to 15 digits at `at`, and where it ends.
#[inline(always)]
fn number(text: &[u8; LOOKAHEAD], at: usize) -> Option<(u64, usize)> {
    let word = word_at(text, at)?;
    let digits = leading_digits(word);
    if digits < WORD {
        return (digits > 0).then(|| (sum(word, digits), at + digits));
    }
    long_number(text, at)
}

/// A [`number`] of at least eight digits.
#[cold]
fn long_number(text: &[u8; LOOKAHEAD], at: usize) -> Option<(u64, usize)> {
    let (word, rest) = (word_at(text, at)?, word_at(text, at + WORD)?);
    let more = leading_digits(rest);
    let number = sum(word, WORD) * 10u64.pow(more as u32) + sum(rest, more);
    (more < WORD).then_some((number, at + WORD + more))
}

/// The number that `digits` bytes at `at` spell, which are digits, at least one of them; `None` if there are too many.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn spelt(text: &[u8; LOOKAHEAD], at: usize, digits: usize) -> Option<u64> {
    if digits < WORD {
        return Some(sum(word_at(text, at)?, digits));
    }
    long_number(text, at).map(|(number, _)| number)
}

/// The end of a number of 1 to 15 digits at `at`.
#[inline(always)]
fn digits_end(text: &[u8; LOOKAHEAD], at: usize) -> Option<usize> {
    let digits = leading_digits(word_at(text, at)?);
    if digits < WORD {
        return (digits > 0).then_some(at + digits);
    }
    let more = leading_digits(word_at(text, at + WORD)?);
    (more < WORD).then_some(at + WORD + more)
}

/// How many bytes of a word, from its first in memory, are digits.
#[inline(always)]
fn leading_digits(word: u64) -> usize {
    let values = word ^ ZEROS;
    // A byte of 0 to 9 stays below 0x80 when 0x76 is added; a carry out of a larger one only reaches bytes behind it.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    (others.trailing_zeros() / 8) as usize
}

/// The number that the first `digits` bytes of a word spell, 0 to 8 of them.
#[inline(always)]
fn sum(word: u64, digits: usize) -> u64 {
    // No shift may be by the whole word.
    let values = match digits {
        0 => 0,
        _ => (word ^ ZEROS) << (8 * (WORD - digits)),
    };
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    let high = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let low = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    high.wrapping_add(low) >> 32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SHAPE: Shape = Shape {
        offset: true,
        priority: true,
        issue_time: false,
        commas: 5,
    };

    fn padded(line: &str) -> [u8; LOOKAHEAD] {
        let mut text = [0; LOOKAHEAD];
        text[..line.len()].copy_from_slice(line.as_bytes());
        text
    }

    fn read_one(line: &str) -> Option<(Counted, usize)> {
        let counted = read(&padded(line), SHAPE, &mut Last::default());
        assert_vector_agrees(line, &mut Last::default(), counted);
        counted
    }

    /// Lines of more than 64 bytes are left to the portable reader.
    fn assert_vector_agrees(line: &str, last: &mut Last, counted: Option<(Counted, usize)>) {
        #[cfg(target_arch = "x86_64")]
        if vector::available() {
            let text = padded(line);
            #[allow(unsafe_code)]
            // SAFETY: the processor has what it is compiled for.
            let marks = unsafe { vector::marks(&text) };
            let found = marks.and_then(|marks| vector::read(&marks, &text, SHAPE, last));
            assert_eq!(found, counted.filter(|&(_, bytes)| bytes <= 64), "{line:?}");
        }
    }

    #[test]
    fn what_is_unusual_is_left_to_the_careful_reader() {
        for line in [
            "1, 2, 0, 4096, 0, 0",
            "1, 2, 0, 4096, 0, 0\r\n",
            "1, 2, 0, 4096, 0, 2\n",
            "1, 2, 3, 4096, 0, 0\n",
            "1, 2, 0, 4096, 0, 0x0\n",
            "1,2,0,4096,0,0\n",
            "1, , 0, 4096, 0, 0\n",
            "1, -2, 0, 4096, 0, 0\n",
            "1, 2, 0, 4096, 1234567890123456, 0\n",
            "1, 2, 0, 4096, 0\n",
            "1, 2, 0, 4096, 0, 0, 5\n",
            "",
        ] {
            assert_eq!(read_one(line), None, "{line:?}");
        }
    }

    #[test]
    fn a_repeated_time_is_not_mistaken_for_one_that_begins_alike() {
        let (mut last, mut last_of_vector) = (Last::default(), Last::default());
        let mut time_of = |line: &str| {
            let counted = read(&padded(line), SHAPE, &mut last);
            assert_vector_agrees(line, &mut last_of_vector, counted);
            counted.map(|(counted, _)| counted.time_ms)
        };
        assert_eq!(time_of("12, 5, 0, 4096, 0, 0\n"), Some(12));
        assert_eq!(time_of("12, 6, 0, 4096, 0, 0\n"), Some(12));
        assert_eq!(time_of("123, 6, 0, 4096, 0, 0\n"), Some(123));
        assert_eq!(time_of("1, 6, 0, 4096, 0, 0\n"), Some(1));
        assert_eq!(time_of("123456789, 6, 0, 4096, 0, 0\n"), Some(123_456_789));
        assert_eq!(time_of("1x, 6, 0, 4096, 0, 0\n"), None);
    }

    proptest! {
        #[test]
        fn numbers_of_any_length_are_what_they_spell(
            time_ms in 0u64..1 << 49, value in 0u64..1 << 49, direction in 0usize..3, block_bytes in 0u64..1 << 30,
            offset in 0u64..1 << 49, bits in 0u32..49,
        ) {
            let (time_ms, value) = (time_ms >> bits, value >> (48 - bits));
            let line = format!("{time_ms}, {value}, {direction}, {block_bytes}, {offset}, 1\n");
            let counted = Counted { time_ms, value, direction, block_bytes };
            prop_assert_eq!(read_one(&line), Some((counted, line.len())));
        }

        #[test]
        fn vectors_read_what_words_read(lines in prop::collection::vec("[0-9]{1,10}, [0-9]{1,17}[,x]? ?[0-3]{1,2}, [0-9]{0,9}, [0-9]{1,17}, [0-2]{1,2}[ 0-9]{0,2}[\r\n,]", 1..5)) {
            let (mut last, mut last_of_vector) = (Last::default(), Last::default());
            for line in &lines {
                let counted = read(&padded(line), SHAPE, &mut last);
                assert_vector_agrees(line, &mut last_of_vector, counted);
            }
        }
    }
}
