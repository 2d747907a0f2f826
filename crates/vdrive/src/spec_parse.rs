//! From TOML to a Spec: what each key is called, what it may be, and what must hold between keys.

use crate::fault::SpecFaults;
use crate::spec::{
    AfterCache, Allocation, Buffer, BufferKind, Collection, Geometry, Idle, Legacy, Mapping, Noise, PaceSpec,
    ReadAhead, RefreshSpec, SlcCache, Spec, Spread, Thermal, ThrottleLevel, Timing,
};
use crate::spec_check::contradictions;
use crate::spec_defects::defects;
use crate::spec_read::Document;

const SECTIONS: &[&str] = &[
    "geometry",
    "timing",
    "buffer",
    "map",
    "slc",
    "collection",
    "idle",
    "read_ahead",
    "thermal",
    "spread",
    "refresh",
    "noise",
    "pace",
    "legacy",
    "fault",
];
const KIB: u64 = 1 << 10;
const GIB: u64 = 1 << 30;
const TIB: u64 = 1 << 40;
const MICROSECOND_NS: u64 = 1_000;
const SECOND_NS: u64 = 1_000_000_000;
const DAY_NS: u64 = 86_400 * SECOND_NS;

/// Reads and validates a Spec.
pub(crate) fn parse(text: &str) -> Result<Spec, SpecFaults> {
    let document = Document::parse(text);
    let top = document.top();
    let (name, description) = (top.text("name"), top.text("description"));
    let seed = top.count("seed", Some(1), 0..=i64::MAX as u64);
    top.finish(SECTIONS);
    let geometry = geometry(&document);
    let (command_defects, data_defects) = defects(&document, &geometry);
    let spec = Spec {
        name,
        description,
        seed,
        timing: timing(&document, geometry.bits_per_cell),
        geometry,
        buffer: buffer(&document),
        map: mapping(&document),
        slc: slc_cache(&document),
        collection: collection(&document),
        idle: idle(&document),
        read_ahead: read_ahead(&document),
        thermal: document.has("thermal").then(|| thermal(&document)),
        spread: spread(&document),
        refresh: document.has("refresh").then(|| refresh(&document)),
        noise: document.has("noise").then(|| noise(&document)),
        pace: document.has("pace").then(|| pace(&document)),
        legacy: document.has("legacy").then(|| legacy(&document)),
        command_defects,
        data_defects,
    };
    if document.is_clean() {
        for (section, key, message) in contradictions(&spec) {
            document.fault_at(section, key, message);
        }
    }
    let faults = document.into_faults();
    if faults.is_empty() {
        Ok(spec)
    } else {
        Err(SpecFaults::new(faults))
    }
}

fn geometry(document: &Document<'_>) -> Geometry {
    let s = document.section("geometry");
    let geometry = Geometry {
        capacity_bytes: s.bytes("capacity", None, 64 * KIB..=64 * TIB),
        raw_bytes: s.bytes("raw", None, 64 * KIB..=128 * TIB),
        superblock_bytes: s.bytes("superblock", None, KIB..=64 * GIB),
        channels: s.count("channels", None, 1..=64) as u32,
        dies: s.count("dies", None, 1..=256) as u32,
        bits_per_cell: s.count("bits_per_cell", None, 1..=4) as u32,
        stripe_unit_bytes: s.bytes("stripe_unit", None, 512..=16 << 20),
        page_bytes: s.bytes("page", None, 512..=KIB * KIB),
        allocation: s.word(
            "allocation",
            Some(Allocation::Order),
            &[("order", Allocation::Order), ("address", Allocation::Address)],
        ),
    };
    s.finish(&[]);
    geometry
}

