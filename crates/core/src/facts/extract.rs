//! Statements of a message that are worth remembering. The same message always gives the same.

use super::patterns::{About, Need, PATTERNS, Statement};
use super::sentence::{Sentence, sentences};
use super::{Doubt, FactKind, Topic};
use crate::analyse;
use crate::guard::masked;
use crate::message::{Role, Speaker};
use crate::phrase::{End, Found, Pattern};
use std::ops::Range;

/// The most facts of one message: who states more is pasting a document.
const MOST_OF_MESSAGE: usize = 6;
/// A statement has at least so many words.
const FEWEST_WORDS: usize = 3;

/// Something that was said.
#[derive(Debug, Clone, Copy)]
pub struct Utterance<'a> {
    pub speaker: &'a Speaker,
    pub content: &'a str,
}

/// A fact that may be remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub kind: FactKind,
    pub text: String,
    /// Where in the message the words stand that it rests on.
    pub quote: Range<usize>,
    pub topic: Option<Topic>,
    /// What it takes the place of, in its own words: "instead of …".
    pub replaces: Option<String>,
    pub tags: Vec<String>,
    pub doubt: Option<Doubt>,
}

/// The facts that somebody states. Only people state facts: what a model says was given to it, or
/// is its own invention, and what a tool says is kept as it is.
pub fn extract(said: Utterance<'_>) -> Vec<Draft> {
    if said.speaker.role != Role::User {
        return Vec::new();
    }
    let meant = meant(said.content);
    let drafts = meant.iter().filter_map(|sentence| of_sentence(sentence, said.speaker));
    let drafts: Vec<Draft> = drafts.take(MOST_OF_MESSAGE + 1).collect();
    if drafts.len() > MOST_OF_MESSAGE { Vec::new() } else { drafts }
}

/// The sentences of a message that its writer means: not what is only to be worked on, nor what is
/// said with a wink.
pub(super) fn meant(message: &str) -> Vec<Sentence<'_>> {
    let own = sentences(message).into_iter().take_while(|sentence| !is_frame(sentence));
    own.filter(|sentence| !is_winked_at(sentence, message)).collect()
}

/// Whether what follows is only to be worked on: "translate this", "tell me a story".
fn is_frame(sentence: &Sentence<'_>) -> bool {
    let words = Words::of(sentence.text);
    let start = words.plain.iter().position(|word| !PATTERNS.leading.contains(word));
    start.is_some_and(|start| {
        let frame = |frame: &Pattern| frame.at(&words.plain, start, End::Anywhere).is_some();
        PATTERNS.frames.iter().any(frame)
    })
}

/// Whether a sentence has a mark in or behind it which says that it is not meant so.
fn is_winked_at(sentence: &Sentence<'_>, message: &str) -> bool {
    let behind = message[sentence.range.end..].trim_start_matches([' ', '.', '!']);
    let marked = |mark: &String| {
        sentence.text.split_whitespace().any(|word| word == mark)
            || behind.starts_with(mark.as_str())
    };
    PATTERNS.winks.iter().any(marked)
}

/// The words of a text, plain and as they were written.
pub(super) struct Words<'a> {
    plain: Vec<String>,
    written: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut written: Vec<&str> = Vec::new();
        for word in text.split_whitespace() {
            // The box of a task is one mark in two words.
            if word == "]" && written.last() == Some(&"[") {
                written.pop();
                written.push("[]");
                continue;
            }
            let bare = word.trim_matches(|c: char| ".,;:!?…\"“”()".contains(c));
            written.extend(Some(bare).filter(|bare| !bare.is_empty()));
            // A colon and a comma tell where what is stated begins.
            written.extend([":", ","].into_iter().filter(|mark| word.ends_with(mark)));
        }
        let plain = written.iter().map(|word| word.to_lowercase().replace('’', "'")).collect();
        Self { plain, written }
    }

    fn has(&self, patterns: &[Pattern]) -> bool {
        hold(&self.plain, patterns)
    }

    fn text(&self, range: Range<usize>) -> String {
        self.plain[range].join(" ")
    }

    /// Whether it tells a model what to do.
    pub(super) fn is_order(&self) -> bool {
        self.has(&PATTERNS.hostile)
    }
}

fn hold(words: &[String], patterns: &[Pattern]) -> bool {
    (0..words.len())
        .any(|at| patterns.iter().any(|pattern| pattern.at(words, at, End::Anywhere).is_some()))
}

