//! Where a kept answer takes the place of a model: it is looked for when the dossier is made, and a
//! reply that may be given again is kept in the transaction that stores it.

use super::Asked;
use super::answer::{Held, Part, Told};
use super::event::TurnEvent;
use super::failure::Failure;
use super::request::Freshness;
use crate::answers::{Age, Flight, REFRESHED, Reader, Repeated, Sought, UNKNOWN};
use crate::assemble::Seat;
use crate::mint;
use dossier_core::chat::{Answer, Finish, Usage};
use dossier_core::id::ReceiptId;
use dossier_core::message::Message;
use dossier_core::sameness::{Difference, Keeping};
use dossier_core::savings::{Request, Savings};
use dossier_store::AnswerRow;
use tokio::sync::SetOnce;

impl Part {
    /// The kept answer to the question, if there is one that may be given. Notes otherwise under
    /// what name the model's own answer can be kept.
    pub(super) async fn look_up(
        &self,
        held: &mut Held,
        seat: &Seat,
        told: &mut Told,
    ) -> Option<Repeated> {
        let sought = self.sought(held, seat)?;
        let found = match sought {
            Err(reason) => Err(reason),
            Ok(sought) => {
                let found = match self.asked.terms.freshness {
                    Freshness::Anew => Err(REFRESHED),
                    Freshness::Kept => self.look_for_or_wait(&sought, told).await,
                };
                told.sought = Some(sought);
                found
            }
        };
        let tally = &self.workspace.answers;
        match found {
            Ok(repeated) => Some(repeated),
            Err(reason) => {
                tally.miss(reason);
                held.cache_miss = Some(reason);
                None
            }
        }
    }

    /// What the answer is known by; nothing where answers are not kept. What comes with a question
    /// beside the dossier, and what a persona or a session remembers, is in no signature.
    fn sought(&self, held: &Held, seat: &Seat) -> Option<Result<Sought, &'static str>> {
        let asked = &self.asked;
        let keeping = Keeping::of(&asked.project.settings)?;
        let newest = held.newest()?;
        let is_plain = asked.consulting.is_none()
            && asked.persona().is_none()
            && asked.is_text()
            && !self.runs_its_own_tools()
            && !asked.terms.options.show_reasoning;
        if !is_plain {
            return None;
        }
        let model = self.name();
        let reader = Reader {
            owner: self.workspace.owner(),
            project: &asked.project,
            model: &model,
            address: self.model.address(),
            terms: &asked.terms,
            tools: &self.tools(seat),
            newest,
        };
        let sought = Sought::of(keeping, &reader, &held.dossier);
        Some(sought.map_err(|unfit| Difference::Unfit(unfit).as_str()))
    }

    /// The kept answer, or the one that somebody else is asking for at the moment.
    async fn look_for_or_wait(
        &self,
        sought: &Sought,
        told: &mut Told,
    ) -> Result<Repeated, &'static str> {
        loop {
            let found = self.look_for(sought, Age::Fresh).await;
            if found.is_ok() {
                return found;
            }
            match self.workspace.flights.begin(&sought.key) {
                Flight::First(asking) => {
                    // Somebody else may have got the answer since it was looked for.
                    let found = self.look_for(sought, Age::Fresh).await;
                    if found.is_err() {
                        told.asking = Some(asking);
                    }
                    return found;
                }
                // It never changes, and ends with whoever asks.
                Flight::Later(mut first) => drop(first.changed().await),
            }
        }
    }

    /// A cache that fails costs a call of the model, never the reply.
    async fn look_for(&self, sought: &Sought, age: Age) -> Result<Repeated, &'static str> {
        let project = &self.asked.project.id;
        let found = self.workspace.repeated(sought, project, age, mint::now()).await;
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "kept answers could not be looked for");
            Err(UNKNOWN)
        })
    }

    /// Gives an answer whose time has just run out in place of a model that could not be reached, if
    /// nothing but time speaks against it and nobody has heard a word yet. Otherwise the failure
    /// stays.
    pub(super) async fn stand_in(
        &self,
        failure: Failure,
        seat: Seat,
        told: &mut Told,
    ) -> Result<ReceiptId, Failure> {
        let may_repeat = self.asked.terms.freshness == Freshness::Kept && told.heard_nothing();
        let Some(sought) = told.sought.as_ref().filter(|_| may_repeat && failure.is_outage())
        else {
            return Err(failure);
        };
        if self.look_for(sought, Age::Overdue).await.is_err() {
            return Err(failure);
        }
        // The model may have taken long to fail: what it would be shown now is what counts.
        let Asked { project, question, .. } = &*self.asked;
        let shown = seat.in_short().unwrap_or(&question.content);
        let gathering = self.workspace.gathering(project, shown).await;
        let (held, seat) = self.arranged(gathering, Some(seat), None, None).await?;
        let Some(Ok(sought)) = self.sought(&held, &seat) else { return Err(failure) };
        match self.look_for(&sought, Age::Overdue).await {
            Ok(repeated) => self.repeat(held, repeated, told).await,
            Err(_) => Err(failure),
        }
    }

    /// Gives a kept answer as the model's reply, with a receipt that says so.
    pub(super) async fn repeat(
        &self,
        mut held: Held,
        repeated: Repeated,
        told: &mut Told,
    ) -> Result<ReceiptId, Failure> {
        let receipt = &mut held.dossier.receipt;
        receipt.cached = Some(repeated.cached.clone());
        let id = receipt.id.clone();
        let budget = &receipt.budget;
        let request = Request::of(budget.used, &budget.sections, receipt.summary_tokens());
        let asking = Usage { input: request.used, ..Usage::default() };
        let saved = Savings::of_answer(repeated.taken.unwrap_or(asking), request, self.rates());
        self.keep(held, &SetOnce::new()).await?;
        let text = repeated.text.clone();
        told.answer =
            Answer { text: text.clone(), finish: Some(Finish::Stop), ..Answer::default() };
        told.usage = Some(Usage::default());
        told.saved = saved;
        self.workspace.answers.hit(&repeated.cached, saved);
        told.repeated = Some(repeated);
        self.channel.send(TurnEvent::Delta { model: self.name(), text, reasoning: String::new() });
        Ok(id)
    }

    /// The row that keeps a reply, if it may be given again: a whole answer, made from nothing but
    /// the dossier. What tools have read stands in no dossier, so what they led to is not kept.
    pub(super) fn kept_as(&self, told: &Told, message: &Message) -> Option<AnswerRow> {
        let sought = told.sought.as_ref()?;
        let answer = &told.answer;
        let is_whole = answer.finish == Some(Finish::Stop)
            && answer.calls.is_empty()
            && told.tools.is_empty()
            && told.repeated.is_none();
        let reader = (&self.asked.project, message.speaker.name.as_deref().unwrap_or_default());
        let said = (&message.id, answer.text.as_str());
        is_whole.then(|| sought.row(reader, &self.asked.question.id, said, message.created_at))
    }
}
