//! One connection on one thread: a socket, a [`Session`] and the waiting between them.

use std::os::unix::net::UnixStream;

use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};

use crate::clock::Clock;
use crate::export::Export;
use crate::pace::{self, DUE_SPIN_NS, IDLE_SPIN_NS, SpinPermits};
use crate::session::Session;
use crate::wire::Violation;

/// Time a client has to agree on the terms; one that only holds a connection loses it.
const HANDSHAKE_NS_MAX: u64 = 10_000_000_000;

/// Why a connection ended other than by the client's wish.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionFault {
    /// The client broke the protocol.
    #[error(transparent)]
    Violation(#[from] Violation),
    /// The client did not finish the handshake.
    #[error("the handshake took longer than 10 s")]
    HandshakeTimeout,
    /// The socket failed.
    #[error("the socket failed: {0}")]
    Socket(#[from] Errno),
}

/// Serves a client until it leaves, breaks the protocol or the socket is shut down.
///
/// # Errors
/// What ended the connection. It ends this connection only.
pub fn serve(socket: &UnixStream, export: &Export, permits: &SpinPermits) -> Result<(), ConnectionFault> {
    pace::drop_timer_slack()?;
    let mut connection = Connection {
        socket,
        export,
        permits,
        clock: export.clock(),
        session: Session::new(export),
    };
    connection.run()
}

struct Connection<'a> {
    socket: &'a UnixStream,
    export: &'a Export,
    permits: &'a SpinPermits,
    clock: Clock,
    session: Session,
}

/// Whether there may be more from this client.
#[derive(PartialEq)]
enum Peer {
    Present,
    Gone,
}

/// Whether the socket took all bytes.
#[derive(Clone, Copy, PartialEq)]
enum Outgoing {
    Clear,
    Blocked,
}

impl Connection<'_> {
    fn run(&mut self) -> Result<(), ConnectionFault> {
        let handshake_end_ns = self.clock.now_ns() + HANDSHAKE_NS_MAX;
        loop {
            self.session.process(self.export)?;
            let was_congested = self.session.is_congested();
            self.session.complete(self.clock.now_ns(), self.export);
            let Some(outgoing) = self.send()? else { return Ok(()) };
            if self.session.is_over() {
                return Ok(());
            }
            if was_congested && !self.session.is_congested() {
                continue;
            }
            let deadline_ns = self.session.is_in_handshake().then_some(handshake_end_ns);
            if deadline_ns.is_some_and(|deadline_ns| self.clock.now_ns() >= deadline_ns) {
                return Err(ConnectionFault::HandshakeTimeout);
            }
            if self.wait(outgoing, deadline_ns)? == Peer::Gone {
                return Ok(());
            }
        }
    }

    /// Hands replies to the socket; `None` if the client no longer listens.
    fn send(&mut self) -> Result<Option<Outgoing>, Errno> {
        while !self.session.unsent().is_empty() {
            match rustix::net::send(
                self.socket,
                self.session.unsent(),
                SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
            ) {
                Ok(count) => self.session.sent(count, self.clock.now_ns(), self.export),
                Err(Errno::AGAIN) => return Ok(Some(Outgoing::Blocked)),
                Err(Errno::INTR) => {}
                Err(Errno::PIPE | Errno::CONNRESET) => return Ok(None),
                Err(errno) => return Err(errno),
            }
        }
        Ok(Some(Outgoing::Clear))
    }

    /// Returns when there are new bytes, a reply is due, the socket takes bytes again or `deadline_ns` has come.
    fn wait(&mut self, outgoing: Outgoing, deadline_ns: Option<u64>) -> Result<Peer, Errno> {
        let mut permit = None;
        let mut spin_end_ns = self.clock.now_ns() + IDLE_SPIN_NS;
        loop {
            if let Some(peer) = self.receive()? {
                return Ok(peer);
            }
            let now_ns = self.clock.now_ns();
            let due_ns = self.session.next_due_ns();
            if [due_ns, deadline_ns]
                .into_iter()
                .flatten()
                .any(|end_ns| end_ns <= now_ns)
            {
                return Ok(Peer::Present);
            }
            let is_near = |due_ns: &u64| due_ns - now_ns <= DUE_SPIN_NS;
            let worth_spinning = now_ns < spin_end_ns || due_ns.as_ref().is_some_and(is_near);
            if outgoing == Outgoing::Clear && worth_spinning {
                permit = permit.or_else(|| self.permits.acquire());
                if permit.is_some() {
                    std::thread::yield_now();
                    continue;
                }
            }
            permit = None;
            // Without a permit a near reply is slept for to the end; a far one gives another chance to spin.
            let wake_ns = due_ns.map(|due_ns| if is_near(&due_ns) { due_ns } else { due_ns - DUE_SPIN_NS });
            let wake_ns = [wake_ns, deadline_ns].into_iter().flatten().min();
            let events = self.sleep(outgoing, wake_ns)?;
            if events.contains(PollFlags::OUT) || (events.contains(PollFlags::HUP) && !self.session.wants_input()) {
                let gone = events.contains(PollFlags::HUP);
                return Ok(if gone { Peer::Gone } else { Peer::Present });
            }
            spin_end_ns = self.clock.now_ns();
        }
    }

    /// Takes what the client has sent; `None` if that is nothing.
    fn receive(&mut self) -> Result<Option<Peer>, Errno> {
        if !self.session.wants_input() {
            return Ok(None);
        }
        match rustix::net::recv(self.socket, self.session.room(), RecvFlags::DONTWAIT) {
            Ok((_, 0)) | Err(Errno::CONNRESET) => Ok(Some(Peer::Gone)),
            Ok((_, count)) => {
                self.session.received(count);
                Ok(Some(Peer::Present))
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    fn sleep(&self, outgoing: Outgoing, wake_ns: Option<u64>) -> Result<PollFlags, Errno> {
        let incoming = if self.session.wants_input() {
            PollFlags::IN
        } else {
            PollFlags::empty()
        };
        let outgoing = if outgoing == Outgoing::Blocked {
            PollFlags::OUT
        } else {
            PollFlags::empty()
        };
        pace::sleep(self.socket, incoming | outgoing, self.clock, wake_ns)
    }
}
