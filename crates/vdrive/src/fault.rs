//! What is wrong with a Spec's text: every fault at once, each with its line.

use std::fmt;

/// One thing wrong in a Spec.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SpecFault {
    /// Line of the text, from 1.
    pub line: u32,
    /// Dotted path of the key, such as `slc.reserve`; empty for a fault of the whole text.
    pub key: String,
    /// What was found and what would be allowed.
    pub message: String,
}

/// All faults of one Spec, in the order of their lines; never empty.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SpecFaults {
    /// The faults.
    pub faults: Vec<SpecFault>,
}

impl SpecFaults {
    /// Orders the faults by line.
    pub(crate) fn new(mut faults: Vec<SpecFault>) -> Self {
        faults.sort_by(|a, b| (a.line, &a.key).cmp(&(b.line, &b.key)));
        Self { faults }
    }
}

impl fmt::Display for SpecFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n" };
            let colon = if fault.key.is_empty() { "" } else { ": " };
            write!(f, "{newline}line {}: {}{colon}{}", fault.line, fault.key, fault.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecFaults {}
