//! A trace in numbers that can be drawn: which places are touched when, and what goes on meanwhile.

use parquet::file::reader::ChunkReader;
use serde::Serialize;

use crate::fault::TraceError;
use crate::io::{Io, Op};
use crate::store::TraceReader;

/// Columns at most.
const COLUMNS_MAX: u64 = 120;

/// Rows at most.
const ROWS_MAX: u64 = 60;

/// The smallest row: a block.
const ROW_BYTES_MIN: u64 = 4096;

/// Reads or writes that touch a place in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// From 0.
    pub column: u64,
    /// From 0, the first one being [`Picture::begin_bytes`].
    pub row: u64,
    /// I/Os, each in all rows that it touches.
    pub ios: u64,
}

/// What arrived in a column.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Column {
    /// Reads.
    pub read_ios: u64,
    /// Writes.
    pub write_ios: u64,
    /// Bytes of the reads.
    pub read_bytes: u64,
    /// Bytes of the writes.
    pub write_bytes: u64,
    /// Sum over all I/Os of how long each was in flight in it.
    pub in_flight_ns: u64,
}

/// Both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Picture {
    /// Width of a column; `None` without times, where it is [`Picture::column_ios`].
    pub column_ns: Option<u64>,
    /// Width of a column by the number of I/Os; `None` with times.
    pub column_ios: Option<u64>,
    /// Height of a row.
    pub row_bytes: u64,
    /// Where the first row begins.
    pub begin_bytes: u64,
    /// Of reads; those that are empty are left out.
    pub read: Vec<Cell>,
    /// Of writes.
    pub write: Vec<Cell>,
    /// All of them.
    pub columns: Vec<Column>,
    /// Whether the time in flight is known of every I/O.
    pub knows_latencies: bool,
}

/// Goes through a trace twice; `keep_going` is asked now and then.
///
/// # Errors
/// The trace is damaged, or `keep_going` says no.
pub fn picture<R: ChunkReader + 'static>(
    open: impl Fn() -> Result<TraceReader<R>, TraceError>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Picture, TraceError> {
    let mut extent = Extent::default();
    each(&mut open()?, keep_going, &mut |io| extent.take(io))?;
    let mut drawing = Drawing::of(&extent);
    each(&mut open()?, keep_going, &mut |io| drawing.take(io))?;
    Ok(drawing.finish())
}

fn each<R: ChunkReader + 'static>(
    trace: &mut TraceReader<R>,
    keep_going: &mut dyn FnMut() -> bool,
    take: &mut dyn FnMut(&Io),
) -> Result<(), TraceError> {
    while let Some(block) = trace.next_block()? {
        if !keep_going() {
            return Err(TraceError::Stopped);
        }
        block.iter().for_each(&mut *take);
    }
    Ok(())
}

/// How far a trace reaches.
#[derive(Default)]
struct Extent {
    ios: u64,
    last_ns: Option<u64>,
    places: Option<(u64, u64)>,
}

impl Extent {
    fn take(&mut self, io: &Io) {
        self.ios += 1;
        self.last_ns = self.last_ns.max(io.at_ns);
        if io.op.moves_data() {
            let (begin, end) = self.places.unwrap_or((u64::MAX, 0));
            self.places = Some((begin.min(io.offset_bytes), end.max(io.end_bytes())));
        }
    }
}

struct Drawing {
    done: Picture,
    width: u64,
    seen: u64,
    /// Of reads and of writes, a column after the other.
    cells: [Vec<u64>; 2],
}

impl Drawing {
    fn of(extent: &Extent) -> Self {
        let width = round_up(extent.last_ns.unwrap_or(extent.ios.saturating_sub(1)) / COLUMNS_MAX + 1);
        let (begin, end) = extent.places.unwrap_or((0, 1));
        let mut row_bytes = ROW_BYTES_MIN;
        while (end - 1) / row_bytes - begin / row_bytes >= ROWS_MAX {
            row_bytes *= 2;
        }
        let empty = vec![0; (COLUMNS_MAX * ROWS_MAX) as usize];
        Drawing {
            done: Picture {
                column_ns: extent.last_ns.map(|_| width),
                column_ios: extent.last_ns.is_none().then_some(width),
                row_bytes,
                begin_bytes: begin / row_bytes * row_bytes,
                read: Vec::new(),
                write: Vec::new(),
                columns: Vec::new(),
                knows_latencies: extent.last_ns.is_some(),
            },
            width,
            seen: 0,
            cells: [empty.clone(), empty],
        }
    }

