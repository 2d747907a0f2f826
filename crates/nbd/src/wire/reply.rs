//! Replies of the transmission phase.

use super::{CONTEXT_ID, Errno, Replies};
use crate::store::{Extent, Occupancy};

pub(crate) const SIMPLE_MAGIC: u32 = 0x6744_6698;
const STRUCTURED_MAGIC: u32 = 0x668e_33ef;

const FLAG_DONE: u16 = 1;

const TYPE_NONE: u16 = 0;
const TYPE_OFFSET_DATA: u16 = 1;
const TYPE_BLOCK_STATUS: u16 = 5;
const TYPE_ERROR: u16 = (1 << 15) + 1;

const STATE_HOLE: u32 = 1 << 0;
const STATE_ZERO: u32 = 1 << 1;

/// Success without payload.
pub fn done(target: &mut Vec<u8>, cookie: u64) {
    simple(target, cookie, 0);
}

/// A refusal.
pub fn error(target: &mut Vec<u8>, form: Replies, cookie: u64, errno: Errno) {
    match form {
        Replies::Simple => simple(target, cookie, errno as u32),
        Replies::Structured => {
            chunk(target, cookie, TYPE_ERROR, 6);
            target.extend_from_slice(&(errno as u32).to_be_bytes());
            // No message: the number and the protocol text say all there is to say.
            target.extend_from_slice(&0_u16.to_be_bytes());
        }
    }
}

/// What stands before the payload of a read; the caller appends exactly `length_bytes`.
pub fn read_header(target: &mut Vec<u8>, form: Replies, cookie: u64, offset_bytes: u64, length_bytes: u32) {
    match form {
        Replies::Simple => simple(target, cookie, 0),
        Replies::Structured if length_bytes == 0 => chunk(target, cookie, TYPE_NONE, 0),
        Replies::Structured => {
            chunk(target, cookie, TYPE_OFFSET_DATA, 8 + length_bytes);
            target.extend_from_slice(&offset_bytes.to_be_bytes());
        }
    }
}

/// The extents of a range in the context `base:allocation`.
pub fn block_status(target: &mut Vec<u8>, cookie: u64, extents: &[Extent]) {
    chunk(target, cookie, TYPE_BLOCK_STATUS, 4 + 8 * extents.len() as u32);
    target.extend_from_slice(&CONTEXT_ID.to_be_bytes());
    for extent in extents {
        let state = match extent.occupancy {
            Occupancy::Data => 0,
            Occupancy::Hole => STATE_HOLE | STATE_ZERO,
        };
        // A request spans less than 4 GiB, and so does each of its extents.
        target.extend_from_slice(&(extent.length_bytes as u32).to_be_bytes());
        target.extend_from_slice(&state.to_be_bytes());
    }
}

fn simple(target: &mut Vec<u8>, cookie: u64, errno: u32) {
    target.extend_from_slice(&SIMPLE_MAGIC.to_be_bytes());
    target.extend_from_slice(&errno.to_be_bytes());
    target.extend_from_slice(&cookie.to_be_bytes());
}

/// The header of a chunk that is the only one of its reply.
fn chunk(target: &mut Vec<u8>, cookie: u64, kind: u16, payload_bytes: u32) {
    target.extend_from_slice(&STRUCTURED_MAGIC.to_be_bytes());
    target.extend_from_slice(&FLAG_DONE.to_be_bytes());
    target.extend_from_slice(&kind.to_be_bytes());
    target.extend_from_slice(&cookie.to_be_bytes());
    target.extend_from_slice(&payload_bytes.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const COOKIE: u64 = 0x1122_3344_5566_7788;

    fn encoded(encode: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut target = Vec::new();
        encode(&mut target);
        target
    }

    #[test]
    fn a_simple_reply_has_sixteen_bytes() {
        let expected = [
            0x67, 0x44, 0x66, 0x98, 0, 0, 0, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
        ];
        assert_eq!(encoded(|target| done(target, COOKIE)), expected);
    }

    #[test]
    fn errors_have_the_form_that_was_negotiated() {
        let simple = encoded(|target| error(target, Replies::Simple, COOKIE, Errno::NoSpace));
        assert_eq!(simple[..8], [0x67, 0x44, 0x66, 0x98, 0, 0, 0, 28]);
        let structured = encoded(|target| error(target, Replies::Structured, COOKIE, Errno::Invalid));
        assert_eq!(structured[..8], [0x66, 0x8e, 0x33, 0xef, 0, 1, 0x80, 1]);
        assert_eq!(structured[16..], [0, 0, 0, 6, 0, 0, 0, 22, 0, 0]);
    }

    #[test]
    fn a_structured_read_names_its_offset_and_counts_it_as_payload() {
        let header = encoded(|target| read_header(target, Replies::Structured, COOKIE, 4096, 512));
        assert_eq!(header[4..8], [0, 1, 0, 1]);
        assert_eq!(header[16..], [0, 0, 2, 8, 0, 0, 0, 0, 0, 0, 0x10, 0]);
    }

    #[test]
    fn an_empty_structured_read_has_no_content_chunk() {
        let header = encoded(|target| read_header(target, Replies::Structured, COOKIE, 4096, 0));
        assert_eq!(header[4..8], [0, 1, 0, 0]);
        assert_eq!(header[16..], [0, 0, 0, 0]);
    }

    #[test]
    fn holes_read_as_zeros_and_data_has_no_state() {
        let extents = [
            Extent {
                length_bytes: 4096,
                occupancy: Occupancy::Hole,
            },
            Extent {
                length_bytes: 512,
                occupancy: Occupancy::Data,
            },
        ];
        let reply = encoded(|target| block_status(target, COOKIE, &extents));
        assert_eq!(
            reply[16..],
            [
                0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0x10, 0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0
            ]
        );
    }
}
