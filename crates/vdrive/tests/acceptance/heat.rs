//! Thermal throttling.

use vdrive::workload::Workload;

use crate::bench::{Bench, NS_PER_MS, NS_PER_S, edited, window_mib_s};
use crate::row::Row;

const TIME_CONSTANT_S: f64 = 45.0;
const AMBIENT_C: f64 = 35.0;
const IDLE_C: f64 = 10.0;
const C_PER_GB_S: f64 = 80.0;
const ON_C: f64 = 78.0;
const OFF_C: f64 = 72.0;
const SLOWER: f64 = 0.6;

/// Seconds for the temperature to go from one value to another while it tends to a third.
fn seconds_between_c(from_c: f64, to_c: f64, target_c: f64) -> f64 {
    TIME_CONSTANT_S * ((target_c - from_c) / (target_c - to_c)).ln()
}

/// A steady writer heats the drive until it slows down, cools below the lower limit, and speeds up again.
pub(crate) fn throttling() -> Row {
    let thermal = format!(
        "[idle]\n\n[thermal]\nambient = {AMBIENT_C}\nidle = {IDLE_C}\nwrite_per_gb_s = {C_PER_GB_S}\nread_per_gb_s = 0\n\
         time_constant = \"{TIME_CONSTANT_S}s\"\nwarning = {ON_C}\nmild_on = {ON_C}\nmild_off = {OFF_C}\nmild_speed = {SLOWER}\n\
         severe_on = 95\nsevere_off = 90\nsevere_speed = 0.1\n"
    );
    let edits = [
        ("link_write = \"5.5 GB/s\"", "link_write = \"0.5 GB/s\""),
        ("[idle]\nreclaim_after = \"10s\"", &thermal),
    ];
    let mut bench = Bench::of_text(&edited("plp-enterprise-3t84", &edits), Some(128));
    bench.rest(600 * NS_PER_S);
    let writes = Workload {
        amount_bytes: None,
        duration_ns: Some(200 * NS_PER_S),
        window_ns: 100 * NS_PER_MS,
        ..bench.pass()
    };
    let first = bench.run(&writes).write;
    let speeds = window_mib_s(&first);
    let full = speeds[10];
    let slow_from = speeds
        .iter()
        .position(|&speed| speed < 0.8 * full)
        .unwrap_or(speeds.len());
    let slow_for = speeds[slow_from..]
        .iter()
        .position(|&speed| speed > 0.8 * full)
        .unwrap_or(0);
    let slow = speeds.get(slow_from + 5).copied().unwrap_or(0.0);
    bench.rest(300 * NS_PER_S);
    let rested = window_mib_s(
        &bench
            .run(&Workload {
                duration_ns: Some(2 * NS_PER_S),
                ..writes
            })
            .write,
    )[10];

    let idle_c = AMBIENT_C + IDLE_C;
    let (hot_c, slow_c) = (idle_c + C_PER_GB_S * 0.5, idle_c + C_PER_GB_S * 0.5 * SLOWER);
    let grounds = "a body that warms exponentially, and the limits it is given";
    Row::new(
        "Thermal throttling with hysteresis",
        "plp-enterprise-3t84 at 1/128, made to heat up",
        grounds,
    )
    .within(
        "writing until it slows down",
        slow_from as f64 / 10.0,
        seconds_between_c(idle_c, ON_C, hot_c),
        5.0,
        "s",
    )
    .within(
        "slow until it is cool",
        slow_for as f64 / 10.0,
        seconds_between_c(ON_C, OFF_C, slow_c),
        8.0,
        "s",
    )
    .within("slow against full speed", slow / full, SLOWER, 3.0, "")
    .within(
        "after a rest of 5 minutes, against full speed",
        rested / full,
        1.0,
        2.0,
        "",
    )
}
