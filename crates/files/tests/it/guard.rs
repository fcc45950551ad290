//! Credentials and system files: refused by name, through links, in any letter case, on every
//! route.

use std::path::PathBuf;

use dossier_files::{FilesError, Found, Limits, SkipReason, read, virtual_path, walk};

use crate::folder::Folder;

const REFUSED: &[&str] = &[
    ".aws/credentials",
    ".cargo/credentials.toml",
    ".config/gcloud/access_tokens.db",
    ".config/gcloud/legacy_credentials/me/adc.json",
    ".docker/config.json",
    ".env",
    ".env-prod",
    ".env.local",
    ".envrc",
    ".git-credentials",
    ".git/config",
    ".gnupg/pubring.kbx",
    ".kube/config",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".ssh/config",
    ".ssh/known_hosts",
    "Deploy.PEM",
    "ID_RSA",
    "id_ed25519",
    "id_rsa.bak",
    "keys/server.key",
    "production.env",
    "release.keystore",
    "store.kdbx",
    "store.p12",
    "store.pfx",
];

const ALLOWED: &[&str] = &[
    ".aws/README.md",
    ".docker/nginx.conf",
    ".env.example",
    ".env.local.sample",
    ".env.template",
    ".envoy.yaml",
    "docs/ssh.md",
    "environment.md",
    "etc/shadow",
    "id_rsa.pub",
    "keys.md",
    "src/credentials.rs",
];

#[test]
fn a_named_credential_fails_the_walk() {
    let folder = Folder::of(REFUSED);
    for path in REFUSED {
        let error = walk(&[folder.path(path)], &Limits::default()).unwrap_err();
        assert!(matches!(error, FilesError::Forbidden { .. }), "{path}");
    }
}

#[test]
fn what_only_resembles_a_credential_is_found() {
    let folder = Folder::of(ALLOWED);
    for path in ALLOWED {
        let walk = walk(&[folder.path(path)], &Limits::default()).unwrap();
        assert_eq!(walk.found.len(), 1, "{path}");
    }
}

#[test]
fn virtual_paths_refuse_the_same_names() {
    for path in REFUSED {
        assert!(matches!(virtual_path(path), Err(FilesError::Forbidden { .. })), "{path}");
    }
    for path in ALLOWED {
        assert_eq!(virtual_path(path).unwrap(), *path);
    }
}

#[test]
fn a_refusal_says_what_to_do() {
    assert_eq!(
        virtual_path("app/.env").unwrap_err().to_string(),
        "app/.env is refused: credentials and system files are never read; \
         copy what is needed into another file"
    );
}

#[test]
fn a_walked_credential_is_skipped_with_a_note() {
    Folder::of(&["a.md", "server.pem", "id_rsa"]).check(&[
        "a.md",
        "- id_rsa: a credential or system file, which is never read",
        "- server.pem: a credential or system file, which is never read",
    ]);
}

#[test]
fn a_secret_folder_cannot_be_walked() {
    let folder = Folder::of(&[".ssh/notes/a.md"]);
    for path in [".ssh", ".ssh/notes", ".ssh/notes/a.md", "./.SSH"] {
        let error = walk(&[folder.path(path)], &Limits::default()).unwrap_err();
        assert!(matches!(error, FilesError::Forbidden { .. }), "{path}");
    }
}

#[test]
fn reading_refuses_what_a_walk_would_never_have_found() {
    let folder = Folder::of(&["a.md", ".env"]);
    let found = Found { real_path: folder.path(".env"), ..folder.found("a.md") };
    assert_eq!(read(&found, &Limits::default()), Err(SkipReason::Credential));
}

#[cfg(unix)]
#[test]
fn system_places_are_forbidden() {
    for path in [
        "/etc/shadow",
        "/ETC/Shadow",
        "/etc/sudoers.d",
        "/proc",
        "/proc/self/environ",
        "/sys",
        "/dev/zero",
    ] {
        let error = walk(&[PathBuf::from(path)], &Limits::default()).unwrap_err();
        assert!(matches!(error, FilesError::Forbidden { .. }), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_named_link_to_a_credential_or_system_file_is_forbidden() {
    let folder = Folder::of(&[".env", ".ssh/id_rsa"]);
    for target in [
        folder.path(".env"),
        folder.path(".ssh"),
        PathBuf::from("/proc/self/environ"),
        "/dev/zero".into(),
    ] {
        let link = tempfile::tempdir().unwrap();
        let link = link.path().join("harmless.md");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let error = walk(&[link], &Limits::default()).unwrap_err();
        assert!(matches!(error, FilesError::Forbidden { .. }), "{target:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_walked_link_to_a_credential_is_skipped() {
    let folder = Folder::of(&["a.md", ".env", ".ssh/key.txt"]);
    folder.link("config.md", ".env");
    folder.link("keys", ".ssh");
    folder.link("server.pem", "a.md");
    folder.link("zero.txt", "/dev/zero");
    let outside = Folder::of(&["id_rsa"]);
    folder.link("outside.md", outside.path("id_rsa"));
    let refused = "a credential or system file, which is never read";
    let notes = ["config.md", "keys", "outside.md", "server.pem", "zero.txt"];
    let notes = notes.map(|name| format!("- {name}: {refused}"));
    let mut expected = vec!["a.md"];
    expected.extend(notes.iter().map(String::as_str));
    folder.check(&expected);
}

#[cfg(unix)]
#[test]
fn a_named_link_with_a_secret_name_is_forbidden_whatever_it_leads_to() {
    let folder = Folder::of(&["settings.txt"]);
    folder.link(".env", "settings.txt");
    let error = walk(&[folder.path(".env")], &Limits::default()).unwrap_err();
    assert!(matches!(error, FilesError::Forbidden { .. }));
}
