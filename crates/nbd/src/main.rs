//! `ssdlab-vdrive`: serves a virtual drive over NBD.

use std::process::ExitCode;

fn main() -> ExitCode {
    nbd::run_cli(std::env::args_os().skip(1).collect())
}
