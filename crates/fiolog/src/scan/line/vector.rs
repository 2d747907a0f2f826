//! Where the columns of a usual line end, found for all of them at once with AVX2. The next line is known before this one is
//! read, so that the processor works on several; the numbers are then read as in [`super::read`].

// Called for every line: a call costs as much as what is called.
#![allow(clippy::inline_always)]

use std::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_set1_epi8,
    _mm256_sub_epi8,
};

use super::{Counted, DIGITS_MAX, LOOKAHEAD, Last, Shape, spelt};

/// Which bytes of a line are what, its first byte in the lowest bit.
pub(in crate::scan) struct Marks {
    commas: u64,
    /// The line feed: a single bit.
    end: u64,
}

/// Whether this processor has what [`marks`] is compiled for.
pub(in crate::scan) fn available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// The marks of the line at the start of `text`; `None` unless it is decimal numbers with `, ` between them and ends within 64
/// bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::scan) fn marks(text: &[u8; LOOKAHEAD]) -> Option<Marks> {
    let halves = halves(text);
    let line_feeds = which(halves, b'\n');
    let line = line_feeds ^ line_feeds.wrapping_sub(1);
    let end = line_feeds & line;
    let commas = which(halves, b',') & line;
    let blanks = which(halves, b' ') & line;
    let digits = digits(halves) & line;
    let usual = end != 0
        && blanks == commas << 1
        && digits | commas | blanks | end == line
        // No column is empty: what ends one stands behind a digit.
        && (commas | end) & !(digits << 1) == 0;
    usual.then_some(Marks { commas, end })
}

/// As [`super::read`] of the line that has these marks.
#[inline(always)]
pub(in crate::scan) fn read(
    marks: &Marks,
    text: &[u8; LOOKAHEAD],
    shape: Shape,
    last: &mut Last,
) -> Option<(Counted, usize)> {
    let &Marks { commas, end } = marks;
    if commas.count_ones() != shape.commas {
        return None;
    }
    let time_end = commas.trailing_zeros() as usize;
    let value_end = (commas & (commas - 1)).trailing_zeros() as usize;
    let direction = text.get(value_end + 2)?.wrapping_sub(b'0');
    // A column of one digit is from comma to comma three bytes long.
    if (commas >> value_end) & 0b1111 != 0b1001 || direction > 2 {
        return None;
    }
    let line_end = end.trailing_zeros() as usize;
    let last_comma = 63 - commas.leading_zeros() as usize;
    let digits_from = |from: usize| ((commas | end) >> from).trailing_zeros() as usize;
    let block_from = value_end + 5;
    let block_digits = digits_from(block_from);
    if shape.offset && digits_from(block_from + block_digits + 2) > DIGITS_MAX
        || shape.issue_time && line_end - last_comma - 2 > DIGITS_MAX
    {
        return None;
    }
    if shape.priority {
        let priority_end = if shape.issue_time { last_comma } else { line_end };
        if (commas >> (priority_end - 3)) & 1 == 0 || *text.get(priority_end - 1)? | 1 != b'1' {
            return None;
        }
    }
    let counted = Counted {
        time_ms: last.time.spelt(text, 0, time_end)?,
        value: spelt(text, time_end + 2, value_end - time_end - 2)?,
        direction: usize::from(direction),
        block_bytes: last.block.spelt(text, block_from, block_digits)?,
    };
    Some((counted, line_end + 1))
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(text: &[u8; LOOKAHEAD]) -> [__m256i; 2] {
    const { assert!(LOOKAHEAD >= 64) };
    let half: *const __m256i = text.as_ptr().cast();
    #[allow(unsafe_code)]
    // SAFETY: the text has at least the 64 bytes that are read; they need no alignment.
    unsafe {
        [_mm256_loadu_si256(half), _mm256_loadu_si256(half.add(1))]
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn which(halves: [__m256i; 2], byte: u8) -> u64 {
    let wanted = _mm256_set1_epi8(byte as i8);
    bits(halves.map(|half| _mm256_cmpeq_epi8(half, wanted)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn digits(halves: [__m256i; 2]) -> u64 {
    bits(halves.map(|half| {
        let values = _mm256_sub_epi8(half, _mm256_set1_epi8(b'0' as i8));
        _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values)
    }))
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits(halves: [__m256i; 2]) -> u64 {
    let [low, high] = halves.map(|half| u64::from(_mm256_movemask_epi8(half) as u32));
    high << 32 | low
}
