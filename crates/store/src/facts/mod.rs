//! Facts: what is remembered of a project. A fact goes with the message it quotes, and what it had
//! closed holds again when it is forgotten.

mod shelf;

pub(crate) use shelf::Shelves;

use crate::error::{StoreError, check_text};
use crate::insert::Insert;
use crate::row::{Row, text_list, to_json};
use crate::sql;
use crate::store::{DatabaseKind, OwnerStore};
use crate::write::Write;
use crate::{answers, projects, receipts, replies};
use dossier_core::facts::{Doubt, Embedding, Fact, FactKind, Memory, Quotation, Remembered, Topic};
use dossier_core::id::{FactId, MessageId, ProjectId, ThreadId};
use dossier_core::time::Timestamp;
use dossier_core::vector::Quantised;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A project's facts as they were at a moment, hidden ones left out.
#[derive(Debug, Clone, Default)]
pub struct FactsAtHand {
    pub facts: Arc<Memory>,
    moment: Moment,
}

/// How often facts were written and removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Moment {
    /// Another one where the project was made anew.
    count: String,
    changes: i64,
    removals: i64,
}

impl Moment {
    fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            count: row.text("count_name")?,
            changes: row.number("changes")?,
            removals: row.number("removals")?,
        })
    }

    /// Whether facts were only added or changed since.
    fn has_grown_since(&self, earlier: &Self) -> bool {
        self.count == earlier.count && self.removals == earlier.removals
    }
}

/// Facts of threads that can be seen.
const SEEN: &str = "(conversation_id IS NULL OR EXISTS
    (SELECT 1 FROM visible_conversations AS thread
     WHERE thread.owner = facts_ledger.owner AND thread.id = conversation_id))";

/// The facts of a project that were written after a change.
fn changed_since() -> String {
    format!(
        "SELECT * FROM facts_ledger
         WHERE owner = $1 AND project_id = $2 AND changed > $3 AND {SEEN}"
    )
}

fn named() -> String {
    format!(
        "SELECT * FROM facts_ledger WHERE owner = $1 AND id = $2 AND {SEEN}
             AND project_id IN (SELECT id FROM visible_projects WHERE owner = $1)"
    )
}

fn removing(kind: DatabaseKind, column: &str) -> String {
    let own = own_among(kind, column);
    format!("DELETE FROM facts_ledger WHERE {own} RETURNING id, superseded_by, valid_until")
}

fn reopening(kind: DatabaseKind) -> String {
    let own = own_among(kind, "superseded_by");
    format!(
        "UPDATE facts_ledger SET superseded_by = NULL, valid_until = NULL, changed = $4
         WHERE {own}"
    )
}

/// A condition: a fact of the project whose column is an element of a JSON array. The plus keeps
/// SQLite from walking through all facts of the project.
fn own_among(kind: DatabaseKind, column: &str) -> String {
    let project = match kind {
        DatabaseKind::Sqlite => "+project_id",
        DatabaseKind::Postgres => "project_id",
    };
    let among = kind.text_among(column, "$3");
    format!("owner = $1 AND {project} = $2 AND {among}")
}

fn read(row: &Row) -> Result<Fact, StoreError> {
    let kind: String = row.text("kind")?;
    let doubt: Option<String> = row.optional_text("doubt")?;
    let topic = row.optional_text("subject")?.zip(row.optional_text("attribute")?);
    let time = |column| row.get_as::<Option<i64>>(column);
    Ok(Fact {
        id: row.text("id")?,
        kind: FactKind::parse(&kind)
            .ok_or_else(|| StoreError::unreadable("kind", kind.as_str()))?,
        text: row.text("text")?,
        source: Quotation {
            thread: row.optional_text("conversation_id")?,
            message: row.optional_text("message_id")?,
            quote: row.text("quote")?,
        },
        topic: topic.map(|(subject, attribute)| Topic { subject, attribute }),
        tags: row.json("topic_tags")?,
        created_at: row.time("created_at")?,
        confirmed_at: row.time("confirmed_at")?,
        valid_from: row.time("valid_from")?,
        valid_until: time("valid_until")?.map(Timestamp::from_millis),
        superseded_by: row.optional_text("superseded_by")?,
        pinned: row.number("pinned")? != 0,
        doubt: doubt
            .map(|doubt| Doubt::parse(&doubt).ok_or_else(|| StoreError::unreadable("doubt", doubt)))
            .transpose()?,
    })
}

