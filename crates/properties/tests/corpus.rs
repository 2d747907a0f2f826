//! What fuzzing found is read again with every change, so that neither the corpus nor the targets rot.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const FILES_MAX: usize = 200;
const BYTES_MAX: usize = 500_000;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn names(directory: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(fuzz().join(directory)).unwrap();
    let path = entries.map(|entry| entry.unwrap().path());
    path.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(fuzz().join("corpus").join(target)).unwrap();
    entries.map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn every_property_has_a_fuzz_target_and_a_corpus() {
    let properties: BTreeSet<String> = properties::ALL.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names("fuzz_targets"), properties);
    assert_eq!(names("corpus"), properties);
}

#[test]
fn every_property_holds_of_its_corpus() {
    for (name, property) in properties::ALL {
        for input in corpus(name) {
            property(&input);
        }
    }
}

#[test]
fn no_corpus_outgrows_the_repository() {
    for (name, _) in properties::ALL {
        let corpus = corpus(name);
        assert!(
            (1..=FILES_MAX).contains(&corpus.len()),
            "{name}: {} files",
            corpus.len()
        );
        let bytes: usize = corpus.iter().map(Vec::len).sum();
        assert!(bytes <= BYTES_MAX, "{name}: {bytes} bytes");
    }
}
