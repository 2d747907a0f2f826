//! One client, from its first byte to its last, without a socket: bytes in, replies out, time as a value.
//!
//! A session never holds more than one request of the largest size, a bounded number of waiting replies and a bounded
//! backlog of unsent bytes; whoever drives it stops reading while [`Session::wants_input`] says no.

use std::io::{self, ErrorKind};

use vdrive::Rejected;

use crate::export::{Export, Failure};
use crate::input::Input;
use crate::pending::{Answer, Pending, Reply, Timing};
use crate::wire::handshake::{Handshake, Progress};
use crate::wire::request::{Action, Durability, ExtentLimit, HEADER_BYTES, Header};
use crate::wire::{Errno, PAYLOAD_BYTES_MAX, Replies, Terms, Violation, Writes, reply};

/// Unsent bytes from which on no further reply is added; one reply can go beyond it.
const BACKLOG_BYTES_MAX: usize = 1024 * 1024;

/// Room for unsent bytes that is kept while there are none.
const OUTPUT_BYTES_KEPT: usize = 4 * 1024 * 1024;

/// Most extents in a reply to a block status request.
const EXTENTS_MAX: usize = 4096;

/// A client's state.
pub struct Session {
    stage: Stage,
    input: Input,
    pending: Pending,
    output: Vec<u8>,
    sent_bytes: usize,
    unsent_due_ns: Vec<u64>,
}

enum Stage {
    Handshake(Handshake),
    Transmission(Terms),
    /// The payload of a refused write is thrown away before the refusal is given.
    Skipping(Terms, Skip),
    /// The client said goodbye; what waits is still answered, in the form agreed on.
    Leaving(Terms),
}

#[derive(Clone, Copy)]
struct Skip {
    remaining_bytes: usize,
    cookie: u64,
    errno: Errno,
}

/// Whether parsing can go on with the bytes at hand.
enum Step {
    Again,
    Stop,
}

impl Session {
    /// Greets a new client.
    pub fn new(export: &Export) -> Self {
        let mut output = Vec::new();
        let handshake = Handshake::begin(export.capacity_bytes(), &mut output);
        Self {
            stage: Stage::Handshake(handshake),
            input: Input::new(HEADER_BYTES + PAYLOAD_BYTES_MAX as usize),
            pending: Pending::default(),
            output,
            sent_bytes: 0,
            unsent_due_ns: Vec::new(),
        }
    }

    /// Where received bytes go; call [`Session::received`] afterwards.
    pub fn room(&mut self) -> &mut [u8] {
        self.input.room()
    }

    /// Counts bytes written to [`Session::room`].
    pub fn received(&mut self, count: usize) {
        self.input.received(count);
    }

    /// Whether more bytes would be of use now.
    pub fn wants_input(&self) -> bool {
        !matches!(self.stage, Stage::Leaving(_)) && !self.is_congested()
    }

    /// Whether a limit is reached, so that nothing is carried out before replies have left.
    pub fn is_congested(&self) -> bool {
        self.pending.is_full() || self.is_backlogged()
    }

    /// Whether the client still has to agree on the terms.
    pub fn is_in_handshake(&self) -> bool {
        matches!(self.stage, Stage::Handshake(_))
    }

