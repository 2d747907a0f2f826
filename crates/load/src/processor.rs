//! What generating the load costs the host.

use std::mem::MaybeUninit;

/// Processor time, as the kernel accounts it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessorTime {
    /// In this program.
    pub user_ns: u64,
    /// In the kernel on its behalf.
    pub system_ns: u64,
}

impl ProcessorTime {
    /// Of the calling thread since it began; nothing where the kernel does not say.
    pub fn of_this_thread() -> Self {
        let mut usage = MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the kernel fills in the structure it is given, which is valid as zeros, too.
        #[allow(unsafe_code)]
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init()
        };
        Self {
            user_ns: nanoseconds(usage.ru_utime),
            system_ns: nanoseconds(usage.ru_stime),
        }
    }

    /// What was used since then.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            user_ns: self.user_ns.saturating_sub(before.user_ns),
            system_ns: self.system_ns.saturating_sub(before.system_ns),
        }
    }
}

fn nanoseconds(time: libc::timeval) -> u64 {
    (time.tv_sec as u64) * 1_000_000_000 + (time.tv_usec as u64) * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_uses_time_and_one_that_sleeps_does_not() {
        let before = ProcessorTime::of_this_thread();
        let mut used = ProcessorTime::default();
        while used.user_ns + used.system_ns < 1_000_000 {
            used = ProcessorTime::of_this_thread().since(before);
        }
        let idle = std::thread::spawn(|| {
            let before = ProcessorTime::of_this_thread();
            std::thread::sleep(std::time::Duration::from_millis(200));
            ProcessorTime::of_this_thread().since(before)
        });
        let idle = idle.join().unwrap();
        assert!(idle.user_ns + idle.system_ns < 100_000_000, "{idle:?}");
    }
}
