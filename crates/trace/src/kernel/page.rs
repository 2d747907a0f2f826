//! The events of a page, each with its time.
//!
//! `enum ring_buffer_type` of the kernel's `include/linux/ring_buffer.h`: the lower five bits of the first word are a length in
//! words or a kind, the other 27 the time since the event before.

use super::layout::PageLayout;
use crate::fault::Problem;

const WORD_BYTES: usize = 4;
const KIND_BITS: u32 = 5;
const DELTA_BITS: u32 = 27;
/// Longer than words can say: the length stands in the next word.
const LONG: u32 = 0;
const WORDS_MAX: u32 = 28;
const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
/// Of an absolute time only so many bits are told; the others are those of the page.
const STAMP_BITS: u32 = 59;
/// In `commit` beside the length: events were lost before this page, and how many may stand behind the last.
const MISSED: u64 = 3 << 30;

/// Gives each event of a page with its time in the clock of the buffer; the last time.
pub(super) fn events(
    layout: &PageLayout,
    page: &[u8],
    mut give: impl FnMut(u64, &[u8]) -> Result<(), Problem>,
) -> Result<u64, Problem> {
    let began_ns = layout.time.number(page).ok_or(Problem::CutOff)?;
    let committed = layout.commit.number(page).ok_or(Problem::CutOff)? & 0xffff_ffff & !MISSED;
    let mut rest = page
        .get(layout.data.offset()..)
        .and_then(|data| data.get(..committed as usize))
        .ok_or(Problem::CutOff)?;
    let mut at_ns = began_ns;
    while let Some(head) = word(rest, 0) {
        let (kind, delta) = (head & ((1 << KIND_BITS) - 1), u64::from(head >> KIND_BITS));
        if kind == PADDING && delta == 0 {
            // Nothing follows on this page.
            break;
        }
        let next = || word(rest, 1).map(u64::from).ok_or(Problem::CutOff);
        let (from, to) = match kind {
            1..=WORDS_MAX => (WORD_BYTES, WORD_BYTES + kind as usize * WORD_BYTES),
            LONG | PADDING => {
                let bytes = (next()? as usize).checked_next_multiple_of(WORD_BYTES);
                let bytes = bytes.filter(|bytes| *bytes >= WORD_BYTES).ok_or(Problem::CutOff)?;
                (2 * WORD_BYTES, WORD_BYTES.saturating_add(bytes))
            }
            _ => (2 * WORD_BYTES, 2 * WORD_BYTES),
        };
        let data = rest.get(from..to).ok_or(Problem::CutOff)?;
        at_ns = match kind {
            TIME_EXTEND => at_ns.saturating_add(delta | next()? << DELTA_BITS),
            0..=PADDING => at_ns.saturating_add(delta),
            _ => delta | (next()? << DELTA_BITS) & ((1 << STAMP_BITS) - 1) | began_ns >> STAMP_BITS << STAMP_BITS,
        };
        if kind <= WORDS_MAX {
            give(at_ns, data)?;
        }
        rest = &rest[to..];
    }
    Ok(at_ns)
}

fn word(bytes: &[u8], index: usize) -> Option<u32> {
    let part = bytes.get(index * WORD_BYTES..(index + 1) * WORD_BYTES)?;
    part.try_into().ok().map(u32::from_le_bytes)
}
