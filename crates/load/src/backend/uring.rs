//! A block device or a file through `io_uring`, in real time.

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;

use ::nbd::clock::Clock;
use ::nbd::pace::{DUE_SPIN_NS, drop_timer_slack};
use io_uring::types::{Fixed, FsyncFlags, SubmitArgs, Timespec};
use io_uring::{IoUring, opcode};
use vdrive::{Command, Sync};

use super::payload::{Aligned, Payload};
use super::{Backend, Completion, Stalled};
use crate::request::Request;
use crate::sink::Outcome;

/// The only file that is registered with the ring.
const FILE: Fixed = Fixed(0);

/// Completes when the alarm goes off; no slot has that number.
const ALARM: u64 = u64::MAX;

/// Whoever sleeps so long sets an alarm that stays set whatever completes meanwhile: to set and clear a timer for each I/O costs a virtual
/// machine as much as the rest of it.
const ALARM_NS_MIN: u64 = 10_000_000;

/// Which writes are durable before they complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forcing {
    /// None: the device may keep them in its volatile buffer.
    Nothing,
    /// All.
    EveryWrite,
}

/// The file or device that a descriptor holds open, for direct I/O: by the descriptor itself and not by a path, which may lead
/// elsewhere by now.
///
/// # Errors
/// It does not take direct I/O, or may not be written.
pub fn opened_again(descriptor: RawFd, forcing: Forcing) -> io::Result<File> {
    let forced = match forcing {
        Forcing::Nothing => 0,
        Forcing::EveryWrite => libc::O_SYNC,
    };
    File::options()
        .read(true)
        .write(true)
        .custom_flags(libc::O_DIRECT | forced)
        .open(format!("/proc/self/fd/{descriptor}"))
}

/// One ring on one file, which whoever checked that it may be written opened. Trims are refused.
pub struct Uring {
    // In this order: nothing is let go of before the ring is.
    ring: ManuallyDrop<IoUring>,
    /// As much for each one in flight as the longest I/O.
    memory: ManuallyDrop<Aligned>,
    payload: Payload,
    _file: File,
    block_bytes_max: usize,
    clock: Clock,
    in_flight: u32,
    /// Whether the last one waits for the next call of the kernel: the one that waits for completions takes it along.
    holds_back: bool,
    /// When the kernel wakes whoever waits, if it was asked to.
    alarm_ns: Option<u64>,
    /// How much each one in flight is to move.
    asked_bytes: Vec<u32>,
    silence_max_ns: u64,
    heard_ns: u64,
    /// What was refused at once.
    refused: Vec<Completion>,
    broken: Option<io::Error>,
}

impl Uring {
    /// With at most `in_flight_max` I/Os, each no longer than `block_bytes_max` (at most 1 MiB); a device that says nothing for
    /// `silence_max_ns` although something is in flight is given up. What is written follows from `data_seed`.
    ///
    /// # Errors
    /// The kernel has no `io_uring`, or does not let this process use it.
    pub fn new(
        file: File,
        in_flight_max: u32,
        block_bytes_max: u32,
        silence_max_ns: u64,
        data_seed: u64,
    ) -> io::Result<Self> {
        let ring = ring((in_flight_max + 1).next_power_of_two())?;
        ring.submitter().register_files(&[file.as_raw_fd()])?;
        Ok(Self {
            ring: ManuallyDrop::new(ring),
            memory: ManuallyDrop::new(Aligned::new(in_flight_max as usize * block_bytes_max as usize)),
            payload: Payload::new(data_seed),
            _file: file,
            block_bytes_max: block_bytes_max as usize,
            clock: Clock::start(),
            in_flight: 0,
            holds_back: false,
            alarm_ns: None,
            asked_bytes: vec![0; in_flight_max as usize],
            silence_max_ns,
            heard_ns: 0,
            refused: Vec::new(),
            broken: None,
        })
    }

