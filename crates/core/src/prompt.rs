//! The system prompt as a template: text with conditions, and places where the header's own items
//! stand. Rendering cuts it at these places, so that each item keeps its own line in the receipt.
//!
//! Invariant: the same template with the same values gives the same bytes, and a template that
//! could be read can be rendered for every profile and model.

use crate::render::clean;
use minijinja::{Environment, UndefinedBehavior, context};

const BUILT_IN: &str = include_str!("../prompts/system.md");

/// The most steps that rendering takes, and the longest template.
const MOST_STEPS: u64 = 100_000;
const LONGEST: usize = 64 << 10;

/// A template of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    /// Where it was read; none for the one that comes with the program.
    file: Option<String>,
}

/// What a template may ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values<'a> {
    pub profile: &'a str,
    pub model: Option<&'a str>,
    pub project: &'a str,
}

/// Where an item of the header stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    UserCard,
    Tools,
    Files,
    AlwaysFiles,
    ProjectPrompt,
}

/// A piece of a rendered template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Place(Place),
}

/// A template that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the system prompt {file}{} cannot be used: {reason}; mend it, or move it away", at(*line))]
pub struct BadTemplate {
    pub file: String,
    pub line: Option<usize>,
    pub reason: String,
}

fn at(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
}

impl Default for Template {
    fn default() -> Self {
        Self { text: BUILT_IN.to_owned(), file: None }
    }
}

impl Template {
    /// Somebody's own template; `file` is its name in errors and reasons.
    pub fn read(text: &str, file: &str) -> Result<Self, BadTemplate> {
        let template = Self { text: text.to_owned(), file: Some(file.to_owned()) };
        if text.len() > LONGEST {
            let reason = format!("it has {} bytes and may have {LONGEST}", text.len());
            return Err(BadTemplate { file: file.to_owned(), line: None, reason });
        }
        // A misspelt name is found now, and not by the first question that meets it.
        let models = ["openai/gpt-4o", "anthropic/claude-sonnet-4", "google/gemini-2.5-pro"];
        let models = models.into_iter().chain(["xai/grok-4", "home/qwen"]).map(Some);
        for model in models.chain([None]) {
            for profile in ["lean", "project", "consult"] {
                for filled in [true, false] {
                    template.render(Values { profile, model, project: "project" }, |_| filled)?;
                }
            }
        }
        Ok(template)
    }

    /// Where it was read, if it is somebody's own.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The pieces in order; `has` tells at which places something will stand.
    pub fn render(
        &self,
        values: Values<'_>,
        has: impl Fn(Place) -> bool,
    ) -> Result<Vec<Piece>, BadTemplate> {
        let bad = |error: minijinja::Error| BadTemplate {
            file: self.file.clone().unwrap_or_else(|| "prompts/system.md".to_owned()),
            line: error.line(),
            reason: error.detail().map_or_else(|| error.kind().to_string(), str::to_owned),
        };
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(MOST_STEPS));
        let mark = |place: Place| if has(place) { place.mark() } else { String::new() };
        let values = context! {
            profile => values.profile,
            model => clean(values.model.unwrap_or_default()),
            vendor => values.model.map_or("", vendor),
            project => clean(values.project),
            user_card => mark(Place::UserCard),
            tools => mark(Place::Tools),
            files => mark(Place::Files),
            always_files => mark(Place::AlwaysFiles),
            project_prompt => mark(Place::ProjectPrompt),
        };
        let template = environment.template_from_str(&self.text).map_err(bad)?;
        Ok(pieces(&template.render(values).map_err(bad)?))
    }
}

/// Stands around the name of a place in rendered text; names and values are cleaned of it.
const MARK: char = '\u{1}';

impl Place {
    const ALL: [(Place, &str); 5] = [
        (Place::UserCard, "user_card"),
        (Place::Tools, "tools"),
        (Place::Files, "files"),
        (Place::AlwaysFiles, "always_files"),
        (Place::ProjectPrompt, "project_prompt"),
    ];

