//! What is known of the models an owner can call.

use crate::error::StoreError;
use crate::insert::Insert;
use crate::row::to_json;
use crate::sql;
use crate::store::OwnerStore;
use dossier_core::catalogue::Capabilities;

#[derive(Debug, Clone, PartialEq)]
pub struct ModelRow {
    pub provider: String,
    pub model: String,
    pub display_name: String,
    pub context_window: i64,
    pub max_output: i64,
    /// Dollars per million tokens; below zero where they are not known.
    pub input_cost: f64,
    pub output_cost: f64,
    pub tier: String,
    pub capabilities: Capabilities,
}

impl OwnerStore {
    /// Writes these models, new or not; others stay.
    pub async fn put_models(&self, models: &[ModelRow]) -> Result<(), StoreError> {
        let rows = models
            .iter()
            .map(|model| Ok((model, to_json(&model.capabilities)?)))
            .collect::<Result<Vec<_>, StoreError>>()?;
        let mut write = self.write().await?;
        Insert {
            into: "INSERT INTO model_metadata (owner, provider, model, display_name,
                       context_window, max_output, input_cost, output_cost, tier, capabilities)",
            row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            then: "ON CONFLICT (owner, provider, model) DO UPDATE SET
                       display_name = excluded.display_name,
                       context_window = excluded.context_window,
                       max_output = excluded.max_output,
                       input_cost = excluded.input_cost,
                       output_cost = excluded.output_cost,
                       tier = excluded.tier,
                       capabilities = excluded.capabilities",
        }
        .run(write.connection(), &rows, |query, (model, capabilities)| {
            query
                .bind(self.owner.as_str())
                .bind(model.provider.as_str())
                .bind(model.model.as_str())
                .bind(model.display_name.as_str())
                .bind(model.context_window)
                .bind(model.max_output)
                .bind(model.input_cost)
                .bind(model.output_cost)
                .bind(model.tier.as_str())
                .bind(capabilities.as_str())
        })
        .await?;
        write.commit().await
    }

    /// The owner's models, by provider and name.
    pub async fn models(&self) -> Result<Vec<ModelRow>, StoreError> {
        let rows = sql::query("SELECT * FROM model_metadata WHERE owner = $1")
            .bind(self.owner.as_str())
            .fetch_all(&mut *self.connection().await?)
            .await?;
        let mut models = rows
            .iter()
            .map(|row| {
                Ok(ModelRow {
                    provider: row.text("provider")?,
                    model: row.text("model")?,
                    display_name: row.text("display_name")?,
                    context_window: row.number("context_window")?,
                    max_output: row.number("max_output")?,
                    input_cost: row.get_as("input_cost")?,
                    output_cost: row.get_as("output_cost")?,
                    tier: row.text("tier")?,
                    capabilities: row.json("capabilities")?,
                })
            })
            .collect::<Result<Vec<_>, StoreError>>()?;
        models.sort_by(|left, right| {
            (&left.provider, &left.model).cmp(&(&right.provider, &right.model))
        });
        Ok(models)
    }
}
