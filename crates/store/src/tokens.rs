//! Access tokens. An owner's handle writes them; who shows one has no owner yet, so looking one up
//! by its id is asked of the store.

use crate::error::{StoreError, check_text};
use crate::row::Row;
use crate::sql;
use crate::store::{OwnerStore, Store};
use dossier_core::access::AccessToken;
use dossier_core::hash::ContentHash;
use dossier_core::id::TokenId;
use dossier_core::time::Timestamp;

fn read(row: &Row) -> Result<AccessToken, StoreError> {
    Ok(AccessToken {
        id: row.text("id")?,
        owner: row.text("owner")?,
        name: row.text("name")?,
        hash: ContentHash::from_stored(row.text("hash")?),
        created_at: row.time("created_at")?,
        expires_at: row.get_as::<Option<i64>>("expires_at")?.map(Timestamp::from_millis),
    })
}

impl Store {
    /// The token of this id, whoever's it is.
    pub async fn access_token(&self, id: &TokenId) -> Result<Option<AccessToken>, StoreError> {
        let row = sql::query("SELECT * FROM access_tokens WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(&mut *self.inner.pool.acquire().await?)
            .await?;
        row.as_ref().map(read).transpose()
    }

    /// The tokens of all owners, by owner and name.
    pub async fn access_tokens(&self) -> Result<Vec<AccessToken>, StoreError> {
        let rows = sql::query("SELECT * FROM access_tokens")
            .fetch_all(&mut *self.inner.pool.acquire().await?)
            .await?;
        let mut tokens = rows.iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        // The databases collate text differently.
        tokens.sort_by(|left, right| (&left.owner, &left.name).cmp(&(&right.owner, &right.name)));
        Ok(tokens)
    }
}

impl OwnerStore {
    /// Fails with `Conflict` when the name is taken.
    pub async fn create_token(&self, token: &AccessToken) -> Result<(), StoreError> {
        check_text("name", &token.name)?;
        if token.owner != self.owner {
            return Err(StoreError::invalid("token", "belongs to another owner"));
        }
        let mut write = self.write().await?;
        sql::query(
            "INSERT INTO access_tokens (owner, id, name, hash, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(self.owner.as_str())
        .bind(token.id.as_str())
        .bind(token.name.as_str())
        .bind(token.hash.as_str())
        .bind(token.created_at.as_millis())
        .bind(token.expires_at.map(Timestamp::as_millis))
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// Whether there was one to revoke.
    pub async fn revoke_token(&self, id: &TokenId) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let deleted = sql::query("DELETE FROM access_tokens WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .execute(write.connection())
            .await?;
        write.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }
}
