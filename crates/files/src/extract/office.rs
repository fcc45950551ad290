//! Other zipped documents: OpenDocument texts, presentations and electronic books.

use super::archive::Archive;
use super::budget::Budget;
use super::sheet::Sheet;
use super::xml::{self, Passed, Step};
use super::{Extracted, Fault, html};
use std::collections::HashMap;

/// OpenDocument texts: headings as sections, lists, tables row by row, notes where they stand.
pub(super) fn odt(bytes: &[u8], most: usize, budget: &Budget) -> Result<Extracted, Fault> {
    let mut archive = Archive::open(bytes, budget)?;
    let manifest = archive.part("META-INF/manifest.xml")?.unwrap_or_default();
    if String::from_utf8_lossy(&manifest).contains("encryption-data") {
        return Err(Fault::Encrypted);
    }
    let content = archive.main_part("content.xml")?;
    let mut sheet = Sheet::new(most);
    let mut passed = Passed::default();
    let mut heading: Option<(u8, String)> = None;
    let (mut lists, mut cells, mut paragraphs) = (0_usize, 0_usize, 0_usize);
    let mut begins_note = false;
    xml::walk(&content, |step| {
        if passed.over(&step, &["tracked-changes", "annotation", "note-citation"]) {
            return;
        }
        match step {
            Step::Text(text) => match &mut heading {
                Some((_, title)) => title.push_str(text),
                None if paragraphs > 0 => sheet.say(text),
                None => {}
            },
            Step::Open(element) => match element.name.as_str() {
                "h" => heading = Some((element.number("outline-level", 1) as u8, String::new())),
                "p" => {
                    paragraphs += 1;
                    if paragraphs == 1 && lists == 0 && cells == 0 {
                        sheet.end_paragraph();
                    } else if paragraphs > 1 && !begins_note {
                        sheet.end_word();
                    }
                    begins_note = false;
                }
                "list" => lists += 1,
                "list-item" => {
                    sheet.begin_item(format!("{}- ", "  ".repeat(lists.saturating_sub(1).min(8))));
                }
                "note" => {
                    sheet.say(" [");
                    begins_note = true;
                }
                "table-row" => sheet.end_line(),
                "table-cell" => {
                    cells += 1;
                    sheet.begin_cell();
                }
                "s" | "tab" => sheet.end_word(),
                "line-break" => sheet.end_line(),
                _ => {}
            },
            Step::Close(name) => match name {
                "h" => {
                    if let Some((level, title)) = heading.take() {
                        sheet.heading(level, &title);
                    }
                }
                "p" => {
                    paragraphs = paragraphs.saturating_sub(1);
                    match (paragraphs, cells, lists) {
                        (0, 0, 0) => sheet.end_paragraph(),
                        (0, 0, _) => sheet.end_line(),
                        (0, ..) => sheet.end_word(),
                        _ => {}
                    }
                }
                "list" => {
                    lists = lists.saturating_sub(1);
                    if lists == 0 && cells == 0 {
                        sheet.end_paragraph();
                    }
                }
                "note" => sheet.say("]"),
                "table-cell" => cells = cells.saturating_sub(1),
                "table" => sheet.end_paragraph(),
                _ => {}
            },
        }
    })?;
    sheet.finish()
}

/// Presentations, slide by slide.
pub(super) fn pptx(bytes: &[u8], most: usize, budget: &Budget) -> Result<Extracted, Fault> {
    let mut archive = Archive::open(bytes, budget)?;
    let number = |name: &String| -> Option<u32> {
        name.strip_prefix("ppt/slides/slide")?.strip_suffix(".xml")?.parse().ok()
    };
    let names = archive.names();
    let mut slides: Vec<(u32, &String)> =
        names.iter().filter_map(|name| Some((number(name)?, name))).collect();
    slides.sort();
    let mut sheet = Sheet::new(most);
    for (number, name) in slides {
        let slide = archive.main_part(name)?;
        sheet.begin_place(&format!("slide {number}"));
        let mut in_text = false;
        let mut cells = 0_usize;
        xml::walk(&slide, |step| match step {
            Step::Text(text) if in_text => sheet.say(text),
            Step::Open(element) => match element.name.as_str() {
                "t" => in_text = true,
                "br" => sheet.end_line(),
                "tr" => sheet.end_line(),
                "tc" => {
                    cells += 1;
                    sheet.begin_cell();
                }
                _ => {}
            },
            Step::Close("t") => in_text = false,
            Step::Close("tc") => cells = cells.saturating_sub(1),
            Step::Close("p") if cells > 0 => sheet.end_word(),
            Step::Close("p") => sheet.end_line(),
            Step::Close("txBody") if cells == 0 => sheet.end_paragraph(),
            _ => {}
        })?;
    }
    sheet.finish()
}

/// Electronic books: the pages of the spine, in order.
pub(super) fn epub(bytes: &[u8], most: usize, budget: &Budget) -> Result<Extracted, Fault> {
    let mut archive = Archive::open(bytes, budget)?;
    let container = archive.main_part("META-INF/container.xml")?;
    let mut package = String::new();
    xml::walk(&container, |step| {
        if let Step::Open(element) = step
            && element.name == "rootfile"
            && package.is_empty()
        {
            package = element.attribute("full-path").unwrap_or_default().to_owned();
        }
    })?;
    let mut items: HashMap<String, String> = HashMap::new();
    let mut spine = Vec::new();
    xml::walk(&archive.main_part(&package)?, |step| {
        let Step::Open(element) = step else { return };
        let attribute = |name| element.attribute(name).unwrap_or_default().to_owned();
        match element.name.as_str() {
            "item" => {
                items.entry(attribute("id")).or_insert_with(|| attribute("href"));
            }
            "itemref" => spine.push(attribute("idref")),
            _ => {}
        }
    })?;
    let folder = package.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut sheet = Sheet::new(most);
    for id in spine {
        let Some(href) = items.get(&id) else { continue };
        let name = format!("{folder}/{href}");
        if let Some(page) = archive.part(name.trim_start_matches('/'))? {
            html::write(&page, &mut sheet);
        }
    }
    sheet.finish()
}
