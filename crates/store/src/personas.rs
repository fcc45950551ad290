//! Personas: the rows of `personas` and their tags. A persona is visible as long as its thread is,
//! and goes with it.

use crate::error::{StoreError, check_text};
use crate::insert::Insert;
use crate::row::Row;
use crate::sql::{self, Connection};
use crate::store::OwnerStore;
use crate::threads::{self, Thread};
use crate::write::Write;
use dossier_core::id::{PersonaId, ThreadId};
use dossier_core::persona::{Persona, Settings, Traits};
use dossier_core::time::Timestamp;
use std::collections::BTreeMap;

fn read(row: &Row) -> Result<Persona, StoreError> {
    let small = |column: &str| {
        u32::try_from(row.number(column)?).map_err(|error| StoreError::unreadable(column, error))
    };
    Ok(Persona {
        id: row.text("id")?,
        thread: row.text("conversation_id")?,
        traits: Traits {
            name: row.text("name")?,
            system_prompt: row.text("system_prompt")?,
            personality: row.text("personality")?,
            settings: Settings {
                temperature: row.get_as("temperature")?,
                max_tokens: small("max_tokens")?,
                max_history_tokens: small("max_history_tokens")?,
                expiry_days: small("expiry_days")?,
            },
            model: row.optional_text("model")?,
            tags: Vec::new(),
        },
        preset: row.optional_text("preset_id")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        last_used_at: row.time("last_used_at")?,
        expires_at: row.time("expires_at")?,
    })
}

impl OwnerStore {
    /// Writes a persona and its thread, or neither.
    pub async fn create_persona(
        &self,
        persona: &Persona,
        thread: &Thread,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        threads::create(&mut write, thread).await?;
        insert(&mut write, persona).await?;
        write.commit().await
    }

    /// Writes a persona of a thread that is there already; whether it was new.
    pub async fn restore_persona(&self, persona: &Persona) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        let known = sql::query("SELECT 1 AS known FROM personas WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(persona.id.as_str())
            .fetch_optional(write.connection())
            .await?;
        if known.is_some() {
            return Ok(false);
        }
        insert(&mut write, persona).await?;
        write.commit().await?;
        Ok(true)
    }

    pub async fn persona(&self, id: &PersonaId) -> Result<Option<Persona>, StoreError> {
        self.persona_in("visible_personas", id).await
    }

    /// A persona, hidden or not.
    pub async fn any_persona(&self, id: &PersonaId) -> Result<Option<Persona>, StoreError> {
        self.persona_in("personas", id).await
    }

