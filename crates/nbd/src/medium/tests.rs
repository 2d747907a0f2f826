use super::*;
use crate::fault::ServeError;
use crate::store::Occupancy;
use proptest::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

const CAPACITY: usize = 3 * 65_536 + 1536;

/// A file of our own, gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("ssdlab-store-{}-{number}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn file(scratch: &Scratch) -> Result<Medium, ServeError> {
    FileStore::open(&scratch.0, CAPACITY as u64).map(Medium::File)
}

fn read(medium: &Medium, offset: usize, length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    medium.read_into(&mut bytes, offset as u64, length).unwrap();
    bytes
}

#[test]
fn a_file_is_there_again() {
    let scratch = Scratch::new();
    let medium = file(&scratch).unwrap();
    medium.write(4096, &[7; 512]).unwrap();
    drop(medium);
    assert_eq!(
        read(&file(&scratch).unwrap(), 4096, 1024),
        [[7; 512], [0; 512]].concat()
    );
}

#[test]
fn a_file_belongs_to_one_server_and_one_capacity() {
    let scratch = Scratch::new();
    let medium = file(&scratch).unwrap();
    assert!(matches!(file(&scratch), Err(ServeError::StoreInUse(_))));
    drop(medium);
    let other = FileStore::open(&scratch.0, 512).err().unwrap();
    assert!(matches!(other, ServeError::StoreSize { found_bytes, .. } if found_bytes == CAPACITY as u64));
    let directory = FileStore::open(&std::env::temp_dir(), 512).err().unwrap();
    assert!(matches!(directory, ServeError::Store { .. }));
    let device = FileStore::open("/dev/null".as_ref(), 512).err().unwrap();
    assert!(matches!(device, ServeError::StoreKind(_)));
}

#[derive(Clone, Debug)]
enum Operation {
    Write { offset: usize, length: usize, fill: u8 },
    Zero { offset: usize, length: usize },
    Clear,
}

fn operation() -> impl Strategy<Value = Operation> {
    (0..=CAPACITY, 0..=100_000_usize, 0..9_u8, 0..3_u8).prop_map(|(offset, length, kind, fill)| {
        let length = length.min(CAPACITY - offset);
        match kind {
            0..=4 => Operation::Write { offset, length, fill },
            5..=7 => Operation::Zero { offset, length },
            _ => Operation::Clear,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn file_and_memory_behave_like_a_plain_vector(operations in proptest::collection::vec(operation(), 1..30)) {
        let scratch = Scratch::new();
        let media = [Medium::Memory(Store::new(CAPACITY as u64)), file(&scratch).unwrap()];
        let mut model = vec![0_u8; CAPACITY];
        for operation in operations {
            match operation {
                Operation::Write { offset, length, fill } => {
                    model[offset..offset + length].fill(fill);
                    let data = &model[offset..offset + length];
                    for medium in &media {
medium.write(offset as u64, data).unwrap();
}
                }
                Operation::Zero { offset, length } => {
                    model[offset..offset + length].fill(0);
                    for medium in &media {
medium.zero(offset as u64, length as u64).unwrap();
}
                }
                Operation::Clear => {
                    model.fill(0);
                    for medium in &media {
medium.clear().unwrap();
}
                }
            }
        }
        for medium in &media {
            prop_assert!(read(medium, 0, CAPACITY) == model);
            let mut position = 0;
            for extent in medium.extents(0, CAPACITY as u64, usize::MAX).unwrap() {
                let bytes = &model[position..position + extent.length_bytes as usize];
                let is_zero = bytes.iter().all(|byte| *byte == 0);
                prop_assert!(extent.occupancy == Occupancy::Data || is_zero, "a hole that is none");
                position += bytes.len();
            }
            prop_assert_eq!(position, CAPACITY);
        }
    }
}