fn timing(document: &Document<'_>, bits_per_cell: u32) -> Timing {
    let s = document.section("timing");
    let listed = s.durations_ns("sense", 0..=10 * SECOND_NS);
    if listed.len() != bits_per_cell as usize && document.is_clean() {
        let message = format!(
            "must list one time per bit of a cell ({bits_per_cell}), found {}",
            listed.len()
        );
        document.fault_at("timing", "sense", message);
    }
    let mut sense_ns = [0; 4];
    sense_ns[..listed.len()].copy_from_slice(&listed);
    let short = 0..=10 * SECOND_NS;
    let timing = Timing {
        sense_ns,
        sense_slc_ns: s.duration_ns("sense_slc", Some(sense_ns[0]), short.clone()),
        program_ns: s.duration_ns("program", None, short.clone()),
        program_slc_ns: s.duration_ns("program_slc", Some(0), short.clone()),
        erase_ns: s.duration_ns("erase", None, short.clone()),
        channel_ns_per_byte: s.ns_per_byte("channel", None),
        link_read_ns_per_byte: s.ns_per_byte("link_read", None),
        link_write_ns_per_byte: s.ns_per_byte("link_write", None),
        command_ns: s.duration_ns("command", Some(0), short.clone()),
        read_overhead_ns: s.duration_ns("read_overhead", Some(0), short.clone()),
        write_overhead_ns: s.duration_ns("write_overhead", Some(0), short.clone()),
        unmapped_read_ns: s.duration_ns("unmapped_read", Some(0), short.clone()),
        trim_ns: s.duration_ns("trim", Some(0), short.clone()),
        suspend_ns: s.duration_or("suspend", "none", None, short.clone()),
        retry_probability: s.number("retry_probability", Some(0.0), 0.0..=1.0),
        retry_ns: s.duration_ns("retry", Some(0), short),
    };
    s.finish(&[]);
    timing
}

fn buffer(document: &Document<'_>) -> Buffer {
    let s = document.section("buffer");
    let kinds = [
        ("volatile", BufferKind::Volatile),
        ("protected", BufferKind::Protected),
        ("write_through", BufferKind::WriteThrough),
    ];
    let buffer = Buffer {
        kind: s.word("kind", None, &kinds),
        size_bytes: s.bytes("size", None, 512..=16 * GIB),
        flush_ns: s.duration_ns("flush", Some(0), 0..=10 * SECOND_NS),
        flush_metadata_ns: s.duration_ns("flush_metadata", Some(0), 0..=10 * SECOND_NS),
        flush_window_ns: s.duration_or("flush_window", "none", None, MICROSECOND_NS..=DAY_NS),
    };
    s.finish(&[]);
    buffer
}

fn mapping(document: &Document<'_>) -> Mapping {
    let s = document.section("map");
    let holds_all = s.word("cache", Some(true), &[("dram", true), ("hmb", false), ("sram", false)]);
    let mapping = Mapping {
        unit_bytes: s.bytes("unit", Some(4 * KIB), 512..=16 * KIB * KIB),
        reach_bytes: (!holds_all).then(|| s.bytes("reach", None, KIB..=64 * TIB)),
        hit_ns: s.duration_ns("hit", Some(0), 0..=SECOND_NS),
    };
    s.finish(&[]);
    mapping
}

fn slc_cache(document: &Document<'_>) -> SlcCache {
    let s = document.section("slc");
    let after = [
        ("direct", AfterCache::Direct),
        ("fold", AfterCache::Fold),
        ("refill", AfterCache::Refill),
        ("cache_only", AfterCache::CacheOnly),
    ];
    let fold_high = s.number("fold", Some(0.0), 0.0..=16.0);
    let slc = SlcCache {
        static_bytes: s.bytes("static", Some(0), 0..=64 * TIB),
        max_bytes: s.bytes("max", Some(0), 0..=64 * TIB),
        reserve_bytes: s.bytes("reserve", Some(0), 0..=64 * TIB),
        after: s.word("after", Some(AfterCache::Direct), &after),
        fold_high,
        fold_low: s.number("fold_below_knee", Some(fold_high), 0.0..=16.0),
        knee_bytes: s.bytes("knee", Some(0), 0..=64 * TIB),
        refill_below_bytes: s.bytes("refill_below", Some(0), 0..=64 * TIB),
        fold_when_short: s.number("fold_when_short", Some(1.0), 1.0..=64.0),
    };
    s.finish(&[]);
    slc
}

fn collection(document: &Document<'_>) -> Collection {
    let s = document.section("collection");
    let collection = Collection {
        start: s.count("start", Some(4), 2..=100_000) as u32,
        hard: s.count("hard", Some(2), 2..=100_000) as u32,
        streams: s.count("streams", Some(1), 1..=2) as u32,
    };
    s.finish(&[]);
    collection
}

fn idle(document: &Document<'_>) -> Idle {
    let s = document.section("idle");
    let idle = Idle {
        reclaim_after_ns: s.duration_or("reclaim_after", "never", None, MICROSECOND_NS..=DAY_NS),
        sleep_after_ns: s.duration_or("sleep_after", "never", None, MICROSECOND_NS..=DAY_NS),
        wake_ns: s.duration_ns("wake", Some(0), 0..=10 * SECOND_NS),
    };
    s.finish(&[]);
    idle
}

