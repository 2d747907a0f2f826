//! Reading typed, bounded values out of a TOML document, collecting every fault on the way instead of stopping at one.

use crate::fault::SpecFault;
use crate::quantity;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::RangeInclusive;
use toml::de::{DeTable, DeValue};

/// A parsed document, the starts of its lines, and the faults found so far.
pub(crate) struct Document<'t> {
    text: &'t str,
    root: DeTable<'t>,
    faults: RefCell<Vec<SpecFault>>,
}

/// One table of the document while its keys are taken.
pub(crate) struct Section<'d, 't> {
    document: &'d Document<'t>,
    path: Cow<'static, str>,
    table: Option<&'d DeTable<'t>>,
    line: u32,
    known: RefCell<Vec<&'static str>>,
}

impl<'t> Document<'t> {
    /// Parses `text`; syntax faults are noted and the rest of the document is still read.
    pub(crate) fn parse(text: &'t str) -> Self {
        let (root, errors) = DeTable::parse_recoverable(text);
        let document = Self {
            text,
            root: root.into_inner(),
            faults: RefCell::new(Vec::new()),
        };
        for error in errors {
            let line = error.span().map_or(1, |span| document.line_at(span.start));
            document.fault(line, "", format!("not TOML: {}", error.message().trim()));
        }
        document
    }

    /// Line, from 1, of a byte offset.
    fn line_at(&self, offset: usize) -> u32 {
        let end = offset.min(self.text.len());
        1 + self.text.as_bytes()[..end].split(|byte| *byte == b'\n').skip(1).count() as u32
    }

    /// Notes a fault.
    pub(crate) fn fault(&self, line: u32, key: &str, message: String) {
        self.faults.borrow_mut().push(SpecFault {
            line,
            key: key.to_owned(),
            message,
        });
    }

    /// Notes a fault at the line of `section.key`, or of the section, or of the text.
    pub(crate) fn fault_at(&self, section: &str, key: &str, message: String) {
        self.fault(self.line_of(section, key), &format!("{section}.{key}"), message);
    }

    fn line_of(&self, section: &str, key: &str) -> u32 {
        let Some((name, value)) = self.root.get_key_value(section) else {
            return 1;
        };
        let inner = value.get_ref().as_table().and_then(|table| table.get_key_value(key));
        self.line_at(inner.map_or(name.span().start, |(inner_name, _)| inner_name.span().start))
    }

    /// The top level as a section.
    pub(crate) fn top(&self) -> Section<'_, 't> {
        Section {
            document: self,
            path: "".into(),
            table: Some(&self.root),
            line: 1,
            known: RefCell::new(Vec::new()),
        }
    }

    /// Whether a section of this name is written down.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.root.contains_key(name)
    }

    /// Opens `[name]`; a missing section reads as an empty one, whose required keys are then faults of line 1.
    pub(crate) fn section(&self, name: &'static str) -> Section<'_, 't> {
        let entry = self.root.get_key_value(name);
        let line = entry.map_or(1, |(key, _)| self.line_at(key.span().start));
        let table = entry.and_then(|(_, value)| value.get_ref().as_table());
        if entry.is_some() && table.is_none() {
            self.fault(line, name, format!("must be a table, written as [{name}]"));
        }
        Section {
            document: self,
            path: name.into(),
            table,
            line,
            known: RefCell::new(Vec::new()),
        }
    }

    /// Opens every `[[name]]`, in the order of the text.
    pub(crate) fn tables(&self, name: &'static str) -> Vec<Section<'_, 't>> {
        let Some((key, value)) = self.root.get_key_value(name) else {
            return Vec::new();
        };
        let Some(elements) = value.get_ref().as_array() else {
            let message = format!("must be a list of tables, each written as [[{name}]]");
            self.fault(self.line_at(key.span().start), name, message);
            return Vec::new();
        };
        let mut sections = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            let (path, line) = (format!("{name}[{index}]"), self.line_at(element.span().start));
            let Some(table) = element.get_ref().as_table() else {
                self.fault(line, &path, format!("must be a table, written as [[{name}]]"));
                continue;
            };
            sections.push(Section {
                document: self,
                path: path.into(),
                table: Some(table),
                line,
                known: RefCell::new(Vec::new()),
            });
        }
        sections
    }

    /// Faults at top level for sections and keys nobody knows.
    pub(crate) fn into_faults(self) -> Vec<SpecFault> {
        self.faults.into_inner()
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }
}

