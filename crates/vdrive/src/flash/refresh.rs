//! Rewriting of old data before its charge is lost: a load that comes again and again without any command.
//!
//! Superblocks are copied whole, and the copies take the places of the originals in the tables. So nothing changes but
//! that dies are busy and bytes are programmed.

use super::Flash;
use super::relocation::Purpose;
use crate::spec::RefreshSpec;

#[derive(Debug, Clone, Default)]
pub(super) struct Refresh {
    /// Periods of the drive's time dealt with; None before the first look.
    periods: Option<u64>,
    owed_bytes: u64,
    next_die: u32,
}

impl Flash {
    /// Rewrites what the periods that have ended by now ask for. Of several only the last can still be in the way.
    pub(crate) fn refresh(&mut self, spec: &RefreshSpec, now_ns: u64) {
        let periods = now_ns / spec.every_ns;
        let before = self.refresh.periods.replace(periods).unwrap_or(periods);
        if periods == before {
            return;
        }
        let mapped_bytes = self.map.mapped * self.spec.map.unit_bytes;
        let share = u128::from(mapped_bytes) * u128::from(spec.every_ns) / u128::from(spec.after_ns);
        let (share_bytes, row_bytes) = (share as u64, self.row_bytes());
        // A rest of years is more than 64 bits hold.
        let owed_bytes = u128::from(self.refresh.owed_bytes) + share * u128::from(periods - before);
        self.refresh.owed_bytes = (owed_bytes % u128::from(row_bytes)) as u64;
        let rows = (owed_bytes / u128::from(row_bytes)) as u64;
        let in_the_way = rows.min(share_bytes.div_ceil(row_bytes));
        self.counts.refreshed_bytes += rows * row_bytes;
        self.counts.programmed_bytes += (rows - in_the_way) * row_bytes;
        self.rewrite(in_the_way, periods * spec.every_ns);
    }

    fn rewrite(&mut self, rows: u64, due_ns: u64) {
        let (row_bytes, busy_ns) = (self.row_bytes(), self.relocation_ns(Purpose::Collect));
        for _ in 0..rows {
            let die = self.refresh.next_die;
            self.refresh.next_die = (die + 1) % self.spec.geometry.dies;
            self.program(due_ns, die, row_bytes, busy_ns);
        }
    }

    /// What one die programs at once.
    fn row_bytes(&self) -> u64 {
        u64::from(self.spec.geometry.bits_per_cell) * self.spec.geometry.stripe_unit_bytes
    }
}
