//! What must hold between settings that are each allowed by themselves.

use crate::command::SECTOR_BYTES;
use crate::quantity::{show_bytes, show_ns};
use crate::spec::{AfterCache, Allocation, BufferKind, Legacy, Spec, Thermal};

/// Section, key and what would be allowed.
type Contradiction = (&'static str, &'static str, String);

/// Everything that contradicts something else.
pub(crate) fn contradictions(spec: &Spec) -> Vec<Contradiction> {
    let mut found = Vec::new();
    units(spec, &mut found);
    if found.is_empty() {
        spare(spec, &mut found);
        policies(spec, &mut found);
    }
    pace(spec, &mut found);
    refresh(spec, &mut found);
    found
}

fn pace(spec: &Spec, found: &mut Vec<Contradiction>) {
    let Some(pace) = &spec.pace else { return };
    let allowed_ns = pace.dip_every_ns.map_or(0, |every_ns| every_ns - 1);
    if pace.dip_length_ns > allowed_ns {
        found.push(("pace", "dip_length", "must be shorter than `dip_every`".to_owned()));
    }
}

/// Of the time of all dies, what rewriting may take at most: more leaves nothing of what the drive is to be.
const REFRESH_SHARE_MAX: f64 = 0.5;

fn refresh(spec: &Spec, found: &mut Vec<Contradiction>) {
    let Some(refresh) = &spec.refresh else { return };
    if refresh.every_ns > refresh.after_ns {
        found.push(("refresh", "every", "must not be longer than `after`".to_owned()));
    }
    let rows = spec.geometry.capacity_bytes as f64 / spec.row_bytes() as f64;
    let least_ns = rows * spec.timing.collect_ns() as f64 / REFRESH_SHARE_MAX;
    if (refresh.after_ns as f64) < least_ns {
        let least = show_ns((least_ns / 1e6).ceil() as u64 * 1_000_000);
        let message = format!("must be at least {least}, so that rewriting takes at most half of the dies' time");
        found.push(("refresh", "after", message));
    }
}

fn units(spec: &Spec, found: &mut Vec<Contradiction>) {
    let (geometry, unit) = (&spec.geometry, spec.map.unit_bytes);
    if !unit.is_power_of_two() {
        found.push((
            "map",
            "unit",
            format!("must be a power of two, found {}", show_bytes(unit)),
        ));
    }
    if !geometry.capacity_bytes.is_multiple_of(SECTOR_BYTES) {
        found.push((
            "geometry",
            "capacity",
            format!("must be a multiple of {SECTOR_BYTES} bytes"),
        ));
    }
    let stripe = geometry.stripe_unit_bytes;
    if !stripe.is_multiple_of(unit) {
        let message = format!("must be a multiple of the indirection unit ({})", show_bytes(unit));
        found.push(("geometry", "stripe_unit", message));
    }
    let planes_max = if spec.legacy.is_some() { 1024 } else { 16 };
    if !stripe.is_multiple_of(geometry.page_bytes) || stripe / geometry.page_bytes > planes_max {
        let message = format!(
            "must go 1 to {planes_max} times into the stripe unit ({}), evenly",
            show_bytes(stripe)
        );
        found.push(("geometry", "page", message));
    }
    let row = spec.row_bytes();
    if !geometry.superblock_bytes.is_multiple_of(row) {
        let message = format!(
            "must be a multiple of stripe unit x dies x bits per cell ({})",
            show_bytes(row)
        );
        found.push(("geometry", "superblock", message));
    }
    if !geometry.dies.is_multiple_of(geometry.channels) {
        let message = format!("must be a multiple of the channels ({})", geometry.channels);
        found.push(("geometry", "dies", message));
    }
    if spec.units() > u64::from(u32::MAX) {
        let message = "is too small for this capacity: at most 2^32 units can be mapped".to_owned();
        found.push(("map", "unit", message));
    }
}

/// Superblocks beyond the capacity that make every collection gain something: one the host fills, one it left for the
/// cache, one the collector fills, two free.
const SPARE_SUPERBLOCKS: u64 = 5;

/// A second stream has two more open ones: one the host fills, one the collector fills.
pub(crate) fn spare_of_streams(spec: &Spec) -> u64 {
    u64::from(spec.collection.streams - 1) * 2
}