impl<'t> Section<'_, 't> {
    fn key_path(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    fn value(&self, key: &'static str) -> Option<(u32, &DeValue<'t>)> {
        self.known.borrow_mut().push(key);
        let (name, value) = self.table?.get_key_value(key)?;
        Some((self.document.line_at(name.span().start), value.get_ref()))
    }

    fn fault(&self, line: u32, key: &str, message: String) {
        self.document.fault(line, &self.key_path(key), message);
    }

    /// Takes `key`; `convert` says what it is or why not. A missing key without a default is a fault.
    fn take<T>(
        &self,
        key: &'static str,
        default: Option<T>,
        fallback: T,
        convert: impl Fn(&DeValue<'t>) -> Result<T, String>,
    ) -> T {
        match self.value(key) {
            Some((line, value)) => convert(value).unwrap_or_else(|message| {
                self.fault(line, key, message);
                fallback
            }),
            None => default.unwrap_or_else(|| {
                self.fault(self.line, key, "is missing and has no default".to_owned());
                fallback
            }),
        }
    }

    /// Text of any content.
    pub(crate) fn text(&self, key: &'static str) -> String {
        self.take(key, None, String::new(), |value| {
            value
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| format!("must be a string, found {}", shown(value)))
        })
    }

    /// A size such as `"64 KiB"` (a bare integer counts bytes).
    pub(crate) fn bytes(&self, key: &'static str, default: Option<u64>, allowed: RangeInclusive<u64>) -> u64 {
        self.take(key, default, *allowed.start(), |value| {
            let read = value.as_str().map_or_else(|| integer(value), quantity::bytes);
            bounded(read, &allowed, value, quantity::show_bytes, "a size such as \"64 KiB\"")
        })
    }

    /// A time such as `"42us"`, in nanoseconds.
    pub(crate) fn duration_ns(&self, key: &'static str, default: Option<u64>, allowed: RangeInclusive<u64>) -> u64 {
        self.take(key, default, *allowed.start(), |value| {
            let read = value.as_str().and_then(quantity::duration_ns);
            bounded(read, &allowed, value, quantity::show_ns, "a time such as \"42us\"")
        })
    }

    /// A time, or `word` for none at all.
    pub(crate) fn duration_or(
        &self,
        key: &'static str,
        word: &str,
        default: Option<u64>,
        allowed: RangeInclusive<u64>,
    ) -> Option<u64> {
        self.take(key, Some(default), None, |value| {
            if value.as_str() == Some(word) {
                return Ok(None);
            }
            let read = value.as_str().and_then(quantity::duration_ns);
            let wanted = format!("a time such as \"42us\", or \"{word}\"");
            bounded(read, &allowed, value, quantity::show_ns, &wanted).map(Some)
        })
    }

    /// One to four times.
    pub(crate) fn durations_ns(&self, key: &'static str, allowed: RangeInclusive<u64>) -> Vec<u64> {
        self.take(key, None, vec![*allowed.start()], |value| {
            let wanted = "a list of one to four times such as [\"42us\", \"48us\"]";
            let list = value.as_array().filter(|list| (1..=4).contains(&list.len()));
            let list = list.ok_or_else(|| format!("must be {wanted}, found {}", shown(value)))?;
            list.iter()
                .map(|item| {
                    let read = item.get_ref().as_str().and_then(quantity::duration_ns);
                    bounded(read, &allowed, item.get_ref(), quantity::show_ns, wanted)
                })
                .collect()
        })
    }

    /// A rate such as `"2.4 GB/s"` in nanoseconds a byte; `"unlimited"` is 0.
    pub(crate) fn ns_per_byte(&self, key: &'static str, default: Option<f64>) -> f64 {
        self.take(key, default, 0.0, |value| {
            if value.as_str() == Some("unlimited") {
                return Ok(0.0);
            }
            let rate = value
                .as_str()
                .and_then(quantity::bytes_per_s)
                .filter(|rate| (1e3..=1e12).contains(rate));
            let wanted = "must be a rate such as \"2.4 GB/s\" (1 kB/s to 1 TB/s), or \"unlimited\"";
            rate.map(|rate| 1e9 / rate)
                .ok_or_else(|| format!("{wanted}, found {}", shown(value)))
        })
    }

    /// A whole number.
    pub(crate) fn count(&self, key: &'static str, default: Option<u64>, allowed: RangeInclusive<u64>) -> u64 {
        self.take(key, default, *allowed.start(), |value| {
            bounded(
                integer(value),
                &allowed,
                value,
                |number| number.to_string(),
                "a whole number",
            )
        })
    }

    /// A number with or without a fraction.
    pub(crate) fn number(&self, key: &'static str, default: Option<f64>, allowed: RangeInclusive<f64>) -> f64 {
        self.take(key, default, *allowed.start(), |value| {
            let read = value
                .as_float()
                .and_then(|float| float.as_str().replace('_', "").parse().ok());
            let read: Option<f64> = read.or_else(|| integer(value).map(|number| number as f64));
            read.filter(|number| allowed.contains(number)).ok_or_else(|| {
                format!(
                    "must be a number from {} to {}, found {}",
                    allowed.start(),
                    allowed.end(),
                    shown(value)
                )
            })
        })
    }

    /// One of a closed set of words.
    pub(crate) fn word<T: Copy>(&self, key: &'static str, default: Option<T>, words: &[(&str, T)]) -> T {
        self.take(key, default, words[0].1, |value| one_of(value, words))
    }

    /// One of a closed set of words; none if it is missing or another, which is noted.
    pub(crate) fn choice<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let options: Vec<(&str, Option<T>)> = words.iter().map(|(word, meaning)| (*word, Some(*meaning))).collect();
        self.take(key, None, None, |value| one_of(value, &options))
    }

    /// Notes what is wrong with a key that was read: with what else was found, it cannot be.
    pub(crate) fn refuse(&self, key: &str, message: String) {
        let entry = self.table.and_then(|table| table.get_key_value(key));
        let line = entry.map_or(self.line, |(name, _)| self.document.line_at(name.span().start));
        self.fault(line, key, message);
    }

    /// Notes every key that nothing took, with the nearest that exists.
    pub(crate) fn finish(self, sections: &[&'static str]) {
        let mut known = self.known.borrow().clone();
        known.extend_from_slice(sections);
        let Some(table) = self.table else { return };
        for (name, _) in table
            .iter()
            .filter(|(name, _)| !known.contains(&name.get_ref().as_ref()))
        {
            let line = self.document.line_at(name.span().start);
            self.fault(line, name.get_ref(), unknown(name.get_ref(), &known));
        }
    }
}

