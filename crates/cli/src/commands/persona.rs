//! `dossier persona`: someone to talk with who stays the same. Talking itself is `dossier chat
//! --persona`.

use super::{Ended, input, preset};
use crate::flags::{NumberFields, PersonaCommand, PersonaFields};
use crate::session::Session;
use crate::show::text::{left, one_line, width};
use dossier_core::persona::{Listing, PersonaDraft, SettingsDraft};
use dossier_engine::{PersonaShown, Removal, WhichMessages, now};
use serde_json::{Value, json};
use std::path::Path;

pub async fn run(session: &Session, command: &PersonaCommand) -> anyhow::Result<Ended> {
    let Session { workspace, printer, settings, .. } = session;
    let now = now();
    match command {
        PersonaCommand::Create { name, preset, fields, json } => {
            let draft = draft(Some(name), fields)?;
            let shown = match preset {
                Some(preset) => workspace.create_persona_from(preset, draft, now).await?,
                None => workspace.create_persona(draft, now).await?,
            };
            show(session, &shown, *json)?;
            printer.note(&format!("to talk: dossier chat --persona {}", shown.persona.id));
        }
        PersonaCommand::List { expired, search, tag, json } => {
            let listing =
                Listing { include_expired: *expired, search: search.clone(), tag: tag.clone() };
            list(session, &workspace.all_personas(&listing, now).await?, *json)?;
        }
        PersonaCommand::Show { persona, json } => {
            show(session, &workspace.persona(persona, now).await?, *json)?;
        }
        PersonaCommand::Change { persona, name, fields, json } => {
            let draft = draft(name.as_ref(), fields)?;
            show(session, &workspace.change_persona(persona, draft, now).await?, *json)?;
        }
        PersonaCommand::Extend { persona, days, json } => {
            show(session, &workspace.extend_persona(persona, *days, now).await?, *json)?;
        }
        PersonaCommand::Delete { persona, now: at_once } => {
            let removal = match at_once {
                true => Removal::Now,
                false => Removal::After { days: settings.grace_days.value },
            };
            let (gone, hidden) = workspace.remove_persona(persona, removal, now).await?;
            let name = &gone.traits.name;
            printer.note(&match hidden {
                Some(hidden) => format!(
                    "{name} is hidden until {}; to have it back: dossier forget thread {} \
                     --project personas --undo",
                    hidden.purge_at, gone.thread
                ),
                None => format!("{name} is gone for good"),
            });
        }
        PersonaCommand::Clear { persona } => {
            let all = WhichMessages::All;
            let deleted = workspace.delete_persona_messages(persona, &all, now).await?;
            printer.note(&format!("{deleted} messages were deleted"));
        }
        PersonaCommand::Preset(command) => preset::run(session, command).await?,
        PersonaCommand::Presets { json } => {
            preset::list(session, &workspace.every_preset(false).await?, *json)?;
        }
    }
    Ok(Ended::Done)
}

fn draft(name: Option<&String>, fields: &PersonaFields) -> anyhow::Result<PersonaDraft> {
    Ok(PersonaDraft {
        name: name.cloned(),
        system_prompt: prompt(fields.prompt.as_deref())?,
        personality: fields.personality.clone(),
        settings: numbers(&fields.numbers),
        model: fields.model.clone(),
        tags: (!fields.tag.is_empty()).then(|| fields.tag.clone()),
    })
}

/// A prompt as it is given, or as standard input tells it.
pub fn prompt(given: Option<&str>) -> anyhow::Result<Option<String>> {
    Ok(match given {
        Some("-") => Some(input::read_text(Path::new("-"))?),
        given => given.map(str::to_owned),
    })
}

pub fn numbers(fields: &NumberFields) -> SettingsDraft {
    SettingsDraft {
        temperature: fields.temperature,
        max_tokens: fields.max_tokens,
        max_history_tokens: fields.max_history_tokens,
        expiry_days: fields.days,
    }
}

fn show(session: &Session, shown: &PersonaShown, json: bool) -> anyhow::Result<()> {
    let printer = session.printer;
    for warning in &shown.warnings {
        printer.warning(warning);
    }
    if json {
        printer.json(&document(shown))?;
        return Ok(());
    }
    let persona = &shown.persona;
    let traits = &persona.traits;
    let settings = &traits.settings;
    let mut lines = vec![
        format!("{} ({})", one_line(&traits.name), persona.id),
        format!(
            "temperature {}, replies of {} tokens, history of {}",
            settings.temperature, settings.max_tokens, settings.max_history_tokens
        ),
        format!("expires {}, {} days after its last use", persona.expires_at, settings.expiry_days),
    ];
    lines.extend(traits.model.as_ref().map(|model| format!("spoken by {}", one_line(model))));
    if !traits.tags.is_empty() {
        lines.push(format!("tags {}", one_line(&traits.tags.join(", "))));
    }
    if !traits.personality.is_empty() {
        lines.push(format!("\n{}", traits.personality));
    }
    lines.push(format!("\n{}\n", traits.system_prompt));
    printer.result(&lines.join("\n"))?;
    Ok(())
}

fn list(session: &Session, personas: &[PersonaShown], json: bool) -> anyhow::Result<()> {
    let printer = session.printer;
    if json {
        let personas: Vec<Value> = personas.iter().map(document).collect();
        printer.json(&json!({ "personas": personas }))?;
        return Ok(());
    }
    if personas.is_empty() {
        printer
            .note("there is none; make one: dossier persona create NAME --preset calm_counselor");
    }
    let row = |shown: &PersonaShown| {
        let end = if shown.is_active { "expires" } else { "expired" };
        let persona = &shown.persona;
        let end = format!("{end} {}", persona.expires_at);
        [persona.id.to_string(), one_line(&persona.traits.name), end]
    };
    printer.result(&table(&personas.iter().map(row).collect::<Vec<_>>()))?;
    Ok(())
}

pub fn table(rows: &[[String; 3]]) -> String {
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let (first, second) = (widest(0), widest(1));
    let line = |[id, name, rest]: &[String; 3]| {
        format!("{}  {}  {rest}\n", left(id, first), left(name, second))
    };
    rows.iter().map(line).collect()
}

fn document(shown: &PersonaShown) -> Value {
    let PersonaShown { persona, is_active, warnings } = shown;
    let traits = &persona.traits;
    json!({
        "id": persona.id,
        "name": traits.name,
        "system_prompt": traits.system_prompt,
        "personality": traits.personality,
        "temperature": traits.settings.temperature,
        "max_tokens": traits.settings.max_tokens,
        "max_history_tokens": traits.settings.max_history_tokens,
        "expiry_days": traits.settings.expiry_days,
        "model": traits.model,
        "tags": traits.tags,
        "preset_id": persona.preset,
        "conversation_id": persona.thread,
        "created_at": persona.created_at,
        "updated_at": persona.updated_at,
        "expires_at": persona.expires_at,
        "is_active": is_active,
        "warnings": warnings,
    })
}
