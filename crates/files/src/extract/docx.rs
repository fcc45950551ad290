//! Word documents: paragraphs, headings as sections, lists, tables row by row, notes at the end.
//! What is deleted but still tracked, hidden or said twice for older programs is not shown.

use std::collections::{HashMap, HashSet};

use super::archive::Archive;
use super::budget::Budget;
use super::sheet::Sheet;
use super::xml::{self, Passed, Step};
use super::{Extracted, Fault};

/// Deleted or moved-away text, how it once looked, and the second telling of what newer programs
/// draw themselves.
const PASSED: &[&str] = &["del", "moveFrom", "pPrChange", "rPrChange", "Fallback"];

pub(super) fn extract(bytes: &[u8], most: usize, budget: &Budget) -> Result<Extracted, Fault> {
    let mut archive = Archive::open(bytes, budget)?;
    let main = main_part(&archive);
    let document = archive.main_part(&main)?;
    let styles = match archive.part("word/styles.xml")? {
        Some(styles) => Styles::read(&styles)?,
        None => Styles::default(),
    };
    let mut body = Body { styles, ..Body::new(most) };
    xml::walk(&document, |step| body.visit(&step))?;
    body.flush();
    for (name, label) in [("word/footnotes.xml", "footnotes"), ("word/endnotes.xml", "endnotes")] {
        if let Some(notes) = archive.part(name)? {
            body.notes(&notes, label)?;
        }
    }
    body.sheet.finish()
}

/// Some programs number the main part.
fn main_part(archive: &Archive<'_>) -> String {
    let is_main = |name: &&String| name.starts_with("word/document") && name.ends_with(".xml");
    let names = archive.names();
    names.iter().find(is_main).cloned().unwrap_or_else(|| "word/document.xml".to_owned())
}

/// The styles that make a paragraph a heading, with its level, or an item of a list.
#[derive(Debug, Default)]
struct Styles {
    levels: HashMap<String, u8>,
    items: HashSet<String>,
}

impl Styles {
    fn read(styles: &[u8]) -> Result<Self, Fault> {
        let mut levels = HashMap::new();
        let mut items = HashSet::new();
        let mut style = String::new();
        xml::walk(styles, |step| {
            let Step::Open(element) = step else { return };
            match element.name.as_str() {
                "style" => {
                    style = element.attribute("styleId").unwrap_or_default().to_owned();
                }
                "name" => {
                    let name = element.attribute("val").unwrap_or_default().to_lowercase();
                    let level = match name.strip_prefix("heading ") {
                        Some(level) => level.parse().ok(),
                        None => (name == "title").then_some(1),
                    };
                    if let Some(level) = level {
                        levels.insert(style.clone(), level);
                    }
                }
                "outlineLvl" => {
                    let level = element.number("val", 9);
                    if level < 9 && !style.is_empty() {
                        levels.entry(style.clone()).or_insert(level as u8 + 1);
                    }
                }
                "numPr" => {
                    items.insert(style.clone());
                }
                _ => {}
            }
        })?;
        Ok(Self { levels, items })
    }
}

/// The paragraph under way and where it stands.
#[derive(Debug)]
struct Body {
    sheet: Sheet,
    styles: Styles,
    passed: Passed,
    paragraph: String,
    heading: Option<u8>,
    /// The depth of the list item that the paragraph is, from 0.
    item: Option<usize>,
    cells: usize,
    in_text: bool,
    is_hidden: bool,
    in_note: bool,
}

impl Body {
    fn new(most: usize) -> Self {
        Self {
            sheet: Sheet::new(most),
            styles: Styles::default(),
            passed: Passed::default(),
            paragraph: String::new(),
            heading: None,
            item: None,
            cells: 0,
            in_text: false,
            is_hidden: false,
            in_note: false,
        }
    }

    fn visit(&mut self, step: &Step<'_>) {
        if self.passed.over(step, PASSED) || self.sheet.is_full() {
            return;
        }
        match step {
            Step::Text(text) => {
                if self.in_text && !self.is_hidden {
                    self.paragraph.push_str(text);
                }
            }
            Step::Open(element) => match element.name.as_str() {
                "p" => {
                    self.flush();
                    self.heading = None;
                    self.item = None;
                }
                "t" => self.in_text = true,
                "r" => self.is_hidden = false,
                "vanish" => {
                    let value = element.attribute("val");
                    self.is_hidden = !matches!(value, Some("0" | "false"));
                }
                "pStyle" => {
                    let style = element.attribute("val").unwrap_or_default();
                    self.heading = self.styles.levels.get(style).copied();
                    self.item = self.styles.items.contains(style).then_some(0);
                }
                "outlineLvl" => {
                    let level = element.number("val", 9);
                    self.heading = if level < 9 { Some(level as u8 + 1) } else { None };
                }
                "numPr" => self.item = Some(0),
                "ilvl" => self.item = self.item.map(|_| element.number("val", 0).min(8)),
                "tab" | "ptab" => self.paragraph.push(' '),
                "br" | "cr" => self.paragraph.push('\n'),
                "noBreakHyphen" => self.paragraph.push('-'),
                "footnoteReference" | "endnoteReference" => {
                    let id = element.attribute("id").unwrap_or_default();
                    self.paragraph.push_str(&format!("[^{id}]"));
                }
                "tr" => self.sheet.end_line(),
                "tc" => {
                    self.cells += 1;
                    self.sheet.begin_cell();
                }
                _ => {}
            },
            Step::Close(name) => match *name {
                "t" => self.in_text = false,
                "p" => self.flush(),
                "tc" => self.cells = self.cells.saturating_sub(1),
                "tbl" => self.sheet.end_paragraph(),
                _ => {}
            },
        }
    }

    /// Writes the paragraph under way as what it is.
    fn flush(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        if paragraph.trim().is_empty() {
            return;
        }
        let heading = self.heading.take();
        let item = self.item.take();
        if self.cells > 0 {
            self.sheet.say(&paragraph);
            return self.sheet.end_word();
        }
        match (heading, item) {
            (Some(level), _) => return self.sheet.heading(level, &paragraph),
            (None, Some(depth)) => self.sheet.begin_item(format!("{}- ", "  ".repeat(depth))),
            (None, None) if self.in_note => {}
            (None, None) => self.sheet.end_paragraph(),
        }
        for line in paragraph.split('\n') {
            self.sheet.say(line);
            self.sheet.end_line();
        }
        if item.is_none() && !self.in_note {
            self.sheet.end_paragraph();
        }
    }

    /// Notes as lines of a place of their own, each with its mark.
    fn notes(&mut self, notes: &[u8], label: &str) -> Result<(), Fault> {
        self.sheet.begin_place(label);
        self.in_note = true;
        xml::walk(notes, |step| {
            if let Step::Open(element) = &step
                && matches!(element.name.as_str(), "footnote" | "endnote")
            {
                self.flush();
                let id = element.attribute("id").unwrap_or_default();
                self.sheet.begin_item(format!("[^{id}]: "));
            }
            self.visit(&step);
        })?;
        self.flush();
        Ok(())
    }
}
