//! What the I/Os of a job are that do not go everywhere alike, or are not all alike.

use std::ops::Deref;

use serde::Deserialize;
use vdrive::workload::{self, BlockDevice, Limit, Progress, Run, WorkloadFault};
use vdrive::{Command, Rejected, VDrive};

use crate::mixture::{Issued, MixPart, Mixture};
use crate::request::{Operation, Request};
use crate::source::{Fault, Places, Zipf, Zone, Zones};

/// A law that random offsets follow, over the blocks of the region in an order drawn from the seed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Access {
    /// The block of rank `k` gets a share proportional to `k` to the minus this.
    Zipf(f64),
    /// Parts of the blocks, each with its share of the I/Os; inside one all blocks are alike.
    Zones(Vec<ZoneShares>),
}

/// One of the zones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneShares {
    /// Of the blocks, in per cent.
    pub blocks_percent: u8,
    /// Of the I/Os, in per cent.
    pub ios_percent: u8,
}

/// A job in the words of the model's driver, and where its random I/Os go if not everywhere alike, or what they are if not all alike.
///
/// Of a mix, the job's share of reads decides the direction of each I/O, and the parts in that direction what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    job: workload::Workload,
    access: Option<Access>,
    mix: Option<Vec<MixPart>>,
}

impl From<workload::Workload> for Workload {
    fn from(job: workload::Workload) -> Self {
        Self {
            job,
            access: None,
            mix: None,
        }
    }
}

/// What the I/Os of a job are, in place of what the model's driver drew.
pub struct Drawn {
    region_offset_bytes: u64,
    block_bytes: u32,
    law: Law,
}

enum Law {
    Places(Box<dyn Places + Send>),
    Mixture(Box<Mixture>),
}

impl Drawn {
    /// The next I/O in a direction; `None` if none goes there.
    #[inline]
    pub fn next(&mut self, operation: Operation) -> Option<Request> {
        match &mut self.law {
            Law::Mixture(mixture) => mixture.next(operation),
            Law::Places(places) => Some(Request {
                operation,
                offset_bytes: self.region_offset_bytes + places.next() * u64::from(self.block_bytes),
                length_bytes: self.block_bytes,
                stream: 0,
            }),
        }
    }
}

impl Deref for Workload {
    type Target = workload::Workload;

    fn deref(&self) -> &Self::Target {
        &self.job
    }
}

impl Workload {
    /// Reads one from JSON: that of the model's driver, with a field `access` or `mix`, or without.
    ///
    /// # Errors
    /// Not JSON, an unknown or missing field, a value of another type, or a law or a mix that cannot be.
    pub fn from_json(text: &str) -> Result<Self, WorkloadFault> {
        let unread = |error: serde_json::Error| fault("json", error.to_string());
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).map_err(unread)?;
        let access = fields
            .remove("access")
            .map(serde_json::from_value)
            .transpose()
            .map_err(unread)?;
        let mix = fields
            .remove("mix")
            .map(serde_json::from_value)
            .transpose()
            .map_err(unread)?;
        let job = serde_json::from_value(serde_json::Value::Object(fields)).map_err(unread)?;
        let read = Self { job, access, mix };
        read.drawn()?;
        read.issued()?;
        Ok(read)
    }

    /// What draws the I/Os; `None` where the job's own draw does.
    ///
    /// # Errors
    /// There is no such law on these blocks, or no such mix.
    pub fn drawn(&self) -> Result<Option<Drawn>, WorkloadFault> {
        let law = match &self.mix {
            Some(parts) => Some(Law::Mixture(Box::new(self.mixture(parts)?))),
            None => self.places()?.map(Law::Places),
        };
        Ok(law.map(|law| Drawn {
            region_offset_bytes: self.job.region_offset_bytes,
            block_bytes: self.job.block_bytes as u32,
            law,
        }))
    }

    /// What counts the I/Os of a mix by kind; `None` of other jobs.
    ///
    /// # Errors
    /// There is no such mix.
    pub fn issued(&self) -> Result<Option<Issued>, WorkloadFault> {
        let refused = |refused: Fault| fault("mix", refused.to_string());
        let counter = |parts: &Vec<MixPart>| Issued::new(parts, self.job.seed).map_err(refused);
        self.mix.as_ref().map(counter).transpose()
    }

    fn mixture(&self, parts: &[MixPart]) -> Result<Mixture, WorkloadFault> {
        if self.access.is_some()
            || self.job.amount_bytes.is_some()
            || self.job.log_every_io == workload::LogEveryIo::Yes
        {
            return Err(fault(
                "mix",
                "a mix has laws of its own, ends by time and is not logged I/O by I/O",
            ));
        }
        let end_bytes = self
            .job
            .region_offset_bytes
            .saturating_add(self.job.region_length_bytes);
        let outside = |part: &MixPart| {
            part.offset_bytes < self.job.region_offset_bytes
                || part.offset_bytes.saturating_add(part.length_bytes) > end_bytes
        };
        if parts.len() > usize::from(u16::MAX) || parts.iter().any(outside) {
            return Err(fault("mix", "a part reaches beyond the region, or there are too many"));
        }
        Mixture::new(parts, self.job.seed).map_err(|refused| fault("mix", refused.to_string()))
    }

    fn places(&self) -> Result<Option<Box<dyn Places + Send>>, WorkloadFault> {
        let Some(access) = &self.access else {
            return Ok(None);
        };
        if self.job.log_every_io == workload::LogEveryIo::Yes {
            return Err(fault(
                "log_every_io",
                "the driver does not know where a law puts an I/O",
            ));
        }
        let blocks = self
            .job
            .region_length_bytes
            .checked_div(self.job.block_bytes)
            .unwrap_or(0);
        let refused = |refused: Fault| fault("access", refused.to_string());
        if blocks == 0 {
            return Err(fault("access", "the region holds no block"));
        }
        Ok(Some(match access {
            Access::Zipf(exponent) => Box::new(Zipf::new(blocks, *exponent, self.job.seed).map_err(refused)?),
            Access::Zones(zones) => {
                let zones: Vec<Zone> = zones.iter().map(Zone::from).collect();
                Box::new(Zones::new(blocks, &zones, self.job.seed).map_err(refused)?)
            }
        }))
    }
}