/// Whether nobody states anything by a sentence: it asks, supposes, orders, or holds a secret.
pub(super) fn is_refused(sentence: &Sentence<'_>, words: &Words<'_>) -> bool {
    let start = words.plain.iter().find(|word| !PATTERNS.leading.contains(*word));
    sentence.asks
        || masked(sentence.text) != sentence.text
        || start.is_none_or(|word| PATTERNS.questions.contains(word))
        || words.has(&PATTERNS.hypothetical)
        || words.is_order()
}

/// Why a person has to look at what a sentence states.
pub(super) fn doubt(words: &Words<'_>) -> Option<Doubt> {
    match () {
        () if words.has(&PATTERNS.hearsay) => Some(Doubt::Hearsay),
        () if words.has(&PATTERNS.hedges) => Some(Doubt::Hedged),
        () => None,
    }
}

fn of_sentence(sentence: &Sentence<'_>, speaker: &Speaker) -> Option<Draft> {
    let words = Words::of(sentence.text);
    let start = words.plain.iter().position(|word| !PATTERNS.leading.contains(word))?;
    if is_refused(sentence, &words) || words.plain.len() - start < FEWEST_WORDS {
        return None;
    }
    let explicit = tail(&PATTERNS.explicit, &words, start);
    let reported = tail(&PATTERNS.reported, &words, start);
    let at = explicit.or(reported).unwrap_or(start);
    let stated = statement(&words, at);
    let (kind, tag, topic) = match stated {
        Some((statement, found)) => {
            let topic = topic(statement, &found, &words, speaker);
            let added = words.plain[..start].iter().any(|word| word == "also");
            let topic = topic.filter(|topic| !added && is_settled(topic, &words, at));
            (statement.kind, statement.tag.clone(), topic)
        }
        // What one is told to remember is a fact whatever it looks like, if it stands alone.
        None if explicit.is_some() && stands_alone(&words, at) => (FactKind::Fact, None, None),
        None => return None,
    };
    let doubt = doubt(&words).or(reported.map(|_| Doubt::Hedged));
    // What is doubtful is shown as it was said.
    let at = if doubt.is_some() { start } else { at };
    Some(Draft {
        kind,
        text: super::text(&told(sentence.text, &words, at, speaker)).ok()?,
        quote: sentence.range.clone(),
        topic,
        replaces: replaced(&words, at).filter(|_| kind == FactKind::Decision),
        tags: tag.into_iter().collect(),
        doubt,
    })
}

/// Where that begins which is wanted to be remembered, or passed on.
fn tail(patterns: &[Pattern], words: &Words<'_>, start: usize) -> Option<usize> {
    patterns.iter().find_map(|pattern| {
        let found = pattern.at(&words.plain, start, End::AtTheEnd)?;
        found.gaps.last().map(|gap| gap.start)
    })
}

fn statement(words: &Words<'_>, at: usize) -> Option<(&'static Statement, Found)> {
    PATTERNS.statements.iter().find_map(|statement| {
        let found = statement.like.iter().find_map(|pattern| {
            pattern
                .at(&words.plain, at, End::AtTheEnd)
                .filter(|found| fits(statement, found, words))
        })?;
        Some((statement, found))
    })
}

/// Whether the gaps hold what they must, and nothing that refers to what was said before.
fn fits(statement: &Statement, found: &Found, words: &Words<'_>) -> bool {
    let (Some(first), Some(last)) = (found.gaps.first(), found.gaps.last()) else { return true };
    // "Ruth, and she…" explains itself, "we decided to do it" does not.
    let own_subject = matches!(statement.about, About::First | About::Last);
    let known = |gap: &Range<usize>| {
        let mut gap =
            words.plain[gap.clone()].iter().take(if own_subject { 1 } else { usize::MAX });
        gap.all(|word| !PATTERNS.outside.contains(word) && word != "i" && word != "we")
    };
    let addressed = words.plain.iter().any(|word| word == "you" || word == "your");
    !addressed
        && found.gaps.iter().all(known)
        && statement.needs.iter().all(|need| is_seen(*need, first, last, words))
}

