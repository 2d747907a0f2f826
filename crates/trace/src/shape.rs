//! What a Parquet file claims, looked at before a decoder believes it.
//!
//! A footer of a few bytes can claim lists of millions of elements, schemas nested without end, and dictionaries and pages of gigabytes, for
//! all of which decoders make room at once. Here each claim is held against the bytes there are. Footers and heads of pages are structures of
//! Thrift in its compact protocol (apache/parquet-format, `parquet.thrift`; apache/thrift, `doc/specs/thrift-compact-protocol.md`).

use parquet::file::reader::ChunkReader;

use crate::fault::{Refusal, TraceError};

/// What decoders keep of a footer is some tens of times as long.
const FOOTER_BYTES_MAX: u64 = 16 << 20;

/// What stands behind a footer: its length, and four letters.
const END_BYTES: u64 = 8;
const LETTERS: &[u8] = b"PAR1";

/// A head of a page with its statistics has a hundred.
const HEAD_BYTES_MAX: u64 = 1 << 10;

/// Columns of a table, those above them among them.
const ELEMENTS_MAX: usize = 64;

/// Structures within structures.
const DEPTH_MAX: u8 = 16;

/// The shortest value of a dictionary that is worth one.
const WORD_BYTES_MIN: u64 = 4;

/// It is no Parquet file, or claims what cannot be.
const NO_TABLE: TraceError = TraceError::NoTrace(Refusal::Undecodable);

type Sound<T> = Result<T, TraceError>;

/// What a file claims to hold.
pub struct Shape {
    /// Rows of all of it.
    pub rows: u64,
    /// Columns, and what they are grouped under.
    pub elements: usize,
    groups: Vec<Group>,
}

#[derive(Default)]
struct Group {
    rows: u64,
    chunks: Vec<Chunk>,
}

/// A column of a group.
struct Chunk {
    begins_at: u64,
    packed_bytes: u64,
}

/// Reads the footer.
///
/// # Errors
/// There is none, or it claims what cannot be; the file cannot be read.
pub fn shape(file: &impl ChunkReader) -> Sound<Shape> {
    let length_bytes = file.len();
    let end_at = length_bytes.checked_sub(END_BYTES).ok_or(NO_TABLE)?;
    let end = bytes(file, end_at, END_BYTES)?;
    let (footer_bytes, letters) = end.split_first_chunk::<4>().ok_or(NO_TABLE)?;
    let footer_bytes = u64::from(u32::from_le_bytes(*footer_bytes));
    if letters != LETTERS || footer_bytes > FOOTER_BYTES_MAX {
        return Err(NO_TABLE);
    }
    let begins_at = end_at.checked_sub(footer_bytes).ok_or(NO_TABLE)?;
    Thrift::of(&bytes(file, begins_at, footer_bytes)?).footer()
}

impl Shape {
    /// Makes sure that no page unpacks to more than its rows can take.
    ///
    /// # Errors
    /// One does, or pages are not where the footer says; the file cannot be read.
    pub(crate) fn require_pages(
        &self,
        file: &impl ChunkReader,
        row_bytes_max: u64,
        dictionary_bytes_max: u64,
    ) -> Sound<()> {
        for group in &self.groups {
            let most = group
                .rows
                .saturating_mul(row_bytes_max)
                .saturating_add(dictionary_bytes_max);
            for chunk in &group.chunks {
                chunk.require_pages(file, group.rows, most)?;
            }
        }
        Ok(())
    }
}

