//! The `[[fault]]` tables of a Spec: kinds, their keys, and what must hold between them and the drive.

use crate::command::SECTOR_BYTES;
use crate::defect::{CommandDefect, DEFECT_BLOCK_BYTES, DataDefect, ErrorOn, FlushEffect};
use crate::quantity::show_bytes;
use crate::spec::Geometry;
use crate::spec_read::{Document, Section};

const COUNT_MAX: u64 = 1_000_000_000_000;
const TIB: u64 = 1 << 40;
const HOUR_NS: u64 = 3_600_000_000_000;

#[derive(Clone, Copy)]
enum Kind {
    Error,
    Stall,
    ReadOnly,
    Wrap,
    Swap,
    Flip,
    TrimIgnored,
    StaleAfterTrim,
    LostCache,
}

const KINDS: &[(&str, Kind)] = &[
    ("error", Kind::Error),
    ("stall", Kind::Stall),
    ("read_only", Kind::ReadOnly),
    ("wrap", Kind::Wrap),
    ("swap", Kind::Swap),
    ("flip", Kind::Flip),
    ("trim_ignored", Kind::TrimIgnored),
    ("stale_after_trim", Kind::StaleAfterTrim),
    ("lost_cache", Kind::LostCache),
];

/// Reads all tables, each into the list it belongs to.
pub(crate) fn defects(document: &Document<'_>, geometry: &Geometry) -> (Vec<CommandDefect>, Vec<DataDefect>) {
    let (mut command, mut data) = (Vec::new(), Vec::new());
    for s in document.tables("fault") {
        let Some(kind) = s.choice("kind", KINDS) else { continue };
        match kind {
            Kind::Error => command.push(error(&s, geometry.capacity_bytes)),
            Kind::Stall => command.push(CommandDefect::Stall {
                after: after(&s),
                duration_ns: s.duration_ns("duration", None, 1..=HOUR_NS),
            }),
            Kind::ReadOnly => command.push(CommandDefect::ReadOnly { after: after(&s) }),
            _ => data.extend(data_defect(&s, kind, geometry.capacity_bytes).inspect(|defect| once(&s, defect, &data))),
        }
        s.finish(&[]);
    }
    (command, data)
}

fn data_defect(s: &Section<'_, '_>, kind: Kind, capacity_bytes: u64) -> Option<DataDefect> {
    let every = |least| s.count("every", None, least..=COUNT_MAX);
    Some(match kind {
        Kind::Wrap => wrap(s, capacity_bytes),
        Kind::Swap => DataDefect::Swap { every: every(2) },
        Kind::Flip => DataDefect::Flip { every: every(1) },
        Kind::TrimIgnored => DataDefect::TrimIgnored,
        Kind::StaleAfterTrim => DataDefect::StaleAfterTrim { every: every(1) },
        Kind::LostCache => DataDefect::LostCache {
            cache_bytes: s.bytes("cache", None, DEFECT_BLOCK_BYTES..=1 << 30),
            flush: s.word(
                "flush",
                Some(FlushEffect::Obeyed),
                &[("obeyed", FlushEffect::Obeyed), ("ignored", FlushEffect::Ignored)],
            ),
        },
        Kind::Error | Kind::Stall | Kind::ReadOnly => return None,
    })
}

fn after(s: &Section<'_, '_>) -> u64 {
    s.count("after", Some(0), 0..=COUNT_MAX)
}

fn error(s: &Section<'_, '_>, capacity_bytes: u64) -> CommandDefect {
    let on = [
        ("any", ErrorOn::Any),
        ("read", ErrorOn::Read),
        ("write", ErrorOn::Write),
    ];
    let on = s.word("on", Some(ErrorOn::Any), &on);
    let offset_bytes = s.bytes("offset", Some(0), 0..=64 * TIB);
    let rest = capacity_bytes.saturating_sub(offset_bytes).max(SECTOR_BYTES);
    let length_bytes = s.bytes("length", Some(rest), SECTOR_BYTES..=64 * TIB);
    for (key, value) in [("offset", offset_bytes), ("length", length_bytes)] {
        if !value.is_multiple_of(SECTOR_BYTES) {
            s.refuse(key, format!("must be a multiple of {SECTOR_BYTES} bytes"));
        }
    }
    if length_bytes > capacity_bytes.saturating_sub(offset_bytes) {
        let message = format!(
            "must end, with the length, within the capacity ({})",
            show_bytes(capacity_bytes)
        );
        s.refuse("offset", message);
    }
    CommandDefect::Error {
        on,
        offset_bytes,
        length_bytes,
        after: after(s),
    }
}

fn wrap(s: &Section<'_, '_>, capacity_bytes: u64) -> DataDefect {
    let real_bytes = s.bytes("real", None, DEFECT_BLOCK_BYTES..=64 * TIB);
    if real_bytes >= capacity_bytes || !real_bytes.is_multiple_of(DEFECT_BLOCK_BYTES) {
        let (block, capacity) = (show_bytes(DEFECT_BLOCK_BYTES), show_bytes(capacity_bytes));
        s.refuse(
            "real",
            format!("must be whole {block} and less than the capacity ({capacity})"),
        );
    }
    DataDefect::Wrap { real_bytes }
}

/// Refuses a second fault of a kind of which one says all.
fn once(s: &Section<'_, '_>, defect: &DataDefect, before: &[DataDefect]) {
    let single = matches!(
        defect,
        DataDefect::Wrap { .. } | DataDefect::LostCache { .. } | DataDefect::TrimIgnored
    );
    if single && before.iter().any(|other| other.kind() == defect.kind()) {
        s.refuse("kind", "there is one of this kind already".to_owned());
    }
}

/// The same faults on a drive of another capacity: places move with it, and so does what is really there.
pub(crate) fn scaled(
    (command, data): (&[CommandDefect], &[DataDefect]),
    share: impl Fn(u64) -> u64,
) -> (Vec<CommandDefect>, Vec<DataDefect>) {
    let whole = |bytes: u64, unit: u64| share(bytes) / unit * unit;
    let command = command.iter().map(|defect| match *defect {
        CommandDefect::Error {
            on,
            offset_bytes,
            length_bytes,
            after,
        } => CommandDefect::Error {
            on,
            offset_bytes: whole(offset_bytes, SECTOR_BYTES),
            length_bytes: whole(length_bytes, SECTOR_BYTES).max(SECTOR_BYTES),
            after,
        },
        ref other => other.clone(),
    });
    let data = data.iter().map(|defect| match *defect {
        DataDefect::Wrap { real_bytes } => DataDefect::Wrap {
            real_bytes: whole(real_bytes, DEFECT_BLOCK_BYTES).max(DEFECT_BLOCK_BYTES),
        },
        ref other => other.clone(),
    });
    (command.collect(), data.collect())
}
