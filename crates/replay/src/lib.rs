//! Recorded I/O done again on another drive.
//!
//! A [`Pace`] says when each I/O of a trace is due: at its recorded time, as soon as there is room, or when those I/Os are over that
//! it waited for when it was recorded, which [`Waits`] infers from the times. [`replay`] does them on a [`load::Backend`], and
//! [`Fold`] puts them on a drive that is smaller than the recorded one.

mod dependents;
mod flight;
mod fold;
mod job;
mod list;
mod pace;
mod plan;
mod run;
mod waits;

pub use fold::{EXTENT_BYTES, Fold};
pub use job::{Aside, Done, Replaying, Task, perform};
pub use list::{command, of_trace};
pub use pace::Pace;
pub use plan::AHEAD_IOS_MAX;
pub use run::{CannotReplay, GoesOn, Listener, Replayed, replay};
pub use waits::{After, Waits};
