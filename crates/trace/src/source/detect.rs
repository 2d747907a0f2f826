//! Which format a file has.

use super::blkparse::is_notice;
use super::blktrace::MAGIC;
use super::fields::{Fields, number, seconds_ns};
use super::tectonic::{COLUMNS, is_remark};
use super::{Format, btrecord, etw};

/// The format of a file that begins with these bytes; `None` of what is like none, or like more than one.
pub fn detect(beginning: &[u8]) -> Option<Format> {
    if beginning.starts_with(&recording::MAGIC) {
        return Some(Format::Recording);
    }
    if let Some(&[a, b, c, d]) = beginning.first_chunk::<4>() {
        let magic = u32::from_le_bytes([a, b, c, d]);
        if magic & !0xff == MAGIC || magic.swap_bytes() & !0xff == MAGIC {
            return Some(Format::Blktrace);
        }
    }
    if btrecord::is_like(beginning) {
        return Some(Format::Btrecord);
    }
    let mut lines = beginning
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && !is_remark(line) && !is_notice(line));
    let first = lines.next()?;
    if first == etw::BEGINNING {
        return Some(Format::Etw);
    }
    if first.starts_with(b"fio version ") {
        return Some(Format::FioIolog);
    }
    of_line(first).or_else(|| of_line(lines.next()?))
}

fn of_line(line: &[u8]) -> Option<Format> {
    let columns: Vec<&[u8]> = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
    let is_number = |text: &[u8]| number(text).is_ok();
    let is_time = |text: &[u8]| seconds_ns(text).is_ok();
    match columns[..] {
        [time, _, disk, b"Read" | b"Write", ..] if columns.len() == 7 && is_number(time) && is_number(disk) => {
            Some(Format::MsrCambridge)
        }
        [time, _, b"R" | b"W" | b"", _, offset, size] if is_time(time) && is_number(offset) && is_number(size) => {
            Some(Format::Systor17)
        }
        [_, b"R" | b"W", offset, length, time] if [offset, length, time].into_iter().all(is_number) => {
            Some(Format::Alibaba)
        }
        [asu, lba, size, b"R" | b"W" | b"r" | b"w", time, ..]
            if [asu, lba, size].into_iter().all(is_number) && is_time(time) =>
        {
            Some(Format::Spc)
        }
        [time, offset, size, b"0" | b"1", _] if [time, offset, size].into_iter().all(is_number) => {
            Some(Format::Tencent)
        }
        _ => of_words(line),
    }
}

fn of_words(line: &[u8]) -> Option<Format> {
    let mut fields = Fields::new(line);
    let words: Vec<&[u8]> = std::iter::from_fn(|| Some(fields.word()).filter(|word| !word.is_empty()))
        .take(11)
        .collect();
    let is_number = |text: &[u8]| number(text).is_ok();
    match words[..] {
        [time, pid, _, lba, size, b"R" | b"W", major, minor, _]
            if [time, pid, lba, size, major, minor].into_iter().all(is_number) =>
        {
            Some(Format::Fiu)
        }
        [device, cpu, sequence, time, pid, _, ..]
            if device.contains(&b',')
                && [cpu, sequence, pid].into_iter().all(is_number)
                && seconds_ns(time).is_ok() =>
        {
            Some(Format::Blkparse)
        }
        [block, offset, size, time, op, ref others @ ..]
            if COLUMNS.contains(&words.len())
                && [block, offset, size, op].into_iter().all(is_number)
                && seconds_ns(time).is_ok()
                && others.iter().all(|word| is_number(word)) =>
        {
            Some(Format::Tectonic)
        }
        _ => None,
    }
}
