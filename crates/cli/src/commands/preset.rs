//! `dossier persona preset`: what personas are made from.

use super::persona::{numbers, prompt, table};
use crate::flags::{PresetCommand, PresetFields};
use crate::session::Session;
use crate::show::text::one_line;
use dossier_core::persona::{NewFeedback, PresetDraft};
use dossier_engine::{EngineError, Feedback, Judged, PresetShown, Removal, now};
use serde_json::{Value, json};

pub async fn run(session: &Session, command: &PresetCommand) -> anyhow::Result<()> {
    let Session { workspace, printer, settings, .. } = session;
    let (now, grace_days) = (now(), settings.grace_days.value);
    match command {
        PresetCommand::Create { name, fields, json } => {
            let made = workspace.create_preset(draft(Some(name), fields)?, now).await?;
            show(session, &made, *json)?;
            let id = &made.preset.id;
            printer.note(&format!("to make a persona: dossier persona create NAME --preset {id}"));
        }
        PresetCommand::Show { preset, json } => {
            show(session, &workspace.preset(preset).await?, *json)?;
        }
        PresetCommand::Change { preset, name, fields, active, json } => {
            let draft = PresetDraft { is_active: *active, ..draft(name.as_ref(), fields)? };
            show(session, &workspace.change_preset(preset, draft, grace_days, now).await?, *json)?;
        }
        PresetCommand::Rate { preset, rating: None, json, .. } => {
            show_judged(session, &workspace.judged_preset(preset).await?, *json)?;
        }
        PresetCommand::Rate { preset, rating, comment, json } => {
            let feedback = NewFeedback::check(*rating, comment.as_deref());
            let feedback = feedback.map_err(EngineError::from)?;
            show_judged(session, &workspace.judge_preset(preset, feedback, now).await?, *json)?;
        }
        PresetCommand::Delete { preset, now: at_once } => {
            let removal = match at_once {
                true => Removal::Now,
                false => Removal::After { days: grace_days },
            };
            let gone = workspace.remove_preset(preset, removal, now).await?;
            let id = &gone.preset.id;
            printer.note(&match (removal, gone.is_built_in) {
                (Removal::After { days: 1.. }, _) => format!(
                    "{id} is put away; to have it back: dossier persona preset change {id} \
                     --active true"
                ),
                (_, true) => format!("{id} is again as it came"),
                (_, false) => format!("{id} is gone for good"),
            });
        }
    }
    Ok(())
}

fn draft(name: Option<&String>, fields: &PresetFields) -> anyhow::Result<PresetDraft> {
    Ok(PresetDraft {
        name: name.cloned(),
        description: fields.description.clone(),
        system_prompt: prompt(fields.prompt.as_deref())?,
        personality: fields.personality.clone(),
        settings: numbers(&fields.numbers),
        ..PresetDraft::default()
    })
}

fn show(session: &Session, shown: &PresetShown, json: bool) -> anyhow::Result<()> {
    let printer = session.printer;
    if json {
        printer.json(&document(shown))?;
        return Ok(());
    }
    let preset = &shown.preset;
    let settings = &preset.settings;
    let mut lines = vec![
        format!("{} ({})", one_line(&preset.name), preset.id),
        format!(
            "temperature {}, replies of {} tokens, history of {}, {} days",
            settings.temperature,
            settings.max_tokens,
            settings.max_history_tokens,
            settings.expiry_days
        ),
    ];
    if !preset.is_active {
        lines.push("put away: no personas are made from it".to_owned());
    }
    for text in [&preset.description, &preset.personality, &preset.system_prompt] {
        if !text.is_empty() {
            lines.push(format!("\n{text}"));
        }
    }
    printer.result(&format!("{}\n", lines.join("\n")))?;
    Ok(())
}

pub fn list(session: &Session, presets: &[PresetShown], json: bool) -> anyhow::Result<()> {
    let printer = session.printer;
    if json {
        let presets: Vec<Value> = presets.iter().map(document).collect();
        printer.json(&json!({ "presets": presets }))?;
        return Ok(());
    }
    let row = |shown: &PresetShown| {
        let preset = &shown.preset;
        [preset.id.to_string(), one_line(&preset.name), one_line(&preset.description)]
    };
    printer.result(&table(&presets.iter().map(row).collect::<Vec<_>>()))?;
    Ok(())
}

fn show_judged(session: &Session, judged: &Judged, json: bool) -> anyhow::Result<()> {
    let Judged { preset, figures, feedback } = judged;
    if json {
        let said = |feedback: &Feedback| {
            let Feedback { rating, comment, created_at, .. } = feedback;
            json!({ "rating": rating, "comment": comment, "created_at": created_at.to_string() })
        };
        let feedback: Vec<Value> = feedback.iter().map(said).collect();
        session.printer.json(&json!({
            "preset_id": preset.preset.id, "figures": figures, "feedback": feedback,
        }))?;
        return Ok(());
    }
    let mean = figures.mean_rating.map_or_else(String::new, |mean| format!(", {mean:.1} of 5"));
    let mut lines = vec![
        format!("{} ({})", one_line(&preset.preset.name), preset.preset.id),
        format!(
            "{} personas, {} turns, {} failed; {} ratings{mean}",
            figures.personas, figures.turns, figures.failed, figures.ratings
        ),
    ];
    for Feedback { rating, comment, created_at, .. } in feedback {
        lines.push(format!(
            "{created_at}  {rating}  {}",
            one_line(comment.as_deref().unwrap_or_default())
        ));
    }
    session.printer.result(&format!("{}\n", lines.join("\n")))?;
    Ok(())
}

fn document(shown: &PresetShown) -> Value {
    let preset = &shown.preset;
    json!({
        "id": preset.id, "name": preset.name, "description": preset.description,
        "system_prompt": preset.system_prompt, "default_personality": preset.personality,
        "default_settings": preset.settings, "metadata": preset.metadata,
        "is_active": preset.is_active, "is_built_in": shown.is_built_in,
    })
}
