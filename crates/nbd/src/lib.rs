//! An NBD server in front of a virtual drive.
//!
//! [`serve`] puts a [`vdrive::VDrive`] behind a unix socket, in real time: fio and every other NBD client see a drive
//! whose commands take as long as the model says. The model decides about time and never sees payload; [`payload::Payload`]
//! keeps the payload, spoils it where the specification says so, and knows no time.
//!
//! A request takes this way, each step a module that can be tested alone:
//!
//! 1. [`connection`] reads the socket (one thread a connection) into a [`session::Session`];
//! 2. the session parses it ([`wire`]) and submits it to the [`export::Export`], which asks the model under a lock when it
//!    will be done, and changes the payload;
//! 3. the reply waits in [`pending::Pending`] until that time;
//! 4. the connection sleeps, and spins for the last microseconds ([`pace`]), then sends everything that is due.
//!
//! No reply leaves before its time. How much later it leaves is counted ([`lateness::Lateness`]) and reported over the
//! control socket ([`control`]), because a real-time run is only as honest as its host is quick.
//!
//! [`client`] is the other end of such a socket, for those who write to an export themselves.
//!
//! A client can break its own connection and nothing else: lengths, queues and the number of connections are limited, and
//! memory follows what was really sent.

pub mod cli;
pub mod client;
pub mod clock;
pub mod connection;
pub mod control;
mod damage;
pub mod export;
pub mod fault;
pub mod file_store;
pub mod input;
pub mod lateness;
pub mod listener;
pub mod medium;
pub mod memory;
pub mod pace;
pub mod payload;
pub mod pending;
pub mod ranges;
pub mod roster;
pub mod server;
pub mod session;
pub mod store;
pub mod target;
pub mod volatile;
pub mod wire;

pub use cli::run_cli;
pub use fault::ServeError;
pub use server::{Lifeline, ServeConfig, serve};
