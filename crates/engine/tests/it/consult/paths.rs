//! Paths: what must not be read is refused with the reason, whichever list names it, and nothing is
//! stored of the call.

use super::{Table, figures};
use crate::database::Database;
use crate::desk::noon;
use anyhow::Result;
use dossier_engine::{ConsultRequest, EngineError, FilesError, Roots};
use serde_json::json;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

stories! {
    what_must_not_be_read_is_refused_in_every_list,
    what_cannot_be_read_is_left_out_and_told,
    too_much_is_refused_with_the_limit,
    folders_are_skipped_or_read_as_the_owner_has_set_it,
}

/// The request with this path in each of its lists.
fn in_every_list(request: &ConsultRequest, path: PathBuf) -> [ConsultRequest; 3] {
    let mut requests = [request.clone(), request.clone(), request.clone()];
    requests[0].context = vec![path.clone()];
    requests[1].attachments = vec![path.clone()];
    requests[2].priority_context = vec![path];
    requests
}

async fn what_must_not_be_read_is_refused_in_every_list(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let outside = tempfile::tempdir()?;
    std::fs::write(outside.path().join("secret.txt"), "secret")?;
    let root = table.root();
    for path in [".env", "deploy/id_rsa", "cloud/.aws/credentials", "a.rs"] {
        table.desk.write(path, "secret");
    }
    symlink(outside.path().join("secret.txt"), root.join("link.txt"))?;
    symlink(root.join(".env"), root.join("harmless.txt"))?;
    symlink("/dev/zero", root.join("zero"))?;
    let request = table.request("small", "Look.", &[]);
    for (path, is_outside) in [
        (outside.path().join("secret.txt"), true),
        (root.join("../secret.txt"), true),
        (PathBuf::from("/etc/passwd"), true),
        (PathBuf::from("link.txt"), true),
        (PathBuf::from(".env"), false),
        (PathBuf::from("deploy/id_rsa"), false),
        (PathBuf::from("cloud/.aws/credentials"), false),
        (PathBuf::from("harmless.txt"), false),
        (PathBuf::from("zero"), false),
        (PathBuf::from("/dev/zero"), true),
    ] {
        for request in in_every_list(&request, path.clone()) {
            let refused = table.refused(&request).await;
            let fits = match &refused {
                EngineError::Files(FilesError::OutsideRoots { .. }) => is_outside,
                EngineError::Files(FilesError::Forbidden { .. }) => !is_outside,
                _ => false,
            };
            assert!(fits, "{path:?}: {refused}");
        }
    }
    for request in in_every_list(&request, root.join("a.rs")) {
        let none = ConsultRequest { roots: Roots::default(), ..request };
        assert!(table.refused(&none).await.to_string().contains("--root DIR"));
    }
    assert_eq!(table.script.requests().len(), 0);
    let workspace = &table.desk.workspace;
    assert_eq!(workspace.consult_sessions(None, noon()).await?, []);
    assert_eq!(workspace.recent_threads(&table.desk.project.id).await?, []);
    Ok(())
}

