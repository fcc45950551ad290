//! The events of an XML part, with names free of their prefixes. Entities other than the five of
//! XML itself are left out, so none can multiply.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::Fault;

const BROKEN: Fault = Fault::Damaged("its XML is not well-formed");

/// What happens next in the document. An empty element opens and closes.
#[derive(Debug)]
pub(super) enum Step<'a> {
    Open(&'a Element),
    Close(&'a str),
    Text(&'a str),
}

/// An element with its attributes, all by their local names.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An attribute that is a number, or what is usual.
    pub(super) fn number(&self, name: &str, usual: usize) -> usize {
        self.attribute(name).and_then(|value| value.parse().ok()).unwrap_or(usual)
    }

    fn of(start: &BytesStart<'_>) -> Self {
        // Looking for an attribute that stands twice takes the square of their number.
        let mut attributes = start.attributes();
        let attributes = attributes.with_checks(false).flatten().map(|attribute| {
            let value = unescape(&attribute.value).map_or_else(|_| String::new(), String::from);
            (attribute.key.local_name().as_ref().to_owned(), value)
        });
        let attributes = attributes.collect();
        Self { name: start.local_name().as_ref().to_owned(), attributes }
    }
}

/// Goes through a part.
pub(super) fn walk(xml: &[u8], mut visit: impl FnMut(Step<'_>)) -> Result<(), Fault> {
    let xml = String::from_utf8_lossy(xml);
    let mut reader = Reader::from_str(&xml);
    loop {
        match reader.read_event().map_err(|_| BROKEN)? {
            Event::Start(start) => visit(Step::Open(&Element::of(&start))),
            Event::Empty(start) => {
                let element = Element::of(&start);
                visit(Step::Open(&element));
                visit(Step::Close(&element.name));
            }
            Event::End(end) => visit(Step::Close(end.local_name().as_ref())),
            Event::Text(text) => visit(Step::Text(&text)),
            Event::CData(text) => visit(Step::Text(&text)),
            Event::GeneralRef(entity) => {
                let entity = format!("&{};", &*entity);
                visit(Step::Text(&unescape(&entity).unwrap_or_default()));
            }
            Event::Eof => return Ok(()),
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Comment(_) => {}
        }
    }
}

/// How deep the walk is inside elements whose content is passed over.
#[derive(Debug, Default)]
pub(super) struct Passed {
    depth: usize,
}

impl Passed {
    /// Whether a step lies inside an element of these names, or is one of its ends.
    pub(super) fn over(&mut self, step: &Step<'_>, names: &[&str]) -> bool {
        match step {
            Step::Open(element) if self.depth > 0 || names.contains(&element.name.as_str()) => {
                self.depth += 1;
                true
            }
            Step::Close(_) if self.depth > 0 => {
                self.depth -= 1;
                true
            }
            _ => self.depth > 0,
        }
    }
}
