//! What several files of tests use.
#![allow(dead_code)] // Each file of tests uses its part.

pub(crate) mod drives;
pub(crate) mod programs;
