//! Jupyter notebooks: Markdown and code cell by cell, with the text of what the code has printed.
//! Pictures and other data are left out, and long outputs are cut.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::sheet::Sheet;
use super::{Extracted, Fault};

/// What of one output is worth finding.
const OUTPUT_CHARACTERS: usize = 2_000;

const NO_NOTEBOOK: Fault = Fault::Damaged("it is no notebook in JSON");

/// Only what is shown is kept: pictures and tables of numbers would take many times their size.
#[derive(Debug, Deserialize)]
struct Notebook {
    cells: Option<Vec<Cell>>,
    /// Where cells stood before version 4.
    worksheets: Option<Vec<Worksheet>>,
}

#[derive(Debug, Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Debug, Deserialize)]
struct Cell {
    #[serde(default)]
    source: Lines,
    /// Where code stood before version 4.
    #[serde(default)]
    input: Lines,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Debug, Deserialize)]
struct Output {
    #[serde(default)]
    text: Lines,
    #[serde(default)]
    data: Data,
    #[serde(default)]
    ename: Lines,
    #[serde(default)]
    evalue: Lines,
}

#[derive(Debug, Default, Deserialize)]
struct Data {
    #[serde(default, rename = "text/plain")]
    plain: Lines,
}

pub(super) fn extract(bytes: &[u8], most: usize) -> Result<Extracted, Fault> {
    let notebook: Notebook = serde_json::from_slice(bytes).map_err(|_| NO_NOTEBOOK)?;
    let sheets = notebook.worksheets.into_iter().flatten();
    let older = || sheets.flat_map(|worksheet| worksheet.cells).collect::<Vec<_>>();
    let cells = notebook.cells.unwrap_or_else(older);
    let mut sheet = Sheet::new(most);
    for (cell, number) in cells.iter().zip(1..) {
        sheet.begin_place(&format!("cell {number}"));
        for Lines(source) in [&cell.source, &cell.input] {
            sheet.verbatim(source);
            sheet.end_paragraph();
        }
        for text in cell.outputs.iter().map(shown).filter(|text| !text.trim().is_empty()) {
            sheet.say("Output:");
            sheet.end_line();
            sheet.verbatim(text.trim_matches('\n'));
            sheet.end_paragraph();
        }
    }
    sheet.finish()
}

fn shown(output: &Output) -> String {
    let error = match (output.ename.0.as_str(), output.evalue.0.as_str()) {
        ("", value) => value.to_owned(),
        (name, value) => format!("{name}: {value}"),
    };
    let text = without_colours(&[&output.text.0, &output.data.plain.0, error.as_str()].concat());
    match text.char_indices().nth(OUTPUT_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Terminal colours are part of many outputs.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut parts = text.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |at| at + 1);
        plain.push_str(&part[end..]);
    }
    plain
}

/// Text as one string or as a list of its lines; whatever else stands there says nothing.
#[derive(Debug, Default)]
struct Lines(String);

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LinesVisitor)
    }
}

struct LinesVisitor;

impl<'de> Visitor<'de> for LinesVisitor {
    type Value = Lines;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or lines")
    }

    fn visit_str<E>(self, text: &str) -> Result<Lines, E> {
        Ok(Lines(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Lines, A::Error> {
        let mut lines = String::new();
        while let Some(Lines(line)) = list.next_element()? {
            lines.push_str(&line);
        }
        Ok(Lines(lines))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Lines, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Lines::default())
    }

    fn visit_unit<E>(self) -> Result<Lines, E> {
        Ok(Lines::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Lines, E> {
        Ok(Lines::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Lines, E> {
        Ok(Lines::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Lines, E> {
        Ok(Lines::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Lines, E> {
        Ok(Lines::default())
    }
}
