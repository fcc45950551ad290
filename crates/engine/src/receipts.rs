//! Receipts kept with their blocks: stored once by content, and rendered again to the byte.

use crate::assemble::{AssembleRequest, Dossier, check};
use crate::error::EngineError;
use crate::refs::DraftedRef;
use crate::turn::Attachment;
use crate::workspace::Workspace;
use dossier_core::hash::ContentHash;
use dossier_core::id::{MessageId, ReceiptId, SessionId};
use dossier_core::receipt::Receipt;
use dossier_core::render::{self, Block, WireMessage};
use dossier_core::selection::Served;
use dossier_store::ReceiptRow;

/// Where a reply's metadata name its receipt.
pub(crate) const RECEIPT: &str = "receipt";

/// A dossier that nobody has answered.
#[derive(Debug, Clone)]
pub struct Preview {
    pub dossier: Dossier,
    /// What stands behind the refs that its question names.
    refs: Vec<DraftedRef>,
}

impl Workspace {
    /// The dossier for a question of a client's session, with what comes with it; the session works
    /// there from now on. Calls no model; the receipt is kept.
    pub async fn assemble_for(
        &self,
        session: Option<&SessionId>,
        request: AssembleRequest,
        attachments: &[Attachment],
    ) -> Result<Dossier, EngineError> {
        // What comes with it asks nothing.
        check(&request.question)?;
        let question = Attachment::joined(&request.question, attachments);
        let request = AssembleRequest { question, ..request };
        let preview = self.preview(&request).await?;
        self.keep_preview(&preview).await?;
        if let Some(session) = session {
            let (project, thread) = (&request.project.id, request.thread.as_ref());
            self.enter_session(session, project, thread, request.now).await?;
        }
        Ok(preview.dossier)
    }

    /// The dossier for a question, as a turn would send it: what has no room is shown in short.
    /// Nothing is stored.
    pub async fn preview(&self, request: &AssembleRequest) -> Result<Preview, EngineError> {
        let too_large = match self.assemble(request).await {
            Err(EngineError::TooLarge(too_large)) => EngineError::TooLarge(too_large),
            dossier => return Ok(Preview { dossier: dossier?, refs: Vec::new() }),
        };
        let (dossier, refs) = self.assemble_in_short(request).await?.ok_or(too_large)?;
        Ok(Preview { dossier, refs })
    }

    /// Stores what the question of a dossier names, so that it can be expanded, and the receipt.
    pub async fn keep_preview(&self, preview: &Preview) -> Result<(), EngineError> {
        self.store_refs(preview.refs.clone()).await?;
        self.keep(&preview.dossier).await
    }

    /// Stores a dossier's receipt and those of its blocks that are new.
    pub async fn keep(&self, dossier: &Dossier) -> Result<(), EngineError> {
        let (row, texts) = rows(dossier)?;
        Ok(self.store.put_dossier(&row, &texts, &dossier.counted(None)).await?)
    }

    /// The receipt with this id.
    pub async fn receipt(&self, id: &ReceiptId) -> Result<Receipt, EngineError> {
        let row = self.store.receipt(id).await?.ok_or_else(|| {
            EngineError::not_found("receipt", id.as_str(), "dossier explain prints the id of each")
        })?;
        serde_json::from_str(&row.body).map_err(|error| damaged(id, &error))
    }

    /// How what a dossier chose has served its reply; not known where nobody has answered it, and
    /// where nothing was chosen.
    pub async fn served(&self, receipt: &ReceiptId) -> Result<Option<Served>, EngineError> {
        Ok(self.store.served(receipt).await?)
    }

    /// Whether a stored receipt shows something that is hidden.
    pub(crate) async fn quotes_hidden(&self, body: &str) -> Result<bool, EngineError> {
        let Ok(receipt) = serde_json::from_str::<Receipt>(body) else { return Ok(false) };
        let sources = receipt.items.iter().map(|item| item.source.id.as_str());
        Ok(!receipt.quoting(&self.store.hidden_among(sources).await?).is_empty())
    }

    /// The receipt of what the writer of a message was given.
    pub async fn receipt_of(&self, message: &MessageId) -> Result<Receipt, EngineError> {
        if let Some(row) = self.store.receipt_of(message).await? {
            return serde_json::from_str(&row.body).map_err(|error| damaged(&row.id, &error));
        }
        // A reply that a branch has taken over names the receipt of the one that it comes from.
        let row = self.store.message_row(message).await?;
        match row.as_ref().and_then(|row| row.metadata.get(RECEIPT)?.as_str()) {
            Some(named) => self.receipt(&named.into()).await,
            None => {
                let mend = "replies of models have one, imported messages have none";
                Err(EngineError::not_found("receipt of message", message.as_str(), mend))
            }
        }
    }

    /// The exact messages of a receipt, from its stored blocks.
    pub async fn rendered(&self, receipt: &Receipt) -> Result<Vec<WireMessage>, EngineError> {
        let sources = receipt.items.iter().map(|item| item.source.id.as_str());
        let hidden = self.store.hidden_among(sources).await?;
        if let Some(place) = receipt.quoting(&hidden).first() {
            let hash = receipt.blocks.get(*place).map_or("", |block| block.hash.as_str());
            return Err(EngineError::not_found("block", hash, "its source is hidden"));
        }
        let mut blocks = Vec::with_capacity(receipt.blocks.len());
        for named in &receipt.blocks {
            let bytes = self.store.blob(&named.hash).await?.ok_or_else(|| {
                EngineError::not_found("block", named.hash.as_str(), "its source was forgotten")
            })?;
            blocks.push(Block {
                message: named.message,
                role: named.role,
                item: named.item,
                text: String::from_utf8_lossy(&bytes).into_owned(),
            });
        }
        Ok(render::messages(&blocks))
    }
}

/// A dossier's receipt and the texts of its blocks, as they are stored.
pub(crate) fn rows(
    dossier: &Dossier,
) -> Result<(ReceiptRow, Vec<(ContentHash, String)>), EngineError> {
    let receipt = &dossier.receipt;
    let row = ReceiptRow {
        id: receipt.id.clone(),
        thread: receipt.thread.clone(),
        project: Some(receipt.project.clone()),
        message: None,
        body: serde_json::to_string(receipt).map_err(|error| damaged(&receipt.id, &error))?,
        blocks: receipt.blocks.iter().map(|block| block.hash.clone()).collect(),
        created_at: receipt.now,
    };
    let texts = receipt.blocks.iter().zip(&dossier.blocks);
    let texts = texts.map(|(named, block)| (named.hash.clone(), block.text.clone()));
    Ok((row, texts.collect()))
}

pub(crate) fn damaged(id: &ReceiptId, error: &serde_json::Error) -> EngineError {
    EngineError::Invalid(format!("receipt {id} cannot be read: {error}"))
}
