//! An owner's own presets, and how presets are used and judged. Those that come with the program are
//! no rows: a row under the id of one stands in its place.

use crate::error::{StoreError, check_text};
use crate::row::{Row, to_json};
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::id::{FeedbackId, PresetId};
use dossier_core::persona::{Figures, Preset, Settings};
use dossier_core::time::Timestamp;
use std::collections::BTreeMap;

/// Somebody's judgement of a preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub id: FeedbackId,
    pub preset: PresetId,
    /// From 1 to 5.
    pub rating: i64,
    pub comment: Option<String>,
    pub created_at: Timestamp,
}

/// When a preset was put away, and when it goes for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutAway {
    pub at: Timestamp,
    /// Never, for one that comes with the program.
    pub purge_at: Option<Timestamp>,
}

/// What is to be added to the figures of a preset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    pub personas: i64,
    pub turns: i64,
    pub truncated: i64,
    pub failed: i64,
    pub tokens: i64,
}

fn read(row: &Row) -> Result<Preset, StoreError> {
    let small = |column: &str| {
        u32::try_from(row.number(column)?).map_err(|error| StoreError::unreadable(column, error))
    };
    Ok(Preset {
        id: row.text("id")?,
        name: row.text("name")?,
        description: row.text("description")?,
        system_prompt: row.text("system_prompt")?,
        personality: row.text("default_personality")?,
        settings: Settings {
            temperature: row.get_as("default_temperature")?,
            max_tokens: small("default_max_tokens")?,
            max_history_tokens: small("default_max_history_tokens")?,
            expiry_days: small("default_expiry_days")?,
        },
        metadata: row.json("metadata")?,
        is_active: row.get_as::<Option<i64>>("hidden_at")?.is_none(),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

/// What is there under the id gives way.
const INSTEAD: &str = "ON CONFLICT (owner, id) DO UPDATE SET name = excluded.name,
    description = excluded.description, system_prompt = excluded.system_prompt,
    default_personality = excluded.default_personality,
    default_temperature = excluded.default_temperature,
    default_max_tokens = excluded.default_max_tokens,
    default_max_history_tokens = excluded.default_max_history_tokens,
    default_expiry_days = excluded.default_expiry_days,
    metadata = excluded.metadata, updated_at = excluded.updated_at,
    hidden_at = excluded.hidden_at, purge_at = excluded.purge_at";

impl OwnerStore {
    /// Every preset of the owner's own, put away or not, by id.
    pub async fn presets(&self) -> Result<Vec<Preset>, StoreError> {
        let rows = sql::query("SELECT * FROM personality_presets WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let mut presets = rows.iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        presets.sort_by(|left, right| left.id.cmp(&right.id));
        Ok(presets)
    }

    /// Writes a new preset; fails with `Conflict` when its id is taken.
    pub async fn create_preset(&self, preset: &Preset) -> Result<(), StoreError> {
        self.write_preset(preset, None, "", None).await?;
        Ok(())
    }

    /// Writes a preset, in the place of what was there under its id.
    pub async fn put_preset(
        &self,
        preset: &Preset,
        put_away: Option<PutAway>,
    ) -> Result<(), StoreError> {
        self.write_preset(preset, put_away, INSTEAD, None).await?;
        Ok(())
    }

    /// The same, if what is there is as it was known, or nothing is; whether it was.
    pub async fn change_preset(
        &self,
        preset: &Preset,
        put_away: Option<PutAway>,
        known: &Preset,
    ) -> Result<bool, StoreError> {
        let then = format!("{INSTEAD} WHERE personality_presets.updated_at = $16");
        Ok(self.write_preset(preset, put_away, &then, Some(known.updated_at)).await? > 0)
    }

    /// How many rows were written.
    async fn write_preset(
        &self,
        preset: &Preset,
        put_away: Option<PutAway>,
        then: &str,
        known: Option<Timestamp>,
    ) -> Result<u64, StoreError> {
        let Preset { name, description, system_prompt, personality, settings, .. } = preset;
        for text in [name, description, system_prompt, personality] {
            check_text("preset", text)?;
        }
        let metadata = to_json(&preset.metadata)?;
        // PostgreSQL refuses it as text, and so does the store.
        check_text("metadata", &metadata)?;
        let mut write = self.write().await?;
        write.grown.personas = true;
        let sql = format!(
            "INSERT INTO personality_presets (owner, id, name, description, system_prompt,
                 default_personality, default_temperature, default_max_tokens,
                 default_max_history_tokens, default_expiry_days, metadata, created_at, updated_at,
                 hidden_at, purge_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) {then}"
        );
        let query = sql::composed(sql)
            .bind(self.owner.as_str())
            .bind(preset.id.as_str())
            .bind(name.as_str())
            .bind(description.as_str())
            .bind(system_prompt.as_str())
            .bind(personality.as_str())
            .bind(settings.temperature)
            .bind(i64::from(settings.max_tokens))
            .bind(i64::from(settings.max_history_tokens))
            .bind(i64::from(settings.expiry_days))
            .bind(metadata)
            .bind(preset.created_at.as_millis())
            .bind(preset.updated_at.as_millis())
            .bind(put_away.map(|put_away| put_away.at.as_millis()))
            .bind(put_away.and_then(|put_away| put_away.purge_at).map(Timestamp::as_millis));
        let query = match known {
            Some(known) => query.bind(known.as_millis()),
            None => query,
        };
        let written = query.execute(write.connection()).await?;
        write.commit().await?;
        Ok(written.rows_affected())
    }

    /// Deletes an owner's own preset, or their own version of a built-in one, for good, with what
    /// was said about it; whether there was one.
    pub async fn delete_preset(&self, id: &PresetId) -> Result<bool, StoreError> {
        let mut write = self.shredding().await?;
        let deleted = sql::query("DELETE FROM personality_presets WHERE owner = $1 AND id = $2")
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .execute(write.connection())
            .await?;
        write.commit().await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Adds to the figures of a preset.
    pub async fn count_preset(
        &self,
        preset: &PresetId,
        used: Used,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write().await?;
        sql::query(
            "INSERT INTO preset_figures (owner, preset_id, personas, turns, truncated, failed,
                 tokens, last_used_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (owner, preset_id) DO UPDATE SET
                 personas = preset_figures.personas + excluded.personas,
                 turns = preset_figures.turns + excluded.turns,
                 truncated = preset_figures.truncated + excluded.truncated,
                 failed = preset_figures.failed + excluded.failed,
                 tokens = preset_figures.tokens + excluded.tokens,
                 last_used_at = excluded.last_used_at",
        )
        .bind(self.owner.as_str())
        .bind(preset.as_str())
        .bind(used.personas)
        .bind(used.turns)
        .bind(used.truncated)
        .bind(used.failed)
        .bind(used.tokens)
        .bind(now.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    pub async fn add_feedback(&self, feedback: &Feedback) -> Result<(), StoreError> {
        if let Some(comment) = &feedback.comment {
            check_text("comment", comment)?;
        }
        let mut write = self.write().await?;
        sql::query(
            "INSERT INTO preset_feedback (owner, id, preset_id, rating, comment, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(self.owner.as_str())
        .bind(feedback.id.as_str())
        .bind(feedback.preset.as_str())
        .bind(feedback.rating)
        .bind(feedback.comment.as_deref())
        .bind(feedback.created_at.as_millis())
        .execute(write.connection())
        .await?;
        write.commit().await
    }

    /// The last judgements of a preset, the newest first.
    pub async fn feedback(
        &self,
        preset: &PresetId,
        limit: usize,
    ) -> Result<Vec<Feedback>, StoreError> {
        let rows = sql::query(
            "SELECT * FROM preset_feedback WHERE owner = $1 AND preset_id = $2
             ORDER BY created_at DESC, id DESC LIMIT $3",
        )
        .bind(self.owner.as_str())
        .bind(preset.as_str())
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&mut *self.connection().await?)
        .await?;
        let feedback = |row: &Row| {
            Ok(Feedback {
                id: row.text("id")?,
                preset: row.text("preset_id")?,
                rating: row.number("rating")?,
                comment: row.optional_text("comment")?,
                created_at: row.time("created_at")?,
            })
        };
        rows.iter().map(feedback).collect()
    }

    /// How presets were used and judged; one that never was is missing.
    pub async fn preset_figures(&self) -> Result<BTreeMap<PresetId, Figures>, StoreError> {
        let connection = &mut *self.connection().await?;
        let mut figures: BTreeMap<PresetId, Figures> = BTreeMap::new();
        let rows = sql::query("SELECT * FROM preset_figures WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *connection)
            .await?;
        for row in &rows {
            let number = |column: &str| row.number(column).map(i64::unsigned_abs);
            let used = Figures {
                personas: number("personas")?,
                turns: number("turns")?,
                truncated: number("truncated")?,
                failed: number("failed")?,
                tokens: number("tokens")?,
                last_used_at: Some(row.time("last_used_at")?),
                ..Figures::default()
            };
            figures.insert(row.text("preset_id")?, used);
        }
        let rows = sql::query(
            "SELECT preset_id, COUNT(*) AS ratings, CAST(SUM(rating) AS BIGINT) AS sum
             FROM preset_feedback WHERE owner = $1 GROUP BY preset_id",
        )
        .bind(self.owner.as_str())
        .fetch_all(connection)
        .await?;
        for row in &rows {
            let judged = figures.entry(row.text("preset_id")?).or_default();
            judged.ratings = row.number("ratings")?.unsigned_abs();
            judged.mean_rating = Some(row.number("sum")? as f64 / judged.ratings.max(1) as f64);
        }
        Ok(figures)
    }
}
