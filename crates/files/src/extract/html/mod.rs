//! Web pages: readable text with headings as sections; lists, tables and code stay legible.
//! Scripts, styles, navigation and what is hidden are passed over, and where a page says which part
//! is its main one, the rest is too.
//!
//! The page is taken as a stream of tags, not as a tree, so no nesting is too deep.

mod charset;
mod tags;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};

use super::sheet::Sheet;
use super::{Extracted, Fault};
use tags::Open;

pub(super) fn extract(bytes: &[u8], most: usize) -> Result<Extracted, Fault> {
    let mut sheet = Sheet::new(most);
    write(bytes, &mut sheet);
    sheet.finish()
}

/// Writes the text of a page.
pub(super) fn write(bytes: &[u8], sheet: &mut Sheet) {
    let page = charset::decode(bytes);
    let scope = if has_main(&page) { Scope::Main } else { Scope::Whole };
    let mut reader = Reader::new(sheet, scope);
    for token in tokens(&page) {
        if reader.sheet.is_full() {
            break;
        }
        match token {
            Token::StartTag(tag) => reader.open(&tag),
            Token::EndTag(tag) => reader.close(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => reader.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    reader.end_heading();
    reader.sheet.end_paragraph();
}

fn tokens(page: &str) -> impl Iterator<Item = Token> {
    let mut emitter = DefaultEmitter::default();
    // Tags inside scripts and styles are no tags.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(page, emitter).flatten()
}

fn has_main(page: &str) -> bool {
    tokens(page).any(|token| matches!(&token, Token::StartTag(tag) if tags::is_main(tag)))
}

/// Which part of the page is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Whole,
    Main,
}

struct Reader<'a> {
    sheet: &'a mut Sheet,
    scope: Scope,
    open: Open,
    /// As long as it is not written.
    title: String,
    heading: Option<(u8, String)>,
}

impl<'a> Reader<'a> {
    fn new(sheet: &'a mut Sheet, scope: Scope) -> Self {
        Self { sheet, scope, open: Open::default(), title: String::new(), heading: None }
    }

    fn open(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        let closed = self.open.begin(tag, &name);
        closed.iter().for_each(|name| self.after(name));
        if !self.is_shown() {
            return;
        }
        if let Some(level) = tags::heading_level(&name) {
            self.end_heading();
            self.heading = Some((level, String::new()));
            return;
        }
        match name.as_str() {
            "br" => self.break_line(),
            "hr" => self.sheet.end_paragraph(),
            "img" => {
                if let Some(alternative) = tags::attribute(tag, "alt") {
                    self.say(&alternative);
                }
            }
            "li" => {
                let mark = self.open.mark();
                self.sheet.begin_item(mark);
            }
            "dd" => self.sheet.begin_item("  ".to_owned()),
            "tr" => self.sheet.end_line(),
            "td" | "th" => self.sheet.begin_cell(),
            _ => self.around(&name),
        }
    }

    fn close(&mut self, name: &str) {
        let was_shown = self.is_shown();
        for name in self.open.end(name) {
            if was_shown {
                self.after(&name);
            }
        }
    }

    /// What follows an element that has ended.
    fn after(&mut self, name: &str) {
        match name {
            _ if tags::heading_level(name).is_some() => self.end_heading(),
            "tr" | "li" | "dt" | "dd" => self.sheet.end_line(),
            "td" | "th" => self.sheet.end_word(),
            _ => self.around(name),
        }
    }

    /// The gap before and after a block.
    fn around(&mut self, name: &str) {
        if !tags::is_block(name) {
            return;
        }
        if let Some((_, title)) = &mut self.heading {
            title.push(' ');
        } else if self.open.in_cell() {
            self.sheet.end_word();
        } else if tags::is_tight(name) || self.open.in_nested_list() {
            self.sheet.end_line();
        } else {
            self.sheet.end_paragraph();
        }
    }

    fn break_line(&mut self) {
        if self.heading.is_some() {
            self.say(" ");
        } else if self.open.in_cell() {
            self.sheet.end_word();
        } else {
            self.sheet.end_line();
        }
    }

    fn text(&mut self, text: &str) {
        if self.open.is_in("title") && self.open.is_in("head") {
            self.title.push_str(text);
        } else if self.is_shown() {
            self.say(text);
        }
    }

    fn say(&mut self, text: &str) {
        if self.heading.is_none() && !text.trim().is_empty() {
            self.say_title("");
        }
        match &mut self.heading {
            Some((_, title)) => title.push_str(text),
            None if self.open.is_in("pre") && !self.open.in_cell() => self.sheet.verbatim(text),
            None => self.sheet.say(text),
        }
    }

    /// Writes the title of the page before its text, unless the first heading says it again.
    fn say_title(&mut self, heading: &str) {
        let title = std::mem::take(&mut self.title);
        if !title.trim().is_empty() && (heading.is_empty() || !title.contains(heading)) {
            self.sheet.say(&title);
            self.sheet.end_paragraph();
        }
    }

    fn end_heading(&mut self) {
        if let Some((level, title)) = self.heading.take() {
            self.say_title(title.trim());
            self.sheet.heading(level, &title);
        }
    }

    fn is_shown(&self) -> bool {
        !self.open.is_hidden() && (self.scope == Scope::Whole || self.open.is_in_main())
    }
}
