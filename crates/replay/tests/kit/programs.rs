//! Programs that wait for their I/Os as they are made to, and what is recorded of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use trace::{Io, Op};
use vdrive::Command;
use vdrive::workload::BlockDevice;

/// A program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Program {
    /// Threads that read, think, and read again; which of them is recorded. Thoughts differ.
    Threads { threads: u32, think_ns: u64, ios: u64 },
    /// One that submits many at once, waits for all, and thinks.
    Bursts { length: u64, think_ns: u64, bursts: u64 },
    /// One that keeps a number in flight.
    Window { depth: u64, ios: u64 },
}

/// What a recorder sees of it, and what it did not tell the recorder.
pub(crate) struct Recorded {
    pub(crate) ios: Vec<Io>,
    /// Of each I/O those it waited for.
    pub(crate) waited: Vec<Vec<u64>>,
    pub(crate) elapsed_ns: u64,
}

/// What will be submitted at a time: by whom, and what it waited for.
type Next = Reverse<(u64, u64, u32, Vec<u64>)>;

/// Runs it on a drive in virtual time.
pub(crate) fn run(program: Program, drive: &mut dyn BlockDevice) -> Recorded {
    let mut seen = Recorded {
        ios: Vec::new(),
        waited: Vec::new(),
        elapsed_ns: 0,
    };
    match program {
        Program::Threads { threads, think_ns, ios } => threads_of(threads, think_ns, ios, drive, &mut seen),
        Program::Bursts {
            length,
            think_ns,
            bursts,
        } => {
            let (mut at_ns, mut before) = (0, Vec::new());
            for burst in 0..bursts {
                let numbers: Vec<u64> = (burst * length..(burst + 1) * length).collect();
                let mut ended_ns = 0;
                for which in 0..length {
                    // It takes the program a moment to submit each.
                    let ended = submit(drive, &mut seen, at_ns + which * 500, None, before.clone());
                    ended_ns = ended_ns.max(ended);
                }
                before = numbers;
                at_ns = ended_ns + thought_ns(think_ns, burst);
            }
        }
        Program::Window { depth, ios } => {
            let mut pending: BinaryHeap<Next> = (0..depth).map(|which| Reverse((0, which, 0, Vec::new()))).collect();
            while let Some(Reverse((at_ns, _, _, waited))) = pending.pop() {
                let number = seen.ios.len() as u64;
                let ended_ns = submit(drive, &mut seen, at_ns, None, waited);
                if number + depth < ios {
                    pending.push(Reverse((ended_ns, number + depth, 0, vec![number])));
                }
            }
        }
    }
    seen
}

fn threads_of(threads: u32, think_ns: u64, ios: u64, drive: &mut dyn BlockDevice, seen: &mut Recorded) {
    let mut pending: BinaryHeap<Next> = (0..threads)
        .map(|thread| Reverse((u64::from(thread) * 1_000, u64::from(thread), thread, Vec::new())))
        .collect();
    while let Some(Reverse((at_ns, order, thread, waited))) = pending.pop() {
        let number = seen.ios.len() as u64;
        let ended_ns = submit(drive, seen, at_ns, Some(thread), waited);
        if number + u64::from(threads) < ios {
            let next_ns = ended_ns + thought_ns(think_ns, number);
            pending.push(Reverse((next_ns, order + u64::from(threads), thread, vec![number])));
        }
    }
}

/// Between half of it and one and a half.
fn thought_ns(think_ns: u64, number: u64) -> u64 {
    think_ns / 2 + vdrive::random::mix(number) % think_ns.max(1)
}

fn submit(drive: &mut dyn BlockDevice, seen: &mut Recorded, at_ns: u64, stream: Option<u32>, waited: Vec<u64>) -> u64 {
    let number = seen.ios.len() as u64;
    let (offset_bytes, length_bytes) = (vdrive::random::mix(number) % (1 << 20) * 4096, 4096);
    let command = Command::Read {
        offset_bytes,
        length_bytes,
    };
    let ended_ns = drive.submit(at_ns, command).expect("the drive takes it");
    seen.ios.push(Io {
        at_ns: Some(at_ns),
        latency_ns: Some(ended_ns - at_ns),
        stream,
        ..Io::new(Op::Read, offset_bytes, length_bytes)
    });
    seen.waited.push(waited);
    seen.elapsed_ns = seen.elapsed_ns.max(ended_ns);
    ended_ns
}