async fn what_cannot_be_read_is_left_out_and_told(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let root = table.root();
    let status = std::process::Command::new("mkfifo").arg(root.join("pipe")).status()?;
    assert!(status.success());
    table.desk.write("a.rs", "fn a() {}\n");
    table.desk.write("key.txt", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n");
    table.desk.write("image.bin", [0_u8; 100]);
    table.desk.write("app.env", "TOKEN=1");
    table.desk.write(".gitignore", "*.log\n!keep.log\n");
    table.desk.write("drop.log", "dropped");
    table.desk.write("keep.log", "kept");
    symlink("/etc/hostname", root.join("out.txt"))?;
    let files = table.consult("Look.", &[".", "missing.rs", "drop.log"]).await?;
    assert_eq!(figures(&files), (3, 0, 0));
    let told: Vec<(&str, &str)> =
        files.skipped.iter().map(|file| (file.path.as_str(), file.reason.as_str())).collect();
    assert_eq!(
        told,
        [
            ("app.env", "a credential or system file, which is never read"),
            ("image.bin", "binary"),
            ("missing.rs", "it does not exist"),
            ("out.txt", "a link that leaves the folder"),
            ("pipe", "not a regular file"),
            ("key.txt", "a credential or system file, which is never read"),
        ]
    );
    let mut request = table.request("small", "And these?", &[]);
    table.desk.write("broken.pdf", "%PDF-1.7\nnothing of a document\n");
    table.desk.write("sound.md", "A note.\n");
    request.session_id = "attached".to_owned();
    request.attachments = ["broken.pdf", "sound.md"].map(PathBuf::from).to_vec();
    let (_, files) = table.ask(&request).await?;
    assert_eq!(figures(&files), (0, 0, 1));
    let [broken] = files.skipped.as_slice() else { panic!("{files:?}") };
    assert!(broken.path.ends_with("broken.pdf") && !broken.reason.is_empty(), "{broken:?}");
    assert!(!table.last_sent().contains("broken.pdf"), "{}", table.last_sent());

    let own = table.sent()[0].last().unwrap().1.clone();
    assert!(own.contains("dropped") && own.contains("kept") && !own.contains("MIIE"), "{own}");
    let missing = table.refused(&table.request("small", "Look.", &["missing.rs"])).await;
    assert!(missing.to_string().contains("missing.rs does not exist"), "{missing}");
    Ok(())
}

async fn too_much_is_refused_with_the_limit(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    let check = async |request: ConsultRequest, reason: &str| {
        let refused = table.refused(&request).await.to_string();
        assert!(refused.contains(reason), "{refused}");
    };
    let request = table.request("small", "Look.", &[]);
    for session_id in [String::new(), " ".to_owned(), "x".repeat(257), "a\nb".to_owned()] {
        check(ConsultRequest { session_id, ..request.clone() }, "session_id has 1 to 256").await;
    }
    let nothing = ConsultRequest { instructions: " ".to_owned(), ..request.clone() };
    check(nothing, "instructions are empty").await;
    let nobody = ConsultRequest { assistant: "o9".to_owned(), ..request.clone() };
    check(nobody, "assistant `o9` is not known; there are builtin, gpt_4_1, mute").await;
    let many = ConsultRequest { context: vec![PathBuf::from("a"); 10_001], ..request.clone() };
    check(many, "10000 is the most; name folders").await;
    for number in 0..10_001 {
        std::fs::write(table.root().join(format!("{number}")), "x")?;
    }
    let many = ConsultRequest { attachments: vec![table.root()], ..request.clone() };
    check(many, "10001 files would have to be searched and 10000 may be in one call").await;
    // What fits need not be searched, however many there are.
    let fits =
        ConsultRequest { assistant: "gpt_4_1".to_owned(), context: vec![table.root()], ..request };
    assert_eq!(figures(&table.ask(&fits).await?.1), (10_001, 0, 0));
    let longest = "x".repeat(256);
    let named = ConsultRequest { session_id: longest, ..table.request("small", "Look.", &[]) };
    assert_eq!(table.ask(&named).await?.0, "Noted.");
    Ok(())
}

async fn folders_are_skipped_or_read_as_the_owner_has_set_it(database: Database) -> Result<()> {
    let table = Table::answering(&database, "Noted.").await?;
    for path in ["vendor/a.rs", "fixtures/b.rs", "c.rs"] {
        table.desk.write(path, format!("// {path}\n"));
    }
    let workspace = &table.desk.workspace;
    workspace.set_config("files.skip", &json!("fixtures, !vendor"), noon()).await?;
    assert_eq!(figures(&table.consult("Look.", &["."]).await?), (2, 0, 0));
    let sent = table.last_sent();
    assert!(sent.contains("// vendor/a.rs") && !sent.contains("// fixtures/b.rs"), "{sent}");
    Ok(())
}
