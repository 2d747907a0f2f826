//! A served drive from the first to the last moment: sockets, threads, signals.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};
use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};
use vdrive::Spec;

use crate::export::Export;
use crate::fault::ServeError;
use crate::file_store::FileStore;
use crate::listener::Listener;
use crate::medium::Medium;
use crate::pace::SpinPermits;
use crate::roster::{Place, Roster};
use crate::store::Store;
use crate::{connection, control, memory};

/// Most NBD connections at a time: `BootBench` comes with 258, one for each of its jobs. Each can make the server hold about
/// 100 MiB if it tries, 0.5 MiB if it does not.
const CLIENTS_MAX: usize = 288;

/// Most control connections at a time.
const CONTROLLERS_MAX: usize = 8;

/// Pause after a connection could not be accepted, so that a full table of file descriptors does not become a busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct ServeConfig {
    /// The drive.
    pub spec: Spec,
    /// Where NBD clients connect.
    pub socket: PathBuf,
    /// Where the control protocol is spoken, if anywhere; see [`crate::control`].
    pub control: Option<PathBuf>,
    /// A file that keeps the payload; memory if there is none.
    pub store: Option<PathBuf>,
    /// A file in which each command is written down.
    pub record: Option<PathBuf>,
    /// What else ends the server.
    pub lifeline: Lifeline,
}

/// What ends the server besides SIGTERM and SIGINT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifeline {
    /// Nothing.
    None,
    /// The end of standard input: the server ends with the process that holds the other end, even if that is killed.
    Stdin,
}

/// Serves a drive until a signal or the lifeline ends it, then shuts connections down and removes the sockets.
///
/// `ready` is called once, as soon as clients are accepted. Handlers for SIGTERM and SIGINT are installed on top of
/// existing ones, which still run.
///
/// # Errors
/// [`ServeError`], each with a hint. Once `ready` has been called only [`ServeError::Wait`], [`ServeError::Settle`] and
/// [`ServeError::Record`] are possible.
pub fn serve(config: &ServeConfig, ready: impl FnOnce()) -> Result<(), ServeError> {
    let medium = open_medium(config)?;
    let clients = Listener::bind(&config.socket)?;
    let controllers = config.control.as_deref().map(Listener::bind).transpose()?;
    let server = Server::new(config, medium)?;
    let signals = Signals::install()?;
    ready();
    let outcome = server.accept_until_ended(&clients, controllers.as_ref(), &signals, config.lifeline);
    server.clients.dismiss();
    server.controllers.dismiss();
    // An orderly end loses nothing, as a drive that is told before its power goes.
    let settled = server.export.payload().settle().map_err(ServeError::Settle);
    let recorded = server.export.end_recording();
    outcome.and(settled).and(recorded)
}

fn open_medium(config: &ServeConfig) -> Result<Medium, ServeError> {
    let capacity_bytes = config.spec.capacity_bytes();
    if let Some(path) = &config.store {
        return Ok(Medium::File(FileStore::open(path, capacity_bytes)?));
    }
    memory::check(capacity_bytes)?;
    Ok(Medium::Memory(Store::new(capacity_bytes)))
}

struct Server {
    export: Arc<Export>,
    spec: Arc<Spec>,
    permits: Arc<SpinPermits>,
    clients: Arc<Roster>,
    controllers: Arc<Roster>,
}

/// What the accepting thread waits for.
#[derive(Clone, Copy)]
enum Event {
    Client,
    Controller,
    Signal,
    Lifeline,
}