    /// Whether everything is said and sent.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Leaving(_)) && self.pending.is_empty() && self.unsent().is_empty()
    }

    /// Carries out what has been received, as far as the limits allow.
    ///
    /// # Errors
    /// The [`Violation`] for which the connection must be closed.
    pub fn process(&mut self, export: &Export) -> Result<(), Violation> {
        while !self.is_congested() {
            let step = match &mut self.stage {
                Stage::Handshake(_) => self.advance_handshake()?,
                Stage::Transmission(terms) => {
                    let terms = *terms;
                    self.take_request(terms, export)?
                }
                Stage::Skipping(terms, skip) => {
                    let (terms, skip) = (*terms, *skip);
                    self.skip_payload(terms, skip)
                }
                Stage::Leaving(_) => Step::Stop,
            };
            if matches!(step, Step::Stop) {
                break;
            }
        }
        Ok(())
    }

    /// Writes the replies that are due at `now_ns` to the output, as far as the backlog allows.
    pub fn complete(&mut self, now_ns: u64, export: &Export) {
        let (Stage::Transmission(terms) | Stage::Skipping(terms, _) | Stage::Leaving(terms)) = self.stage else {
            return;
        };
        while !self.is_backlogged() {
            let Some(reply) = self.pending.pop_due(now_ns) else {
                break;
            };
            encode(&mut self.output, terms.replies, &reply, export);
            if reply.timing == Timing::Drive {
                self.unsent_due_ns.push(reply.due_ns);
            }
        }
    }

    /// When [`Session::complete`] is to be called again; `None` if only input or sending can change anything.
    pub fn next_due_ns(&self) -> Option<u64> {
        if self.is_backlogged() {
            None
        } else {
            self.pending.next_due_ns()
        }
    }

    /// Bytes for the client.
    pub fn unsent(&self) -> &[u8] {
        &self.output[self.sent_bytes..]
    }

    /// Counts bytes of [`Session::unsent`] that the socket had taken at `now_ns`, and how late they were.
    pub fn sent(&mut self, count: usize, now_ns: u64, export: &Export) {
        export.record_lateness(now_ns, &self.unsent_due_ns);
        self.unsent_due_ns.clear();
        self.sent_bytes += count;
        if self.sent_bytes == self.output.len() && self.output.capacity() > OUTPUT_BYTES_KEPT {
            self.output = Vec::new();
            self.sent_bytes = 0;
        } else if self.sent_bytes >= self.unsent().len() {
            // Moving the rest costs no more than what was sent, and the buffer never exceeds twice the rest.
            self.output.drain(..self.sent_bytes);
            self.sent_bytes = 0;
        }
    }

    /// Memory that the client's bytes take at this moment.
    pub fn memory_bytes(&self) -> usize {
        self.input.memory_bytes() + self.output.capacity()
    }

    fn is_backlogged(&self) -> bool {
        self.unsent().len() >= BACKLOG_BYTES_MAX
    }

    fn advance_handshake(&mut self) -> Result<Step, Violation> {
        let Stage::Handshake(handshake) = &mut self.stage else {
            return Ok(Step::Stop);
        };
        match handshake.advance(self.input.waiting(), &mut self.output)? {
            Progress::NeedMore => return Ok(Step::Stop),
            Progress::Consumed(count) => self.input.take(count),
            Progress::Agreed(count, terms) => {
                self.input.take(count);
                self.stage = Stage::Transmission(terms);
            }
            Progress::Aborted(count) => {
                self.input.take(count);
                self.stage = Stage::Leaving(Terms::default());
            }
        }
        Ok(Step::Again)
    }

    fn take_request(&mut self, terms: Terms, export: &Export) -> Result<Step, Violation> {
        let Some((header, rest)) = self.input.waiting().split_first_chunk() else {
            return Ok(Step::Stop);
        };
        let header = Header::decode(header)?;
        let payload_bytes = header.payload_bytes() as usize;
        let action = match header.judge(terms, export.capacity_bytes()) {
            Ok(action) => action,
            Err(errno) => {
                self.input.take(HEADER_BYTES);
                self.stage = Stage::Skipping(
                    terms,
                    Skip {
                        remaining_bytes: payload_bytes,
                        cookie: header.cookie,
                        errno,
                    },
                );
                return Ok(Step::Again);
            }
        };
        let Some(payload) = rest.get(..payload_bytes) else {
            return Ok(Step::Stop);
        };
        let outcome = perform(forced(action, terms.writes), payload, export);
        self.input.take(HEADER_BYTES + payload_bytes);
        self.note_outcome(terms, header.cookie, outcome);
        Ok(Step::Again)
    }

    fn note_outcome(&mut self, terms: Terms, cookie: u64, outcome: Result<Outcome, Failure>) {
        match outcome {
            Ok(Outcome::At(due_ns, answer)) => {
                self.pending.push(Reply {
                    due_ns,
                    timing: Timing::Drive,
                    cookie,
                    answer,
                });
            }
            Ok(Outcome::AtOnce(answer)) => {
                self.pending.push(Reply {
                    due_ns: 0,
                    timing: Timing::Server,
                    cookie,
                    answer,
                });
            }
            Ok(Outcome::Leave) => self.stage = Stage::Leaving(terms),
            Err(failure) => self.refuse(cookie, errno_of(&failure)),
        }
    }

    fn skip_payload(&mut self, terms: Terms, skip: Skip) -> Step {
        let count = skip.remaining_bytes.min(self.input.waiting().len());
        self.input.take(count);
        let remaining_bytes = skip.remaining_bytes - count;
        if remaining_bytes > 0 {
            self.stage = Stage::Skipping(
                terms,
                Skip {
                    remaining_bytes,
                    ..skip
                },
            );
            return Step::Stop;
        }
        self.refuse(skip.cookie, skip.errno);
        self.stage = Stage::Transmission(terms);
        Step::Again
    }

    fn refuse(&mut self, cookie: u64, errno: Errno) {
        self.pending.push(Reply {
            due_ns: 0,
            timing: Timing::Server,
            cookie,
            answer: Answer::Refused(errno),
        });
    }
}

