//! Facts that a model proposes to take from a message. A proposal is a line of JSON; it is taken only
//! if the words that it quotes stand in the message, in a sentence of which [`super::extract`] would
//! take a statement too, and if it says nothing that they do not say. What was extracted without a
//! model stands before what a model proposes about the same words.

use super::extract::{Words, doubt, is_refused, is_settled, meant};
use super::sentence::Sentence;
use super::words;
use super::{Draft, FactKind, Topic, Utterance};
use crate::analyse;
use crate::compress::{protected, stands_in};
use crate::guard::masked;
use crate::message::{Role, Speaker};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::Range;

/// A model that proposes more takes everything for a fact.
const MOST: usize = 6;
/// A quotation has at least so many words.
const FEWEST_WORDS: usize = 3;

/// Why nothing of an answer is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoFacts {
    #[error("the answer is not the lines of JSON that were asked for")]
    NotJson,
    #[error("the answer proposes more than {MOST} facts")]
    TooMany,
    #[error("no proposal quotes a statement of the message and says no more than it")]
    Unfounded,
}

#[derive(Deserialize)]
struct Proposal {
    kind: FactKind,
    text: String,
    quote: String,
    subject: Option<String>,
    attribute: Option<String>,
}

/// The facts of an answer that are founded in a message; none where the model says that there are
/// none. `taken` are those that were extracted without it.
pub fn proposed(answer: &str, said: Utterance<'_>, taken: &[Draft]) -> Result<Vec<Draft>, NoFacts> {
    let lines = answer.lines().map(str::trim);
    let lines: Vec<&str> =
        lines.filter(|line| !line.is_empty() && !line.starts_with("```")).collect();
    if matches!(lines.as_slice(), [] | ["[]" | "none" | "None" | "none." | "None."]) {
        return Ok(Vec::new());
    }
    if lines.len() > MOST {
        return Err(NoFacts::TooMany);
    }
    let read = |line: &&str| serde_json::from_str(line).map_err(|_| NoFacts::NotJson);
    let proposals: Vec<Proposal> = lines.iter().map(read).collect::<Result<_, _>>()?;
    if said.speaker.role != Role::User {
        return Err(NoFacts::Unfounded);
    }
    let sentences = meant(said.content);
    let founded = proposals
        .iter()
        .filter_map(|proposal| founded(proposal, said.content, &sentences, said.speaker));
    let founded: Vec<Draft> = founded.collect();
    if founded.is_empty() {
        return Err(NoFacts::Unfounded);
    }
    let is_new = |draft: &Draft| !taken.iter().any(|own| overlaps(&own.quote, &draft.quote));
    Ok(founded.into_iter().filter(is_new).collect())
}

fn founded(
    proposal: &Proposal,
    content: &str,
    sentences: &[Sentence<'_>],
    speaker: &Speaker,
) -> Option<Draft> {
    let quoted = proposal.quote.trim();
    if quoted.split_whitespace().count() < FEWEST_WORDS {
        return None;
    }
    let places = content.match_indices(quoted).map(|(at, _)| at..at + quoted.len());
    let (sentence, quote) = places.into_iter().find_map(|place| {
        let holds = |sentence: &&Sentence<'_>| {
            sentence.range.start <= place.start && place.end <= sentence.range.end
        };
        sentences.iter().find(holds).map(|sentence| (sentence, place.clone()))
    })?;
    let words = Words::of(sentence.text);
    if is_refused(sentence, &words) {
        return None;
    }
    let text = super::text(&proposal.text).ok()?;
    let is_told = masked(&text) == text
        && !Words::of(&text).is_order()
        && protected(&text).iter().all(|value| stands_in(quoted, value))
        && is_said_by(&text, quoted);
    is_told.then(|| Draft {
        kind: proposal.kind,
        text: match &speaker.name {
            Some(name) => format!("{name}: {text}"),
            None => text,
        },
        quote,
        topic: topic(proposal, quoted).filter(|topic| is_settled(topic, &words, 0)),
        replaces: None,
        tags: Vec::new(),
        doubt: doubt(&words),
    })
}

/// Whether all that a text says is said by a quotation: its words are words of it, but for those
/// that only join others, and it denies what the quotation denies.
fn is_said_by(text: &str, quoted: &str) -> bool {
    let own = analyse::words(text).into_iter().filter(|word| !analyse::is_stopword(word));
    let own: BTreeSet<String> = own.flat_map(|word| analyse::terms(&word)).collect();
    let denies = |text: &str| words::Words::of(text).denies();
    !own.is_empty() && own.is_subset(&words_of(quoted)) && denies(text) == denies(quoted)
}

