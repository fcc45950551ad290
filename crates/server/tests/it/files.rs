//! Files: one as JSON, many as a form, read back, changed and deleted.

use crate::database::Database;
use crate::desk::{Desk, Reply};
use anyhow::Result;
use hyper::Method;
use serde_json::{Value, json};

fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut form = Vec::new();
    for (path, content) in parts {
        form.extend_from_slice(b"--edge\r\n");
        let name = format!("form-data; name=\"files\"; filename=\"{path}\"");
        form.extend_from_slice(format!("Content-Disposition: {name}\r\n\r\n").as_bytes());
        form.extend_from_slice(content);
        form.extend_from_slice(b"\r\n");
    }
    form.extend_from_slice(b"--edge--\r\n");
    form
}

async fn upload(desk: &Desk, path: &str, form: Vec<u8>) -> Result<Reply> {
    let headers = [("content-type", "multipart/form-data; boundary=edge")];
    desk.send(Method::POST, path, &headers, form).await
}

fn tulips() -> Value {
    json!({
        "id": "<fil 1>", "project_id": "<prj 2>", "path": "notes/tulips.md",
        "mime_type": "text/markdown", "size_bytes": 18, "content_hash": "<hash>",
        "metadata": {
            "always_in_context": false, "retrieval_eligible": true, "tool_accessible": true,
            "tags": ["spring"], "summary": null,
        },
        "created_at": "<time>", "updated_at": "<time>",
    })
}

async fn found(desk: &Desk, project: &str, query: &str) -> Result<usize> {
    let path = format!("/api/projects/{project}/search");
    let found = desk.post(&path, json!({ "query": query })).await?;
    Ok(found.json()["hits"].as_array().unwrap().len())
}

async fn a_file_is_added_read_replaced_and_deleted(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let files = format!("/api/projects/{project}/files");
    let body = json!({
        "path": "./notes//tulips.md", "content": "tulips in October\n",
        "metadata": { "tags": ["spring", " spring"] },
    });
    let made = desk.post(&files, body).await?;
    assert_eq!(made.told(), (201, tulips()));
    let place = format!("{files}/{}", made.json()["id"].as_str().unwrap());
    assert_eq!(made.headers["location"], place);
    assert_eq!(found(&desk, &project, "tulips").await?, 1);

    let mut whole = tulips();
    whole["content"] = json!("tulips in October\n");
    assert_eq!(desk.get(&place).await?.told(), (200, whole));

    let replaced = desk.put(&place, json!({ "content": "roses", "path": "roses.md" })).await?;
    let mut roses = tulips();
    roses["path"] = json!("roses.md");
    roses["size_bytes"] = json!(5);
    assert_eq!(replaced.told(), (200, roses.clone()));
    assert_eq!(found(&desk, &project, "tulips").await?, 0);
    assert_eq!(found(&desk, &project, "roses").await?, 1);
    let list = json!({ "files": [roses], "next_cursor": null });
    assert_eq!(desk.get(&files).await?.told(), (200, list));

    assert_eq!(desk.delete(&place).await?.json()["name"], "roses.md");
    assert_eq!(desk.get(&place).await?.problem(), (404, "not_found".to_owned()));
    assert_eq!(found(&desk, &project, "roses").await?, 0);
    desk.stopped().await
}

async fn metadata_are_changed_one_by_one_and_search_obeys_them(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let file = desk.file(&project, "a.md", "tulips in October").await?;
    let place = format!("/api/projects/{project}/files/{file}/metadata");
    let change = json!({ "tags": ["b", "a"], "summary": "about tulips" });
    assert_eq!(desk.patch(&place, change).await?.status, 200);
    let hidden = desk
        .patch(&place, json!({ "retrieval_eligible": false, "always_in_context": true }))
        .await?;
    assert_eq!(
        hidden.json()["metadata"],
        json!({
            "always_in_context": true, "retrieval_eligible": false, "tool_accessible": true,
            "tags": ["a", "b"], "summary": "about tulips",
        })
    );
    assert_eq!(found(&desk, &project, "tulips").await?, 0);
    let shown = desk.patch(&place, json!({ "retrieval_eligible": true, "summary": null })).await?;
    assert_eq!(shown.json()["metadata"]["summary"], Value::Null);
    assert_eq!(found(&desk, &project, "tulips").await?, 1);
    for wrong in [
        json!({ "tags": ["x".repeat(101)] }),
        json!({ "tags": [""] }),
        json!({ "tags": vec!["a"; 51].iter().enumerate().map(|(n, t)| format!("{t}{n}")).collect::<Vec<_>>() }),
        json!({ "summary": "x".repeat(10_001) }),
        json!({ "always_in_context": "yes" }),
    ] {
        let refused = desk.patch(&place, wrong.clone()).await?;
        assert_eq!(refused.problem(), (422, "invalid".to_owned()), "{wrong}");
    }
    desk.stopped().await
}