    async fn persona_in(
        &self,
        table: &'static str,
        id: &PersonaId,
    ) -> Result<Option<Persona>, StoreError> {
        let connection = &mut *self.connection().await?;
        let row = sql::composed(format!("SELECT * FROM {table} WHERE owner = $1 AND id = $2"))
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        let Some(mut persona) = row.as_ref().map(read).transpose()? else { return Ok(None) };
        let rows = sql::query("SELECT tag FROM persona_tags WHERE owner = $1 AND persona_id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_all(connection)
            .await?;
        let tags = rows.iter().map(|row| row.text("tag"));
        persona.traits.tags = tags.collect::<Result<_, StoreError>>()?;
        // The databases collate text differently.
        persona.traits.tags.sort();
        Ok(Some(persona))
    }

    /// Those that are called so and can be seen, whatever the case of their letters. What else than
    /// ASCII is one letter differs from database to database.
    pub async fn personas_called(&self, name: &str) -> Result<Vec<Persona>, StoreError> {
        let rows = sql::query(
            "SELECT id FROM visible_personas WHERE owner = $1 AND lower(name) = lower($2)",
        )
        .bind(self.owner.as_str())
        .bind(name)
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let mut personas = Vec::new();
        for row in &rows {
            personas.extend(self.persona(&row.text("id")?).await?);
        }
        Ok(personas)
    }

    /// Every persona that can be seen, by id.
    pub async fn personas(&self) -> Result<Vec<Persona>, StoreError> {
        let connection = &mut *self.connection().await?;
        let rows = sql::query("SELECT * FROM visible_personas WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *connection)
            .await?;
        let mut personas: BTreeMap<PersonaId, Persona> = BTreeMap::new();
        for row in &rows {
            let persona = read(row)?;
            personas.insert(persona.id.clone(), persona);
        }
        let tags = sql::query("SELECT persona_id, tag FROM persona_tags WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(connection)
            .await?;
        for row in &tags {
            if let Some(persona) = personas.get_mut(&row.text::<PersonaId>("persona_id")?) {
                persona.traits.tags.push(row.text("tag")?);
            }
        }
        let sorted = |mut persona: Persona| {
            persona.traits.tags.sort();
            persona
        };
        Ok(personas.into_values().map(sorted).collect())
    }

    /// Writes what a persona is made of, and what its thread is called; whether it is there and as
    /// it was known.
    pub async fn update_persona(
        &self,
        persona: &Persona,
        known: &Persona,
    ) -> Result<bool, StoreError> {
        check(persona)?;
        let mut write = self.write().await?;
        let Traits { name, system_prompt, personality, settings, model, .. } = &persona.traits;
        let updated = sql::query(
            "UPDATE personas SET name = $1, system_prompt = $2, personality = $3,
                 temperature = $4, max_tokens = $5, max_history_tokens = $6, expiry_days = $7,
                 model = $8, updated_at = $9, expires_at = $10
             WHERE owner = $11 AND updated_at = $13 AND expires_at = $14 AND id IN
                 (SELECT id FROM visible_personas WHERE owner = $11 AND id = $12)",
        )
        .bind(name.as_str())
        .bind(system_prompt.as_str())
        .bind(personality.as_str())
        .bind(settings.temperature)
        .bind(i64::from(settings.max_tokens))
        .bind(i64::from(settings.max_history_tokens))
        .bind(i64::from(settings.expiry_days))
        .bind(model.as_deref())
        .bind(persona.updated_at.as_millis())
        .bind(persona.expires_at.as_millis())
        .bind(self.owner.as_str())
        .bind(persona.id.as_str())
        .bind(known.updated_at.as_millis())
        .bind(known.expires_at.as_millis())
        .execute(write.connection())
        .await?;
        if updated.rows_affected() == 0 {
            return Ok(false);
        }
        sql::query("UPDATE conversations SET title = $1 WHERE owner = $2 AND id = $3")
            .bind(name.as_str())
            .bind(self.owner.as_str())
            .bind(persona.thread.as_str())
            .execute(write.connection())
            .await?;
        sql::query("DELETE FROM persona_tags WHERE owner = $1 AND persona_id = $2")
            .bind(self.owner.as_str())
            .bind(persona.id.as_str())
            .execute(write.connection())
            .await?;
        put_tags(&mut write, persona).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Notes that somebody talks with a persona. Its end only ever moves away.
    pub async fn use_persona(
        &self,
        id: &PersonaId,
        now: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "UPDATE personas SET
                 last_used_at = CASE WHEN last_used_at < $1 THEN $1 ELSE last_used_at END,
                 expires_at = CASE WHEN expires_at < $2 THEN $2 ELSE expires_at END
             WHERE owner = $3 AND id = $4",
        )
        .bind(now.as_millis())
        .bind(expires_at.as_millis())
        .bind(self.owner.as_str())
        .bind(id.as_str())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// The threads of the personas whose time is over and which can still be seen, by id.
    pub async fn expired_personas(&self, now: Timestamp) -> Result<Vec<ThreadId>, StoreError> {
        let rows = sql::query(
            "SELECT conversation_id FROM visible_personas WHERE owner = $1 AND expires_at <= $2",
        )
        .bind(self.owner.as_str())
        .bind(now.as_millis())
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let threads = rows.iter().map(|row| row.text("conversation_id"));
        let mut threads = threads.collect::<Result<Vec<ThreadId>, StoreError>>()?;
        threads.sort();
        Ok(threads)
    }
}

/// How many personas and presets there are, hidden ones too: the more of both.
pub(crate) async fn count(connection: &mut Connection, owner: &str) -> Result<u64, StoreError> {
    let row = sql::query(
        "SELECT (SELECT COUNT(*) FROM personas WHERE owner = $1) AS personas,
             (SELECT COUNT(*) FROM personality_presets WHERE owner = $1) AS presets",
    )
    .bind(owner)
    .fetch_one(connection)
    .await?;
    Ok(row.number("personas")?.max(row.number("presets")?).unsigned_abs())
}

fn check(persona: &Persona) -> Result<(), StoreError> {
    let Traits { name, system_prompt, personality, model, tags, .. } = &persona.traits;
    let texts = [name, system_prompt, personality].into_iter().chain(model).chain(tags);
    texts.into_iter().try_for_each(|text| check_text("persona", text))
}

async fn insert(write: &mut Write, persona: &Persona) -> Result<(), StoreError> {
    check(persona)?;
    write.grown.personas = true;
    let owner = write.owner.clone();
    let Traits { name, system_prompt, personality, settings, model, .. } = &persona.traits;
    sql::query(
        "INSERT INTO personas (owner, id, conversation_id, name, system_prompt, personality,
             temperature, max_tokens, max_history_tokens, expiry_days, model, preset_id,
             created_at, updated_at, last_used_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    )
    .bind(owner.as_str())
    .bind(persona.id.as_str())
    .bind(persona.thread.as_str())
    .bind(name.as_str())
    .bind(system_prompt.as_str())
    .bind(personality.as_str())
    .bind(settings.temperature)
    .bind(i64::from(settings.max_tokens))
    .bind(i64::from(settings.max_history_tokens))
    .bind(i64::from(settings.expiry_days))
    .bind(model.as_deref())
    .bind(persona.preset.as_ref().map(|preset| preset.as_str()))
    .bind(persona.created_at.as_millis())
    .bind(persona.updated_at.as_millis())
    .bind(persona.last_used_at.as_millis())
    .bind(persona.expires_at.as_millis())
    .execute(write.connection())
    .await?;
    put_tags(write, persona).await
}

async fn put_tags(write: &mut Write, persona: &Persona) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    Insert { into: "INSERT INTO persona_tags (owner, persona_id, tag)", row: "(?, ?, ?)", then: "" }
        .run(write.connection(), &persona.traits.tags, |query, tag| {
            query.bind(owner.to_string()).bind(persona.id.to_string()).bind(tag.clone())
        })
        .await
}
