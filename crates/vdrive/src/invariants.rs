//! What must hold between any two commands, whatever the Spec; counted anew from the tables.

use crate::drive::VDrive;

/// The first invariant that does not hold.
pub(crate) fn broken(drive: &mut VDrive) -> Option<String> {
    drive.flash().settle();
    drive.flash().miscount().or_else(|| bytes(drive))
}

/// Everything programmed has one purpose.
fn bytes(drive: &mut VDrive) -> Option<String> {
    let unit = drive.spec().map.unit_bytes;
    let flash = drive.flash().account();
    let writes = drive.writes().account();
    let moved_bytes = flash.counts.folded_bytes + flash.counts.collected_bytes + flash.counts.refreshed_bytes;
    let purposes = writes.counts.placed_bytes + moved_bytes + writes.counts.pad_bytes;
    let waiting = (writes.dirty_units + flash.owed_units) * unit;
    let programmed = flash.counts.programmed_bytes;
    (programmed + waiting != purposes)
        .then(|| format!("{programmed} programmed and {waiting} waiting, but {purposes} accounted"))
}
