//! Files packed with gzip or Zstandard, as what is in them.

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::mem;

use flate2::bufread::GzDecoder;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Of a frame of Zstandard that is to be passed over, after a first byte of 0x50 to 0x5f (RFC 8878, 3.1.2); programs that pack in
/// parallel begin with one.
const SKIPPED: &[u8] = &[0x2a, 0x4d, 0x18];

fn is_zstandard(beginning: &[u8]) -> bool {
    let skipped = beginning.first().is_some_and(|first| first & 0xf0 == 0x50) && beginning[1..].starts_with(SKIPPED);
    skipped || beginning.starts_with(ZSTD)
}

/// Whether a file that begins so is packed with gzip or Zstandard; four bytes are enough.
pub fn is_compressed(beginning: &[u8]) -> bool {
    beginning.starts_with(GZIP) || is_zstandard(beginning)
}

/// The content of a reader, decompressed if its first bytes say that it is compressed.
pub(super) fn decompressed<'a>(mut reader: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut magic = Vec::new();
    reader.by_ref().take(ZSTD.len() as u64).read_to_end(&mut magic)?;
    let whole = Cursor::new(magic.clone()).chain(reader);
    Ok(if magic.starts_with(GZIP) {
        Box::new(GzipMembers::Within(GzDecoder::new(BufReader::with_capacity(
            1 << 16,
            whole,
        ))))
    } else if is_zstandard(&magic) {
        Box::new(zstd::Decoder::new(whole)?)
    } else {
        Box::new(whole)
    })
}

/// What stands after the last member of a gzip file is no member, and not the zeros that tapes are filled up with.
///
/// What was unpacked before is whole: gzip(1) takes it, with a warning.
#[derive(Clone, Copy, Debug)]
pub struct Followed;

impl fmt::Display for Followed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("bytes that are no gzip stand after the packed data")
    }
}

impl std::error::Error for Followed {}

/// All members of a gzip file after each other (RFC 1952, 2.2).
enum GzipMembers<R> {
    Within(GzDecoder<R>),
    /// After a member, and perhaps some of the zeros that fill up the rest.
    After {
        reader: R,
        zeros: Zeros,
    },
    Followed,
    Over,
}

#[derive(Clone, Copy, PartialEq)]
enum Zeros {
    None,
    Some,
}

impl<R: BufRead> GzipMembers<R> {
    /// Turns to what stands after a member; after an error it can be asked again.
    fn pass_on(&mut self) -> io::Result<()> {
        let GzipMembers::After { reader, zeros } = self else {
            return Ok(());
        };
        let next = reader.fill_buf()?;
        let (left, blank) = (next.len(), next.iter().take_while(|&&byte| byte == 0).count());
        let is_member = next.first() == Some(&GZIP[0]) && *zeros == Zeros::None;
        reader.consume(blank);
        if blank > 0 {
            *zeros = Zeros::Some;
        }
        if left == 0 {
            *self = GzipMembers::Over;
        } else if is_member {
            if let GzipMembers::After { reader, .. } = mem::replace(self, GzipMembers::Over) {
                *self = GzipMembers::Within(GzDecoder::new(reader));
            }
        } else if blank < left {
            *self = GzipMembers::Followed;
        }
        Ok(())
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self {
                GzipMembers::Within(member) => {
                    let read = member.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        return Ok(read);
                    }
                    if let GzipMembers::Within(member) = mem::replace(self, GzipMembers::Over) {
                        let reader = member.into_inner();
                        *self = GzipMembers::After {
                            reader,
                            zeros: Zeros::None,
                        };
                    }
                }
                GzipMembers::After { .. } => self.pass_on()?,
                GzipMembers::Followed => return Err(io::Error::new(io::ErrorKind::InvalidData, Followed)),
                GzipMembers::Over => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(content).unwrap();
        packed.finish().unwrap()
    }

    fn unpacked(packed: &[u8]) -> (Vec<u8>, io::Result<()>) {
        let mut content = Vec::new();
        let ended = decompressed(Cursor::new(packed.to_vec()))
            .and_then(|mut reader| reader.read_to_end(&mut content))
            .map(|_| ());
        (content, ended)
    }

    #[test]
    fn members_of_gzip_are_read_after_each_other_and_zeros_at_the_end_passed_over() {
        for padding in [0, 1, 70_000] {
            let packed = [gzip(b"one "), gzip(b""), gzip(b"two"), vec![0; padding]].concat();
            let (content, ended) = unpacked(&packed);
            assert_eq!(
                (content.as_slice(), ended.is_ok()),
                (b"one two".as_slice(), true),
                "{padding} zeros"
            );
        }
    }

    #[test]
    fn what_follows_the_packed_data_is_told_from_data_that_are_cut_off() {
        for tail in [
            b"x".as_slice(),
            b"a longer tail than a header of gzip",
            &[0, 0, 7],
            &[vec![0; 70_000], b"x".to_vec()].concat(),
        ] {
            let (content, ended) = unpacked(&[gzip(b"all of it"), tail.to_vec()].concat());
            assert_eq!(content, b"all of it");
            let error = ended.unwrap_err();
            assert!(
                matches!(error.get_ref(), Some(inner) if inner.is::<Followed>()),
                "{tail:?}"
            );
        }
        let whole = gzip(b"all of it");
        let (_, ended) = unpacked(&whole[..whole.len() - 3]);
        assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn frames_of_zstandard_that_are_to_be_passed_over_are() {
        let packed = zstd::encode_all(b"content".as_slice(), 1).unwrap();
        for first in [0x50, 0x5f] {
            let skipped = [&[first, 0x2a, 0x4d, 0x18, 4, 0, 0, 0], b"pzst".as_slice()].concat();
            let (content, ended) = unpacked(&[skipped.clone(), packed.clone(), skipped, packed.clone()].concat());
            assert_eq!(
                (content.as_slice(), ended.is_ok()),
                (b"contentcontent".as_slice(), true)
            );
        }
    }
}