async fn a_form_brings_many_files_and_says_what_it_did_not_take(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let files = format!("/api/projects/{project}/files");
    desk.file(&project, "here.md", "already").await?;
    let large = vec![b'x'; (10 << 20) + 1];
    let parts: [(&str, &[u8]); 8] = [
        ("page.html", b"<p>Tulips &amp; <b>roses</b></p>"),
        ("src/count.rs", b"fn count() {}"),
        ("here.md", b"again"),
        ("../up.md", b"x"),
        (".env", b"KEY=1"),
        ("photo.png", b"\x89PNG"),
        ("data.txt", b"a\0b"),
        ("large.txt", &large),
    ];
    let uploaded = upload(&desk, &files, form(&parts)).await?;
    let (status, document) = uploaded.told();
    let paths = |list: &Value| -> Vec<String> {
        let list = list.as_array().unwrap();
        list.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (status, paths(&document["files"])),
        (201, vec!["page.html".into(), "src/count.rs".into()])
    );
    assert_eq!(
        document["skipped"],
        json!([
            { "path": "here.md", "reason": "there is a file here.md already; replace it, or choose another path" },
            { "path": "../up.md", "reason": "../up.md is not a valid path: it holds '..' or another part made only of dots and spaces; give a path below the project's folder, such as src/main.rs" },
            { "path": ".env", "reason": ".env is refused: credentials and system files are never read; copy what is needed into another file" },
            { "path": "photo.png", "reason": "binary" },
            { "path": "data.txt", "reason": "binary" },
            { "path": "large.txt", "reason": "too large: 10485761 bytes, the limit is 10485760" },
        ])
    );
    assert_eq!(found(&desk, &project, "roses").await?, 1);
    let again = upload(&desk, &format!("{files}?replace=true"), form(&parts[2..3])).await?;
    assert_eq!((again.status, &again.json()["skipped"]), (201, &json!([])));
    assert_eq!(found(&desk, &project, "already").await?, 0);
    assert_eq!(
        upload(&desk, &files, b"--edge--\r\n".to_vec()).await?.problem(),
        (422, "invalid".to_owned())
    );
    assert_eq!(
        upload(&desk, &files, b"--edge\r\nnonsense".to_vec()).await?.problem(),
        (400, "malformed_request".to_owned())
    );
    desk.stopped().await
}

async fn a_path_that_leads_elsewhere_is_refused(database: Database) -> Result<()> {
    let desk = Desk::open(&database).await?;
    let project = desk.project("garden").await?;
    let files = format!("/api/projects/{project}/files");
    let file = desk.file(&project, "a.md", "a").await?;
    for path in [
        "../a",
        "/etc/passwd",
        "C:\\a",
        "a/../../b",
        "",
        ".",
        "a\u{202e}b",
        ".ssh/id_rsa",
        "．．/a",
    ] {
        let refused = desk.post(&files, json!({ "path": path, "content": "x" })).await?;
        assert_eq!(refused.problem(), (422, "path_refused".to_owned()), "{path}");
        let body = json!({ "path": path, "content": "x" });
        let refused = desk.put(&format!("{files}/{file}"), body).await?;
        assert_eq!(refused.problem(), (422, "path_refused".to_owned()), "{path}");
    }
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE";
    let refused = desk.post(&files, json!({ "path": "notes.txt", "content": key })).await?;
    assert_eq!(refused.problem(), (422, "invalid".to_owned()));
    let large = "x".repeat((10 << 20) + 1);
    let refused = desk.post(&files, json!({ "path": "large.txt", "content": large })).await?;
    assert_eq!(refused.problem(), (413, "body_too_large".to_owned()));
    let list = desk.get(&files).await?.json();
    assert_eq!(list["files"].as_array().unwrap().len(), 1);
    desk.stopped().await
}

stories![
    a_file_is_added_read_replaced_and_deleted,
    metadata_are_changed_one_by_one_and_search_obeys_them,
    a_form_brings_many_files_and_says_what_it_did_not_take,
    a_path_that_leads_elsewhere_is_refused,
];
