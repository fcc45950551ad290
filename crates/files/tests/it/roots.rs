//! Roots: what is not below one of them is refused, however it is written and wherever links lead.

use std::path::Path;

use dossier_files::{FilesError, Roots};

use crate::folder::Folder;

fn outside(roots: &Roots, path: impl AsRef<Path>) -> bool {
    matches!(roots.admit(path.as_ref()), Err(FilesError::OutsideRoots { .. }))
}

#[test]
fn a_path_below_a_root_is_admitted_under_its_real_name() {
    let folder = Folder::of(&["work/src/a.rs", "other/b.rs"]);
    folder.link("work/alias.rs", folder.path("work/src/a.rs"));
    folder.link("way", folder.path("work"));
    let roots = Roots::new(&[folder.path("way"), folder.path("other")]).unwrap();
    assert_eq!(roots.folders(), [folder.path("work"), folder.path("other")]);
    for path in ["src/a.rs", "./src/../src/a.rs", "alias.rs"] {
        assert_eq!(roots.admit(Path::new(path)).unwrap(), folder.path("work/src/a.rs"), "{path}");
    }
    let absolute = ["way/src/a.rs", "work/src/a.rs", "way/alias.rs"];
    for path in absolute.map(|path| folder.path(path)) {
        assert_eq!(roots.admit(&path).unwrap(), folder.path("work/src/a.rs"), "{path:?}");
    }
    assert_eq!(roots.admit(Path::new("b.rs")).unwrap(), folder.path("other/b.rs"));
    assert_eq!(roots.admit(Path::new(".")).unwrap(), folder.path("work"));
    for path in ["", "a\0b"] {
        let refused = roots.admit(Path::new(path)).unwrap_err();
        assert!(matches!(refused, FilesError::Invalid { .. }), "{refused}");
    }
}

#[test]
fn whatever_leads_out_is_refused_and_nothing_is_told_about_it() {
    let folder = Folder::of(&["work/a.rs", "work-2/b.rs", "secret.txt"]);
    folder.link("work/out", folder.path("secret.txt"));
    folder.link("work/up", folder.root());
    let roots = Roots::new(&[folder.path("work")]).unwrap();
    for path in ["../secret.txt", "../missing.txt", "a/../../secret.txt", "out", "up/secret.txt"] {
        assert!(outside(&roots, path), "{path}");
    }
    for path in ["secret.txt", "missing.txt", "work-2/b.rs", "work/../secret.txt", "work/out"] {
        assert!(outside(&roots, folder.path(path)), "{path}");
    }
    assert!(outside(&roots, "/etc/passwd"));
    assert!(outside(&Roots::default(), folder.path("work/a.rs")));
    assert!(outside(&Roots::default(), "a.rs"));
}

#[test]
fn credentials_and_missing_files_below_a_root_have_their_own_reasons() {
    let folder = Folder::of(&["work/.env", "work/id_rsa"]);
    folder.link("work/harmless.txt", folder.path("work/.env"));
    let roots = Roots::new(&[folder.path("work")]).unwrap();
    for path in [".env", "id_rsa", "harmless.txt"] {
        let refused = roots.admit(Path::new(path)).unwrap_err();
        assert!(matches!(refused, FilesError::Forbidden { .. }), "{path}: {refused}");
    }
    let missing = roots.admit(Path::new("missing.rs")).unwrap_err();
    assert!(matches!(missing, FilesError::NotFound { .. }), "{missing}");
    assert!(Roots::new(&[folder.path("nowhere")]).is_err());
    assert!(Roots::new(&[folder.path("work/.env")]).is_err());
    let told = ["nowhere", "work", "work/.env"].map(|path| folder.path(path));
    assert_eq!(Roots::existing(&told), roots);
    assert_eq!(Roots::existing(&told[..1]), Roots::default());
}
