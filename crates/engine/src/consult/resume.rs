//! A call that is made again by the same name: what came of it is told once more, and one that has
//! put its answer off goes on.

use super::begin::{ConsultRequest, Consultation, asked, report_of};
use crate::error::EngineError;
use crate::mint;
use crate::turn::{Gathering, Reader, lease, unbroken};
use crate::workspace::Workspace;
use dossier_core::turn::ReplyState;
use dossier_models::ChatModel;
use dossier_store::Turn;
use std::sync::Arc;
use std::time::Instant;

impl Workspace {
    /// The call that the client has made before by this name.
    pub(super) async fn consulted(
        &self,
        request: &ConsultRequest,
        deadline: Instant,
    ) -> Result<Option<Consultation>, EngineError> {
        let Some(name) = &request.client_message_id else { return Ok(None) };
        let Some(turn) = self.store.turn_named(name).await? else { return Ok(None) };
        let Some(files) = report_of(&turn) else {
            return Err(EngineError::Conflict(format!(
                "client_message_id `{name}` names another turn; choose another name"
            )));
        };
        match &request.model {
            Some(model)
                if turn.replies.iter().all(|reply| reply.state == ReplyState::Interrupted) =>
            {
                let model = Arc::clone(model);
                Ok(Some(self.resume_consult(request, turn, model, deadline).await?))
            }
            _ => {
                let stream = self.follow_turn(&turn.id, None).await?;
                Ok(Some(Consultation { stream, files }))
            }
        }
    }

    /// Asks a model again that has put its answer off, once no other call of the session goes on.
    /// What it is given is planned anew: a file may have changed meanwhile.
    async fn resume_consult(
        &self,
        request: &ConsultRequest,
        turn: Turn,
        model: Arc<dyn ChatModel>,
        deadline: Instant,
    ) -> Result<Consultation, EngineError> {
        let settings = self.consult_settings().await?;
        let project = Some(&request.project);
        let spending = self.check_budgets_for(model.info(), project, request.now).await?;
        let free = self.free_session(&request.key(), deadline).await?;
        let session = free.map(|(session, _)| session);
        let question = self.question_of(&turn).await?;
        let mut consulting = self.plan(request, session.as_ref(), &*model, &settings).await?;
        let files = consulting.check()?;
        consulting.stored_as(&turn.id, session.as_ref());
        let asked = asked(request, question, spending, consulting);
        let workspace = self.clone();
        let begin = async move {
            let until = lease(mint::now());
            if workspace.store.retry_turn(&turn.id, &[0], until).await?.is_empty() {
                let stream = workspace.follow_turn(&turn.id, None).await?;
                return Ok(Consultation { stream, files });
            }
            let (readers, gathering) = (Reader::only(model), Gathering::nothing());
            let stream = workspace.run(turn, asked, readers, Some(gathering)).alone();
            Ok(Consultation { stream, files })
        };
        Ok(unbroken(begin).await?.shared())
    }
}
