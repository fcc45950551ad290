//! Keys at rest.

use dossier_models::{KeyOrigin, KeyStore, Keys, Secret};
use std::fs;

const KEY: &str = "sk-very-secret-0123456789";

fn secret() -> Secret {
    Secret::new(KEY).unwrap()
}

#[test]
fn a_key_is_stored_and_never_in_clear() {
    let folder = tempfile::tempdir().unwrap();
    let store = KeyStore::at(folder.path());
    assert_eq!(store.get("openai"), Ok(None));
    assert_eq!(store.remove("openai"), Ok(false));
    store.put("openai", &secret()).unwrap();
    store.put("home", &Secret::new("other").unwrap()).unwrap();
    let again = KeyStore::at(folder.path());
    assert_eq!(again.get("openai"), Ok(Some(secret())));
    assert_eq!(again.providers(), Ok(vec!["home".to_owned(), "openai".to_owned()]));
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("secret-0123") && !text.contains("openai"), "{path:?}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{path:?}");
        }
    }
    assert_eq!(again.remove("openai"), Ok(true));
    assert_eq!(store.get("openai"), Ok(None));
    assert_eq!(store.providers(), Ok(vec!["home".to_owned()]));
}

#[test]
fn damage_is_noticed_and_has_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let store = KeyStore::at(folder.path());
    store.put("openai", &secret()).unwrap();
    let sealed = folder.path().join("keys.json");
    let whole = fs::read_to_string(&sealed).unwrap();
    for damaged in [whole.replace("A", "B"), whole[..whole.len() / 2].to_owned(), String::new()] {
        if damaged == whole {
            continue;
        }
        fs::write(&sealed, &damaged).unwrap();
        let error = store.get("openai").unwrap_err().to_string();
        assert!(error.contains("delete both and store the keys again"), "{error}");
        assert_eq!(store.put("openai", &secret()).unwrap_err().to_string(), error);
    }
    fs::write(&sealed, &whole).unwrap();
    assert_eq!(store.get("openai"), Ok(Some(secret())));
    let secret_file = folder.path().join("keys.secret");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&secret_file, fs::Permissions::from_mode(0o644)).unwrap();
        let error = store.get("openai").unwrap_err().to_string();
        assert!(error.contains("chmod 600"), "{error}");
        fs::set_permissions(&secret_file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    fs::remove_file(secret_file).unwrap();
    assert!(store.get("openai").unwrap_err().to_string().contains("keys.secret is gone"));
}

#[test]
fn processes_that_store_keys_at_once_lose_none() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let store = KeyStore::at(folder.path());
            scope.spawn(move || store.put(&format!("p{number}"), &secret()).unwrap());
        }
    });
    assert_eq!(KeyStore::at(folder.path()).providers().map(|names| names.len()), Ok(8));
}

#[test]
fn a_variable_wins_over_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = KeyStore::at(folder.path());
    store.put("openai", &Secret::new("stored").unwrap()).unwrap();
    store.put("anthropic", &Secret::new("stored").unwrap()).unwrap();
    let variable = |name: &str| (name == "OPENAI_API_KEY").then(|| KEY.to_owned());
    let keys = Keys::new(variable, Some(store));
    let variable = KeyOrigin::Variable("OPENAI_API_KEY".to_owned());
    assert_eq!(keys.of("openai"), Ok(Some((secret(), variable))));
    let stored = Secret::new("stored").unwrap();
    assert_eq!(keys.of("anthropic"), Ok(Some((stored, KeyOrigin::Store))));
    assert_eq!(keys.of("xai"), Ok(None));
    assert!(!format!("{keys:?} {:?}", keys.of("openai")).contains("secret-0123"));
}
