//! Writes a log of every I/O as fio would, the same for the same number of lines: `generate_log LINES FILE`.
//!
//! A drive at 250,000 IOPS: 70 % reads, 0.2 % trims, the rest writes, latencies around 80 µs with a tail of one in a thousand up to 10 ms,
//! random offsets on 1 TB.

use std::fs::File;
use std::io::{self, BufWriter, Write};

const LINES_PER_MS: u64 = 250;
const BLOCKS: u64 = 244_190_646;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let lines = arguments.next().and_then(|lines| lines.parse::<u64>().ok());
    let Some((lines, path)) = lines.zip(arguments.next()) else {
        return Err(io::Error::other("usage: generate_log LINES FILE"));
    };
    let mut log = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut random = Random(42);
    for line in 0..lines {
        let (direction, typical_ns) = match random.below(1000) {
            0..700 => (0, 78_000.0),
            700..702 => (2, 90_000.0),
            _ => (1, 62_000.0),
        };
        let latency_ns = match random.below(1000) {
            // Every power of two is as likely as the next.
            0 => 200_000.0 * 50f64.powf(random.share()),
            _ => typical_ns * (0.3 * random.normal()).exp(),
        };
        let offset = random.below(BLOCKS) * 4096;
        writeln!(
            log,
            "{}, {}, {direction}, 4096, {offset}, 0",
            line / LINES_PER_MS,
            latency_ns as u64
        )?;
    }
    log.flush()
}

/// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Close to normal: twelve uniform shares have a variance of 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.share()).sum::<f64>() - 6.0
    }
}
