//! Sequential runs: I/Os that each begin where one before them ended.

use std::collections::{BTreeMap, VecDeque};

use crate::io::{Io, Op};

/// Runs that are followed at once, as many streams as a drive's own read-ahead is seen to follow.
const RUNS_MAX: usize = 32;

struct Run {
    op: Op,
    end_bytes: u64,
    ios: u64,
}

/// Follows runs of reads and of writes.
#[derive(Default)]
pub(crate) struct Runs {
    /// The one that was continued last is at the end.
    open: VecDeque<Run>,
    /// How many runs were so many I/Os long.
    lengths: BTreeMap<u64, u64>,
}

impl Runs {
    /// Takes an I/O; whether it continues a run.
    pub(crate) fn take(&mut self, io: &Io) -> bool {
        if !io.op.moves_data() {
            return false;
        }
        let continued = self
            .open
            .iter()
            .rposition(|run| run.op == io.op && run.end_bytes == io.offset_bytes);
        let before = continued
            .and_then(|index| self.open.remove(index))
            .map_or(0, |run| run.ios);
        if before == 0
            && self.open.len() == RUNS_MAX
            && let Some(run) = self.open.pop_front()
        {
            *self.lengths.entry(run.ios).or_default() += 1;
        }
        self.open.push_back(Run {
            op: io.op,
            end_bytes: io.end_bytes(),
            ios: before + 1,
        });
        before > 0
    }

    /// How many runs were so many I/Os long.
    pub(crate) fn finish(mut self) -> BTreeMap<u64, u64> {
        for run in self.open {
            *self.lengths.entry(run.ios).or_default() += 1;
        }
        self.lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_two_streams_are_told_apart_and_reads_from_writes() {
        let mut runs = Runs::default();
        let mut take = |op, offset| runs.take(&Io::new(op, offset, 4));
        assert!(!take(Op::Read, 0));
        assert!(!take(Op::Read, 100));
        assert!(take(Op::Read, 4));
        assert!(take(Op::Read, 104));
        assert!(!take(Op::Write, 8));
        assert!(take(Op::Read, 8));
        assert!(!take(Op::Read, 8));
        assert_eq!(runs.finish(), BTreeMap::from([(1, 2), (2, 1), (3, 1)]));
    }

    #[test]
    fn the_run_that_was_longest_without_an_io_is_given_up_first() {
        let mut runs = Runs::default();
        for offset in 0..=RUNS_MAX as u64 {
            runs.take(&Io::new(Op::Read, offset * 100, 4));
        }
        assert!(!runs.take(&Io::new(Op::Read, 4, 4)));
        assert!(runs.take(&Io::new(Op::Read, 204, 4)));
    }
}
