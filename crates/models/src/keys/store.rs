//! The sealed file and its secret. Changing it is one rename, so a crash leaves the old or the new;
//! two processes that change it take turns.

use crate::error::ModelsError;
use crate::secret::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::aead::{Aead as _, Generate as _, Key, KeyInit as _, Nonce, Payload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// What the seal covers beside the keys: another format is another purpose.
const PURPOSE: &[u8] = b"dossier keys 1";

type Cipher = XChaCha20Poly1305;

/// Keys at rest, by provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStore {
    sealed: PathBuf,
    secret: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct SealedFile {
    nonce: String,
    keys: String,
}

impl KeyStore {
    /// The store in a folder, which exists. Nothing is written before a key is stored.
    pub fn at(folder: &Path) -> Self {
        Self { sealed: folder.join("keys.json"), secret: folder.join("keys.secret") }
    }

    pub fn get(&self, provider: &str) -> Result<Option<Secret>, ModelsError> {
        let keys = self.all()?;
        Ok(keys.get(provider).and_then(|key| Secret::new(key)))
    }

    /// The providers that a key is stored for.
    pub fn providers(&self) -> Result<Vec<String>, ModelsError> {
        Ok(self.all()?.into_keys().collect())
    }

    pub fn put(&self, provider: &str, key: &Secret) -> Result<(), ModelsError> {
        self.change(|keys| keys.insert(provider.to_owned(), key.reveal().to_owned())).map(|_| ())
    }

    /// Whether there was one.
    pub fn remove(&self, provider: &str) -> Result<bool, ModelsError> {
        if !self.sealed.exists() {
            return Ok(false);
        }
        Ok(self.change(|keys| keys.remove(provider))?.is_some())
    }

    fn all(&self) -> Result<BTreeMap<String, String>, ModelsError> {
        let text = match fs::read_to_string(&self.sealed) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(self.bad(error)),
        };
        let Some(cipher) = self.cipher()? else {
            return Err(
                self.bad("its secret keys.secret is gone; delete it and store the keys again")
            );
        };
        self.opened(&cipher, &text).ok_or_else(|| {
            self.bad("it does not fit its secret keys.secret; delete both and store the keys again")
        })
    }

    fn opened(&self, cipher: &Cipher, text: &str) -> Option<BTreeMap<String, String>> {
        let SealedFile { nonce, keys } = serde_json::from_str(text).ok()?;
        let nonce = Nonce::<Cipher>::try_from(STANDARD.decode(nonce).ok()?.as_slice()).ok()?;
        let msg = STANDARD.decode(keys).ok()?;
        let plain = cipher.decrypt(&nonce, Payload { msg: &msg, aad: PURPOSE }).ok()?;
        serde_json::from_slice(&plain).ok()
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, String>) -> T,
    ) -> Result<T, ModelsError> {
        let lock = self.lock()?;
        let mut keys = self.all()?;
        let result = change(&mut keys);
        let cipher = match self.cipher()? {
            Some(cipher) => cipher,
            None => self.new_cipher()?,
        };
        let plain = serde_json::to_vec(&keys).map_err(|error| self.bad(error))?;
        let nonce = Nonce::<Cipher>::generate();
        let sealed = cipher
            .encrypt(&nonce, Payload { msg: &plain, aad: PURPOSE })
            .map_err(|error| self.bad(error))?;
        let file = SealedFile { nonce: STANDARD.encode(nonce), keys: STANDARD.encode(sealed) };
        let text = serde_json::to_string(&file).map_err(|error| self.bad(error))?;
        self.replace(&text).map_err(|error| self.bad(error))?;
        drop(lock);
        Ok(result)
    }

    fn replace(&self, text: &str) -> std::io::Result<()> {
        let draft = self.sealed.with_extension("json.new");
        let mut file = private().write(true).create(true).truncate(true).open(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(draft, &self.sealed)
    }

    /// Held while the store is changed; it ends with its process.
    fn lock(&self) -> Result<File, ModelsError> {
        // Beside a database on another machine there may be no folder yet.
        if let Some(folder) = self.sealed.parent().filter(|folder| !folder.exists()) {
            private_folder().create(folder).map_err(|error| self.bad(error))?;
        }
        let path = self.sealed.with_extension("lock");
        let file = private().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| self.bad(error))?;
        file.lock().map_err(|error| self.bad(error))?;
        Ok(file)
    }

    fn cipher(&self) -> Result<Option<Cipher>, ModelsError> {
        let mut file = match File::open(&self.secret) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.bad(error)),
        };
        if is_open_to_others(&file) {
            let path = self.secret.display();
            return Err(self.bad(format!("others can read its secret; run chmod 600 {path}")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| self.bad(error))?;
        let cipher = Cipher::new_from_slice(&bytes);
        cipher.map(Some).map_err(|_| self.bad("its secret keys.secret has the wrong length"))
    }

    fn new_cipher(&self) -> Result<Cipher, ModelsError> {
        let secret = Key::<Cipher>::generate();
        let mut file = private()
            .write(true)
            .create_new(true)
            .open(&self.secret)
            .map_err(|error| self.bad(error))?;
        file.write_all(&secret).and_then(|()| file.sync_all()).map_err(|error| self.bad(error))?;
        Ok(Cipher::new(&secret))
    }

    fn bad(&self, reason: impl ToString) -> ModelsError {
        let file = self.sealed.display().to_string();
        ModelsError::BadKeys { file, reason: reason.to_string() }
    }
}

/// For a folder that only its owner can look into.
fn private_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder
}

/// For a file that only its owner can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}

#[cfg(unix)]
fn is_open_to_others(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    file.metadata().is_ok_and(|metadata| metadata.mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &File) -> bool {
    false
}