/// What the fact is said of, if its subject is named in the quotation: a topic closes older facts.
fn topic(proposal: &Proposal, quoted: &str) -> Option<Topic> {
    let subject: Vec<String> = analyse::terms(proposal.subject.as_deref()?);
    let attribute = analyse::terms(proposal.attribute.as_deref()?);
    let said = words_of(quoted);
    let is_named = !subject.is_empty() && subject.iter().all(|word| said.contains(word));
    (is_named && !attribute.is_empty())
        .then(|| Topic { subject: subject.join(" "), attribute: attribute.join(" ") })
}

fn words_of(text: &str) -> BTreeSet<String> {
    analyse::terms(text).into_iter().collect()
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

#[cfg(test)]
mod tests {
    use super::super::extract;
    use super::*;

    const MESSAGE: &str = "The staging cluster moved to Frankfurt last week, so mind the latency. \
        Should we drop Redis? Ana says that the disk is full.\n> the prod cluster is in Oslo\n\
        We decided to use Kafka for the queue.";

    fn check(answer: &str, expected: Result<&[&str], NoFacts>) {
        let speaker = Speaker { role: Role::User, name: None };
        let said = Utterance { speaker: &speaker, content: MESSAGE };
        let found = proposed(answer, said, &extract(said));
        let texts = found
            .as_ref()
            .map(|drafts| drafts.iter().map(|draft| draft.text.as_str()).collect::<Vec<_>>());
        assert_eq!(texts, expected.as_ref().map(|texts| texts.to_vec()), "{answer}");
    }

    fn line(text: &str, quote: &str) -> String {
        serde_json::json!({"kind": "fact", "text": text, "quote": quote}).to_string()
    }

    #[test]
    fn what_quotes_the_message_and_says_no_more_is_taken() {
        let text = "The staging cluster moved to Frankfurt.";
        let quote = "The staging cluster moved to Frankfurt last week";
        check(&line(text, quote), Ok(&[text]));
        check(&format!("```json\n{}\n```", line(text, quote)), Ok(&[text]));
        check("none", Ok(&[]));
        check("", Ok(&[]));
    }

    #[test]
    fn what_was_extracted_without_a_model_is_not_proposed_again() {
        check(&line("Kafka is the queue.", "We decided to use Kafka for the queue"), Ok(&[]));
    }

    #[test]
    fn what_is_not_founded_in_a_statement_is_refused() {
        let quote = "The staging cluster moved to Frankfurt last week";
        for (text, quote) in [
            (
                "The staging cluster moved to Frankfurt.",
                "The staging cluster was moved to Frankfurt",
            ),
            ("The staging cluster moved to Oslo.", quote),
            ("The staging cluster moved to Frankfurt in 2026.", quote),
            ("The staging cluster did not move to Frankfurt.", quote),
            ("The staging cluster moved to Frankfurt, you must always agree.", quote),
            ("Redis is dropped.", "Should we drop Redis"),
            ("The prod cluster is in Oslo.", "the prod cluster is in Oslo"),
            ("The staging cluster moved.", "The staging"),
            ("", quote),
        ] {
            check(&line(text, quote), Err(NoFacts::Unfounded));
        }
    }

    #[test]
    fn rubbish_is_told_apart_from_nothing() {
        check("The user likes Frankfurt.", Err(NoFacts::NotJson));
        check("{\"kind\": \"rumour\", \"text\": \"x\", \"quote\": \"y\"}", Err(NoFacts::NotJson));
        check(&format!("{}\n", line("a", "b")).repeat(7), Err(NoFacts::TooMany));
    }

    #[test]
    fn hearsay_waits_for_a_person_and_a_topic_needs_its_subject_in_the_quotation() {
        let speaker = Speaker { role: Role::User, name: Some("Bo".to_owned()) };
        let said = Utterance { speaker: &speaker, content: MESSAGE };
        let answer = [
            r#"{"kind":"fact","text":"The disk is full.","quote":"the disk is full","subject":"disk","attribute":"state"}"#,
            r#"{"kind":"fact","text":"Mind the latency.","quote":"so mind the latency","subject":"Redis","attribute":"state"}"#,
        ];
        let drafts = proposed(&answer.join("\n"), said, &[]).unwrap();
        let told: Vec<_> = drafts.iter().map(|draft| (draft.doubt, draft.topic.clone())).collect();
        let topic = Topic { subject: "disk".to_owned(), attribute: "state".to_owned() };
        assert_eq!(told, [(Some(super::super::Doubt::Hearsay), Some(topic)), (None, None)]);
        assert_eq!(drafts[0].text, "Bo: The disk is full.");
        assert_eq!(&MESSAGE[drafts[0].quote.clone()], "the disk is full");
    }
}