impl Chunk {
    fn require_pages(&self, file: &impl ChunkReader, rows: u64, unpacked_bytes_max: u64) -> Sound<()> {
        let end_at = self.begins_at.checked_add(self.packed_bytes).ok_or(NO_TABLE)?;
        let (mut at, mut left, mut rows_left, mut words) = (self.begins_at, unpacked_bytes_max, rows, None);
        while at < end_at {
            let head = bytes(file, at, HEAD_BYTES_MAX.min(end_at - at))?;
            let mut thrift = Thrift::of(&head);
            let page = thrift.page()?;
            let head_bytes = (head.len() - thrift.left.len()) as u64;
            // One dictionary, and pages of a row each at the least: else a file could have more of them than anybody goes through.
            match page.holds {
                Holds::Words(count) if count <= page.unpacked_bytes / WORD_BYTES_MIN && words.is_none() => {
                    words = Some(count);
                }
                Holds::Rows(count) if count > 0 => rows_left = rows_left.checked_sub(count).ok_or(NO_TABLE)?,
                Holds::Words(_) | Holds::Rows(_) => return Err(NO_TABLE),
            }
            left = left.checked_sub(page.unpacked_bytes).ok_or(NO_TABLE)?;
            at = at.checked_add(head_bytes + page.packed_bytes).ok_or(NO_TABLE)?;
        }
        Ok(())
    }
}

fn bytes(file: &impl ChunkReader, at: u64, count: u64) -> Sound<Vec<u8>> {
    let end_at = at.checked_add(count).ok_or(NO_TABLE)?;
    if end_at > file.len() {
        return Err(NO_TABLE);
    }
    let found = file.get_bytes(at, count as usize).map_err(crate::store::read_error)?;
    Ok(found.to_vec())
}

/// What a page says of itself.
struct Page {
    unpacked_bytes: u64,
    packed_bytes: u64,
    holds: Holds,
}

/// How much is in a page: values of a dictionary, or rows.
enum Holds {
    Words(u64),
    Rows(u64),
}

/// Kinds of values, by their numbers in the compact protocol.
mod kind {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const I8: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const MAP: u8 = 11;
    pub(super) const STRUCT: u8 = 12;
    pub(super) const UUID: u8 = 13;
}

/// Structures of Thrift, from their first byte on.
struct Thrift<'a> {
    left: &'a [u8],
}

impl<'a> Thrift<'a> {
    fn of(left: &'a [u8]) -> Self {
        Thrift { left }
    }

