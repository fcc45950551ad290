//! The refusal of credentials and system files, by place and name, in any letter case.
//!
//! It judges the path it is given, so callers pass both the path as it was reached and the path
//! that links resolve to. A hard link with another name is beyond it; [`crate::read`] also refuses
//! text that begins as a private key.

use std::path::{Component, Path};

/// Absolute places, each with everything below it.
const SYSTEM: &[&str] = &[
    "/dev/",
    "/etc/gshadow",
    "/etc/master.passwd/",
    "/etc/shadow",
    "/etc/ssl/private/",
    "/etc/sudoers",
    "/proc/",
    "/run/secrets/",
    "/sys/",
    "/windows/system32/config/",
];

/// Files, and folders with everything below them, wherever they lie.
const PLACES: &[&str] = &[
    "/.aws/cli/cache/",
    "/.aws/config/",
    "/.aws/credentials/",
    "/.aws/sso/",
    "/.azure/",
    "/.cargo/credentials/",
    "/.cargo/credentials.toml/",
    "/.codex/auth.json/",
    "/.composer/auth.json/",
    "/.config/gcloud/",
    "/.config/gh/hosts.yml/",
    "/.config/git/credentials/",
    "/.config/op/",
    "/.config/rclone/rclone.conf/",
    "/.docker/config.json/",
    "/.gem/credentials/",
    "/.git/config/",
    "/.gnupg/",
    "/.kube/config/",
    "/.local/share/keyrings/",
    "/.m2/settings.xml/",
    "/.password-store/",
    "/.ssh/",
    "/.terraform.d/credentials.tfrc.json/",
    "/appdata/roaming/gcloud/",
    "/library/keychains/",
];

const NAMES: &[&str] = &[
    ".boto",
    ".credentials.json",
    ".databrickscfg",
    ".dockercfg",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".mylogin.cnf",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".vault-token",
    "_netrc",
    "application_default_credentials.json",
    "client_secret.json",
    "credentials.json",
    "pgpass.conf",
    "service-account.json",
    "service_account.json",
    "serviceaccountkey.json",
];

const KEY_STEMS: &[&str] = &[
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "id_rsa",
    "ssh_host_dsa_key",
    "ssh_host_ecdsa_key",
    "ssh_host_ed25519_key",
    "ssh_host_rsa_key",
];

const EXTENSIONS: &[&str] =
    &["env", "jks", "kdb", "kdbx", "key", "keystore", "p12", "p8", "pem", "pfx", "ppk"];

/// Endings of environment files that are meant to be read.
const TEMPLATES: &[&str] = &["dist", "example", "sample", "template", "tmpl"];

/// Whether the file or folder at `path` must never be read.
pub(crate) fn refuses(path: &Path) -> bool {
    let mut place = String::from("/");
    for component in path.components() {
        if let Component::Normal(part) = component {
            place.push_str(&part.to_string_lossy().to_lowercase());
            place.push('/');
        }
    }
    let name = place.trim_end_matches('/').rsplit('/').next().unwrap_or_default();

    (path.is_absolute() && is_system(&place))
        || PLACES.iter().any(|secret| place.contains(secret))
        || is_secret(name)
}

fn is_system(place: &str) -> bool {
    // macOS resolves /etc and its like to /private/etc.
    let place = place.strip_prefix("/private").unwrap_or(place);
    SYSTEM.iter().any(|system| place.starts_with(system))
}

fn is_secret(name: &str) -> bool {
    let (stem, _) = name.split_once('.').unwrap_or((name, ""));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);

    NAMES.contains(&name)
        || EXTENSIONS.contains(&extension)
        || (KEY_STEMS.contains(&stem) && extension != "pub")
        || is_environment(name)
}

/// `.env`, `.env.local`, `.env-prod`, but not `.env.example`.
fn is_environment(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(".env") else {
        return false;
    };
    let ending = rest.rsplit(['.', '-', '_']).next().unwrap_or_default();
    !rest.starts_with(char::is_alphanumeric) && !TEMPLATES.contains(&ending)
}
