//! Where the kernel says that the parts of its pages and events are.

use crate::fault::{Fault, Problem};

/// The largest page that is read; pages are of 4 KiB, or as large as those of the machine.
const PAGE_BYTES_MAX: usize = 1 << 20;

/// A number, or letters, within a page or an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    offset: usize,
    bytes: usize,
}

/// A page of a ring buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLayout {
    pub(super) time: Field,
    pub(super) commit: Field,
    pub(super) data: Field,
}

/// What an event tells that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happens {
    /// `block_rq_issue`: a request is given to the driver.
    Issue,
    /// `block_rq_requeue`: the driver gave it back.
    Requeue,
    /// `block_rq_complete`: it is over.
    Complete,
}

/// An event of the block layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventLayout {
    pub(super) happens: Happens,
    pub(super) id: u64,
    pub(super) id_field: Field,
    pub(super) pid: Field,
    pub(super) device: Field,
    pub(super) sector: Field,
    pub(super) sectors: Field,
    pub(super) letters: Field,
}

impl Field {
    /// Of up to eight bytes; `None` where the event is shorter.
    pub(super) fn number(self, bytes: &[u8]) -> Option<u64> {
        let part = self.part(bytes)?;
        let mut number = [0; 8];
        number.get_mut(..part.len())?.copy_from_slice(part);
        Some(u64::from_le_bytes(number))
    }

    /// Up to the first zero; `None` where the event is shorter.
    pub(super) fn letters(self, bytes: &[u8]) -> Option<&[u8]> {
        self.part(bytes)?.split(|&byte| byte == 0).next()
    }

    /// Where it begins.
    pub(super) fn offset(self) -> usize {
        self.offset
    }

    fn part(self, bytes: &[u8]) -> Option<&[u8]> {
        bytes.get(self.offset..self.offset.checked_add(self.bytes)?)
    }
}

impl PageLayout {
    /// Out of `events/header_page`.
    ///
    /// # Errors
    /// A part is not told of, or makes no sense.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let layout = PageLayout {
            time: number(text, "timestamp")?,
            commit: number(text, "commit")?,
            data: field(text, "data")?,
        };
        let is_sound = layout.page_bytes() <= PAGE_BYTES_MAX
            && layout.data.bytes > 0
            && [layout.time, layout.commit]
                .iter()
                .all(|part| part.offset + part.bytes <= layout.data.offset);
        if is_sound { Ok(layout) } else { Err(lacks("data")) }
    }

    /// Of a whole page.
    pub fn page_bytes(&self) -> usize {
        self.data.offset.saturating_add(self.data.bytes)
    }
}

impl EventLayout {
    /// Out of an event's `format`.
    ///
    /// # Errors
    /// A part is not told of.
    pub fn parse(happens: Happens, text: &str) -> Result<Self, Fault> {
        let id = text.lines().find_map(|line| line.strip_prefix("ID:"));
        Ok(EventLayout {
            happens,
            id: id.and_then(|id| id.trim().parse().ok()).ok_or_else(|| lacks("ID"))?,
            id_field: number(text, "common_type")?,
            pid: number(text, "common_pid")?,
            device: number(text, "dev")?,
            sector: number(text, "sector")?,
            sectors: number(text, "nr_sector")?,
            letters: field(text, "rwbs")?,
        })
    }
}

fn number(text: &str, name: &str) -> Result<Field, Fault> {
    field(text, name).and_then(|found| if found.bytes <= 8 { Ok(found) } else { Err(lacks(name)) })
}

/// Out of the line `field:TYPE NAME[LENGTH]; offset:N; size:N; signed:N;`.
fn field(text: &str, name: &str) -> Result<Field, Fault> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("field:"))
        .find_map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let called = parts.next()?.rsplit([' ', '\t']).next()?;
            let called = called.split('[').next()?;
            let offset = parts.next()?.strip_prefix("offset:")?.parse().ok()?;
            let bytes = parts.next()?.strip_prefix("size:")?.parse().ok()?;
            (called == name && bytes > 0).then_some(Field { offset, bytes })
        })
        .filter(|found| {
            found
                .offset
                .checked_add(found.bytes)
                .is_some_and(|end| end <= PAGE_BYTES_MAX)
        })
        .ok_or_else(|| lacks(name))
}

fn lacks(name: &str) -> Fault {
    Fault::new(1, Problem::Columns, name.as_bytes())
}