fn unknown(name: &str, known: &[&'static str]) -> String {
    let nearest = known.iter().min_by_key(|candidate| distance(name, candidate));
    match nearest {
        Some(candidate) if distance(name, candidate) <= 2 + name.len() / 4 => {
            format!("no such key; did you mean `{candidate}`?")
        }
        _ => format!("no such key; allowed here: {}", known.join(", ")),
    }
}

fn one_of<T: Copy>(value: &DeValue<'_>, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(word, _)| value.as_str() == Some(*word));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let allowed: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        format!("must be one of {}, found {}", allowed.join(", "), shown(value))
    })
}

fn integer(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    u64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok()
}

fn bounded(
    read: Option<u64>,
    allowed: &RangeInclusive<u64>,
    value: &DeValue<'_>,
    show: impl Fn(u64) -> String,
    wanted: &str,
) -> Result<u64, String> {
    read.filter(|number| allowed.contains(number)).ok_or_else(|| {
        let (low, high) = (show(*allowed.start()), show(*allowed.end()));
        format!("must be {wanted} from {low} to {high}, found {}", shown(value))
    })
}

fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        other => format!("a {}", other.type_str()),
    }
}

/// Levenshtein's edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b_chars: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b_chars.len()).collect();
    for (i, a_char) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b_char) in b_chars.iter().enumerate() {
            let substituted = diagonal + usize::from(a_char != *b_char);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b_chars.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn edit_distance() {
        assert_eq!(distance("reserve", "reserve"), 0);
        assert_eq!(distance("resreve", "reserve"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