fn read_ahead(document: &Document<'_>) -> ReadAhead {
    let s = document.section("read_ahead");
    let read_ahead = ReadAhead {
        window_bytes: s.bytes("window", Some(0), 0..=256 * KIB * KIB),
        trigger: s.count("trigger", Some(2), 1..=64) as u32,
    };
    s.finish(&[]);
    read_ahead
}

fn thermal(document: &Document<'_>) -> Thermal {
    let s = document.section("thermal");
    let celsius = -40.0..=200.0;
    let level = |on, off, speed| ThrottleLevel {
        on_c: s.number(on, None, celsius.clone()),
        off_c: s.number(off, None, celsius.clone()),
        speed: s.number(speed, None, 0.001..=1.0),
    };
    let thermal = Thermal {
        ambient_c: s.number("ambient", Some(25.0), celsius.clone()),
        idle_c: s.number("idle", Some(15.0), 0.0..=100.0),
        write_c_per_gb_s: s.number("write_per_gb_s", None, 0.0..=1000.0),
        read_c_per_gb_s: s.number("read_per_gb_s", None, 0.0..=1000.0),
        time_constant_ns: s.duration_ns("time_constant", None, SECOND_NS / 1000..=DAY_NS),
        warning_c: s.number("warning", None, celsius.clone()),
        levels: [
            level("mild_on", "mild_off", "mild_speed"),
            level("severe_on", "severe_off", "severe_speed"),
        ],
    };
    s.finish(&[]);
    thermal
}

fn spread(document: &Document<'_>) -> Spread {
    let s = document.section("spread");
    let spread = Spread {
        flash_sigma: s.number("flash", Some(0.0), 0.0..=2.0),
        controller_sigma: s.number("controller", Some(0.0), 0.0..=2.0),
    };
    s.finish(&[]);
    spread
}

fn refresh(document: &Document<'_>) -> RefreshSpec {
    let s = document.section("refresh");
    let refresh = RefreshSpec {
        after_ns: s.duration_ns("after", None, SECOND_NS / 1000..=3_650 * DAY_NS),
        every_ns: s.duration_ns("every", None, SECOND_NS / 1000..=DAY_NS),
    };
    s.finish(&[]);
    refresh
}

fn noise(document: &Document<'_>) -> Noise {
    let s = document.section("noise");
    let noise = Noise {
        sigma: s.number("sigma", None, 0.0..=2.0),
        outlier_probability: s.number("outlier_probability", Some(0.0), 0.0..=1.0),
        outlier_ns: s.duration_ns("outlier", Some(0), 0..=10 * SECOND_NS),
    };
    s.finish(&[]);
    noise
}

fn pace(document: &Document<'_>) -> PaceSpec {
    let s = document.section("pace");
    let millisecond_ns = SECOND_NS / 1000;
    let pace = PaceSpec {
        window_ns: s.duration_ns("window", Some(100 * millisecond_ns), millisecond_ns..=DAY_NS),
        sigma: s.number("sigma", Some(0.0), 0.0..=1.0),
        correlation: s.number("correlation", Some(0.0), 0.0..=0.9999),
        drift_per_hour: s.number("drift_per_hour", Some(0.0), -1.0..=1.0),
        dip_every_ns: s.duration_or("dip_every", "never", None, millisecond_ns..=DAY_NS),
        dip_length_ns: s.duration_ns("dip_length", Some(0), 0..=DAY_NS),
        dip_speed: s.number("dip_speed", Some(1.0), 0.001..=1.0),
    };
    s.finish(&[]);
    pace
}

fn legacy(document: &Document<'_>) -> Legacy {
    let s = document.section("legacy");
    let short = 0..=10 * SECOND_NS;
    let legacy = Legacy {
        read_base_ns: s.duration_ns("read_base", None, short.clone()),
        page_read_ns: s.duration_ns("page_read", None, short.clone()),
        sync_ns: s.duration_ns("sync", None, short.clone()),
        pages_per_channel: s.count("pages_per_channel", None, 1..=65_536) as u32,
        write_base_ns: s.duration_ns("write_base", None, short.clone()),
        write_ns_per_byte: s.ns_per_byte("write_rate", None),
        copy_ns: s.duration_ns("copy", None, short),
    };
    s.finish(&[]);
    legacy
}
