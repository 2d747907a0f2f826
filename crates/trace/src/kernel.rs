//! What the running kernel tells of a drive through tracefs: the events of its block layer, out of the pages of its ring buffers.
//!
//! Each processor has a ring buffer of its own. Its pages and its events are laid out as files of tracefs say (`header_page`,
//! `format`); the headers within a page, which no file says in a way to be read by programs, are those of the kernel's
//! `include/linux/ring_buffer.h`, and of little-endian machines.

mod event;
mod events;
mod layout;
mod page;
mod recorder;

pub use events::KernelEvents;
pub use layout::{EventLayout, Happens, PageLayout};
pub use recorder::{KernelDrive, KernelFailed, KernelRecorder, Round};

#[cfg(test)]
mod tests;