/// What an action leads to.
#[derive(Clone, Copy)]
enum Outcome {
    At(u64, Answer),
    AtOnce(Answer),
    Leave,
}

fn errno_of(failure: &Failure) -> Errno {
    match failure {
        Failure::Refused(Rejected::WriteProtected) => Errno::Permission,
        // The range was judged before, so this is the drive's own objection; the protocol has no finer word for it.
        Failure::Refused(Rejected::PastTheEnd { .. } | Rejected::Unaligned { .. }) => Errno::Invalid,
        Failure::Store(error) if error.kind() == ErrorKind::StorageFull => Errno::NoSpace,
        Failure::Refused(Rejected::Medium) | Failure::Store(_) => Errno::Io,
    }
}

/// The action as the chosen export carries it out.
fn forced(action: Action, writes: Writes) -> Action {
    match (action, writes) {
        (Action::Write(range, _), Writes::Forced) => Action::Write(range, Durability::Fua),
        (action, _) => action,
    }
}

fn perform(action: Action, payload: &[u8], export: &Export) -> Result<Outcome, Failure> {
    let done_at = |due_ns| Outcome::At(due_ns, Answer::Done);
    match action {
        Action::Read(range) => export
            .read(range)
            .map(|due_ns| Outcome::At(due_ns, Answer::Payload(range))),
        Action::Write(range, durability) => export.write(range, payload, durability).map(done_at),
        Action::Flush => export.flush().map(done_at),
        Action::Trim(range, durability) => export.trim(range, durability).map(done_at),
        Action::Zero(range, durability, provision) => export.zero(range, durability, provision).map(done_at),
        Action::BlockStatus(range, limit) => Ok(Outcome::AtOnce(Answer::Extents(range, limit))),
        Action::Disconnect => Ok(Outcome::Leave),
    }
}

fn encode(output: &mut Vec<u8>, form: Replies, due: &Reply, export: &Export) {
    let start = output.len();
    if encode_answer(output, form, due, export).is_err() {
        output.truncate(start);
        reply::error(output, form, due.cookie, Errno::Io);
    }
}

fn encode_answer(output: &mut Vec<u8>, form: Replies, due: &Reply, export: &Export) -> io::Result<()> {
    match due.answer {
        Answer::Done => reply::done(output, due.cookie),
        Answer::Payload(range) => {
            reply::read_header(output, form, due.cookie, range.offset_bytes, range.length_bytes);
            export
                .payload()
                .read_into(output, range.offset_bytes, range.length_bytes as usize)?;
        }
        Answer::Extents(range, limit) => {
            let extents_max = match limit {
                ExtentLimit::One => 1,
                ExtentLimit::Many => EXTENTS_MAX,
            };
            let extents = export
                .payload()
                .extents(range.offset_bytes, range.length_bytes.into(), extents_max)?;
            reply::block_status(output, due.cookie, &extents);
        }
        Answer::Refused(errno) => reply::error(output, form, due.cookie, errno),
    }
    Ok(())
}

#[cfg(test)]
mod tests;
