//! Line numbers of the keys of a TOML document.
//!
//! A reader that validates a parsed document (a suite, a drive specification) knows a fault by its path, such as
//! `step[2].job.bs`. This crate gives the line on which that path stands, so that the fault can name it.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One step of a path into a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Segment {
    /// A key of a table.
    Key(String),
    /// A zero-based position in an array or an array of tables.
    Index(usize),
}

impl fmt::Display for Segment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Key(key) => formatter.write_str(key),
            Segment::Index(index) => write!(formatter, "[{index}]"),
        }
    }
}

/// Why a text is not a TOML document, and where; line and column count from 1, the column in characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseFault {
    /// 1-based line.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
    /// What was found and what is allowed there.
    pub message: String,
}

/// The 1-based line of every key and every array element of a document, in the order of the lines.
///
/// A table's line is the line that first names it; an element of an array of tables stands at its `[[header]]`.
///
/// # Errors
/// The first place at which `text` stops being TOML.
pub fn key_lines(text: &str) -> Result<Vec<(Vec<Segment>, u32)>, ParseFault> {
    let newlines = Newlines::of(text);
    let document = DeTable::parse(text).map_err(|error| newlines.fault(text, &error))?;
    let mut walk = Walk {
        newlines: &newlines,
        path: Vec::new(),
        lines: Vec::new(),
    };
    walk.table(document.get_ref());
    walk.lines.sort_by_key(|(_, line)| *line);
    Ok(walk.lines)
}

struct Walk<'a> {
    newlines: &'a Newlines,
    path: Vec<Segment>,
    lines: Vec<(Vec<Segment>, u32)>,
}

impl Walk<'_> {
    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.enter(
                Segment::Key(key.get_ref().to_string()),
                key.span().start,
                value.get_ref(),
            );
        }
    }

    fn array(&mut self, elements: &[Spanned<DeValue<'_>>]) {
        for (index, element) in elements.iter().enumerate() {
            self.enter(Segment::Index(index), element.span().start, element.get_ref());
        }
    }

    fn enter(&mut self, segment: Segment, offset: usize, value: &DeValue<'_>) {
        self.path.push(segment);
        self.lines.push((self.path.clone(), self.newlines.line_at(offset)));
        match value {
            DeValue::Table(table) => self.table(table),
            DeValue::Array(elements) => self.array(elements),
            _ => {}
        }
        self.path.pop();
    }
}

/// Byte offsets of all line feeds, ascending.
struct Newlines(Vec<usize>);

impl Newlines {
    fn of(text: &str) -> Self {
        Newlines(text.match_indices('\n').map(|(offset, _)| offset).collect())
    }

    fn line_at(&self, offset: usize) -> u32 {
        self.0.partition_point(|&newline| newline < offset) as u32 + 1
    }

    fn fault(&self, text: &str, error: &toml::de::Error) -> ParseFault {
        let offset = error.span().map_or(text.len(), |span| span.start);
        let line = self.line_at(offset);
        let line_start = if line == 1 { 0 } else { self.0[line as usize - 2] + 1 };
        let characters_before = text[line_start..]
            .char_indices()
            .take_while(|(at, _)| line_start + at < offset)
            .count();
        ParseFault {
            line,
            column: characters_before as u32 + 1,
            message: error.message().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rendered(text: &str) -> Vec<String> {
        let path_text = |path: &[Segment]| {
            path.iter()
                .enumerate()
                .fold(String::new(), |text, (position, segment)| {
                    let dot = if position > 0 && matches!(segment, Segment::Key(_)) {
                        "."
                    } else {
                        ""
                    };
                    format!("{text}{dot}{segment}")
                })
        };
        key_lines(text)
            .unwrap()
            .iter()
            .map(|(path, line)| format!("{line} {}", path_text(path)))
            .collect()
    }

    #[test]
    fn every_key_and_array_element_has_its_line() {
        let text = r#"name = "client"

[profile.quick]
time = "1/60"
[[step]]
kind = "purge"
[[step]]
job = { bs = "4KiB",
        qd = [1,
              2] }
"#;
        insta::assert_snapshot!(rendered(text).join("\n"), @r"
        1 name
        3 profile
        3 profile.quick
        4 profile.quick.time
        5 step
        5 step[0]
        6 step[0].kind
        7 step[1]
        8 step[1].job
        8 step[1].job.bs
        9 step[1].job.qd
        9 step[1].job.qd[0]
        10 step[1].job.qd[1]
        ");
    }

    #[test]
    fn dotted_and_quoted_keys_are_split_as_toml_splits_them() {
        insta::assert_snapshot!(rendered("a.b = 1\n\"c.d\".e = 2\n").join("\n"), @r"
        1 a
        1 a.b
        2 c.d
        2 c.d.e
        ");
    }

    #[test]
    fn windows_line_ends_count_once() {
        assert_eq!(rendered("a = 1\r\nb = 2\r\n"), ["1 a", "2 b"]);
    }

    #[test]
    fn a_fault_names_line_and_column_in_characters() {
        let fault = key_lines("ok = 1\n\"é\" = = 2\n").unwrap_err();
        assert_eq!((fault.line, fault.column), (2, 7));
    }

    #[test]
    fn a_key_given_twice_is_a_fault_on_its_second_line() {
        let fault = key_lines("a = 1\nb = 2\na = 3\n").unwrap_err();
        assert_eq!(fault.line, 3);
        assert!(fault.message.contains("duplicate"), "{}", fault.message);
    }

    #[test]
    fn a_text_that_ends_too_early_is_a_fault_on_its_last_line() {
        assert_eq!(key_lines("a = 1\nb = [1, 2").unwrap_err().line, 2);
    }

    proptest! {
        #[test]
        fn any_text_gives_lines_inside_it_or_a_fault_inside_it(text in "(?s)([a-c\\.\\[\\]=\"'\n {},1é]|# )*") {
            let line_count = text.matches('\n').count() as u32 + 1;
            match key_lines(&text) {
                Ok(lines) => prop_assert!(lines.iter().all(|(_, line)| (1..=line_count).contains(line))),
                Err(fault) => prop_assert!((1..=line_count).contains(&fault.line) && fault.column >= 1),
            }
        }

        #[test]
        fn keys_one_a_line_stand_on_their_lines(blanks in prop::collection::vec(0usize..4, 1..20)) {
            let mut lines = Vec::new();
            let mut expected = Vec::new();
            for (number, blank_lines) in blanks.iter().enumerate() {
                lines.extend(std::iter::repeat_n(String::new(), *blank_lines));
                lines.push(format!("key{number} = {number}"));
                expected.push(format!("{} key{number}", lines.len()));
            }
            prop_assert_eq!(rendered(&lines.join("\n")), expected);
        }
    }
}
