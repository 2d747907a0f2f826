//! The control socket: one JSON request on a line, one JSON reply on a line.
//!
//! `{"do":"info"}`, `{"do":"truth"}`, `{"do":"smart"}`, `{"do":"sensors"}`, `{"do":"lateness"}` and `{"do":"faults"}` ask; `{"do":"purge"}` formats
//! the drive and is answered when the drive is done; `{"do":"power_cut"}` ends all NBD connections and takes away what the
//! drive held in a volatile cache. Everything else is answered with `{"error": ..., "hint": ...}`, and the connection
//! stays usable unless a line has no end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;

use serde::{Deserialize, Serialize};
use vdrive::Spec;

use crate::export::Export;
use crate::pace;
use crate::payload::DataFaultReport;
use crate::ranges::Ranges;
use crate::roster::Roster;

/// Longest request; the known ones have less than 20 bytes.
const REQUEST_BYTES_MAX: u64 = 4096;

#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    Info,
    Truth,
    Smart,
    Sensors,
    Lateness,
    Faults,
    Purge,
    PowerCut,
}

#[derive(Debug, Serialize)]
struct Info<'a> {
    spec: &'a str,
    description: &'a str,
    capacity_bytes: u64,
    seed: u64,
    connections: usize,
    stored_bytes: u64,
    now_ns: u64,
}

#[derive(Debug, Serialize)]
struct Purged {
    purged: bool,
    duration_ns: u64,
}

/// What the faults of the specification have done; those of commands first, each list in its order.
#[derive(Debug, Serialize)]
struct Faults {
    commands: Vec<CommandFault>,
    data: Vec<DataFaultReport>,
}

#[derive(Debug, Serialize)]
struct CommandFault {
    kind: &'static str,
    acted: u64,
}

/// Bytes of the medium, `[offset, length]` each, that were written and are not there.
#[derive(Debug, Serialize)]
struct PowerCut {
    lost_bytes: u64,
    lost: Ranges,
}

#[derive(Debug, Serialize)]
struct Refusal {
    error: String,
    hint: &'static str,
}

/// What the control socket speaks about.
pub struct Subject<'a> {
    /// The drive.
    pub export: &'a Export,
    /// What it was made from.
    pub spec: &'a Spec,
    /// Its NBD connections.
    pub clients: &'a Roster,
}

/// Answers requests until the client closes the connection.
///
/// # Errors
/// The socket's.
pub fn serve(socket: &UnixStream, subject: &Subject<'_>) -> io::Result<()> {
    let mut lines = BufReader::new(socket);
    let mut writer = socket;
    loop {
        let mut line = Vec::new();
        lines.by_ref().take(REQUEST_BYTES_MAX).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let is_whole = line.ends_with(b"\n");
        let mut reply = if is_whole {
            answer(&line, socket, subject)?
        } else {
            refusal_of_endless_line()
        };
        reply.push(b'\n');
        writer.write_all(&reply)?;
        if !is_whole {
            return Ok(());
        }
    }
}

fn answer(line: &[u8], socket: &UnixStream, subject: &Subject<'_>) -> io::Result<Vec<u8>> {
    let export = subject.export;
    match serde_json::from_slice(line) {
        Ok(Request::Info) => json(&info(subject)?),
        Ok(Request::Truth) => json(&export.truth()),
        Ok(Request::Smart) => json(&export.smart()),
        Ok(Request::Sensors) => json(&export.sensors()),
        Ok(Request::Lateness) => json(&export.lateness()),
        Ok(Request::Faults) => json(&faults(export)),
        Ok(Request::PowerCut) => json(&power_cut(subject)),
        Ok(Request::Purge) => json(&purge(socket, export)?),
        Err(error) => json(&Refusal {
            error: format!("not a request: {error}"),
            hint: "send one of {\"do\":\"info\"}, truth, smart, sensors, lateness, faults, purge or power_cut, on one line",
        }),
    }
}

fn refusal_of_endless_line() -> Vec<u8> {
    let refusal = Refusal {
        error: format!("no end of line within {REQUEST_BYTES_MAX} bytes"),
        hint: "send one JSON object and a line feed",
    };
    serde_json::to_vec(&refusal).unwrap_or_default()
}

fn json(value: &impl Serialize) -> io::Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(io::Error::from)
}

fn info<'a>(subject: &Subject<'a>) -> io::Result<Info<'a>> {
    Ok(Info {
        spec: subject.spec.name(),
        description: subject.spec.description(),
        capacity_bytes: subject.spec.capacity_bytes(),
        seed: subject.spec.seed(),
        connections: subject.clients.count(),
        stored_bytes: subject.export.payload().stored_bytes()?,
        now_ns: subject.export.clock().now_ns(),
    })
}

fn faults(export: &Export) -> Faults {
    let counts = export.command_faults().into_iter();
    Faults {
        commands: counts
            .map(|count| CommandFault {
                kind: count.kind,
                acted: count.acted,
            })
            .collect(),
        data: export.payload().reports(),
    }
}

/// Clients go first, so that nothing is written between the cut and its loss.
fn power_cut(subject: &Subject<'_>) -> PowerCut {
    subject.clients.dismiss();
    let lost = subject.export.lose_power();
    PowerCut {
        lost_bytes: lost.total_bytes(),
        lost,
    }
}

/// Formats the drive and waits as long as the drive takes, or until the connection is shut down.
fn purge(socket: &UnixStream, export: &Export) -> io::Result<Purged> {
    let clock = export.clock();
    let start_ns = clock.now_ns();
    let completion_ns = export.purge()?;
    pace::sleep_until(socket, clock, completion_ns)?;
    Ok(Purged {
        purged: true,
        duration_ns: completion_ns.saturating_sub(start_ns),
    })
}
