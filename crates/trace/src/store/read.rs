//! Reads a trace, which may be anything, in bounded memory.

use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::parser::parse_message_type;

use super::columns::{META_KEY, SCHEMA};
use super::meta::{Meta, VERSION};
use crate::fault::{Refusal, TraceError};
use crate::io::{Flags, Io, Op};
use crate::shape::shape;

/// I/Os of a block.
const BLOCK_IOS: usize = 1 << 14;

/// Unpacked bytes of a column for each of its rows, and for its dictionary: more is not written by anybody honest.
const ROW_BYTES_MAX: u64 = 32;
const DICTIONARY_BYTES_MAX: u64 = 4 << 20;

/// Rows of a part, twice those that are written: so that a small file cannot claim rows without end.
const GROUP_ROWS_MAX: i64 = 1 << 20;

/// What contradicts itself, or what no device does.
const NO_CONTENT: TraceError = TraceError::NoTrace(Refusal::Content);

/// Gives the I/Os of a trace, block by block.
pub struct TraceReader<R: ChunkReader + 'static> {
    file: SerializedFileReader<R>,
    meta: Meta,
    next_group: usize,
    columns: Option<Columns>,
    rows_left: u64,
    block: Vec<Io>,
    last_ns: Option<u64>,
    begun: bool,
}

impl<R: ChunkReader + 'static> TraceReader<R> {
    /// Opens a trace.
    ///
    /// # Errors
    /// It is none, or one of another version.
    pub fn new(file: R) -> Result<Self, TraceError> {
        guarded(|| {
            shape(&file)?.require_pages(&file, ROW_BYTES_MAX, DICTIONARY_BYTES_MAX)?;
            let file = SerializedFileReader::new(file).map_err(read_error)?;
            let meta = checked(&file)?;
            Ok(TraceReader {
                file,
                meta,
                next_group: 0,
                columns: None,
                rows_left: 0,
                block: Vec::new(),
                last_ns: None,
                begun: false,
            })
        })
    }

    /// What is to be known of it.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// How many I/Os it has.
    pub fn ios(&self) -> u64 {
        self.file.metadata().file_metadata().num_rows() as u64
    }

    /// The next I/Os; `None` after the last.
    ///
    /// # Errors
    /// The file is damaged, or holds what is no trace.
    pub fn next_block(&mut self) -> Result<Option<&[Io]>, TraceError> {
        let is_there = guarded(|| self.read_block())?;
        Ok(is_there.then_some(&self.block[..]))
    }

    /// Gives every I/O.
    ///
    /// # Errors
    /// As [`TraceReader::next_block`], and what `give` returns.
    pub fn for_each(&mut self, mut give: impl FnMut(&Io) -> Result<(), TraceError>) -> Result<(), TraceError> {
        while let Some(block) = self.next_block()? {
            block.iter().try_for_each(&mut give)?;
        }
        Ok(())
    }

    fn read_block(&mut self) -> Result<bool, TraceError> {
        while self.rows_left == 0 {
            if self.next_group == self.file.num_row_groups() {
                return Ok(false);
            }
            self.columns = Some(Columns::of(&self.file, self.next_group)?);
            self.rows_left = self.file.metadata().row_group(self.next_group).num_rows() as u64;
            self.next_group += 1;
        }
        let Some(columns) = &mut self.columns else {
            return Ok(false);
        };
        let rows = self.rows_left.min(BLOCK_IOS as u64) as usize;
        columns.read(rows, &mut self.block)?;
        self.rows_left -= rows as u64;
        self.check_block()?;
        Ok(true)
    }

    fn check_block(&mut self) -> Result<(), TraceError> {
        for io in &self.block {
            let knows_time = io.at_ns.is_some() == self.last_ns.is_some() || !self.begun;
            if !io.is_possible() || !knows_time || io.at_ns < self.last_ns {
                return Err(NO_CONTENT);
            }
            self.begun = true;
            self.last_ns = io.at_ns;
        }
        Ok(())
    }
}

/// The metadata of a file whose columns are those of a trace.
fn checked<R: ChunkReader + 'static>(file: &SerializedFileReader<R>) -> Result<Meta, TraceError> {
    let metadata = file.metadata();
    let schema = parse_message_type(SCHEMA).map_err(read_error)?;
    let told = metadata
        .file_metadata()
        .key_value_metadata()
        .and_then(|pairs| pairs.iter().find(|pair| pair.key == META_KEY))
        .and_then(|pair| pair.value.as_deref())
        .ok_or(TraceError::NoTrace(Refusal::Metadata))?;
    let version = serde_json::from_str::<serde_json::Value>(told)
        .ok()
        .and_then(|told| told.get("version")?.as_u64());
    if version != Some(VERSION.into()) {
        return Err(TraceError::NoTrace(Refusal::Version));
    }
    let meta = serde_json::from_str(told).map_err(|_| TraceError::NoTrace(Refusal::Metadata))?;
    let expected = schema.get_fields();
    let found = metadata.file_metadata().schema().get_fields();
    let is_same = |(one, other): (&parquet::schema::types::TypePtr, &parquet::schema::types::TypePtr)| {
        one.name() == other.name()
            && one.is_primitive()
            && one.get_physical_type() == other.get_physical_type()
            && one.get_basic_info().repetition() == other.get_basic_info().repetition()
    };
    if found.len() != expected.len() || !found.iter().zip(expected).all(is_same) {
        return Err(TraceError::NoTrace(Refusal::Columns));
    }
    let mut rows = 0_i64;
    for group in metadata.row_groups() {
        let honest = group.columns().iter().all(|column| {
            matches!(column.compression(), Compression::ZSTD(_) | Compression::UNCOMPRESSED)
                && column.num_values() == group.num_rows()
                && column.compressed_size() >= 0
        });
        rows = rows.saturating_add(group.num_rows());
        if !honest || !(0..=GROUP_ROWS_MAX).contains(&group.num_rows()) || group.columns().len() != expected.len() {
            return Err(NO_CONTENT);
        }
    }
    if rows != metadata.file_metadata().num_rows() {
        return Err(NO_CONTENT);
    }
    Ok(meta)
}

