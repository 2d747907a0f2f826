//! Writes a trace in bounded memory.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use super::columns::{META_KEY, SCHEMA};
use super::meta::Meta;
use crate::fault::TraceError;
use crate::io::{Io, Op};

/// I/Os of a row group: what is held in memory.
const GROUP_IOS: usize = 1 << 19;

/// Higher levels take longer and gain little on offsets, which are most of a file.
const LEVEL: i32 = 6;

/// Writes I/Os in the order of their arrival.
pub struct TraceWriter<W: Write + Send> {
    out: SerializedFileWriter<W>,
    group: Vec<Io>,
    names: [ByteArray; 5],
}

impl<W: Write + Send> TraceWriter<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(out: W) -> Result<Self, TraceError> {
        let schema = parse_message_type(SCHEMA).map_err(write_error)?;
        Ok(TraceWriter {
            out: SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties()?)).map_err(write_error)?,
            group: Vec::new(),
            names: Op::ALL.map(|op| ByteArray::from(op.name())),
        })
    }

    /// Writes the next I/O.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn push(&mut self, io: Io) -> Result<(), TraceError> {
        self.group.push(io);
        if self.group.len() == GROUP_IOS {
            self.write_group()?;
        }
        Ok(())
    }

    /// Writes what is left and what is to be known, and gives the file back.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self, meta: &Meta) -> Result<W, TraceError> {
        self.write_group()?;
        let told = serde_json::to_string(meta).map_err(|error| TraceError::Unwritten(error.into()))?;
        self.out
            .append_key_value_metadata(KeyValue::new(META_KEY.to_owned(), told));
        self.out.into_inner().map_err(write_error)
    }

    fn write_group(&mut self) -> Result<(), TraceError> {
        if self.group.is_empty() {
            return Ok(());
        }
        let ios = &self.group;
        let mut group = self.out.next_row_group().map_err(write_error)?;
        optional::<Int64Type, _>(&mut group, ios, |io| io.at_ns.map(|at| at as i64))?;
        required::<Int64Type, _>(&mut group, ios, |io| io.offset_bytes as i64)?;
        required::<Int64Type, _>(&mut group, ios, |io| io.length_bytes as i64)?;
        required::<ByteArrayType, _>(&mut group, ios, |io| self.names[io.op as usize].clone())?;
        optional::<Int32Type, _>(&mut group, ios, |io| io.flags.map(|flags| i32::from(flags.0)))?;
        optional::<Int64Type, _>(&mut group, ios, |io| io.latency_ns.map(|latency| latency as i64))?;
        optional::<Int32Type, _>(&mut group, ios, |io| io.stream.map(|stream| stream as i32))?;
        group.close().map_err(write_error)?;
        self.group.clear();
        Ok(())
    }
}

fn properties() -> Result<WriterProperties, TraceError> {
    let column = |name: &str| ColumnPath::from(name);
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL).map_err(write_error)?))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(concat!("ssdlab ", env!("CARGO_PKG_VERSION")).to_owned());
    for (name, encoding) in [
        ("at_ns", Encoding::DELTA_BINARY_PACKED),
        ("offset_bytes", Encoding::BYTE_STREAM_SPLIT),
        ("latency_ns", Encoding::BYTE_STREAM_SPLIT),
    ] {
        properties = properties
            .set_column_dictionary_enabled(column(name), false)
            .set_column_encoding(column(name), encoding);
    }
    Ok(properties.build())
}

fn required<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    ios: &[Io],
    value: impl Fn(&Io) -> T::T,
) -> Result<(), TraceError> {
    write_column::<T, W>(group, &ios.iter().map(value).collect::<Vec<_>>(), None)
}

fn optional<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    ios: &[Io],
    value: impl Fn(&Io) -> Option<T::T>,
) -> Result<(), TraceError> {
    let known: Vec<i16> = ios.iter().map(|io| i16::from(value(io).is_some())).collect();
    write_column::<T, W>(group, &ios.iter().filter_map(value).collect::<Vec<_>>(), Some(&known))
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    known: Option<&[i16]>,
) -> Result<(), TraceError> {
    let Some(mut column) = group.next_column().map_err(write_error)? else {
        return Err(TraceError::Unwritten(std::io::Error::other("a column too many")));
    };
    column
        .typed::<T>()
        .write_batch(values, known, None)
        .map_err(write_error)?;
    column.close().map_err(write_error)
}

/// What the file system said, out of what Parquet makes of it.
fn write_error(error: ParquetError) -> TraceError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(error) => TraceError::Unwritten(*error),
            Err(other) => TraceError::Unwritten(std::io::Error::other(other)),
        },
        other => TraceError::Unwritten(std::io::Error::other(other)),
    }
}
