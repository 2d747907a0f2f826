//! An NBD server in front of a virtual drive.
