//! Who is connected.

use std::collections::BTreeMap;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the server waits for its threads when it ends.
const FAREWELL: Duration = Duration::from_secs(5);

/// The connections of one listener, at most a fixed number.
#[derive(Debug)]
pub struct Roster {
    guests: Mutex<Guests>,
    left: Condvar,
    guests_max: usize,
}

#[derive(Debug, Default)]
struct Guests {
    sockets: BTreeMap<u64, UnixStream>,
    admitted: u64,
}

/// A place in a [`Roster`], given back when dropped, also by a thread that panics.
#[derive(Debug)]
pub struct Place {
    roster: Arc<Roster>,
    number: u64,
}

impl Roster {
    /// Nobody is connected; at most `guests_max` will be.
    pub fn new(guests_max: usize) -> Arc<Self> {
        Arc::new(Self {
            guests: Mutex::default(),
            left: Condvar::new(),
            guests_max,
        })
    }

    /// A place for a new connection, or `None` if all are taken.
    ///
    /// # Errors
    /// The process has no file descriptor left to remember the socket by.
    pub fn admit(self: &Arc<Self>, socket: &UnixStream) -> io::Result<Option<Place>> {
        let mut guests = self.lock();
        if guests.sockets.len() >= self.guests_max {
            return Ok(None);
        }
        let number = guests.admitted;
        guests.admitted += 1;
        guests.sockets.insert(number, socket.try_clone()?);
        Ok(Some(Place {
            roster: Arc::clone(self),
            number,
        }))
    }

    /// How many are connected.
    pub fn count(&self) -> usize {
        self.lock().sockets.len()
    }

    /// Shuts all connections down and waits until their threads have noticed.
    pub fn dismiss(&self) {
        let guests = self.lock();
        for socket in guests.sockets.values() {
            // The only failure is a client that has gone already.
            let _ = socket.shutdown(Shutdown::Both);
        }
        let present = |guests: &mut Guests| !guests.sockets.is_empty();
        drop(self.left.wait_timeout_while(guests, FAREWELL, present));
    }

    fn lock(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.roster.lock().sockets.remove(&self.number);
        self.roster.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn places_are_limited_and_come_back() {
        let roster = Roster::new(1);
        let (socket, _client) = UnixStream::pair().unwrap();
        let place = roster.admit(&socket).unwrap();
        assert!(place.is_some() && roster.admit(&socket).unwrap().is_none());
        drop(place);
        assert!(roster.admit(&socket).unwrap().is_some());
    }

    #[test]
    fn dismissal_ends_a_blocked_read_and_waits_for_its_thread() {
        let roster = Roster::new(1);
        let (mut socket, _client) = UnixStream::pair().unwrap();
        let place = roster.admit(&socket).unwrap().unwrap();
        let thread = std::thread::spawn(move || {
            let _place = place;
            socket.read(&mut [0]).unwrap()
        });
        roster.dismiss();
        assert_eq!(roster.count(), 0);
        assert_eq!(thread.join().unwrap(), 0);
    }
}