impl From<&ZoneShares> for Zone {
    fn from(shares: &ZoneShares) -> Self {
        Self {
            blocks: f64::from(shares.blocks_percent) / 100.0,
            weight: u32::from(shares.ios_percent),
        }
    }
}

fn fault(field: &'static str, message: impl Into<String>) -> WorkloadFault {
    WorkloadFault {
        field,
        message: message.into(),
    }
}

/// Goes on with a run of the model's driver, whose I/Os are those of `drawn` instead of those it drew; `issued` counts them.
///
/// # Errors
/// As [`Run::advance`].
pub fn advance_drawn(
    run: &mut Run,
    drive: &mut VDrive,
    drawn: &mut Drawn,
    issued: Option<&mut Issued>,
    limit: Limit,
) -> Result<Progress, WorkloadFault> {
    run.advance(&mut Redrawn { drive, drawn, issued }, limit)
}

struct Redrawn<'a> {
    drive: &'a mut VDrive,
    drawn: &'a mut Drawn,
    issued: Option<&'a mut Issued>,
}

impl BlockDevice for Redrawn<'_> {
    fn capacity_bytes(&self) -> u64 {
        self.drive.spec().capacity_bytes()
    }

    #[inline]
    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let Some(request) = operation_of(command).and_then(|operation| self.drawn.next(operation)) else {
            return self.drive.submit(now_ns, command);
        };
        if let Some(issued) = &mut self.issued {
            issued.count(&request);
        }
        self.drive.submit(now_ns, instead_of(command, request))
    }
}

fn operation_of(command: Command) -> Option<Operation> {
    match command {
        Command::Read { .. } => Some(Operation::Read),
        Command::Write { .. } => Some(Operation::Write),
        Command::Trim { .. } => Some(Operation::Trim),
        Command::Flush => None,
    }
}

fn instead_of(command: Command, request: Request) -> Command {
    let (offset_bytes, length_bytes) = (request.offset_bytes, u64::from(request.length_bytes));
    match command {
        Command::Read { .. } => Command::Read {
            offset_bytes,
            length_bytes,
        },
        Command::Write { sync, .. } => Command::Write {
            offset_bytes,
            length_bytes,
            sync,
        },
        Command::Trim { .. } => Command::Trim {
            offset_bytes,
            length_bytes,
        },
        Command::Flush => Command::Flush,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Model;
    use crate::run::NoJudge;
    use crate::workload::perform;
    use vdrive::Spec;

    fn json(access: &str) -> String {
        format!(
            r#"{{"pattern": "random", "draw": "independent", "action": "read_write", "read_percent": 0, "block_bytes": 4096,
                "queue_depth": 4, "jobs": 1, "region_offset_bytes": 0, "region_length_bytes": 67108864,
                "amount_bytes": 33554432, "duration_ns": null, "rate_iops": null, "sync": "none", "seed": 7,
                "log_every_io": "no"{access}}}"#
        )
    }

    fn read(access: &str) -> Result<Workload, WorkloadFault> {
        Workload::from_json(&json(access))
    }

    fn drive() -> VDrive {
        VDrive::new(&Spec::parse(Spec::builtin_text("demo").unwrap()).unwrap())
    }

    const SKEWED: &str = r#", "access": {"zones": [{"blocks_percent": 10, "ios_percent": 90},
        {"blocks_percent": 90, "ios_percent": 10}]}"#;

    #[test]
    fn a_job_without_a_law_is_that_of_the_models_driver() {
        let plain = read("").unwrap();
        assert!(plain.drawn().unwrap().is_none());
        assert_eq!(*plain, workload::Workload::from_json(&json("")).unwrap());
    }

    #[test]
    fn the_models_driver_and_the_load_engine_put_a_law_in_the_same_places() {
        let workload = read(SKEWED).unwrap();
        let mut by_driver = drive();
        let mut drawn = workload.drawn().unwrap().unwrap();
        let mut issued = workload.issued().unwrap();
        let mut run = Run::new(by_driver.spec().capacity_bytes(), 0, &workload).unwrap();
        while advance_drawn(&mut run, &mut by_driver, &mut drawn, issued.as_mut(), Limit::NONE).unwrap()
            == Progress::Running
        {}
        let by_driver_result = run.finish();
        let mut by_engine = drive();
        let capacity_bytes = by_engine.spec().capacity_bytes();
        let done = perform(
            &mut Model::new(&mut by_engine, 0),
            capacity_bytes,
            &workload,
            &mut NoJudge,
        )
        .unwrap();
        assert_eq!(done.result.write, by_driver_result.write);
        let end_ns = done.result.end_ns;
        assert_eq!(
            format!("{:?}", by_engine.truth(end_ns)),
            format!("{:?}", by_driver.truth(end_ns))
        );
    }

    #[test]
    fn a_law_that_cannot_be_is_refused() {
        for (access, field) in [
            (r#", "access": {"zipf": -1.0}"#, "access"),
            (
                r#", "access": {"zones": [{"blocks_percent": 10, "ios_percent": 90}]}"#,
                "access",
            ),
            (r#", "access": {"pareto": 1.0}"#, "json"),
            (r#", "law": 1"#, "json"),
        ] {
            assert_eq!(read(access).unwrap_err().field, field, "{access}");
        }
    }
}