    /// `FileMetaData`.
    fn footer(&mut self) -> Sound<Shape> {
        let (mut rows, mut elements, mut groups) = (None, 0, Vec::new());
        self.fields(|thrift, id, kind| {
            match (id, kind) {
                (2, kind::LIST) => {
                    elements = thrift.structures(|thrift| thrift.skip(kind::STRUCT, DEPTH_MAX))?.len();
                }
                (3, kind::I64) => rows = Some(thrift.unsigned()?),
                (4, kind::LIST) => groups = thrift.structures(Thrift::group)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if elements > ELEMENTS_MAX {
            return Err(NO_TABLE);
        }
        Ok(Shape {
            rows: rows.ok_or(NO_TABLE)?,
            elements,
            groups,
        })
    }

    /// `RowGroup`.
    fn group(&mut self) -> Sound<Group> {
        let mut group = Group::default();
        self.fields(|thrift, id, kind| {
            match (id, kind) {
                (1, kind::LIST) => group.chunks = thrift.structures(Thrift::chunk)?,
                (3, kind::I64) => group.rows = thrift.unsigned()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(group)
    }

    /// `ColumnChunk`, whose metadata must be there: without it one byte would be a column.
    fn chunk(&mut self) -> Sound<Chunk> {
        let mut found = None;
        self.fields(|thrift, id, kind| {
            let is_metadata = (id, kind) == (3, kind::STRUCT);
            if is_metadata {
                found = Some(thrift.chunk_metadata()?);
            }
            Ok(is_metadata)
        })?;
        found.ok_or(NO_TABLE)
    }

    /// `ColumnMetaData`.
    fn chunk_metadata(&mut self) -> Sound<Chunk> {
        let (mut packed_bytes, mut data_at, mut dictionary_at) = (None, None, None);
        self.fields(|thrift, id, kind| {
            let place = match (id, kind) {
                (7, kind::I64) => &mut packed_bytes,
                (9, kind::I64) => &mut data_at,
                (11, kind::I64) => &mut dictionary_at,
                _ => return Ok(false),
            };
            *place = Some(thrift.unsigned()?);
            Ok(true)
        })?;
        Ok(Chunk {
            // As the decoder of parquet takes it.
            begins_at: dictionary_at.or(data_at).ok_or(NO_TABLE)?,
            packed_bytes: packed_bytes.ok_or(NO_TABLE)?,
        })
    }

    /// `PageHeader`.
    fn page(&mut self) -> Sound<Page> {
        let (mut unpacked_bytes, mut packed_bytes, mut holds) = (None, None, None);
        self.fields(|thrift, id, kind| {
            match (id, kind) {
                (2, kind::I32) => unpacked_bytes = Some(thrift.unsigned()?),
                (3, kind::I32) => packed_bytes = Some(thrift.unsigned()?),
                (5 | 8, kind::STRUCT) => holds = Some(Holds::Rows(thrift.first_number()?)),
                (7, kind::STRUCT) => holds = Some(Holds::Words(thrift.first_number()?)),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(Page {
            unpacked_bytes: unpacked_bytes.ok_or(NO_TABLE)?,
            packed_bytes: packed_bytes.ok_or(NO_TABLE)?,
            holds: holds.ok_or(NO_TABLE)?,
        })
    }

    /// Field 1 of a structure, which in every head of pages is how many values there are.
    fn first_number(&mut self) -> Sound<u64> {
        let mut found = None;
        self.fields(|thrift, id, kind| {
            let is_first = (id, kind) == (1, kind::I32);
            if is_first {
                found = Some(thrift.unsigned()?);
            }
            Ok(is_first)
        })?;
        found.ok_or(NO_TABLE)
    }

    /// Goes through the fields of a structure; what `take` does not take is passed over.
    fn fields(&mut self, mut take: impl FnMut(&mut Self, i64, u8) -> Sound<bool>) -> Sound<()> {
        self.fields_within(DEPTH_MAX, &mut take)
    }

    fn fields_within(&mut self, depth: u8, take: &mut dyn FnMut(&mut Self, i64, u8) -> Sound<bool>) -> Sound<()> {
        let mut id = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            id = match head >> 4 {
                0 => self.integer()?,
                step => id.checked_add(step.into()).ok_or(NO_TABLE)?,
            };
            if !take(self, id, head & 0xf)? {
                self.skip(head & 0xf, depth)?;
            }
        }
    }

    /// The structures of a list.
    fn structures<T>(&mut self, mut read: impl FnMut(&mut Self) -> Sound<T>) -> Sound<Vec<T>> {
        let (count, kind) = self.list()?;
        if kind != kind::STRUCT {
            return Err(NO_TABLE);
        }
        let mut found = Vec::new();
        for _ in 0..count {
            found.push(read(self)?);
        }
        Ok(found)
    }

    /// How many elements follow, and of which kind: each takes a byte at the least.
    fn list(&mut self) -> Sound<(usize, u8)> {
        let head = self.byte()?;
        let count = match head >> 4 {
            15 => usize::try_from(self.varint()?).map_err(|_| NO_TABLE)?,
            few => few.into(),
        };
        if count > self.left.len() {
            return Err(NO_TABLE);
        }
        Ok((count, head & 0xf))
    }

    fn skip(&mut self, kind: u8, depth: u8) -> Sound<()> {
        match kind {
            kind::TRUE | kind::FALSE => Ok(()),
            kind::I8 => self.pass(1),
            kind::I16 | kind::I32 | kind::I64 => self.varint().map(drop),
            kind::DOUBLE => self.pass(8),
            kind::UUID => self.pass(16),
            kind::BINARY => {
                let length = usize::try_from(self.varint()?).map_err(|_| NO_TABLE)?;
                self.pass(length)
            }
            kind::LIST | kind::SET => {
                let (count, kind) = self.list()?;
                (0..count).try_for_each(|_| self.skip_element(kind, depth))
            }
            kind::MAP => self.skip_map(depth),
            kind::STRUCT => {
                let deeper = depth.checked_sub(1).ok_or(NO_TABLE)?;
                self.fields_within(deeper, &mut |_, _, _| Ok(false))
            }
            _ => Err(NO_TABLE),
        }
    }

    fn skip_map(&mut self, depth: u8) -> Sound<()> {
        let count = self.varint()?;
        if count == 0 {
            return Ok(());
        }
        let kinds = self.byte()?;
        if count > self.left.len() as u64 {
            return Err(NO_TABLE);
        }
        (0..count).try_for_each(|_| {
            self.skip_element(kinds >> 4, depth)?;
            self.skip_element(kinds & 0xf, depth)
        })
    }

    /// In lists a truth value is a byte of its own, where in a structure its kind tells it.
    fn skip_element(&mut self, kind: u8, depth: u8) -> Sound<()> {
        let deeper = depth.checked_sub(1).ok_or(NO_TABLE)?;
        match kind {
            kind::TRUE | kind::FALSE => self.pass(1),
            _ => self.skip(kind, deeper),
        }
    }

    fn unsigned(&mut self) -> Sound<u64> {
        u64::try_from(self.integer()?).map_err(|_| NO_TABLE)
    }

    /// A number whose sign is its last bit.
    fn integer(&mut self) -> Sound<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    fn varint(&mut self) -> Sound<u64> {
        let mut value = 0;
        for place in 0..10 {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(7 * place).ok_or(NO_TABLE)?;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(NO_TABLE)
    }

    fn byte(&mut self) -> Sound<u8> {
        let (byte, left) = self.left.split_first().ok_or(NO_TABLE)?;
        self.left = left;
        Ok(*byte)
    }

    fn pass(&mut self, count: usize) -> Sound<()> {
        self.left = self.left.get(count..).ok_or(NO_TABLE)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;
    use crate::io::{Io, Op};
    use crate::store::{Meta, TraceReader, TraceWriter};

    /// Fields of a structure: number, kind, and the value as it is written.
    type Fields<'a> = &'a [(u8, u8, Vec<u8>)];

    fn varint(mut value: u64) -> Vec<u8> {
        let mut found = Vec::new();
        while value > 0x7f {
            found.push(value as u8 | 0x80);
            value >>= 7;
        }
        found.push(value as u8);
        found
    }

    fn number(value: u64) -> Vec<u8> {
        varint(value << 1)
    }

    fn structure(fields: Fields<'_>) -> Vec<u8> {
        let mut last = 0;
        let mut found = Vec::new();
        for (id, kind, value) in fields {
            found.push((id - last) << 4 | kind);
            found.extend(value);
            last = *id;
        }
        found.push(0);
        found
    }

    /// A list that says that it has so many structures, and those it has.
    fn list(claimed: u64, structures: &[Vec<u8>]) -> Vec<u8> {
        let mut found = vec![0xf0 | kind::STRUCT];
        found.extend(varint(claimed));
        found.extend(structures.concat());
        found
    }

    fn file(body: &[u8], footer: &[u8]) -> Bytes {
        let length = (footer.len() as u32).to_le_bytes();
        [LETTERS, body, footer, &length, LETTERS].concat().into()
    }

    fn footer(elements: Vec<u8>, groups: Vec<u8>) -> Vec<u8> {
        structure(&[
            (1, kind::I32, number(1)),
            (2, kind::LIST, elements),
            (3, kind::I64, number(1)),
            (4, kind::LIST, groups),
        ])
    }

    fn element() -> Vec<u8> {
        structure(&[(5, kind::I32, number(1))])
    }

    /// A file of one column and one row, whose pages are these: what they are, how long they say they are, how much they say they hold.
    fn with_pages(pages: &[(u8, u64, u64)]) -> Bytes {
        let body: Vec<u8> = pages
            .iter()
            .flat_map(|(field, unpacked_bytes, count)| {
                structure(&[
                    (2, kind::I32, number(*unpacked_bytes)),
                    (3, kind::I32, number(0)),
                    (*field, kind::STRUCT, structure(&[(1, kind::I32, number(*count))])),
                ])
            })
            .collect();
        let metadata = structure(&[
            (7, kind::I64, number(body.len() as u64)),
            (9, kind::I64, number(LETTERS.len() as u64)),
        ]);
        let chunk = structure(&[(3, kind::STRUCT, metadata)]);
        let group = structure(&[(1, kind::LIST, list(1, &[chunk])), (3, kind::I64, number(1))]);
        file(&body, &footer(list(2, &[element(), element()]), list(1, &[group])))
    }

    fn are_possible(pages: &[(u8, u64, u64)]) -> bool {
        let file = with_pages(pages);
        shape(&file)
            .and_then(|shape| shape.require_pages(&file, 32, 1 << 20))
            .is_ok()
    }

    fn trace(ios: u64) -> Bytes {
        let mut writer = TraceWriter::new(Vec::new()).unwrap();
        for at in 0..ios {
            writer
                .push(Io {
                    at_ns: Some(at),
                    op: Op::Read,
                    offset_bytes: at << 12,
                    length_bytes: 4096,
                    flags: None,
                    latency_ns: None,
                    stream: Some(at as u32),
                })
                .unwrap();
        }
        let meta = Meta::of_test(Some(1));
        writer.finish(&meta).unwrap().into()
    }

    #[test]
    fn a_trace_is_what_it_claims() {
        let found = shape(&trace(2000)).unwrap();
        assert_eq!((found.rows, found.elements), (2000, 8));
    }

    #[test]
    fn a_list_longer_than_its_footer_is_none() {
        assert!(shape(&file(b"", &footer(list(2, &[element(), element()]), list(0, &[])))).is_ok());
        assert!(shape(&file(b"", &footer(list(5_000_000, &[element()]), list(0, &[])))).is_err());
        assert!(shape(&file(b"", &footer(list(0, &[]), list(5_000_000, &[])))).is_err());
    }

    #[test]
    fn a_schema_of_more_elements_than_a_table_has_columns_is_none() {
        let deep = vec![element(); 2000];
        assert!(shape(&file(b"", &footer(list(2000, &deep), list(0, &[])))).is_err());
    }

    #[test]
    fn structures_nested_without_end_are_none() {
        let nested = (0..2000).fold(structure(&[]), |inner, _| structure(&[(1, kind::STRUCT, inner)]));
        assert!(shape(&file(b"", &footer(list(1, &[nested]), list(0, &[])))).is_err());
    }

    #[test]
    fn a_page_holds_what_its_bytes_and_its_rows_can() {
        assert!(are_possible(&[(7, 40, 10), (5, 8, 1)]));
        assert!(
            !are_possible(&[(7, 40, 2_147_483_647), (5, 8, 1)]),
            "a dictionary without bytes"
        );
        assert!(
            !are_possible(&[(7, 40, 10), (7, 40, 10), (5, 8, 1)]),
            "two dictionaries"
        );
        assert!(!are_possible(&[(5, 100 << 20, 1)]), "a page that unpacks without end");
        assert!(!are_possible(&[(5, 8, 2)]), "more rows than the group");
        assert!(!are_possible(&[(5, 8, 0), (5, 8, 1)]), "a page of nothing");
    }

    #[test]
    fn a_file_that_claims_what_cannot_be_is_no_trace() {
        assert!(TraceReader::new(with_pages(&[(7, 40, 2_147_483_647), (5, 8, 1)])).is_err());
    }

    proptest! {
        #[test]
        fn a_damaged_file_is_looked_at_or_refused(place: prop::sample::Index, with: u8) {
            let mut content = trace(50).to_vec();
            let at = place.index(content.len());
            content[at] = with;
            let file = Bytes::from(content);
            if let Ok(shape) = shape(&file) {
                let _ = shape.require_pages(&file, 32, 1 << 20);
            }
        }
    }
}