fn spare(spec: &Spec, found: &mut Vec<Contradiction>) {
    let superblock = spec.superblock_bytes();
    let spare = SPARE_SUPERBLOCKS + spare_of_streams(spec);
    let needed = spec.geometry.capacity_bytes.div_ceil(superblock) + spare;
    if u64::from(spec.superblocks()) < needed {
        let least = show_bytes(needed * superblock);
        let message = format!("must hold the capacity and {spare} spare superblocks: at least {least}");
        found.push(("geometry", "raw", message));
    }
}

fn policies(spec: &Spec, found: &mut Vec<Contradiction>) {
    if spec.collection.hard >= spec.collection.start {
        let message = format!("must be less than start ({})", spec.collection.start);
        found.push(("collection", "hard", message));
    }
    buffer(spec, found);
    let slc = &spec.slc;
    if slc.max_bytes > 0 && spec.collection.streams > 1 {
        let message = "must be 1 on a drive with an SLC cache".to_owned();
        found.push(("collection", "streams", message));
    }
    if slc.static_bytes > slc.max_bytes {
        let message = format!("must not exceed max ({})", show_bytes(slc.max_bytes));
        found.push(("slc", "static", message));
    }
    if slc.max_bytes > 0 && spec.geometry.bits_per_cell == 1 {
        found.push((
            "slc",
            "max",
            "must be 0 (no cache) on a drive with one bit per cell".to_owned(),
        ));
    }
    if slc.max_bytes > 0 && spec.cache_superblocks(slc.max_bytes) == 0 {
        let least = show_bytes(spec.cache_superblock_bytes());
        found.push((
            "slc",
            "max",
            format!("must hold at least one superblock in one-bit mode ({least}), or be 0"),
        ));
    }
    if slc.after == AfterCache::CacheOnly && spec.cache_superblocks(slc.static_bytes) < 2 {
        let least = show_bytes(2 * spec.cache_superblock_bytes());
        found.push((
            "slc",
            "static",
            format!("must be at least two superblocks ({least}) when nothing is written directly"),
        ));
    }
    if let Some(thermal) = &spec.thermal {
        heat(thermal, found);
    }
    if let Some(legacy) = &spec.legacy {
        paper_drive(spec, legacy, found);
    }
}

fn buffer(spec: &Spec, found: &mut Vec<Contradiction>) {
    let of_dies = spec.row_bytes() + spec.geometry.stripe_unit_bytes * u64::from(spec.geometry.dies);
    let least = u64::from(spec.collection.streams) * of_dies + spec.geometry.stripe_unit_bytes;
    if spec.buffer.size_bytes < least {
        let streams = match spec.collection.streams {
            1 => "",
            _ => ", for each write stream",
        };
        let message = format!(
            "must hold one program of every die and one stripe unit more of each{streams}: {}",
            show_bytes(least)
        );
        found.push(("buffer", "size", message));
    }
}

fn heat(thermal: &Thermal, found: &mut Vec<Contradiction>) {
    let [mild, severe] = &thermal.levels;
    for (level, key) in [(mild, "mild_off"), (severe, "severe_off")] {
        if level.off_c >= level.on_c {
            found.push((
                "thermal",
                key,
                format!("must be below the temperature that turns it on ({})", level.on_c),
            ));
        }
    }
    if severe.on_c <= mild.on_c {
        found.push(("thermal", "severe_on", format!("must be above mild_on ({})", mild.on_c)));
    }
}

fn paper_drive(spec: &Spec, legacy: &Legacy, found: &mut Vec<Contradiction>) {
    if spec.buffer.kind != BufferKind::WriteThrough {
        let message = "must be \"write_through\" for a [legacy] drive".to_owned();
        found.push(("buffer", "kind", message));
    }
    let page = spec.geometry.page_bytes;
    if !spec.map.unit_bytes.is_multiple_of(page) {
        found.push((
            "map",
            "unit",
            format!("must be whole pages ({}) for a [legacy] drive", show_bytes(page)),
        ));
    }
    let block_pages = (spec.map.unit_bytes / page).max(1);
    if spec.geometry.allocation == Allocation::Order && u64::from(legacy.pages_per_channel) != block_pages {
        let message = format!("must be the pages of a management block ({block_pages}) when allocation follows order");
        found.push(("legacy", "pages_per_channel", message));
    }
}