    /// `None` of what no ring does, or what has no memory. How much it is to move, too.
    fn entry(&mut self, slot: u32, command: &Command) -> Option<(io_uring::squeue::Entry, u32)> {
        if slot as usize >= self.asked_bytes.len() {
            return None;
        }
        let (entry, moved_bytes) = match *command {
            Command::Read {
                offset_bytes,
                length_bytes,
            } => {
                let memory = self.memory_of(slot, length_bytes)?;
                let length_bytes = memory.len() as u32;
                let read = opcode::Read::new(FILE, memory.as_mut_ptr(), length_bytes);
                (read.offset(offset_bytes).build(), length_bytes)
            }
            Command::Write {
                offset_bytes,
                length_bytes,
                sync,
            } => {
                let memory = self.memory_of(slot, length_bytes)?;
                let (start, length_bytes) = (memory.as_ptr(), memory.len() as u32);
                let write = opcode::Write::new(FILE, start, length_bytes).offset(offset_bytes);
                self.fill(slot, length_bytes);
                (write.rw_flags(forced_flags(sync)).build(), length_bytes)
            }
            Command::Flush => (opcode::Fsync::new(FILE).flags(FsyncFlags::DATASYNC).build(), 0),
            Command::Trim { .. } => return None,
        };
        Some((entry.user_data(u64::from(slot)), moved_bytes))
    }

    /// `None` of more than there is for each.
    fn memory_of(&mut self, slot: u32, length_bytes: u64) -> Option<&mut [u8]> {
        let length_bytes = usize::try_from(length_bytes).ok()?;
        let begin = slot as usize * self.block_bytes_max;
        (length_bytes <= self.block_bytes_max).then(|| &mut self.memory.bytes_mut()[begin..][..length_bytes])
    }

    fn fill(&mut self, slot: u32, length_bytes: u32) {
        let begin = slot as usize * self.block_bytes_max;
        self.payload
            .fill(&mut self.memory.bytes_mut()[begin..][..length_bytes as usize]);
    }

    /// What has completed; the kernel is asked only if it says that it has something to hand out.
    fn reap(&mut self, done: &mut Vec<Completion>) {
        if self.ring.submission().taskrun() {
            self.enter();
        }
        let before = done.len();
        let completed = self.ring.completion();
        if completed.is_empty() {
            return;
        }
        let now_ns = self.clock.now_ns();
        for entry in completed {
            if entry.user_data() == ALARM {
                self.alarm_ns = None;
                continue;
            }
            let slot = entry.user_data() as u32;
            let asked_bytes = self.asked_bytes[slot as usize];
            let outcome = match entry.result() {
                errno if errno < 0 => Outcome::Failed { errno: -errno },
                moved if moved.cast_unsigned() == asked_bytes => Outcome::Done,
                _ => Outcome::Failed { errno: libc::EIO },
            };
            done.push(Completion {
                slot,
                completed_ns: now_ns,
                outcome,
            });
        }
        self.in_flight -= (done.len() - before) as u32;
        if done.len() > before {
            self.heard_ns = now_ns;
        }
    }

    /// Has the kernel take what is held back and hand out what has completed, without sleeping.
    fn enter(&mut self) {
        self.holds_back = false;
        if let Err(error) = self.ring.submit()
            && error.kind() != io::ErrorKind::Interrupted
        {
            self.broken.get_or_insert(error);
        }
    }

    /// Has the kernel take what is held back, and sleeps until something completes, or that time; it may wake earlier.
    fn sleep(&mut self, now_ns: u64, until_ns: u64) -> io::Result<()> {
        self.holds_back = false;
        let left = Timespec::from(std::time::Duration::from_nanos(until_ns - now_ns));
        if self.alarm_ns.is_none() && until_ns - now_ns >= ALARM_NS_MIN {
            let alarm = opcode::Timeout::new(&raw const left).build().user_data(ALARM);
            // SAFETY: the kernel reads the time when it takes the entry, which is before this function returns.
            #[allow(unsafe_code)]
            unsafe { self.ring.submission().push(&alarm) }.map_err(io::Error::other)?;
            self.alarm_ns = Some(until_ns);
        }
        let submitter = self.ring.submitter();
        let slept = if self.alarm_ns.is_some_and(|alarm_ns| alarm_ns <= until_ns) {
            submitter.submit_and_wait(1)
        } else {
            submitter.submit_with_args(1, &SubmitArgs::new().timespec(&left))
        };
        match slept.map_err(|error| (error.raw_os_error(), error)) {
            Ok(_) | Err((Some(libc::ETIME | libc::EINTR), _)) => Ok(()),
            Err((_, error)) => Err(error),
        }
    }
}