impl Server {
    fn new(config: &ServeConfig, medium: Medium) -> Result<Self, ServeError> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let mut export = Export::with_medium(&config.spec, medium);
        if let Some(path) = &config.record {
            export.record(path, config.spec.name())?;
        }
        Ok(Self {
            export: Arc::new(export),
            spec: Arc::new(config.spec.clone()),
            permits: Arc::new(SpinPermits::for_processors(processors)),
            clients: Roster::new(CLIENTS_MAX),
            controllers: Roster::new(CONTROLLERS_MAX),
        })
    }

    fn accept_until_ended(
        &self,
        clients: &Listener,
        controllers: Option<&Listener>,
        signals: &Signals,
        lifeline: Lifeline,
    ) -> Result<(), ServeError> {
        let stdin = io::stdin();
        let mut sources = vec![
            (Event::Client, clients.socket().as_fd()),
            (Event::Signal, signals.arrived.as_fd()),
        ];
        sources.extend(controllers.map(|controllers| (Event::Controller, controllers.socket().as_fd())));
        if lifeline == Lifeline::Stdin {
            sources.push((Event::Lifeline, stdin.as_fd()));
        }
        loop {
            for event in wait(&sources)? {
                match (event, controllers) {
                    (Event::Signal, _) => return Ok(()),
                    (Event::Lifeline, _) if lifeline_is_cut()? => return Ok(()),
                    (Event::Client, _) => {
                        accept(clients, &self.clients, |socket, place| self.start_client(socket, place));
                    }
                    (Event::Controller, Some(controllers)) => {
                        accept(controllers, &self.controllers, |socket, place| {
                            self.start_controller(socket, place)
                        });
                    }
                    (Event::Lifeline | Event::Controller, _) => {}
                }
            }
        }
    }

    fn start_client(&self, socket: UnixStream, place: Place) -> io::Result<()> {
        let (export, permits) = (Arc::clone(&self.export), Arc::clone(&self.permits));
        let run = move || {
            let _place = place;
            // A fault ends this connection and concerns nobody else; the client sees the socket close.
            let _ = connection::serve(&socket, &export, &permits);
        };
        thread::Builder::new().name("nbd".to_owned()).spawn(run).map(drop)
    }

    fn start_controller(&self, socket: UnixStream, place: Place) -> io::Result<()> {
        let (export, spec, clients) = (
            Arc::clone(&self.export),
            Arc::clone(&self.spec),
            Arc::clone(&self.clients),
        );
        let run = move || {
            let _place = place;
            let subject = control::Subject {
                export: &export,
                spec: &spec,
                clients: &clients,
            };
            // As above.
            let _ = control::serve(&socket, &subject);
        };
        thread::Builder::new().name("control".to_owned()).spawn(run).map(drop)
    }
}

/// Takes one connection. A client that cannot be served finds its socket closed; the server goes on.
fn accept(listener: &Listener, roster: &Arc<Roster>, start: impl FnOnce(UnixStream, Place) -> io::Result<()>) {
    let started = listener.accept().and_then(|socket| {
        let Some(socket) = socket else { return Ok(()) };
        match roster.admit(&socket)? {
            Some(place) => start(socket, place),
            None => Ok(()),
        }
    });
    if started.is_err() {
        thread::sleep(ACCEPT_PAUSE);
    }
}

/// Sleeps until something happens; returns what.
fn wait(sources: &[(Event, BorrowedFd<'_>)]) -> Result<Vec<Event>, ServeError> {
    let mut polled: Vec<_> = sources
        .iter()
        .map(|(_, source)| PollFd::new(source, PollFlags::IN))
        .collect();
    match rustix::event::poll(&mut polled, None) {
        Ok(_) => {}
        Err(rustix::io::Errno::INTR) => return Ok(Vec::new()),
        Err(errno) => return Err(ServeError::Wait(errno.into())),
    }
    let happened = |(polled, source): (&PollFd<'_>, &(Event, _))| (!polled.revents().is_empty()).then_some(source.0);
    Ok(polled.iter().zip(sources).filter_map(happened).collect())
}

/// Reads what came through standard input and forgets it; true at its end.
fn lifeline_is_cut() -> Result<bool, ServeError> {
    match rustix::io::read(io::stdin(), &mut [0_u8; 512]) {
        Ok(count) => Ok(count == 0),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(false),
        Err(errno) => Err(ServeError::Wait(errno.into())),
    }
}

/// SIGTERM and SIGINT as bytes in a socket.
struct Signals {
    arrived: UnixStream,
    registrations: Vec<SigId>,
}

impl Signals {
    fn install() -> Result<Self, ServeError> {
        let (arrived, sender) = UnixStream::pair()?;
        let mut signals = Self {
            arrived,
            registrations: Vec::new(),
        };
        for signal in [SIGTERM, SIGINT] {
            signals
                .registrations
                .push(signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?);
        }
        Ok(signals)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for registration in self.registrations.drain(..) {
            signal_hook::low_level::unregister(registration);
        }
    }
}