fn remembered(row: &Row) -> Result<Remembered, StoreError> {
    let model: Option<String> = row.optional_text("model")?;
    let bytes: Option<Vec<u8>> = row.get_as("embedding")?;
    let vector = bytes.and_then(|bytes| Quantised::from_bytes(&bytes));
    let embedding = model.zip(vector).map(|(model, vector)| Embedding { model, vector });
    Ok(Remembered::new(read(row)?, embedding))
}

impl OwnerStore {
    /// The facts of a project, from memory where nothing has changed.
    pub async fn facts(&self, project: &ProjectId) -> Result<FactsAtHand, StoreError> {
        let row = sql::query(
            "SELECT * FROM fact_changes WHERE owner = $1 AND project_id = $2
                 AND project_id IN (SELECT id FROM visible_projects WHERE owner = $1)",
        )
        .bind(self.owner.as_str())
        .bind(project.as_str())
        .fetch_optional(&mut *self.connection().await?)
        .await?;
        let Some(row) = row else { return Ok(FactsAtHand::default()) };
        let moment = Moment::read(&row)?;
        let shelves = &self.inner.shelves;
        let known = shelves.get(&self.owner, project);
        let facts = match known {
            Some(known) if known.moment == moment => return Ok(known),
            Some(known) if moment.has_grown_since(&known.moment) => {
                let changed = self.facts_since(project, known.moment.changes).await?;
                shelf::merged(&known.facts, changed)
            }
            _ => self.facts_since(project, 0).await?,
        };
        let at_hand = FactsAtHand { facts: Arc::new(Memory::new(facts)), moment };
        shelves.put(&self.owner, project, &at_hand);
        Ok(at_hand)
    }

    async fn facts_since(
        &self,
        project: &ProjectId,
        change: i64,
    ) -> Result<Vec<Arc<Remembered>>, StoreError> {
        let rows = sql::composed(changed_since())
            .bind(self.owner.as_str())
            .bind(project.as_str())
            .bind(change)
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let read = |row| Ok(Arc::new(remembered(row)?));
        let mut facts = rows.iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        // A database may sort by the rules of a language.
        facts.sort_by(|left, right| left.fact.id.cmp(&right.fact.id));
        Ok(facts)
    }

    /// A fact with its project.
    pub async fn fact(&self, id: &FactId) -> Result<Option<(ProjectId, Fact)>, StoreError> {
        let row = sql::composed(named())
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .fetch_optional(&mut *self.connection().await?)
            .await?;
        row.map(|row| Ok((row.text("project_id")?, read(&row)?))).transpose()
    }

