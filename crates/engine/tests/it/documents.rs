//! Documents in a project: found by page and section, rebuilt without their files, and forgotten
//! when they no longer say anything.

use crate::database::Database;
use crate::desk::{Desk, rendered};
use anyhow::Result;
use dossier_engine::{IndexRequest, Limits, Pinning, Silent};
use std::path::Path;

stories!(
    a_passage_of_a_document_is_found_with_its_page,
    a_rebuilt_index_of_documents_gives_the_same_results,
    a_changed_document_is_read_again,
    a_document_that_broke_is_no_longer_found,
    texts_of_documents_keep_the_limit_for_all_files,
);

/// A document written by a real program.
fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/tests/fixtures");
    std::fs::read(folder.join(name)).unwrap()
}

async fn with_documents(database: &Database) -> Result<Desk> {
    let desk = Desk::new(database).await?;
    desk.write("report.pdf", fixture("reportlab.pdf"));
    desk.write("handbook.docx", fixture("python-docx.docx"));
    desk.write("mail.eml", fixture("multipart.eml"));
    desk.write("notes.md", "the walrus sleeps");
    assert_eq!(desk.index().await?.added, 4);
    Ok(desk)
}

/// Path and place of each hit.
async fn found(desk: &Desk, query: &str) -> Result<Vec<String>> {
    let hits = desk.search(query).await?.into_iter();
    let places = hits.map(|hit| {
        let place = hit.source.place.unwrap_or_default();
        format!("{} {place}", hit.source.path.unwrap_or_default())
    });
    Ok(places.collect())
}

async fn a_passage_of_a_document_is_found_with_its_page(database: Database) -> Result<()> {
    let desk = with_documents(&database).await?;
    let mut boilers = found(&desk, "boiler").await?;
    boilers.sort();
    assert_eq!(boilers, ["mail.eml attachment report.pdf page 2", "report.pdf page 2"]);
    assert_eq!(found(&desk, "ropes").await?, ["handbook.docx section Mooring"]);
    assert_eq!(found(&desk, "walrus").await?, ["notes.md "]);
    let seen = rendered(&desk.assemble("When was the boiler replaced?").await?);
    assert!(seen.contains("<file path=\"report.pdf\" place=\"page 2\" lines=\"10-"), "{seen}");
    Ok(())
}

async fn a_rebuilt_index_of_documents_gives_the_same_results(database: Database) -> Result<()> {
    let desk = with_documents(&database).await?;
    let questions = ["When was the boiler replaced?", "Who reads the handbook on mooring first?"];
    let mut before = Vec::new();
    for question in questions {
        before.push((desk.search(question).await?, desk.assemble(question).await?));
    }
    // The stored text is enough: the files themselves are not needed any more.
    std::fs::remove_dir_all(desk.folder.path())?;
    desk.workspace.rebuild(&desk.project.id, &Silent).await?;
    for (question, (hits, dossier)) in questions.into_iter().zip(before) {
        assert_eq!(desk.search(question).await?, hits);
        let after = desk.assemble(question).await?;
        assert_eq!(after.messages, dossier.messages);
        assert_eq!(after.receipt.items, dossier.receipt.items);
    }
    Ok(())
}

async fn a_changed_document_is_read_again(database: Database) -> Result<()> {
    let desk = with_documents(&database).await?;
    let again = desk.index().await?;
    assert_eq!((again.changed, again.unchanged), (0, 4));
    desk.write("report.pdf", fixture("libreoffice.pdf"));
    let third = desk.index().await?;
    assert_eq!((third.changed, third.unchanged), (1, 3));
    assert_eq!(found(&desk, "lighthouse").await?, ["report.pdf page 2"]);
    assert_eq!(found(&desk, "boiler").await?, ["mail.eml attachment report.pdf page 2"]);
    // Other words in the file, the same in the text: nothing to do.
    desk.write("report.pdf", [fixture("libreoffice.pdf"), b"\n%\n".to_vec()].concat());
    assert_eq!(desk.index().await?.unchanged, 4);
    Ok(())
}

async fn a_document_that_broke_is_no_longer_found(database: Database) -> Result<()> {
    let desk = with_documents(&database).await?;
    desk.write("report.pdf", "%PDF-1.7\nbroken");
    let report = desk.index().await?;
    let skipped: Vec<String> = report
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.path, skipped.reason))
        .collect();
    assert_eq!(
        skipped,
        ["report.pdf: no text can be taken out of it: it is damaged or not what its name says; \
          it cannot be read as a PDF"]
    );
    assert_eq!(found(&desk, "boiler").await?, ["mail.eml attachment report.pdf page 2"]);
    Ok(())
}

async fn texts_of_documents_keep_the_limit_for_all_files(database: Database) -> Result<()> {
    let desk = Desk::new(&database).await?;
    // The mark of a heading is longer than its tag: a small file with a longer text.
    desk.write("page.html", "<h6>x".repeat(100));
    desk.write("text.txt", "short");
    let request = IndexRequest {
        project: desk.project.id.clone(),
        paths: vec![desk.folder.path().to_owned()],
        limits: Limits { max_total_bytes: 650, ..Limits::default() },
        pinning: Pinning::Keep,
        now: crate::desk::noon(),
    };
    let report = desk.workspace.index(&request, &Silent).await?;
    let skipped: Vec<&str> = report.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    assert_eq!((report.added, skipped), (1, vec!["page.html"]));
    Ok(())
}
