//! What must hold between any two commands, whatever the Spec; counted anew from the tables.

use crate::drive::VDrive;
use crate::map::Map;
use crate::superblock::{Cell, Stage};

/// The first invariant that does not hold.
pub(crate) fn broken(drive: &mut VDrive) -> Option<String> {
    drive.map.settle();
    let found = drive.map.miscount().or_else(|| superblocks(&drive.map));
    found.or_else(|| bytes(drive))
}

fn superblocks(map: &Map) -> Option<String> {
    let blocks = &map.blocks;
    let free = blocks.stage.iter().filter(|stage| **stage == Stage::Free).count();
    if free != blocks.free_count() as usize {
        return Some(format!(
            "{free} superblocks are free, the list holds {}",
            blocks.free_count()
        ));
    }
    let in_use = |index: &usize| blocks.stage[*index] != Stage::Free;
    let held = (0..blocks.stage.len())
        .filter(in_use)
        .filter(|index| blocks.cell[*index] == Cell::Cache)
        .count();
    if held != blocks.cache_held() as usize {
        return Some(format!("{held} superblocks are cache, counted {}", blocks.cache_held()));
    }
    for (index, stage) in blocks.stage.iter().enumerate() {
        let valid = blocks.valid[index];
        if (*stage == Stage::Free && valid > 0) || (*stage == Stage::Closed && valid == 0) {
            return Some(format!("superblock {index} is {stage:?} with {valid} valid units"));
        }
    }
    None
}

/// Everything programmed has one purpose.
fn bytes(drive: &VDrive) -> Option<String> {
    let unit = drive.spec.map.unit_bytes;
    let counters = &drive.counters;
    let purposes = counters.placed_bytes + counters.folded_bytes + counters.collected_bytes + counters.pad_bytes;
    let waiting = (drive.host.dirty_units + drive.relocation.owed_units) * unit;
    if counters.programmed_bytes + waiting != purposes {
        return Some(format!(
            "{} programmed and {waiting} waiting, but {purposes} accounted",
            counters.programmed_bytes
        ));
    }
    None
}
