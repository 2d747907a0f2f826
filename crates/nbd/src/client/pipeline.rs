//! Many requests on one connection, none of which waits for another.

use std::io::{self, ErrorKind, IoSlice};

use rustix::event::PollFlags;
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags, recv, sendmsg};

use super::{Client, Command, header, over};
use crate::clock::Clock;
use crate::pace::sleep;
use crate::wire::reply::SIMPLE_MAGIC;
use crate::wire::{be_u32, be_u64};

/// What one look takes from the socket.
const RECEIVE_BYTES: usize = 256 << 10;

const REPLY_BYTES: usize = 16;

/// A request that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Its number.
    pub cookie: u32,
    /// 0, or the number of the error.
    pub errno: u32,
}

/// A connection that is never waited for longer than asked. The payload of reads is thrown away.
pub struct Pipeline {
    client: Client,
    unsent: Unsent,
    received: Vec<u8>,
    /// Bytes of `received` that hold something.
    filled: usize,
    /// An answer whose payload is still to come, and how much of it.
    unfinished: Option<Answered>,
    payload_left: usize,
    /// Of each request in flight, by its number: how long the payload of its answer is.
    expected: Vec<Option<u32>>,
}

impl Pipeline {
    /// Of a connection on which nothing is in flight; requests have numbers below `requests`.
    pub fn new(client: Client, requests: usize) -> Self {
        Self {
            client,
            unsent: Unsent::default(),
            received: vec![0; RECEIVE_BYTES],
            filled: 0,
            unfinished: None,
            payload_left: 0,
            expected: vec![None; requests],
        }
    }

    /// Sends a request whose number is free; `payload` is that of a write.
    ///
    /// # Errors
    /// `NotConnected`: the connection is over.
    pub fn send(
        &mut self,
        command: Command,
        cookie: u32,
        offset_bytes: u64,
        length_bytes: u32,
        payload: &[u8],
    ) -> io::Result<()> {
        let answer_bytes = if command == Command::Read { length_bytes } else { 0 };
        self.expected[cookie as usize] = Some(answer_bytes);
        let head = header(command, u64::from(cookie), offset_bytes, length_bytes);
        if !self.unsent.is_empty() {
            self.unsent.add(&head);
            self.unsent.add(payload);
            return self.push();
        }
        // Together: a server that is woken by the head would have to be woken again by the payload.
        let sent = self.try_send(&[IoSlice::new(&head), IoSlice::new(payload)])?;
        self.unsent.add(&head[sent.min(head.len())..]);
        self.unsent.add(&payload[sent.saturating_sub(head.len())..]);
        Ok(())
    }

    /// Waits until something was answered or until `until_ns` of the clock; appends what was answered.
    ///
    /// # Errors
    /// `NotConnected`: the connection is over. `InvalidData`: what came is no answer to anything that was asked.
    pub fn wait(&mut self, clock: Clock, until_ns: Option<u64>, answered: &mut Vec<Answered>) -> io::Result<()> {
        let before = answered.len();
        loop {
            self.push()?;
            self.receive(answered)?;
            if answered.len() > before || until_ns.is_some_and(|until_ns| clock.now_ns() >= until_ns) {
                return Ok(());
            }
            let mut interest = PollFlags::IN;
            interest.set(PollFlags::OUT, !self.unsent.is_empty());
            sleep(&self.client.stream.socket, interest, clock, until_ns)?;
        }
    }

    fn push(&mut self) -> io::Result<()> {
        if !self.unsent.is_empty() {
            let sent = self.try_send(&[IoSlice::new(self.unsent.rest())])?;
            self.unsent.took(sent);
        }
        Ok(())
    }

    fn try_send(&self, data: &[IoSlice<'_>]) -> io::Result<usize> {
        match sendmsg(
            &self.client.stream.socket,
            data,
            &mut SendAncillaryBuffer::default(),
            SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
        ) {
            Ok(count) => Ok(count),
            Err(errno) => match errno.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted => Ok(0),
                _ => Err(over(errno.into())),
            },
        }
    }

    /// Takes what is there, without waiting.
    fn receive(&mut self, answered: &mut Vec<Answered>) -> io::Result<()> {
        loop {
            let socket = &self.client.stream.socket;
            let count = match recv(socket, &mut self.received[self.filled..], RecvFlags::DONTWAIT) {
                Ok((0, _)) => return Err(over(ErrorKind::UnexpectedEof.into())),
                Ok((_, count)) => count,
                Err(errno) => match errno.kind() {
                    ErrorKind::WouldBlock | ErrorKind::Interrupted => return Ok(()),
                    _ => return Err(over(errno.into())),
                },
            };
            self.filled += count;
            let full = self.filled == self.received.len();
            self.parse(answered)?;
            if !full {
                return Ok(());
            }
        }
    }

