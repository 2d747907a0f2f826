//! The virtual drive.