    fn mark(self) -> String {
        let name = Self::ALL.iter().find(|row| row.0 == self).map_or("", |row| row.1);
        format!("{MARK}{name}{MARK}")
    }
}

fn pieces(rendered: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (place, part) in rendered.split(MARK).enumerate() {
        let named = Place::ALL.iter().find(|row| row.1 == part && place % 2 == 1);
        match named {
            Some((place, _)) => pieces.push(Piece::Place(*place)),
            None if part.trim().is_empty() => {}
            None => pieces.push(Piece::Text(part.trim().to_owned())),
        }
    }
    pieces
}

/// Who made a model, by how it is called: a gateway sells the models of others.
pub fn vendor(model: &str) -> &'static str {
    const NAMES: [(&str, &[&str]); 4] = [
        ("anthropic", &["claude"]),
        ("google", &["gemini", "gemma"]),
        ("xai", &["grok"]),
        ("openai", &["gpt-", "chatgpt", "o1", "o3", "o4", "codex"]),
    ];
    let model = model.to_lowercase();
    let begins = |start: &&str| model.split(['/', '.', ':']).any(|part| part.starts_with(start));
    let found = NAMES.iter().find(|(_, starts)| starts.iter().any(begins));
    found.map_or("", |(vendor, _)| vendor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(template: &Template, profile: &str, model: Option<&str>) -> Vec<Piece> {
        template.render(Values { profile, model, project: "notes" }, |_| true).unwrap()
    }

    #[test]
    fn the_built_in_template_can_be_rendered_for_everyone() {
        let read = Template::read(BUILT_IN, "system.md").unwrap();
        assert_eq!(read.text, Template::default().text);
    }

    #[test]
    fn places_stand_where_the_template_puts_them() {
        let text = "{{ files }}Say {{ project }}.\n{{ always_files }}\nEnd, {{ model }}.";
        let template = Template::read(text, "prompt.md").unwrap();
        assert_eq!(
            rendered(&template, "lean", Some("home/q\u{1}wen")),
            [
                Piece::Place(Place::Files),
                Piece::Text("Say notes.".to_owned()),
                Piece::Place(Place::AlwaysFiles),
                Piece::Text("End, home/qwen.".to_owned()),
            ]
        );
    }

    #[test]
    fn each_vendor_has_its_own_words_behind_the_files() {
        let last = |model| match rendered(&Template::default(), "project", Some(model)).pop() {
            Some(Piece::Place(Place::ProjectPrompt)) => {
                let mut pieces = rendered(&Template::default(), "project", Some(model));
                pieces.truncate(pieces.len() - 1);
                match pieces.pop() {
                    Some(Piece::Text(text)) => text.split(' ').next().unwrap().to_owned(),
                    _ => String::new(),
                }
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(last("openai/gpt-4o"), "Write");
        assert_eq!(last("bedrock/us.anthropic.claude-sonnet-4"), "Files");
        assert_eq!(last("google/gemini-2.5-pro"), "Ground");
        assert_eq!(last("xai/grok-4"), "");
        assert_eq!(last("home/qwen"), "");
    }

    #[test]
    fn a_broken_template_is_refused_with_its_name_and_line() {
        for (text, said) in [
            ("a\n{{ modle }}", "prompt.md, line 2 cannot be used: undefined value"),
            ("a\n\n{% if model %}", "prompt.md, line 3 cannot be used: "),
            ("{{ model | shout }}", "prompt.md, line 1 cannot be used: "),
            (
                "{% for n in range(9999) %}{% for m in range(9999) %}.{% endfor %}{% endfor %}",
                "fuel",
            ),
        ] {
            let error = Template::read(text, "prompt.md").unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let long = Template::read(&"a".repeat(LONGEST + 1), "prompt.md").unwrap_err().to_string();
        assert!(long.contains("may have 65536"), "{long}");
    }
}
