//! What is wrong with a drive on purpose: the `[[fault]]` tables of a Spec.
//!
//! Faults that concern commands (errors, stalls, write protection) are part of the model, in virtual time too. Faults of
//! data are carried out by whoever holds the data; which blocks they hit follows from the seed and the position alone, so
//! that neither queue depth nor timing changes it.

use crate::random::mix;
use crate::spec::Spec;
use crate::{Command, Rejected};

/// The unit in which a fault chooses its victims.
pub const DEFECT_BLOCK_BYTES: u64 = 4096;

/// A fault that shows in the answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandDefect {
    /// Commands that touch a range fail.
    Error {
        on: ErrorOn,
        offset_bytes: u64,
        length_bytes: u64,
        after: u64,
    },
    /// One command, and all behind it, wait.
    Stall { after: u64, duration_ns: u64 },
    /// Writes and trims are refused.
    ReadOnly { after: u64 },
}

/// Commands that fail in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorOn {
    Read,
    Write,
    Any,
}

/// A fault that shows in the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataDefect {
    /// Fake capacity: addresses wrap around after this many bytes.
    Wrap {
        /// What is really there.
        real_bytes: u64,
    },
    /// Of every so many blocks two are written in each other's place.
    Swap {
        /// Blocks in a group.
        every: u64,
    },
    /// Of every so many blocks one gets a wrong bit.
    Flip {
        /// Blocks in a group.
        every: u64,
    },
    /// TRIM, zeroing that may deallocate, and purge are acknowledged and leave the data.
    TrimIgnored,
    /// Of every so many blocks one survives its TRIM, and the first write after it is lost.
    StaleAfterTrim {
        /// Blocks in a group.
        every: u64,
    },
    /// The last bytes written are lost at a power cut.
    LostCache {
        /// How many.
        cache_bytes: u64,
        /// Whether a flush saves them.
        flush: FlushEffect,
    },
}

/// What a flush does, and force unit access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlushEffect {
    /// What was written before it is safe.
    Obeyed,
    /// It is acknowledged, and that is all.
    Ignored,
}

impl DataDefect {
    /// As the Spec's `kind`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Wrap { .. } => "wrap",
            Self::Swap { .. } => "swap",
            Self::Flip { .. } => "flip",
            Self::TrimIgnored => "trim_ignored",
            Self::StaleAfterTrim { .. } => "stale_after_trim",
            Self::LostCache { .. } => "lost_cache",
        }
    }
}

/// The victims of one fault: the blocks of a drive in groups, and who is chosen in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    seed: u64,
    every: u64,
}

impl Chosen {
    /// The choice of the fault with this number among the Spec's, in groups of `every` blocks (at least 2 for pairs).
    pub fn new(seed: u64, number: usize, every: u64) -> Self {
        Self {
            seed: mix(seed ^ mix(number as u64)),
            every,
        }
    }

    /// The group a block is in.
    pub fn group_of(&self, block: u64) -> u64 {
        block / self.every
    }

    /// The one block of a group.
    pub fn block_in(&self, group: u64) -> u64 {
        group * self.every + mix(self.seed ^ group) % self.every
    }

    /// Two different blocks of a group.
    pub fn pair_in(&self, group: u64) -> (u64, u64) {
        let first = mix(self.seed ^ group) % self.every;
        let step = 1 + mix(self.seed ^ mix(group)) % (self.every - 1);
        let start = group * self.every;
        (start + first, start + (first + step) % self.every)
    }

    /// The bit of a block that is hit, from 0 to 8 x [`DEFECT_BLOCK_BYTES`].
    pub fn bit_of(&self, block: u64) -> u64 {
        mix(!self.seed ^ block) % (8 * DEFECT_BLOCK_BYTES)
    }
}

/// How often a command fault has acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandFaultCount {
    /// As the Spec's `kind`.
    pub kind: &'static str,
    /// Commands it has refused or held up.
    pub acted: u64,
}

/// The drive's command faults and how far each has come.
#[derive(Debug, Clone)]
pub(crate) struct Ailments(Vec<Ailment>);

#[derive(Debug, Clone)]
struct Ailment {
    defect: CommandDefect,
    /// Commands that concerned it.
    concerned: u64,
    acted: u64,
}

impl Ailments {
    pub(crate) fn new(spec: &Spec) -> Self {
        let ailment = |defect: &CommandDefect| Ailment {
            defect: defect.clone(),
            concerned: 0,
            acted: 0,
        };
        Self(spec.command_defects.iter().map(ailment).collect())
    }

    /// Counts a command: how long it is held up, or why it is refused. The first fault that refuses is the last that counts.
    #[inline]
    pub(crate) fn meet(&mut self, command: &Command) -> Result<u64, Rejected> {
        let mut held_ns = 0;
        for ailment in &mut self.0 {
            held_ns += ailment.meet(command)?;
        }
        Ok(held_ns)
    }

    pub(crate) fn counts(&self) -> Vec<CommandFaultCount> {
        let count = |ailment: &Ailment| CommandFaultCount {
            kind: match ailment.defect {
                CommandDefect::Error { .. } => "error",
                CommandDefect::Stall { .. } => "stall",
                CommandDefect::ReadOnly { .. } => "read_only",
            },
            acted: ailment.acted,
        };
        self.0.iter().map(count).collect()
    }
}

impl Ailment {
    fn meet(&mut self, command: &Command) -> Result<u64, Rejected> {
        if !self.defect.concerns(command) {
            return Ok(0);
        }
        self.concerned += 1;
        match self.defect {
            CommandDefect::Error { after, .. } if self.concerned > after => {
                self.acted += 1;
                Err(Rejected::Medium)
            }
            CommandDefect::ReadOnly { after } if self.concerned > after => {
                self.acted += 1;
                Err(Rejected::WriteProtected)
            }
            CommandDefect::Stall { after, duration_ns } if self.concerned == after + 1 => {
                self.acted += 1;
                Ok(duration_ns)
            }
            _ => Ok(0),
        }
    }
}

impl CommandDefect {
    fn concerns(&self, command: &Command) -> bool {
        match *self {
            Self::Stall { .. } => true,
            Self::ReadOnly { .. } => matches!(command, Command::Write { .. } | Command::Trim { .. }),
            Self::Error {
                on,
                offset_bytes: start,
                length_bytes: length,
                ..
            } => match *command {
                Command::Read {
                    offset_bytes,
                    length_bytes,
                } => on != ErrorOn::Write && offset_bytes < start + length && start < offset_bytes + length_bytes,
                Command::Write {
                    offset_bytes,
                    length_bytes,
                    ..
                } => on != ErrorOn::Read && offset_bytes < start + length && start < offset_bytes + length_bytes,
                Command::Flush | Command::Trim { .. } => false,
            },
        }
    }
}
