//! Line numbers of the keys of a TOML document.
