//! Recorded I/O done again on another drive.
//!
//! A [`Pace`] says when each I/O of a trace is due: at its recorded time, as soon as there is room, or when those I/Os are over that
//! it waited for when it was recorded, which [`Waits`] infers from the times. [`replay`] does them on a [`load::Backend`], and
//! [`Fold`] puts them on a drive that is smaller than the recorded one.

mod dependents;
mod done;
mod fault;
mod flight;
mod fold;
mod job;
mod list;
mod pace;
mod plan;
mod run;
mod waits;

pub use done::Replayed;
pub use fault::CannotReplay;
pub use fold::{EXTENT_BYTES, Fold};
pub use job::{Aside, Done, Replaying, Task, perform};
pub use list::{command, of_trace};
pub use pace::Pace;
pub use plan::AHEAD_IOS_MAX;
pub use run::{GoesOn, Listener, replay};
pub use waits::{After, Waits};
