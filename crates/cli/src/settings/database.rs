//! The database's URL. It may hold a password, so only [`DatabaseUrl::reveal`] gives it away.

use std::fmt;
use std::path::Path;

const MASK: &str = "***";

/// `sqlite:<path>` or `postgres://…`; shown with its password masked.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The URL with its password, for opening the database and nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub fn is_postgres(&self) -> bool {
        self.0.starts_with("postgres://") || self.0.starts_with("postgresql://")
    }

    /// The same database, with the path of an SQLite file taken from this folder.
    pub fn relative_to(self, folder: &Path) -> Self {
        match self.0.strip_prefix("sqlite:") {
            Some(path) if !path.starts_with('/') && !path.is_empty() => {
                Self(format!("sqlite:{}", folder.join(path).display()))
            }
            _ => self,
        }
    }

    fn masked(&self) -> String {
        let Some((scheme, rest)) = self.0.split_once("://") else { return self.0.clone() };
        // The last @ ends the password, wherever a careless one holds others.
        let rest = match (rest.find(':'), rest.rfind('@')) {
            (Some(colon), Some(at)) if colon < at => {
                format!("{}:{MASK}{}", &rest[..colon], &rest[at..])
            }
            _ => rest.to_owned(),
        };
        format!("{scheme}://{}", masked_query(&rest))
    }
}

/// PostgreSQL also takes `?password=…`.
fn masked_query(url: &str) -> String {
    let Some((place, query)) = url.split_once('?') else { return url.to_owned() };
    let parts: Vec<String> = query
        .split('&')
        .map(|part| match part.split_once('=') {
            Some((key, _)) if key.to_lowercase().contains("password") => format!("{key}={MASK}"),
            _ => part.to_owned(),
        })
        .collect();
    format!("{place}?{}", parts.join("&"))
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({})", self.masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (url, shown) in [
            ("postgres://ana:secret@db:5432/notes", "postgres://ana:***@db:5432/notes"),
            ("postgres://ana:s@cr/et?@db/notes", "postgres://ana:***@db/notes"),
            (
                "postgres://db/notes?user=ana&password=secret",
                "postgres://db/notes?user=ana&password=***",
            ),
            ("postgres://db/notes?PASSWORD=secret&a=b", "postgres://db/notes?PASSWORD=***&a=b"),
            ("postgres://ana@db:5432/notes", "postgres://ana@db:5432/notes"),
            ("sqlite:/home/ana/a:b@c.db", "sqlite:/home/ana/a:b@c.db"),
            ("nonsense", "nonsense"),
        ] {
            let url = DatabaseUrl::new(url);
            assert_eq!(url.to_string(), shown);
            assert!(!format!("{url:?}").contains("secret"));
        }
    }

    #[test]
    fn a_relative_file_lies_beside_the_settings_that_name_it() {
        let check = |url: &str, expected: &str| {
            let url = DatabaseUrl::new(url).relative_to(Path::new("/srv"));
            assert_eq!(url.reveal(), expected);
        };
        check("sqlite:notes.db", "sqlite:/srv/notes.db");
        check("sqlite:/notes.db", "sqlite:/notes.db");
        check("sqlite:", "sqlite:");
        check("postgres://db/notes", "postgres://db/notes");
    }
}
