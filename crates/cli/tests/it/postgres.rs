//! A PostgreSQL database of a story's own, gone when the story ends.

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Row as _};

pub struct Postgres {
    pub url: String,
    name: String,
    server: String,
}

impl Postgres {
    /// An empty database; the kind tells stories apart that run at once.
    pub fn new(kind: &str) -> Self {
        let server = std::env::var("DOSSIER_TEST_POSTGRES").expect(
            "DOSSIER_TEST_POSTGRES is not set: start it with scripts/postgres start, and export \
             the URL it prints",
        );
        let name = format!("{kind}_{}", std::process::id());
        let (base, _) = server.rsplit_once('/').unwrap();
        // One that a killed run has left behind may have the same name.
        execute(&server, format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        execute(&server, format!("CREATE DATABASE {name}"));
        Self { url: format!("{base}/{name}"), name, server }
    }

    pub fn execute(&self, sql: &str) {
        execute(&self.url, sql.to_owned());
    }

    /// The one number that a query gives.
    pub fn number(&self, sql: &'static str) -> i64 {
        number(&self.url, sql)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        execute(&self.server, format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// The one number that a query gives in a database of either kind.
pub fn number(url: &str, sql: &'static str) -> i64 {
    on(url, async |connection| sqlx::query(sql).fetch_one(connection).await.unwrap().get(0))
}

fn execute(url: &str, sql: String) {
    on(url, async |connection| {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.unwrap();
    });
}

fn on<T>(url: &str, work: impl AsyncFnOnce(&mut AnyConnection) -> T) -> T {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut connection = AnyConnection::connect(url).await.unwrap();
        let done = work(&mut connection).await;
        connection.close().await.unwrap();
        done
    })
}