impl Backend for Uring {
    fn begins(&mut self) {
        // Without it timers are late by 50 µs, which the lateness of the load tells.
        let _ = drop_timer_slack();
    }

    fn now_ns(&mut self) -> u64 {
        self.clock.now_ns()
    }

    fn submit(&mut self, slot: u32, request: &Request) -> u64 {
        self.command(slot, &request.into())
    }

    fn length_bytes_max(&self, _command: &Command) -> u64 {
        self.block_bytes_max as u64
    }

    fn command(&mut self, slot: u32, command: &Command) -> u64 {
        self.release();
        // The data is made before the I/O is submitted: that takes the host's time, not the device's.
        let entry = self.entry(slot, command);
        let submitted_ns = self.clock.now_ns();
        let Some((entry, moved_bytes)) = entry else {
            self.refused.push(Completion {
                slot,
                completed_ns: submitted_ns,
                outcome: Outcome::Failed {
                    errno: libc::EOPNOTSUPP,
                },
            });
            return submitted_ns;
        };
        if self.in_flight == 0 {
            self.heard_ns = submitted_ns;
        }
        self.asked_bytes[slot as usize] = moved_bytes;
        // SAFETY: the memory of the entry belongs to this slot alone and outlives the ring (see `drop`).
        #[allow(unsafe_code)]
        let pushed = unsafe { self.ring.submission().push(&entry) };
        if let Err(error) = pushed {
            self.broken.get_or_insert(io::Error::other(error));
        }
        self.in_flight += 1;
        self.holds_back = true;
        submitted_ns
    }

    fn release(&mut self) {
        if self.holds_back {
            self.enter();
        }
    }

    fn wait(&mut self, until_ns: Option<u64>, done: &mut Vec<Completion>) -> Result<(), Stalled> {
        done.append(&mut self.refused);
        self.reap(done);
        let silent_ns = if self.in_flight > 0 {
            self.heard_ns.saturating_add(self.silence_max_ns)
        } else {
            u64::MAX
        };
        let until_ns = until_ns.unwrap_or(u64::MAX).min(silent_ns);
        let asleep_until_ns = until_ns.saturating_sub(DUE_SPIN_NS);
        while done.is_empty() {
            let now_ns = self.clock.now_ns();
            if now_ns < asleep_until_ns {
                self.sleep(now_ns, asleep_until_ns).map_err(|error| gone(&error))?;
            } else if now_ns < until_ns {
                self.release();
            } else {
                break;
            }
            self.reap(done);
        }
        self.release();
        if let Some(error) = self.broken.take() {
            return Err(gone(&error));
        }
        if done.is_empty() && until_ns == silent_ns {
            return Err(Stalled::Silent {
                waited_ns: self.clock.now_ns().saturating_sub(self.heard_ns),
                in_flight: self.in_flight,
            });
        }
        Ok(())
    }
}

impl Drop for Uring {
    fn drop(&mut self) {
        // SAFETY: each is dropped once, here. What the kernel may still read from or write into is left to it: memory that was given back and
        // used anew would be overwritten.
        #[allow(unsafe_code)]
        unsafe {
            ManuallyDrop::drop(&mut self.ring);
            if self.in_flight == 0 {
                ManuallyDrop::drop(&mut self.memory);
            }
        }
    }
}

/// One whose completions are handed out when this thread asks for them, which they do not interrupt; kernels before 6.1 have none such.
fn ring(entries: u32) -> io::Result<IoUring> {
    let asked = IoUring::builder()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .setup_taskrun_flag()
        .build(entries);
    match asked {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => IoUring::new(entries),
        asked => asked,
    }
}

fn forced_flags(sync: Sync) -> i32 {
    match sync {
        Sync::Buffered => 0,
        Sync::Fua => libc::RWF_DSYNC,
    }
}

fn gone(error: &io::Error) -> Stalled {
    Stalled::Gone {
        reason: error.to_string(),
    }
}
