//! The virtual-time driver, on devices so simple that the right answer is known.

#[path = "workload/beside.rs"]
mod beside;
#[path = "workload/demo.rs"]
mod demo;
#[path = "workload/devices.rs"]
mod devices;
#[path = "workload/faults.rs"]
mod faults;
#[path = "workload/properties.rs"]
mod properties;
#[path = "workload/replay.rs"]
mod replay;
#[path = "workload/requests.rs"]
mod requests;
#[path = "workload/stopping.rs"]
mod stopping;
#[path = "workload/timing.rs"]
mod timing;
