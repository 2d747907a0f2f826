//! A load engine for block devices.
//!
//! A [`Source`] says what is done, a [`Schedule`] when it is due, a [`Backend`] does it, and a [`Sink`] counts it. [`run`] has
//! several points follow each other without a gap.
//!
//! Closed loops keep a number of I/Os in flight. In an open loop an I/O is due at a time of its own, whatever the device
//! does: *response* latency counts from then, *service* latency from the submission. A device that stalls delays
//! everything that is due meanwhile, which a closed loop never sees ("coordinated omission").

mod access;
mod backend;
mod mixture;
mod point;
mod processor;
mod request;
mod run;
mod schedule;
mod sink;
mod source;
mod stamp;
mod workload;

pub use access::{Access, Drawn, Workload, ZoneShares, advance_drawn};
pub use backend::{Backend, Completion, Export, Forcing, LENGTH_BYTES_MAX, Model, Stalled, Uring, opened_again};
pub use mixture::{CELLS, Issued, IssuedCell, MixOperation, MixPart, Mixture, Order, SizeShare};
pub use point::{Length, Point};
pub use processor::ProcessorTime;
pub use request::{Operation, Region, Request};
pub use run::{Because, Ending, Judge, NoJudge, Verdict, WINDOW_NS, run};
pub use schedule::{Arrivals, Bursts, Constant, Poisson, RateStep, Schedule, Steps};
pub use sink::{
    Counts, Damaged, Finished, KeptIo, KeptReader, KeptWriter, OperationCounts, Outcome, Phase, Series, Sink, Tee,
    Window, WindowOf, exact_percentiles,
};
pub use source::{Fault, Listed, Mix, Part, Permuted, Places, Sequential, Source, Uniform, Zipf, Zone, Zones};
pub use stamp::Stamp;
pub use workload::{CannotPerform, Counting, Failed, Performed, perform, perform_on_export, perform_on_file};