fn is_seen(need: Need, first: &Range<usize>, last: &Range<usize>, words: &Words<'_>) -> bool {
    let is_name = |gap: &Range<usize>| {
        words.written.get(gap.start).is_some_and(|word| {
            let named = word.starts_with(char::is_uppercase) && word.chars().nth(1).is_some();
            named && !analyse::is_stopword(&word.to_lowercase())
        })
    };
    let is_proper = |gap: &Range<usize>| !PATTERNS.improper.contains(&words.plain[gap.start]);
    let is_tool = |gap: &Range<usize>| PATTERNS.tools.contains(&words.plain[gap.start]);
    let is_followed_well = |gap: &Range<usize>| {
        let small = |word: &&str| !word.starts_with(char::is_uppercase);
        let next = words.written[gap.clone()].iter().copied().find(small);
        next.is_none_or(|word| PATTERNS.following.contains(word))
    };
    match need {
        Need::NameFirst => is_name(first),
        Need::NameLast => is_name(last),
        Need::ShortFirst => {
            first.len() <= 4
                && words.plain[first.clone()].iter().all(|word| !PATTERNS.vague.contains(word))
        }
        Need::RoleFirst => PATTERNS.roles.contains(&words.plain[first.end - 1]),
        Need::RoleLast => last.len() <= 3 && PATTERNS.roles.contains(&words.plain[last.end - 1]),
        Need::PlainLast => !PATTERNS.passing.contains(&words.plain[last.start]),
        Need::ProperFirst => is_proper(first),
        Need::ProperLast => is_name(last) && is_proper(last),
        Need::NamesLast => is_name(last) && is_proper(last) && is_followed_well(last),
        Need::NoToolFirst => !is_tool(first),
        Need::NoToolLast => !is_tool(last),
        Need::PlaceLast => begins_with_place(&words.plain[last.clone()]),
        Need::Number => begins_with_number(&words.plain[last.start]),
        Need::Date => has_date(&words.plain[last.clone()]),
        Need::Url => words.plain[last.clone()].iter().any(|word| is_url(word)),
    }
}

/// Whether a known place stands at the beginning: names have up to four words.
fn begins_with_place(words: &[String]) -> bool {
    let words = match words {
        [the, rest @ ..] if the == "the" => rest,
        words => words,
    };
    (1..=words.len().min(4)).any(|length| PATTERNS.places.contains(&words[..length].join(" ")))
}

fn begins_with_number(word: &str) -> bool {
    word.trim_start_matches(['$', '€', '£', '-', '+', '~'])
        .starts_with(|c: char| c.is_ascii_digit())
}

fn is_url(word: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| word.strip_prefix(scheme).is_some_and(|rest| rest.contains('.')))
}

/// A day: `2026-03-01`, or a month beside a number.
fn has_date(words: &[String]) -> bool {
    let iso = |word: &String| {
        word.len() >= 10
            && word.get(..10).is_some_and(|day| crate::time::Timestamp::parse(day).is_ok())
    };
    let number = |at: usize| words.get(at).is_some_and(|word| begins_with_number(word));
    let month = |at: usize| PATTERNS.months.contains(&words[at]);
    words.iter().any(iso)
        || (0..words.len())
            .any(|at| month(at) && (number(at + 1) || at.checked_sub(1).is_some_and(number)))
}

fn stands_alone(words: &Words<'_>, at: usize) -> bool {
    let rest = &words.plain[at..];
    rest.len() >= FEWEST_WORDS
        && !rest.iter().any(|word| PATTERNS.outside.contains(word))
        && !rest.first().is_some_and(|word| PATTERNS.questions.contains(word) || word == "to")
}

fn topic(
    statement: &Statement,
    found: &Found,
    words: &Words<'_>,
    speaker: &Speaker,
) -> Option<Topic> {
    let attribute = statement.attribute.clone()?;
    let whose = speaker.label().to_lowercase();
    let named = |gap: Option<&Range<usize>>| {
        let terms = analyse::terms(&words.text(gap?.clone()));
        (!terms.is_empty()).then(|| terms.join(" "))
    };
    let owned = words.plain.iter().any(|word| word == "my");
    let own = |subject: String| if owned { format!("{whose}: {subject}") } else { subject };
    let several = |gap: Option<&Range<usize>>| {
        let role = gap.and_then(|gap| words.plain[gap.clone()].last());
        role.is_some_and(|role| PATTERNS.several.contains(role))
    };
    let subject = match statement.about {
        About::Nothing => chosen_for(words)?,
        About::Speaker => whose,
        About::First if statement.unique && several(found.gaps.first()) => return None,
        About::First => own(named(found.gaps.first())?),
        About::Last if statement.unique && several(found.gaps.last()) => return None,
        About::Last => own(named(found.gaps.last())?),
    };
    let narrowed = found.gaps.last().map(|gap| narrowed(statement, &words.plain[gap.clone()]));
    let subject = [subject].into_iter().chain(narrowed.unwrap_or_default());
    Some(Topic { subject: subject.collect::<Vec<_>>().join(" "), attribute })
}

