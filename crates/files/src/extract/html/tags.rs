//! Which elements are open, and what their names mean for the text.
//!
//! End tags that people leave out are put in where the text would suffer otherwise. Whatever the
//! nesting, a step costs no more than a bounded look back.

use html5gum::StartTag;

/// Elements that are never closed.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// Elements without text for a reader.
const PASSED: &[&str] = &[
    "audio",
    "button",
    "canvas",
    "datalist",
    "dialog",
    "head",
    "iframe",
    "map",
    "math-field",
    "nav",
    "noscript",
    "object",
    "script",
    "select",
    "style",
    "svg",
    "template",
    "video",
];
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "li",
    "main",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "ul",
];
/// Blocks that stand on a line of their own without an empty one around.
const TIGHT: &[&str] = &["dd", "div", "dt", "li", "summary", "tbody", "tfoot", "thead"];
/// How far back an end tag looks for its beginning.
const LOOK_BACK: usize = 200;
const MOST_INDENT: usize = 8;

pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.contains(&name)
}

pub(super) fn is_tight(name: &str) -> bool {
    TIGHT.contains(&name)
}

pub(super) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}

pub(super) fn is_main(tag: &StartTag<()>) -> bool {
    &**tag.name == b"main" || attribute(tag, "role").as_deref() == Some("main")
}

pub(super) fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// Whether an element is not for reading: by its name, or because the page hides it.
fn is_hidden(tag: &StartTag<()>, name: &str) -> bool {
    let has = |name: &str, wanted: &str| attribute(tag, name).as_deref() == Some(wanted);
    let style = attribute(tag, "style").unwrap_or_default().replace(' ', "").to_lowercase();
    let class = attribute(tag, "class").unwrap_or_default();
    let is_anchor = name == "a"
        && class.split_whitespace().any(|c| matches!(c, "headerlink" | "anchor" | "doc-anchor"));
    PASSED.contains(&name)
        || attribute(tag, "hidden").is_some()
        || has("aria-hidden", "true")
        || has("role", "navigation")
        || style.contains("display:none")
        || style.contains("visibility:hidden")
        || is_anchor
}

#[derive(Debug)]
struct Element {
    name: String,
    is_hidden: bool,
    is_main: bool,
}

/// A list, with the number of its next item where it is numbered.
type List = Option<u32>;

/// The elements that are open, outermost first.
#[derive(Debug, Default)]
pub(super) struct Open {
    elements: Vec<Element>,
    lists: Vec<List>,
    hidden: usize,
    mains: usize,
    tables: usize,
    cells: usize,
}

impl Open {
    /// Opens an element; the names of those that end with it are returned.
    pub(super) fn begin(&mut self, tag: &StartTag<()>, name: &str) -> Vec<String> {
        let closed = match name {
            "li" => self.end_before("li", &["ul", "ol"]),
            "dt" | "dd" => {
                let mut closed = self.end_before("dt", &["dl"]);
                closed.extend(self.end_before("dd", &["dl"]));
                closed
            }
            "td" | "th" => {
                let mut closed = self.end_before("td", &["tr", "table"]);
                closed.extend(self.end_before("th", &["tr", "table"]));
                closed
            }
            "tr" => self.end_before("tr", &["table"]),
            _ if is_block(name) || heading_level(name).is_some() => {
                self.end_before("p", &["td", "th", "li", "div", "section", "article"])
            }
            _ => Vec::new(),
        };
        // A slash closes nothing in HTML, except in drawings, which are passed over.
        if VOID.contains(&name) || (tag.self_closing && self.hidden > 0) {
            return closed;
        }
        let element = Element {
            name: name.to_owned(),
            is_hidden: is_hidden(tag, name),
            is_main: is_main(tag),
        };
        self.count(&element, 1);
        match name {
            "ul" => self.lists.push(None),
            "ol" => self.lists.push(Some(1)),
            _ => {}
        }
        self.elements.push(element);
        closed
    }

    /// Closes an element and those left open inside it; their names, innermost first.
    pub(super) fn end(&mut self, name: &str) -> Vec<String> {
        self.end_before(name, &[])
    }

    /// The same, unless one of `stops` lies between.
    fn end_before(&mut self, name: &str, stops: &[&str]) -> Vec<String> {
        let mut inward = self.elements.iter().rev().take(LOOK_BACK);
        let found =
            inward.position(|open| open.name == name || stops.contains(&open.name.as_str()));
        let Some(depth) = found else { return Vec::new() };
        let place = self.elements.len() - 1 - depth;
        if self.elements[place].name != name {
            return Vec::new();
        }
        let mut closed = Vec::new();
        for element in self.elements.split_off(place).into_iter().rev() {
            self.count(&element, -1);
            if matches!(element.name.as_str(), "ul" | "ol") {
                self.lists.pop();
            }
            closed.push(element.name);
        }
        closed
    }

    fn count(&mut self, element: &Element, change: isize) {
        let add = |count: &mut usize, does: bool| {
            *count = count.saturating_add_signed(change * isize::from(does));
        };
        let name = element.name.as_str();
        add(&mut self.hidden, element.is_hidden);
        add(&mut self.mains, element.is_main);
        add(&mut self.tables, name == "table");
        add(&mut self.cells, matches!(name, "td" | "th"));
    }

    /// The mark of the item that begins.
    pub(super) fn mark(&mut self) -> String {
        let indent = "  ".repeat(self.lists.len().saturating_sub(1).min(MOST_INDENT));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{indent}{}. ", *number - 1)
            }
            _ => format!("{indent}- "),
        }
    }

    pub(super) fn is_in(&self, name: &str) -> bool {
        self.elements.iter().rev().take(LOOK_BACK).any(|open| open.name == name)
    }

    pub(super) fn is_in_main(&self) -> bool {
        self.mains > 0
    }

    pub(super) fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// Whether a list lies in another.
    pub(super) fn in_nested_list(&self) -> bool {
        self.lists.len() > 1
    }

    /// Whether text stands in a cell of a table with rows; tables inside tables only lay out.
    pub(super) fn in_cell(&self) -> bool {
        self.cells > 0 && self.tables == 1
    }
}
