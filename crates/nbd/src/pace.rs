//! Waiting with the precision of microseconds without taking the processor from the client.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::AsFd;

use crate::clock::Clock;

/// How long a thread looks for the next request before it sleeps: about the time in which a busy client answers.
pub const IDLE_SPIN_NS: u64 = 20_000;

/// How long before a reply is due the thread stops sleeping: about the time a sleeping processor takes to wake up.
pub const DUE_SPIN_NS: u64 = 30_000;

/// How many threads may spin at the same time. Half of the processors stay free for the clients, which are on the same
/// machine by the nature of a unix socket.
#[derive(Debug)]
pub struct SpinPermits {
    free: AtomicUsize,
}

/// The right to spin, until it is dropped.
#[derive(Debug)]
pub struct SpinPermit<'a> {
    permits: &'a SpinPermits,
}

impl SpinPermits {
    /// Permits for a machine with this many processors.
    pub fn for_processors(count: usize) -> Self {
        Self {
            free: AtomicUsize::new(count / 2),
        }
    }

    /// A permit, if one is free.
    pub fn acquire(&self) -> Option<SpinPermit<'_>> {
        let take = |free: usize| free.checked_sub(1);
        let taken = self.free.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.is_ok().then_some(SpinPermit { permits: self })
    }
}

impl Drop for SpinPermit<'_> {
    fn drop(&mut self) {
        self.permits.free.fetch_add(1, Ordering::Relaxed);
    }
}

/// Asks the kernel to wake the calling thread at the nanosecond it names; the default is 50 µs of slack.
///
/// # Errors
/// The kernel's refusal, for which no cause is known on Linux 2.6.28 and later.
pub fn drop_timer_slack() -> rustix::io::Result<()> {
    rustix::thread::set_current_timer_slack(NonZeroU64::new(1))
}

/// Sleeps until something happens to `socket` or until `wake_ns` by `clock`; returns what happened.
///
/// # Errors
/// The kernel's, apart from an interruption by a signal, which counts as waking up.
pub fn sleep(
    socket: impl AsFd,
    interest: PollFlags,
    clock: Clock,
    wake_ns: Option<u64>,
) -> rustix::io::Result<PollFlags> {
    let timeout = wake_ns.map(|wake_ns| timespec(wake_ns.saturating_sub(clock.now_ns())));
    let mut sockets = [PollFd::new(&socket, interest)];
    match rustix::event::poll(&mut sockets, timeout.as_ref()) {
        Ok(_) => Ok(sockets[0].revents()),
        Err(rustix::io::Errno::INTR) => Ok(PollFlags::empty()),
        Err(errno) => Err(errno),
    }
}

/// Sleeps until `wake_ns` by `clock`, or until the other side of `socket` is gone.
///
/// # Errors
/// The kernel's.
pub fn sleep_until(socket: impl AsFd, clock: Clock, wake_ns: u64) -> rustix::io::Result<()> {
    while clock.now_ns() < wake_ns {
        if sleep(&socket, PollFlags::empty(), clock, Some(wake_ns))?.contains(PollFlags::HUP) {
            break;
        }
    }
    Ok(())
}

fn timespec(duration_ns: u64) -> Timespec {
    Timespec {
        tv_sec: (duration_ns / 1_000_000_000) as i64,
        tv_nsec: (duration_ns % 1_000_000_000) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_processors_may_spin() {
        let permits = SpinPermits::for_processors(5);
        let (first, second) = (permits.acquire(), permits.acquire());
        assert!(first.is_some() && second.is_some() && permits.acquire().is_none());
        drop(first);
        assert!(permits.acquire().is_some());
    }

    #[test]
    fn a_single_processor_belongs_to_the_client() {
        assert!(SpinPermits::for_processors(1).acquire().is_none());
    }

    #[test]
    fn durations_are_split_into_seconds_and_nanoseconds() {
        assert_eq!(timespec(3_000_000_007), Timespec { tv_sec: 3, tv_nsec: 7 });
    }
}