    fn parse(&mut self, answered: &mut Vec<Answered>) -> io::Result<()> {
        let mut at = 0;
        loop {
            let skipped = self.payload_left.min(self.filled - at);
            self.payload_left -= skipped;
            at += skipped;
            if self.payload_left > 0 {
                break;
            }
            answered.extend(self.unfinished.take());
            let Some(head) = self.received[..self.filled].get(at..at + REPLY_BYTES) else {
                break;
            };
            let (answer, payload_bytes) = answer(head, &mut self.expected)?;
            at += REPLY_BYTES;
            self.payload_left = payload_bytes;
            self.unfinished = Some(answer);
        }
        self.received.copy_within(at..self.filled, 0);
        self.filled -= at;
        Ok(())
    }
}

/// What the socket has not taken yet.
#[derive(Default)]
struct Unsent {
    bytes: Vec<u8>,
    /// How many of them it has taken.
    sent: usize,
}

impl Unsent {
    fn is_empty(&self) -> bool {
        self.rest().is_empty()
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.sent..]
    }

    fn add(&mut self, more: &[u8]) {
        self.bytes.extend_from_slice(more);
    }

    /// Forgets what the socket took. Where requests keep coming there may always be a rest: it moves up as soon as it is no more than what
    /// lies before it.
    fn took(&mut self, count: usize) {
        self.sent += count;
        if self.sent >= self.bytes.len() - self.sent {
            self.bytes.drain(..self.sent);
            self.sent = 0;
        }
    }
}

/// What a reply answers, and how much payload follows it.
fn answer(head: &[u8], expected: &mut [Option<u32>]) -> io::Result<(Answered, usize)> {
    let (Some(magic), Some(errno), Some(cookie)) = (be_u32(head), be_u32(&head[4..]), be_u64(&head[8..])) else {
        unreachable!("a reply has room for its fields")
    };
    let wrong = |what| Err(io::Error::new(ErrorKind::InvalidData, what));
    if magic != SIMPLE_MAGIC {
        return wrong("the NBD server sent no simple reply");
    }
    let asked = usize::try_from(cookie).ok().and_then(|cookie| expected.get_mut(cookie));
    let Some(payload_bytes) = asked.and_then(Option::take) else {
        return wrong("the NBD server answered what nobody asked");
    };
    let payload_bytes = if errno == 0 { payload_bytes as usize } else { 0 };
    let answered = Answered {
        cookie: cookie as u32,
        errno,
    };
    Ok((answered, payload_bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reply(cookie: u64, errno: u32) -> Vec<u8> {
        let mut reply = SIMPLE_MAGIC.to_be_bytes().to_vec();
        reply.extend(errno.to_be_bytes());
        reply.extend(cookie.to_be_bytes());
        reply
    }

    #[test]
    fn an_answer_to_nothing_is_refused() {
        for cookie in [0, 2, 3, u64::MAX] {
            let mut expected = vec![None, Some(0), None];
            assert!(answer(&reply(cookie, 0), &mut expected).is_err(), "{cookie}");
        }
        let mut twice = vec![Some(512)];
        assert_eq!(answer(&reply(0, 0), &mut twice).unwrap().1, 512);
        assert!(answer(&reply(0, 0), &mut twice).is_err());
    }

    #[test]
    fn no_payload_follows_an_error() {
        let (answered, payload_bytes) = answer(&reply(0, 5), &mut [Some(4096)]).unwrap();
        assert_eq!((answered.errno, payload_bytes), (5, 0));
    }

    #[test]
    fn what_was_sent_is_forgotten_though_something_is_always_left() {
        let mut unsent = Unsent::default();
        let mut longest = 0;
        for _ in 0..10_000 {
            unsent.add(&[7; 1000]);
            if unsent.rest().len() > 4000 {
                unsent.took(1000);
            }
            longest = longest.max(unsent.bytes.len());
        }
        assert_eq!(unsent.rest().len(), 4000);
        assert!(longest <= 2 * 5000, "{longest}");
    }

    proptest! {
        #[test]
        fn the_rest_is_what_was_added_and_not_taken(steps: Vec<(Vec<u8>, proptest::sample::Index)>) {
            let (mut unsent, mut expected) = (Unsent::default(), Vec::<u8>::new());
            for (more, taken) in steps {
                unsent.add(&more);
                expected.extend(&more);
                let count = taken.index(expected.len() + 1);
                unsent.took(count);
                expected.drain(..count);
                prop_assert_eq!(unsent.rest(), &expected[..]);
            }
        }

        #[test]
        fn any_bytes_are_an_answer_or_refused(head: [u8; REPLY_BYTES], expected: Vec<Option<u32>>) {
            drop(answer(&head, &mut expected.clone()));
        }
    }
}
