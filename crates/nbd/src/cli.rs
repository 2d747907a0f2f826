//! The command `ssdlab-vdrive`.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::fault::ServeError;
use crate::server::{Lifeline, ServeConfig, serve};
use crate::target::{self, TargetError};

const USAGE: &str = "\
usage: ssdlab-vdrive --socket PATH [--control PATH] [--store FILE] [--record FILE] [--lifeline] SPEC[?capacity=SIZE&seed=NUMBER]

Serves a virtual drive over NBD until SIGTERM or SIGINT.

  SPEC             name of a built-in specification, or path of a TOML file
  --socket PATH    unix socket for NBD clients
  --control PATH   unix socket for JSON requests such as {\"do\":\"truth\"}
  --store FILE     keep what is written in a file; without it, it is in memory and gone at the end
  --record FILE    write down each command, for `ssdlab trace import`
  --lifeline       end when standard input ends
  --help           print this text
";

/// Exit status for what the user can mend by other input.
const STATUS_INPUT: u8 = 1;

/// Exit status for a command line that makes no sense.
const STATUS_USAGE: u8 = 2;

#[derive(Debug, PartialEq, Eq)]
enum Invocation {
    Help,
    Serve {
        target: String,
        socket: PathBuf,
        control: Option<PathBuf>,
        store: Option<PathBuf>,
        record: Option<PathBuf>,
        lifeline: Lifeline,
    },
}

/// A command line that makes no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum UsageError {
    #[error("unknown option {0:?}")]
    UnknownOption(OsString),
    #[error("{0} needs a path")]
    MissingPath(&'static str),
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0:?} is one argument too many")]
    Surplus(OsString),
    #[error("{0:?} is not UTF-8")]
    NotUnicode(OsString),
}

/// Runs the command with its arguments (without the program's name). Prints `ready URI` on standard output once clients
/// are accepted, and errors with a hint on standard error.
///
/// Returns when the server has ended: success after a signal or the end of the lifeline, 1 if the drive cannot be served,
/// 2 if the arguments make no sense.
pub fn run_cli(arguments: Vec<OsString>) -> ExitCode {
    ExitCode::from(run(arguments))
}

/// As [`run_cli`], with the exit status as a number.
pub fn run(arguments: Vec<OsString>) -> u8 {
    match parse(arguments) {
        Ok(Invocation::Help) => print(io::stdout(), USAGE),
        Ok(Invocation::Serve {
            target,
            socket,
            control,
            store,
            record,
            lifeline,
        }) => match target::resolve(&target) {
            Ok(spec) => run_server(&ServeConfig {
                spec,
                socket,
                control,
                store,
                record,
                lifeline,
            }),
            Err(error) => fail_target(&error),
        },
        Err(error) => {
            report(&error.to_string(), "see --help");
            STATUS_USAGE
        }
    }
}

fn run_server(config: &ServeConfig) -> u8 {
    let ready_line = format!("ready {}\n", nbd_uri(&config.socket));
    let ready = || {
        // A parent that does not read the line can still find the socket.
        let _ = print(io::stdout(), &ready_line);
    };
    match serve(config, ready) {
        Ok(()) => 0,
        Err(error) => fail_serve(&error),
    }
}

fn fail_target(error: &TargetError) -> u8 {
    report(&error.to_string(), &error.hint());
    STATUS_INPUT
}

fn fail_serve(error: &ServeError) -> u8 {
    report(&error.to_string(), &error.hint());
    STATUS_INPUT
}

fn report(error: &str, hint: &str) {
    print(io::stderr(), &format!("error: {error}\nhint: {hint}\n"));
}

/// Writes and flushes; a reader that has gone is an input error like any other.
fn print(mut stream: impl io::Write, text: &str) -> u8 {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Ok(()) => 0,
        Err(_) => STATUS_INPUT,
    }
}

fn parse(arguments: Vec<OsString>) -> Result<Invocation, UsageError> {
    let (mut target, mut socket, mut control, mut store, mut record) = (None, None, None, None, None);
    let mut lifeline = Lifeline::None;
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let mut path = |option| {
            arguments
                .next()
                .map(PathBuf::from)
                .ok_or(UsageError::MissingPath(option))
        };
        match argument.as_bytes() {
            b"--help" | b"-h" => return Ok(Invocation::Help),
            b"--socket" => socket = Some(path("--socket")?),
            b"--control" => control = Some(path("--control")?),
            b"--store" => store = Some(path("--store")?),
            b"--record" => record = Some(path("--record")?),
            b"--lifeline" => lifeline = Lifeline::Stdin,
            other if other.starts_with(b"-") => return Err(UsageError::UnknownOption(argument)),
            _ if target.is_some() => return Err(UsageError::Surplus(argument)),
            _ => target = Some(argument.into_string().map_err(UsageError::NotUnicode)?),
        }
    }
    let target = target.ok_or(UsageError::Missing("SPEC"))?;
    let socket = socket.ok_or(UsageError::Missing("--socket"))?;
    Ok(Invocation::Serve {
        target,
        socket,
        control,
        store,
        record,
        lifeline,
    })
}

/// The URI under which libnbd and its users reach a socket.
pub fn nbd_uri(socket: &Path) -> String {
    let absolute = std::path::absolute(socket).unwrap_or_else(|_| socket.to_owned());
    let mut uri = "nbd+unix:///?socket=".to_owned();
    for &byte in absolute.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(byte.into());
        } else {
            // Writing to a string cannot fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Invocation, UsageError> {
        parse(arguments.iter().map(OsString::from).collect())
    }

    #[test]
    fn all_options_are_understood_in_any_order() {
        let expected = Invocation::Serve {
            target: "demo?seed=1".to_owned(),
            socket: PathBuf::from("s"),
            control: Some(PathBuf::from("c")),
            store: Some(PathBuf::from("f")),
            record: Some(PathBuf::from("r")),
            lifeline: Lifeline::Stdin,
        };
        assert_eq!(
            parsed(&[
                "--lifeline",
                "--control",
                "c",
                "demo?seed=1",
                "--store",
                "f",
                "--record",
                "r",
                "--socket",
                "s"
            ]),
            Ok(expected)
        );
    }

    #[test]
    fn a_wrong_command_line_names_what_is_wrong() {
        assert_eq!(parsed(&["demo"]), Err(UsageError::Missing("--socket")));
        assert_eq!(parsed(&["--socket", "s"]), Err(UsageError::Missing("SPEC")));
        assert_eq!(parsed(&["demo", "--socket"]), Err(UsageError::MissingPath("--socket")));
        assert_eq!(
            parsed(&["demo", "zero", "--socket", "s"]),
            Err(UsageError::Surplus("zero".into()))
        );
        assert_eq!(parsed(&["--fast"]), Err(UsageError::UnknownOption("--fast".into())));
    }

    #[test]
    fn paths_are_escaped_in_the_uri() {
        assert_eq!(
            nbd_uri(Path::new("/run/a b&c/ü")),
            "nbd+unix:///?socket=/run/a%20b%26c/%C3%BC"
        );
    }

    #[test]
    fn status_tells_usage_from_input() {
        assert_eq!(run(vec![]), STATUS_USAGE);
        assert_eq!(
            run(vec!["--socket".into(), "s".into(), "no-such-drive".into()]),
            STATUS_INPUT
        );
    }
}
