//! Documents of every kind in one folder.

use crate::desk::{Desk, strings};
use std::fs;
use std::path::Path;

fn fixtures() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/tests/fixtures")
}

/// A desk with one document of each kind, one with a password and one that is broken.
fn with_documents() -> Desk {
    let desk = Desk::new();
    for (name, path) in [
        ("reportlab.pdf", "report.pdf"),
        ("libreoffice.docx", "guide.docx"),
        ("written.html", "page.html"),
        ("nbformat.ipynb", "tides.ipynb"),
        ("japanese.eml", "letter.eml"),
        ("two.mbox", "old.mbox"),
        ("password.pdf", "locked.pdf"),
    ] {
        desk.write(&format!("papers/{path}"), fs::read(fixtures().join(name)).unwrap());
    }
    desk.write("papers/broken.pdf", "%PDF-1.4\nno more than that");
    desk
}

#[test]
fn one_of_each_kind_is_indexed_and_what_cannot_be_read_is_named_with_the_reason() {
    let desk = with_documents();
    let indexed = desk.dossier(&["index", "papers"]).ok().out;
    assert!(indexed.contains("added             6"), "{indexed}");
    for part in [
        "no text can be taken out of it: 2",
        "broken.pdf (it is damaged or not what its name says; it cannot be read as a PDF)",
        "locked.pdf (it is encrypted; save a copy without a password)",
    ] {
        assert!(indexed.contains(part), "{part} is missing in\n{indexed}");
    }
}

#[test]
fn a_hit_in_a_document_names_its_page_or_section() {
    let desk = with_documents();
    desk.dossier(&["index", "papers"]).ok();
    for (query, place) in [
        ("boiler replaced", "1  report.pdf page 2 "),
        ("bicycle ticket", "section By boat "),
        ("sin(h)", "1  tides.ipynb cell 2 "),
        ("anchor found", "1  old.mbox message 2 Second letter "),
    ] {
        let out = desk.dossier(&["search", query]).ok().out;
        assert!(out.lines().next().unwrap().contains(place), "{query}: {out}");
    }
    let hits = desk.json(&["search", "boiler"]);
    assert_eq!(strings(&hits["hits"], "/source/place"), ["page 2"]);
    assert!(hits["hits"][0]["source"]["lines"].is_array(), "{hits:#}");
}

#[test]
fn explaining_shows_the_page_in_the_table_and_in_what_is_sent() {
    let desk = with_documents();
    desk.dossier(&["index", "papers"]).ok();
    let question = "When was the boiler replaced?";
    let table = desk.dossier(&["explain", question]).ok().out;
    assert!(table.contains(" report.pdf page 2 "), "{table}");
    let sent = desk.dossier(&["explain", question, "--rendered"]).ok().out;
    assert!(sent.contains("<file path=\"report.pdf\" place=\"page 2\" lines="), "{sent}");
}

#[test]
fn a_rebuilt_index_finds_the_same_pages() {
    let desk = with_documents();
    desk.dossier(&["index", "papers"]).ok();
    let before = desk.json(&["search", "boiler ferry anchor"]);
    desk.dossier(&["maintain", "--rebuild"]).ok();
    assert_eq!(desk.json(&["search", "boiler ferry anchor"]), before);
}
