//! Records of a fixed length, of which a file may end in the midst.

use std::io::{ErrorKind, Read};

use crate::fault::{Problem, TraceError};

/// Takes as many bytes as there are, and says how many.
pub(super) fn filled(source: &mut impl Read, room: &mut [u8]) -> Result<usize, TraceError> {
    let mut taken = 0;
    while taken < room.len() {
        match source.read(&mut room[taken..]) {
            Ok(0) => break,
            Ok(read) => taken += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(taken)
}

/// The next record; `None` at the end of the file, and of one that is cut off what `cut_off` makes of it.
pub(super) fn whole<const BYTES: usize>(
    source: &mut impl Read,
    cut_off: impl FnOnce(Problem) -> TraceError,
) -> Result<Option<[u8; BYTES]>, TraceError> {
    let mut bytes = [0; BYTES];
    match filled(source, &mut bytes)? {
        0 => Ok(None),
        taken if taken == BYTES => Ok(Some(bytes)),
        _ => Err(cut_off(Problem::CutOff)),
    }
}