    /// Writes facts and drops others, unless the project's facts have changed since they were at
    /// hand; whether it was done.
    pub async fn write_facts(
        &self,
        project: &ProjectId,
        since: &FactsAtHand,
        written: &[Fact],
        dropped: &[FactId],
    ) -> Result<bool, StoreError> {
        let mut write = self.write().await?;
        projects::expect(&mut write, project).await?;
        if moment(&mut write, project).await? != since.moment {
            return Ok(false);
        }
        put(&mut write, project, written).await?;
        remove(&mut write, project, "id", dropped.iter().map(FactId::as_str)).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Deletes a fact for good, with what receipts and kept replies quote of it; whether there was
    /// one.
    pub async fn forget_fact(&self, project: &ProjectId, id: &FactId) -> Result<bool, StoreError> {
        let mut write = self.shredding().await?;
        let removed = remove(&mut write, project, "id", [id.as_str()]).await?;
        if !removed.is_empty() {
            // What was said of it may quote it.
            replies::forget(&mut write).await?;
            answers::forget(&mut write).await?;
            receipts::unquote(&mut write, project, &removed).await?;
        }
        write.commit().await?;
        Ok(!removed.is_empty())
    }

    /// Stores the vectors of facts whose texts are still these.
    pub async fn put_fact_vectors(
        &self,
        project: &ProjectId,
        model: &str,
        vectors: &[(FactId, String, Quantised)],
    ) -> Result<(), StoreError> {
        if vectors.is_empty() {
            return Ok(());
        }
        let mut write = self.write().await?;
        let change = note(&mut write, project, 0).await?;
        for (id, text, vector) in vectors {
            sql::query(
                "UPDATE facts_ledger SET model = $4, embedding = $5, changed = $6
                 WHERE owner = $1 AND id = $2 AND text = $3",
            )
            .bind(self.owner.as_str())
            .bind(id.as_str())
            .bind(text.as_str())
            .bind(model)
            .bind(vector.to_bytes())
            .bind(change)
            .execute(write.connection())
            .await?;
        }
        write.commit().await
    }
}

async fn moment(write: &mut Write, project: &ProjectId) -> Result<Moment, StoreError> {
    let owner = write.owner.clone();
    let row = sql::query("SELECT * FROM fact_changes WHERE owner = $1 AND project_id = $2")
        .bind(owner.as_str())
        .bind(project.as_str())
        .fetch_optional(write.connection())
        .await?;
    row.as_ref().map(Moment::read).transpose().map(Option::unwrap_or_default)
}

/// Counts a change of a project's facts, and tells its number.
async fn note(write: &mut Write, project: &ProjectId, removals: i64) -> Result<i64, StoreError> {
    let owner = write.owner.clone();
    let row = sql::query(
        "INSERT INTO fact_changes (owner, project_id, changes, removals) VALUES ($1, $2, 1, $3)
         ON CONFLICT (owner, project_id) DO UPDATE SET
             changes = fact_changes.changes + 1, removals = fact_changes.removals + $3
         RETURNING changes",
    )
    .bind(owner.as_str())
    .bind(project.as_str())
    .bind(removals)
    .fetch_one(write.connection())
    .await?;
    row.number("changes")
}

/// Counts that facts of the project came or went with their thread, if it has any.
pub(crate) async fn veiled(write: &mut Write, project: &ProjectId) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    sql::query(
        "UPDATE fact_changes SET changes = changes + 1, removals = removals + 1
         WHERE owner = $1 AND project_id = $2",
    )
    .bind(owner.as_str())
    .bind(project.as_str())
    .execute(write.connection())
    .await?;
    Ok(())
}

async fn put(write: &mut Write, project: &ProjectId, facts: &[Fact]) -> Result<(), StoreError> {
    if facts.is_empty() {
        return Ok(());
    }
    let owner = write.owner.clone();
    let change = note(write, project, 0).await?;
    for fact in facts {
        check_text("fact", &fact.text)?;
        check_text("quote", &fact.source.quote)?;
    }
    write.grown.bytes += facts.iter().map(|fact| fact.text.len() as u64).sum::<u64>();
    let rows = facts
        .iter()
        .map(|fact| Ok((fact, to_json(&fact.tags)?)))
        .collect::<Result<Vec<_>, StoreError>>()?;
    Insert {
        into: "INSERT INTO facts_ledger (owner, id, project_id, conversation_id, message_id, kind,
                   text, quote, subject, attribute, topic_tags, created_at, confirmed_at,
                   valid_from, valid_until, superseded_by, pinned, doubt, changed)",
        row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        // Another text has another vector.
        then: "ON CONFLICT (owner, id) DO UPDATE SET
                   embedding = CASE WHEN excluded.text = facts_ledger.text
                       THEN facts_ledger.embedding ELSE NULL END,
                   kind = excluded.kind, text = excluded.text, quote = excluded.quote,
                   subject = excluded.subject, attribute = excluded.attribute,
                   topic_tags = excluded.topic_tags, confirmed_at = excluded.confirmed_at,
                   valid_from = excluded.valid_from, valid_until = excluded.valid_until,
                   superseded_by = excluded.superseded_by, pinned = excluded.pinned,
                   doubt = excluded.doubt, changed = excluded.changed",
    }
    .run(write.connection(), &rows, |query, (fact, tags)| {
        query
            .bind(owner.as_str())
            .bind(fact.id.as_str())
            .bind(project.as_str())
            .bind(fact.source.thread.as_ref().map(ThreadId::as_str))
            .bind(fact.source.message.as_ref().map(MessageId::as_str))
            .bind(fact.kind.as_str())
            .bind(fact.text.as_str())
            .bind(fact.source.quote.as_str())
            .bind(fact.topic.as_ref().map(|topic| topic.subject.as_str()))
            .bind(fact.topic.as_ref().map(|topic| topic.attribute.as_str()))
            .bind(tags.as_str())
            .bind(fact.created_at.as_millis())
            .bind(fact.confirmed_at.as_millis())
            .bind(fact.valid_from.as_millis())
            .bind(fact.valid_until.map(Timestamp::as_millis))
            .bind(fact.superseded_by.as_ref().map(FactId::as_str))
            .bind(i64::from(fact.pinned))
            .bind(fact.doubt.map(Doubt::as_str))
            .bind(change)
    })
    .await
}

