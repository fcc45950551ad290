//! Vectors of texts, by the embedder that searches by meaning.

use super::{invalid, unknown_model};
use crate::body::JsonBody;
use crate::problem::{Problem, Problems};
use crate::state::Caller;
use axum::Json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dossier_engine::EngineError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The most texts at once.
const MOST: usize = 2048;

#[derive(Debug, Deserialize, ToSchema)]
pub struct EmbeddingsRequest {
    /// `minilm-l6-v2`, or the model of the service that is set up.
    pub model: String,
    /// A text, or up to 2048 of them.
    #[schema(value_type = EmbeddingInput)]
    pub input: Value,
    pub encoding_format: Option<EncodingFormat>,
    /// The length that the vectors have anyway.
    pub dimensions: Option<usize>,
}

#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[serde(untagged)]
#[expect(dead_code, reason = "only the OpenAPI document names it")]
pub enum EmbeddingInput {
    Text(String),
    Texts(Vec<String>),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum EncodingFormat {
    #[default]
    Float,
    /// The numbers as 32 bits each, the lowest byte first.
    Base64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EmbeddingsResponse {
    #[schema(value_type = String)]
    pub object: &'static str,
    pub data: Vec<EmbeddingObject>,
    pub model: String,
    pub usage: EmbeddingTokens,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EmbeddingObject {
    #[schema(value_type = String)]
    pub object: &'static str,
    pub index: usize,
    pub embedding: Embedding,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Embedding {
    Numbers(Vec<f32>),
    Base64(String),
}

#[derive(Debug, Serialize, ToSchema)]
pub struct EmbeddingTokens {
    pub prompt_tokens: usize,
    pub total_tokens: usize,
}

/// Embed texts
///
/// Of a longer text the first tokens are read, as many as fit one vector.
#[utoipa::path(
    post,
    path = "/v1/embeddings",
    operation_id = "create_embeddings",
    tag = "openai",
    request_body = EmbeddingsRequest,
    responses((status = 200, body = EmbeddingsResponse), Problems)
)]
pub async fn embed(
    caller: Caller,
    JsonBody(request): JsonBody<EmbeddingsRequest>,
) -> Result<Json<EmbeddingsResponse>, Problem> {
    let texts = texts(request.input)?;
    let made =
        caller.workspace.embeddings(&request.model, texts).await.map_err(|error| match &error {
            EngineError::NotFound { .. } => unknown_model(error),
            _ => error.into(),
        })?;
    let length = made.vectors.first().map_or(0, Vec::len);
    if request.dimensions.is_some_and(|wanted| wanted != length) {
        let what = format!("the vectors of {} have {length} numbers", made.model);
        return Err(invalid("dimensions", what));
    }
    let format = request.encoding_format.unwrap_or_default();
    let data = made.vectors.into_iter().enumerate().map(|(index, vector)| EmbeddingObject {
        object: "embedding",
        index,
        embedding: match format {
            EncodingFormat::Float => Embedding::Numbers(vector),
            EncodingFormat::Base64 => Embedding::Base64(STANDARD.encode(bytes(&vector))),
        },
    });
    Ok(Json(EmbeddingsResponse {
        object: "list",
        data: data.collect(),
        model: made.model,
        usage: EmbeddingTokens { prompt_tokens: made.tokens, total_tokens: made.tokens },
    }))
}

fn bytes(vector: &[f32]) -> Vec<u8> {
    vector.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn texts(input: Value) -> Result<Vec<String>, Problem> {
    let texts = match input {
        Value::String(text) => vec![text],
        Value::Array(list) => {
            let text = |value| match value {
                Value::String(text) => Ok(text),
                _ => Err(invalid("input", "lists of tokens are not understood; send texts")),
            };
            list.into_iter().map(text).collect::<Result<_, Problem>>()?
        }
        _ => return Err(invalid("input", "send a text or a list of texts")),
    };
    if texts.is_empty() || texts.iter().any(String::is_empty) {
        return Err(invalid("input", "there is nothing to embed; send texts that are not empty"));
    }
    if texts.len() > MOST {
        return Err(invalid("input", format!("at most {MOST} texts are embedded at once")));
    }
    Ok(texts)
}