/// What a value says of its subject: the price for members is not the price, nor is the length of
/// a table its width.
fn narrowed(statement: &Statement, value: &[String]) -> Vec<String> {
    let at = value.iter().position(|word| statement.qualifiers.contains(word));
    let (value, behind) = value.split_at(at.unwrap_or(value.len()));
    let terms = |words: &[String]| -> Vec<String> {
        let words = words.iter().filter(|word| !begins_with_number(word));
        words.flat_map(|word| analyse::terms(word)).collect()
    };
    let mut own: Vec<String> = match statement.unit {
        true => terms(value),
        false if statement.qualifiers.is_empty() => Vec::new(),
        false => value.iter().filter(|word| PATTERNS.dimensions.contains(*word)).cloned().collect(),
    };
    if !behind.iter().any(|word| PATTERNS.unnarrowing.contains(word)) {
        own.extend(behind.iter().flat_map(|word| analyse::terms(word)));
    }
    own
}

/// Whether a statement, which begins at a word, tells how things are from now on, and not how they
/// were, are in part or for a time, or are not. Only then does it take the place of another.
pub(super) fn is_settled(topic: &Topic, words: &Words<'_>, at: usize) -> bool {
    let clause = &words.plain[at..];
    let end = clause.iter().position(|word| PATTERNS.joining.contains(word));
    let clause = &clause[..end.unwrap_or(clause.len())];
    let is_dated = matches!(topic.attribute.as_str(), "date" | "start" | "end" | "birthday");
    let is_lasting = matches!(topic.attribute.as_str(), "home" | "work");
    let year = |word: &String| {
        word.len() == 4 && word.parse().is_ok_and(|year: u32| (1900..2100).contains(&year))
    };
    let since = clause.iter().any(|word| word == "since");
    let was = hold(clause, &PATTERNS.past) || (is_lasting && !since && clause.iter().any(year));
    !was && !hold(clause, &PATTERNS.denials)
        && (is_dated || !hold(&words.plain[at..], &PATTERNS.partly))
}

/// What a decision is for: "we use Redis for the queue" is about the queue.
fn chosen_for(words: &Words<'_>) -> Option<String> {
    let is_for = |at: &usize| {
        let before = at.checked_sub(1).map(|before| &words.plain[before]);
        words.plain[*at] == "for" && before.is_some_and(|word| !PATTERNS.wanting.contains(word))
    };
    let at = (0..words.plain.len()).rev().find(is_for)?;
    // Who picks a cake for the party may pick a hall for it, too.
    let one_of_many = |at: usize| {
        let chosen = PATTERNS
            .choosing
            .iter()
            .find_map(|pattern| pattern.at(&words.plain, at, End::Anywhere).map(|found| found.end));
        chosen.map(|end| words.plain.get(end).is_some_and(|word| word == "a" || word == "an"))
    };
    if (0..at).find_map(one_of_many) != Some(false) {
        return None;
    }
    let terms = analyse::terms(&words.text(at + 1..words.plain.len()));
    (!terms.is_empty() && terms.len() <= 4).then(|| terms.join(" "))
}

fn replaced(words: &Words<'_>, at: usize) -> Option<String> {
    (at..words.plain.len()).find_map(|start| {
        PATTERNS.replacing.iter().find_map(|pattern| {
            let found = pattern.at(&words.plain, start, End::Anywhere)?;
            found.gaps.first().map(|gap| words.text(gap.clone()))
        })
    })
}

/// The statement with the name of its speaker, without the words before it.
fn told(sentence: &str, words: &Words<'_>, at: usize, speaker: &Speaker) -> String {
    let mut stated = sentence;
    for word in &words.written[..at] {
        let behind = stated.find(word).map_or(0, |place| place + word.len());
        stated = &stated[behind..];
    }
    let stated = stated.trim_start_matches(|c: char| c.is_whitespace() || ",:;-*•[]\"".contains(c));
    match &speaker.name {
        Some(name) => format!("{name}: {stated}"),
        None => stated.to_owned(),
    }
}
