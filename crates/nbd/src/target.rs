//! `SPEC[?capacity=8GiB&seed=1]`: which drive, how large, which seed.

use std::fs;
use std::path::Path;

use vdrive::{Spec, SpecFaults};

/// Why a target names no drive.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TargetError {
    #[error("there is no built-in specification {0:?} and no file of that name")]
    UnknownSpec(String),
    #[error("cannot read {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error("{origin}: {faults}")]
    Faults { origin: String, faults: SpecFaults },
    #[error("{found:?} is no option of a drive")]
    UnknownOption { found: String },
    #[error("{option}={found:?} is no {expected}")]
    OptionValue {
        option: &'static str,
        found: String,
        expected: &'static str,
    },
}

impl TargetError {
    /// What would be allowed.
    pub fn hint(&self) -> String {
        match self {
            Self::UnknownSpec(_) => {
                format!(
                    "give the path of a TOML file or one of {}",
                    Spec::BUILTIN_NAMES.join(", ")
                )
            }
            Self::Unreadable { .. } => "the file must exist, be readable and hold UTF-8 text".to_owned(),
            Self::Faults { .. } => "mend every line that is named".to_owned(),
            Self::UnknownOption { .. } => "allowed are capacity=SIZE and seed=NUMBER, joined by &".to_owned(),
            Self::OptionValue { .. } => "for example SPEC?capacity=8GiB&seed=1".to_owned(),
        }
    }
}

/// What stands behind the question mark.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    capacity_bytes: Option<u64>,
    seed: Option<u64>,
}

/// The specification that a target names.
///
/// # Errors
/// [`TargetError`], with all faults of a specification at once.
pub fn resolve(target: &str) -> Result<Spec, TargetError> {
    let (name, options) = target.rsplit_once('?').unwrap_or((target, ""));
    let options = parse_options(options)?;
    let faulty = |faults| TargetError::Faults {
        origin: name.to_owned(),
        faults,
    };
    let mut spec = match Spec::builtin_text(name) {
        Some(text) => Spec::parse(text).map_err(faulty)?,
        None => Spec::parse(&read(name)?).map_err(faulty)?,
    };
    if let Some(capacity_bytes) = options.capacity_bytes {
        spec = spec.rescaled(capacity_bytes).map_err(faulty)?;
    }
    Ok(options.seed.map_or(spec.clone(), |seed| spec.with_seed(seed)))
}

fn read(path: &str) -> Result<String, TargetError> {
    if !Path::new(path).exists() {
        return Err(TargetError::UnknownSpec(path.to_owned()));
    }
    fs::read_to_string(path).map_err(|source| TargetError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

fn parse_options(text: &str) -> Result<Options, TargetError> {
    let mut options = Options::default();
    for option in text.split('&').filter(|option| !option.is_empty()) {
        let wrong = |option, found: &str, expected| TargetError::OptionValue {
            option,
            found: found.into(),
            expected,
        };
        match option.split_once('=') {
            Some(("capacity", found)) => {
                let capacity_bytes = vdrive::parse_bytes(found);
                options.capacity_bytes =
                    Some(capacity_bytes.ok_or_else(|| wrong("capacity", found, "size like 8GiB or 512 MiB"))?);
            }
            Some(("seed", found)) => {
                options.seed = Some(
                    found
                        .parse()
                        .map_err(|_| wrong("seed", found, "whole number from 0 to 2^64-1"))?,
                );
            }
            _ => {
                return Err(TargetError::UnknownOption {
                    found: option.to_owned(),
                });
            }
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_the_built_in_drive() {
        let spec = resolve("zero").unwrap();
        assert_eq!((spec.name(), spec.capacity_bytes()), ("zero", 1 << 30));
    }

    #[test]
    fn options_change_size_and_seed() {
        let spec = resolve("demo?capacity=1GiB&seed=7").unwrap();
        assert_eq!((spec.capacity_bytes(), spec.seed()), (1 << 30, 7));
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let error = resolve("demoo").unwrap_err();
        assert!(matches!(error, TargetError::UnknownSpec(_)));
        assert!(error.hint().contains("demo"));
    }

    #[test]
    fn wrong_options_say_what_would_be_right() {
        assert!(matches!(
            parse_options("size=1GiB"),
            Err(TargetError::UnknownOption { .. })
        ));
        assert!(matches!(
            parse_options("capacity=many"),
            Err(TargetError::OptionValue { option: "capacity", .. })
        ));
        assert!(matches!(
            parse_options("capacity=1GiB&seed=-1"),
            Err(TargetError::OptionValue { option: "seed", .. })
        ));
    }
}
