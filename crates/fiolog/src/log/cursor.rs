//! Reading one line after the other, byte by byte.

use super::{Column, Direction, Layout, Problem, Row};

/// Most columns that any layout has.
pub(super) const COLUMNS_MAX: usize = 8;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Radix {
    Decimal,
    Hexadecimal,
}

/// One number of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) number: u64,
    pub(super) radix: Radix,
}

/// Why a number could not be read; the caller knows the column.
enum Unreadable {
    AtEnd,
    NotANumber,
    TooLarge,
}

impl Unreadable {
    fn in_column(self, column: Column) -> Problem {
        match self {
            Unreadable::AtEnd => Problem::Truncated,
            Unreadable::NotANumber => Problem::NotANumber { column },
            Unreadable::TooLarge => Problem::TooLarge { column },
        }
    }
}

pub(crate) struct Cursor<'a> {
    log: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn at_start_of(log: &'a [u8]) -> Self {
        Cursor { log, position: 0 }
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn at_end(&self) -> bool {
        self.position == self.log.len()
    }

    /// One line of `layout`.
    #[inline]
    pub(crate) fn row(&mut self, layout: Layout) -> Result<Row, Problem> {
        let columns = layout.columns();
        let mut row = Row {
            time_ms: 0,
            value: 0,
            value_max: 0,
            direction: Direction::Read,
            block_bytes: 0,
            offset_bytes: 0,
            priority: 0,
            issue_ns: 0,
        };
        for (position, &column) in columns.iter().enumerate() {
            if position > 0 {
                self.separator(columns[position - 1], columns.len())?;
            }
            let number = match column {
                Column::Priority => self.priority()?,
                _ => self.decimal().map_err(|unreadable| unreadable.in_column(column))?,
            };
            match column {
                Column::Time => row.time_ms = number,
                Column::Value => row.value = number,
                Column::ValueMax if number < row.value => return Err(Problem::MaxBelowMean),
                Column::ValueMax => row.value_max = number,
                Column::Direction => row.direction = Direction::of_fio(number).ok_or(Problem::Direction { number })?,
                Column::Block => row.block_bytes = number,
                Column::Offset => row.offset_bytes = number,
                Column::Priority => row.priority = number,
                Column::IssueTime => row.issue_ns = number,
            }
        }
        self.line_end(columns[columns.len() - 1], columns.len())?;
        Ok(row)
    }

    /// One line of `count` numbers of unknown meaning.
    pub(super) fn fields(&mut self, count: usize) -> Result<[Field; COLUMNS_MAX], Problem> {
        let mut fields = [Field {
            number: 0,
            radix: Radix::Decimal,
        }; COLUMNS_MAX];
        for (position, field) in fields[..count].iter_mut().enumerate() {
            if position > 0 {
                self.separator(Column::Value, count)?;
            }
            *field = self.field().map_err(|unreadable| unreadable.in_column(Column::Value))?;
        }
        self.line_end(Column::Value, count)?;
        Ok(fields)
    }

    fn priority(&mut self) -> Result<u64, Problem> {
        let Field { number, radix } = self
            .field()
            .map_err(|unreadable| unreadable.in_column(Column::Priority))?;
        if radix == Radix::Decimal && number > 1 {
            Err(Problem::Priority { number })
        } else {
            Ok(number)
        }
    }

    fn field(&mut self) -> Result<Field, Unreadable> {
        if self.log[self.position..].starts_with(b"0x") {
            self.position += 2;
            let number = self.digits(16, |byte| (byte as char).to_digit(16))?;
            return Ok(Field {
                number,
                radix: Radix::Hexadecimal,
            });
        }
        Ok(Field {
            number: self.decimal()?,
            radix: Radix::Decimal,
        })
    }

    #[inline]
    fn decimal(&mut self) -> Result<u64, Unreadable> {
        self.digits(10, |byte| byte.is_ascii_digit().then(|| u32::from(byte - b'0')))
    }

    #[inline]
    fn digits(&mut self, base: u64, digit_of: impl Fn(u8) -> Option<u32>) -> Result<u64, Unreadable> {
        let first = self.position;
        let mut number = 0u64;
        while let Some(digit) = self.log.get(self.position).and_then(|&byte| digit_of(byte)) {
            number = number
                .checked_mul(base)
                .and_then(|number| number.checked_add(u64::from(digit)))
                .ok_or(Unreadable::TooLarge)?;
            self.position += 1;
        }
        if self.at_end() {
            return Err(Unreadable::AtEnd);
        }
        if self.position == first {
            Err(Unreadable::NotANumber)
        } else {
            Ok(number)
        }
    }

    /// A comma and at most one blank after `column`.
    #[inline]
    fn separator(&mut self, column: Column, columns: usize) -> Result<(), Problem> {
        if self.log.get(self.position) != Some(&b',') {
            return Err(self.instead_of_end(column, columns));
        }
        self.position += 1;
        self.position += usize::from(self.log.get(self.position) == Some(&b' '));
        Ok(())
    }

    /// A line feed after `column`, with a carriage return before it in logs written on Windows.
    #[inline]
    fn line_end(&mut self, column: Column, columns: usize) -> Result<(), Problem> {
        match &self.log[self.position..] {
            [b'\n', ..] => self.position += 1,
            [b'\r', b'\n', ..] => self.position += 2,
            [b'\r'] => return Err(Problem::Truncated),
            _ => return Err(self.instead_of_end(column, columns)),
        }
        Ok(())
    }

    /// What it means that the number in `column` is not followed by what should follow.
    #[cold]
    fn instead_of_end(&self, column: Column, expected: usize) -> Problem {
        match self.log.get(self.position) {
            None => Problem::Truncated,
            Some(b',' | b'\r' | b'\n') => Problem::ColumnCount { expected },
            Some(_) => Problem::NotANumber { column },
        }
    }
}