/// Deletes the facts whose column is one of these. What they had closed is closed by what had taken
/// their own place, or holds again. Tells which they were.
pub(crate) async fn remove<'a>(
    write: &mut Write,
    project: &ProjectId,
    column: &str,
    among: impl IntoIterator<Item = &'a str>,
) -> Result<HashSet<String>, StoreError> {
    let owner = write.owner.clone();
    let kind = write.kind();
    let among = text_list(among)?;
    if among == "[]" {
        return Ok(HashSet::new());
    }
    let rows = sql::composed(removing(kind, column))
        .bind(owner.as_str())
        .bind(project.as_str())
        .bind(among)
        .fetch_all(write.connection())
        .await?;
    let ids = rows.iter().map(|row| row.text("id")).collect::<Result<HashSet<String>, _>>()?;
    if ids.is_empty() {
        return Ok(ids);
    }
    let change = note(write, project, 1).await?;
    let mut newer: HashMap<String, (String, Option<i64>)> = HashMap::new();
    for row in &rows {
        if let Some(by) = row.optional_text("superseded_by")? {
            newer.insert(row.text("id")?, (by, row.get_as("valid_until")?));
        }
    }
    for id in newer.keys() {
        // What came in an archive may go round in circles.
        let steps = std::iter::successors(newer.get(id), |(by, _)| newer.get(by));
        let left = steps.take(ids.len()).find(|(by, _)| !ids.contains(by));
        let Some((by, until)) = left else { continue };
        sql::query(
            "UPDATE facts_ledger SET superseded_by = $4, valid_until = $5, changed = $6
             WHERE owner = $1 AND project_id = $2 AND superseded_by = $3",
        )
        .bind(owner.as_str())
        .bind(project.as_str())
        .bind(id.as_str())
        .bind(by.as_str())
        .bind(*until)
        .bind(change)
        .execute(write.connection())
        .await?;
    }
    sql::composed(reopening(kind))
        .bind(owner.as_str())
        .bind(project.as_str())
        .bind(text_list(ids.iter().map(String::as_str))?)
        .bind(change)
        .execute(write.connection())
        .await?;
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::{changed_since, named, removing, reopening};
    use crate::sql;
    use crate::store::{DatabaseKind, Store};

    /// By tag, by meaning and by age facts are looked for in memory.
    #[tokio::test]
    async fn facts_are_found_without_a_look_at_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("dossier.db").display());
        let store = Store::open(&url).await.unwrap();
        let mut connection = store.inner.pool.acquire().await.unwrap();
        let by = |column| removing(DatabaseKind::Sqlite, column);
        for (query, keys) in [
            (changed_since(), "(owner=? AND project_id=? AND changed>?)"),
            (named(), "(owner=? AND id=?)"),
            (by("id"), "(owner=? AND id=?)"),
            (by("message_id"), "(owner=? AND message_id=?)"),
            (by("conversation_id"), "(owner=? AND conversation_id=?)"),
            (reopening(DatabaseKind::Sqlite), "(owner=? AND superseded_by=?)"),
        ] {
            let plan = sql::composed(format!("EXPLAIN QUERY PLAN {query}"))
                .bind("owner")
                .bind("other")
                .bind("[]")
                .bind(0_i64)
                .fetch_all(&mut connection)
                .await
                .unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.text("detail").unwrap()).collect();
            let of_facts: Vec<&String> =
                steps.iter().filter(|step| step.contains("facts_ledger")).collect();
            assert!(
                of_facts.iter().all(|step| step.starts_with("SEARCH ") && step.ends_with(keys)),
                "{query}: {steps:?}"
            );
            assert_eq!(of_facts.len(), 1, "{query}: {steps:?}");
        }
    }
}