    fn take(&mut self, io: &Io) {
        let column = io.at_ns.unwrap_or(self.seen) / self.width;
        self.seen += 1;
        let columns = &mut self.done.columns;
        if columns.len() as u64 <= column {
            columns.resize(column as usize + 1, Column::default());
        }
        let of = &mut columns[column as usize];
        match io.op {
            Op::Read => (of.read_ios, of.read_bytes) = (of.read_ios + 1, of.read_bytes.saturating_add(io.length_bytes)),
            Op::Write => {
                (of.write_ios, of.write_bytes) = (of.write_ios + 1, of.write_bytes.saturating_add(io.length_bytes));
            }
            Op::Flush | Op::Discard | Op::WriteZeroes => {}
        }
        if io.op.moves_data() {
            let of = &mut self.cells[usize::from(io.op == Op::Write)];
            let row = |place: u64| (place - self.done.begin_bytes) / self.done.row_bytes;
            for row in row(io.offset_bytes)..=row(io.end_bytes() - 1) {
                of[(column * ROWS_MAX + row) as usize] += 1;
            }
        }
        self.fly(io);
    }

    /// Its time in flight, shared out to the columns as far as there may be any.
    fn fly(&mut self, io: &Io) {
        let (Some(at_ns), Some(latency_ns)) = (io.at_ns, io.latency_ns) else {
            self.done.knows_latencies = false;
            return;
        };
        let (mut from_ns, end_ns) = (at_ns, at_ns + latency_ns);
        while from_ns < end_ns && from_ns / self.width < COLUMNS_MAX {
            let column = (from_ns / self.width) as usize;
            let until_ns = end_ns.min((column as u64 + 1) * self.width);
            if self.done.columns.len() <= column {
                self.done.columns.resize(column + 1, Column::default());
            }
            self.done.columns[column].in_flight_ns += until_ns - from_ns;
            from_ns = until_ns;
        }
    }

    fn finish(self) -> Picture {
        let [read, write] = self.cells.map(|cells| {
            (0..)
                .zip(cells)
                .filter(|(_, ios)| *ios > 0)
                .map(|(index, ios)| Cell {
                    column: index / ROWS_MAX,
                    row: index % ROWS_MAX,
                    ios,
                })
                .collect()
        });
        Picture {
            read,
            write,
            ..self.done
        }
    }
}

/// To 1, 2 or 5 times a power of ten: widths that a reader can take in.
fn round_up(value: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [1, 2, 5] {
            let rounded = power.saturating_mul(digit);
            if rounded >= value {
                return rounded;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;
    use crate::store::{Meta, TraceWriter};

    fn pictured(ios: &[Io]) -> Picture {
        let mut writer = TraceWriter::new(Vec::new()).unwrap();
        for io in ios {
            writer.push(*io).unwrap();
        }
        let meta = Meta::of_test(ios[0].at_ns.map(|_| 1));
        let file = Bytes::from(writer.finish(&meta).unwrap());
        picture(|| TraceReader::new(file.clone()), &mut || true).unwrap()
    }

    #[test]
    fn places_are_rows_and_times_are_columns() {
        let io = |at_ns, op, block: u64, blocks: u64, latency_ns| Io {
            at_ns: Some(at_ns),
            latency_ns: Some(latency_ns),
            ..Io::new(op, block * 4096, blocks * 4096)
        };
        let found = pictured(&[
            io(0, Op::Read, 10, 2, 150),
            io(150, Op::Write, 12, 1, 20),
            io(11_900, Op::Write, 10, 1, 1_000),
        ]);
        assert_eq!(
            (found.column_ns, found.row_bytes, found.begin_bytes),
            (Some(100), 4096, 40_960)
        );
        let cell = |column, row, ios| Cell { column, row, ios };
        assert_eq!(found.read, [cell(0, 0, 1), cell(0, 1, 1)]);
        assert_eq!(found.write, [cell(1, 2, 1), cell(119, 0, 1)]);
        let in_flight: Vec<u64> = found.columns.iter().map(|one| one.in_flight_ns).collect();
        assert_eq!((&in_flight[..2], in_flight[119]), (&[100, 70][..], 100));
        assert!(found.knows_latencies);
    }

    proptest! {
        #[test]
        fn every_io_is_in_it_whatever_its_place_and_time(
            all in proptest::collection::vec((0..1_u64 << 40, 0..1_u64 << 50, 1..1_u64 << 20, any::<bool>()), 1..50),
            timed in any::<bool>(),
        ) {
            let mut ios: Vec<Io> = all
                .iter()
                .map(|(at_ns, sector, sectors, reads)| Io {
                    at_ns: timed.then_some(*at_ns),
                    ..Io::new(if *reads { Op::Read } else { Op::Write }, sector * 512, sectors * 512)
                })
                .collect();
            ios.sort_by_key(|io| io.at_ns);
            if let Some(first_ns) = ios[0].at_ns {
                for io in &mut ios {
                    io.at_ns = io.at_ns.map(|at_ns| at_ns - first_ns);
                }
            }
            let found = pictured(&ios);
            prop_assert!(found.columns.len() <= 120);
            prop_assert!(found.read.iter().chain(&found.write).all(|cell| cell.row < 60 && cell.column < 120));
            let counted: u64 = found.columns.iter().map(|one| one.read_ios + one.write_ios).sum();
            prop_assert_eq!(counted, ios.len() as u64);
            prop_assert!(!found.knows_latencies);
        }
    }
}
