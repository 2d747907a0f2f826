//! The same drive smaller or bigger.

use crate::fault::{SpecFault, SpecFaults};
use crate::quantity::show_bytes;
use crate::spec::{Collection, Geometry, Mapping, SlcCache, Spec, Timing};
use crate::spec_check::{contradictions, spare_of_streams};
use crate::spec_defects;

const CAPACITY_MIN_BYTES: u64 = 64 << 10;
const CAPACITY_MAX_BYTES: u64 = 64 << 40;

/// Rows a shrunken superblock keeps, so that a superblock is still much more than one program of each die.
const ROWS_MIN: u64 = 4;

fn share(value: u64, to: u64, of: u64) -> u64 {
    (u128::from(value) * u128::from(to) / u128::from(of)) as u64
}

/// See [`Spec::rescaled`].
pub(crate) fn rescaled(spec: &Spec, capacity_bytes: u64) -> Result<Spec, SpecFaults> {
    let fault = |message: String| {
        SpecFaults::new(vec![SpecFault {
            line: 1,
            key: "capacity".to_owned(),
            message,
        }])
    };
    if !(CAPACITY_MIN_BYTES..=CAPACITY_MAX_BYTES).contains(&capacity_bytes) {
        let (low, high) = (show_bytes(CAPACITY_MIN_BYTES), show_bytes(CAPACITY_MAX_BYTES));
        return Err(fault(format!(
            "must be from {low} to {high}, found {}",
            show_bytes(capacity_bytes)
        )));
    }
    let result = scaled(spec, capacity_bytes);
    let faults = contradictions(&result);
    if faults.is_empty() {
        return Ok(result);
    }
    let reasons: Vec<String> = faults
        .iter()
        .map(|(section, key, text)| format!("{section}.{key} {text}"))
        .collect();
    let message = format!(
        "{} does not suit this drive: {}",
        show_bytes(capacity_bytes),
        reasons.join("; ")
    );
    Err(fault(message))
}

fn scaled(spec: &Spec, capacity_bytes: u64) -> Spec {
    let of = spec.geometry.capacity_bytes;
    let row = spec.row_bytes();
    let ideal = share(spec.superblock_bytes(), capacity_bytes, of);
    let superblock_bytes = (ideal / row * row).clamp(
        row * ROWS_MIN.min(spec.superblock_bytes() / row),
        spec.superblock_bytes().max(row),
    );
    let raw = share(spec.geometry.raw_bytes, capacity_bytes, of);
    let least = capacity_bytes.div_ceil(superblock_bytes) + 2 + spare_kept(spec);
    let superblocks = raw.div_ceil(superblock_bytes).max(least);
    let counted = |value: u32, least: u32| {
        let scaled = (u64::from(value) * superblocks) / u64::from(spec.superblocks());
        (scaled as u32).clamp(least.min(value), value.max(least))
    };
    let hard = counted(spec.collection.hard, 2);
    let (command_defects, data_defects) = spec_defects::scaled((&spec.command_defects, &spec.data_defects), |bytes| {
        share(bytes, capacity_bytes, of)
    });
    Spec {
        geometry: Geometry {
            capacity_bytes,
            raw_bytes: superblocks * superblock_bytes,
            superblock_bytes,
            ..spec.geometry.clone()
        },
        timing: Timing {
            erase_ns: share(spec.timing.erase_ns, superblock_bytes, spec.superblock_bytes()),
            ..spec.timing.clone()
        },
        map: Mapping {
            reach_bytes: spec
                .map
                .reach_bytes
                .map(|reach| share(reach, capacity_bytes, of).max(1)),
            ..spec.map.clone()
        },
        slc: scaled_cache(&spec.slc, capacity_bytes, of),
        collection: Collection {
            start: counted(spec.collection.start, 4).max(hard + 1),
            hard,
            ..spec.collection
        },
        command_defects,
        data_defects,
        ..spec.clone()
    }
}

/// Spare superblocks beyond two that even the smallest drive keeps.
fn spare_kept(spec: &Spec) -> u64 {
    u64::from(spec.collection.start.min(4)) + spare_of_streams(spec)
}

fn scaled_cache(slc: &SlcCache, to: u64, of: u64) -> SlcCache {
    SlcCache {
        static_bytes: share(slc.static_bytes, to, of),
        max_bytes: share(slc.max_bytes, to, of),
        reserve_bytes: share(slc.reserve_bytes, to, of),
        knee_bytes: share(slc.knee_bytes, to, of),
        refill_below_bytes: share(slc.refill_below_bytes, to, of),
        ..slc.clone()
    }
}
