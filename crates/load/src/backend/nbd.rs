//! An export of an NBD server, in real time.

use std::io;

use ::nbd::client::{Answered, Client, Pipeline};
use ::nbd::clock::Clock;
use ::nbd::pace::{DUE_SPIN_NS, drop_timer_slack};

use vdrive::{Command, Sync};

use super::payload::{LENGTH_BYTES_MAX, Payload};
use super::{Backend, Completion, Stalled};
use crate::request::Request;
use crate::sink::Outcome;

/// One connection. Written data cannot be told from noise.
pub struct Export {
    pipeline: Pipeline,
    clock: Clock,
    payload: Payload,
    /// The data of one write, which the connection copies.
    data: Vec<u8>,
    in_flight: u32,
    silence_max_ns: u64,
    heard_ns: u64,
    answered: Vec<Answered>,
    /// What was refused at once.
    refused: Vec<Completion>,
    in_flight_max: u32,
    /// Why a request could not be sent; told by the next wait.
    broken: Option<io::Error>,
}

impl Export {
    /// With at most `in_flight_max` requests, each no longer than 1 MiB; a server that says nothing for `silence_max_ns`
    /// although something is in flight is given up. What is written follows from `data_seed`.
    pub fn new(client: Client, in_flight_max: u32, silence_max_ns: u64, data_seed: u64) -> Self {
        Self {
            pipeline: Pipeline::new(client, in_flight_max as usize),
            clock: Clock::start(),
            payload: Payload::new(data_seed),
            data: vec![0; LENGTH_BYTES_MAX],
            in_flight: 0,
            silence_max_ns,
            heard_ns: 0,
            answered: Vec::new(),
            refused: Vec::new(),
            in_flight_max,
            broken: None,
        }
    }

    /// Waits with precision: the last microseconds without sleeping.
    fn answers(&mut self, until_ns: u64) -> io::Result<()> {
        let mut answered = std::mem::take(&mut self.answered);
        let slept = self
            .pipeline
            .wait(self.clock, Some(until_ns.saturating_sub(DUE_SPIN_NS)), &mut answered);
        let mut waited = slept;
        while waited.is_ok() && answered.is_empty() && self.clock.now_ns() < until_ns {
            waited = self.pipeline.wait(self.clock, Some(0), &mut answered);
        }
        self.answered = answered;
        waited
    }
}

impl Backend for Export {
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

    fn length_bytes_max(&self, command: &Command) -> u64 {
        match command {
            Command::Read { .. } | Command::Write { .. } => LENGTH_BYTES_MAX as u64,
            // Whole sectors in a number of 32 bits.
            Command::Trim { .. } | Command::Flush => u64::from(u32::MAX) / 4096 * 4096,
        }
    }

    fn command(&mut self, slot: u32, command: &Command) -> u64 {
        let mut submitted_ns = self.clock.now_ns();
        let asked = asked(command);
        if asked.length_bytes > self.length_bytes_max(command) || slot >= self.in_flight_max {
            self.refused.push(Completion {
                slot,
                completed_ns: submitted_ns,
                outcome: Outcome::Failed { errno: libc::EINVAL },
            });
            return submitted_ns;
        }
        let data: &[u8] = if matches!(command, Command::Write { .. }) {
            let data = &mut self.data[..asked.length_bytes as usize];
            self.payload.fill(data);
            // Making the data takes the host's time, not the device's.
            submitted_ns = self.clock.now_ns();
            data
        } else {
            &[]
        };
        if self.in_flight == 0 {
            self.heard_ns = submitted_ns;
        }
        self.in_flight += 1;
        let length_bytes = asked.length_bytes as u32;
        if let Err(error) = self
            .pipeline
            .send(asked.number, slot, asked.offset_bytes, length_bytes, data)
        {
            self.broken.get_or_insert(error);
        }
        submitted_ns
    }

    fn wait(&mut self, until_ns: Option<u64>, done: &mut Vec<Completion>) -> Result<(), Stalled> {
        if !self.refused.is_empty() {
            done.append(&mut self.refused);
            return Ok(());
        }
        let silent_ns = self.heard_ns.saturating_add(self.silence_max_ns);
        let until_ns = until_ns
            .unwrap_or(u64::MAX)
            .min(if self.in_flight > 0 { silent_ns } else { u64::MAX });
        let waited = match self.broken.take() {
            Some(error) => Err(error),
            None => self.answers(until_ns),
        };
        waited.map_err(|error| Stalled::Gone {
            reason: error.to_string(),
        })?;
        let completed_ns = self.clock.now_ns();
        if !self.answered.is_empty() {
            self.heard_ns = completed_ns;
        } else if self.in_flight > 0 && completed_ns >= silent_ns {
            return Err(Stalled::Silent {
                waited_ns: completed_ns - self.heard_ns,
                in_flight: self.in_flight,
            });
        }
        self.in_flight -= self.answered.len() as u32;
        done.extend(self.answered.drain(..).map(|answered| Completion {
            slot: answered.cookie,
            completed_ns,
            outcome: match answered.errno {
                0 => Outcome::Done,
                errno => Outcome::Failed {
                    errno: errno.cast_signed(),
                },
            },
        }));
        Ok(())
    }
}

/// What goes over the wire.
struct Asked {
    number: ::nbd::client::Command,
    offset_bytes: u64,
    length_bytes: u64,
}

fn asked(command: &Command) -> Asked {
    let (number, offset_bytes, length_bytes) = match *command {
        Command::Read {
            offset_bytes,
            length_bytes,
        } => (::nbd::client::Command::Read, offset_bytes, length_bytes),
        Command::Write {
            offset_bytes,
            length_bytes,
            sync,
        } => {
            let number = match sync {
                Sync::Buffered => ::nbd::client::Command::Write,
                Sync::Fua => ::nbd::client::Command::DurableWrite,
            };
            (number, offset_bytes, length_bytes)
        }
        Command::Trim {
            offset_bytes,
            length_bytes,
        } => (::nbd::client::Command::Trim, offset_bytes, length_bytes),
        Command::Flush => (::nbd::client::Command::Flush, 0, 0),
    };
    Asked {
        number,
        offset_bytes,
        length_bytes,
    }
}