struct Columns {
    at_ns: Column<Int64Type>,
    offset_bytes: Column<Int64Type>,
    length_bytes: Column<Int64Type>,
    op: Column<ByteArrayType>,
    flags: Column<Int32Type>,
    latency_ns: Column<Int64Type>,
    stream: Column<Int32Type>,
}

impl Columns {
    fn of<R: ChunkReader + 'static>(file: &SerializedFileReader<R>, group: usize) -> Result<Self, TraceError> {
        let group = file.get_row_group(group).map_err(read_error)?;
        let mut readers: VecDeque<ColumnReader> = (0..7)
            .map(|index| group.get_column_reader(index).map_err(read_error))
            .collect::<Result<_, _>>()?;
        let mut next = || readers.pop_front().ok_or(NO_CONTENT);
        Ok(Columns {
            at_ns: Column::new(next()?),
            offset_bytes: Column::new(next()?),
            length_bytes: Column::new(next()?),
            op: Column::new(next()?),
            flags: Column::new(next()?),
            latency_ns: Column::new(next()?),
            stream: Column::new(next()?),
        })
    }

    fn read(&mut self, rows: usize, block: &mut Vec<Io>) -> Result<(), TraceError> {
        self.at_ns.read(rows)?;
        self.offset_bytes.read(rows)?;
        self.length_bytes.read(rows)?;
        self.op.read(rows)?;
        self.flags.read(rows)?;
        self.latency_ns.read(rows)?;
        self.stream.read(rows)?;
        block.clear();
        for _ in 0..rows {
            block.push(Io {
                at_ns: self.at_ns.next().map(unsigned).transpose()?,
                op: op_of(self.op.next())?,
                offset_bytes: unsigned(self.offset_bytes.next().unwrap_or(-1))?,
                length_bytes: unsigned(self.length_bytes.next().unwrap_or(-1))?,
                flags: self.flags.next().map(flags_of).transpose()?,
                latency_ns: self.latency_ns.next().map(unsigned).transpose()?,
                stream: self
                    .stream
                    .next()
                    .map(|stream| u32::try_from(stream).map_err(|_| NO_CONTENT))
                    .transpose()?,
            });
        }
        Ok(())
    }
}

/// A column of a row group, and the rows of a block.
struct Column<T: DataType> {
    reader: ColumnReaderImpl<T>,
    is_optional: bool,
    values: Vec<T::T>,
    known: Vec<i16>,
    next_value: usize,
    next_row: usize,
}

impl<T: DataType> Column<T> {
    fn new(reader: ColumnReader) -> Self {
        let reader = get_typed_column_reader::<T>(reader);
        Column {
            is_optional: false,
            reader,
            values: Vec::new(),
            known: Vec::new(),
            next_value: 0,
            next_row: 0,
        }
    }

    fn read(&mut self, rows: usize) -> Result<(), TraceError> {
        self.values.clear();
        self.known.clear();
        (self.next_value, self.next_row) = (0, 0);
        let (_, values, levels) = self
            .reader
            .read_records(rows, Some(&mut self.known), None, &mut self.values)
            .map_err(read_error)?;
        self.is_optional = !self.known.is_empty();
        if levels.max(values) != rows || (self.is_optional && self.known.len() != rows) {
            return Err(NO_CONTENT);
        }
        Ok(())
    }

    fn next(&mut self) -> Option<T::T> {
        let is_known = !self.is_optional || self.known.get(self.next_row) == Some(&1);
        self.next_row += 1;
        if !is_known {
            return None;
        }
        self.next_value += 1;
        self.values.get(self.next_value - 1).cloned()
    }
}

fn unsigned(value: i64) -> Result<u64, TraceError> {
    u64::try_from(value).map_err(|_| NO_CONTENT)
}

fn op_of(name: Option<ByteArray>) -> Result<Op, TraceError> {
    name.and_then(|name| Op::named(name.data())).ok_or(NO_CONTENT)
}

fn flags_of(flags: i32) -> Result<Flags, TraceError> {
    u8::try_from(flags)
        .ok()
        .filter(|flags| flags & !Flags::ALL == 0)
        .map(Flags)
        .ok_or(NO_CONTENT)
}

pub(crate) fn read_error(error: ParquetError) -> TraceError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => TraceError::Io(*error),
            Err(_) => TraceError::NoTrace(Refusal::Undecodable),
        },
        _ => TraceError::NoTrace(Refusal::Undecodable),
    }
}

thread_local! {
    /// Whether what this thread does now may end in the decoder's panic, which is answered and nothing to print.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What a damaged file makes of the decoder is an answer about the file: the crate promises no error for every one.
fn guarded<T>(read: impl FnOnce() -> Result<T, TraceError>) -> Result<T, TraceError> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let loud = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                loud(info);
            }
        }));
    });
    GUARDED.set(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(false);
    done.unwrap_or_else(|_| Err(TraceError::NoTrace(Refusal::Undecodable)))
}
