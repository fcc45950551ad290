//! Presets: those that come with the program and those of the owner's own, as one list; and how
//! they are used and judged.

use super::ATTEMPTS;
use crate::error::{EngineError, Known};
use crate::forget::Removal;
use crate::mint;
use crate::workspace::Workspace;
use dossier_core::id::PresetId;
use dossier_core::persona::{
    CheckedPreset, Figures, NewFeedback, PageDraft, Preset, PresetDraft, built_in, canonical,
    id_for_name,
};
use dossier_core::time::Timestamp;
use dossier_store::{Feedback, PutAway, StoreError};

/// Presets on a page, when nobody says how many.
const USUAL_PAGE: u32 = 10;

/// The last judgements that are told with the figures.
const LAST_FEEDBACK: usize = 20;

const DAY: i64 = 24 * 3_600_000;

/// A preset, and whether it comes with the program.
#[derive(Debug, Clone, PartialEq)]
pub struct PresetShown {
    pub preset: Preset,
    pub is_built_in: bool,
}

impl PresetShown {
    /// Where it stands in the list of all.
    pub fn place(&self) -> String {
        let Preset { id, name, .. } = &self.preset;
        match built_in().iter().position(|preset| preset.id == *id) {
            Some(place) => format!("0 {place:03}"),
            None => format!("1 {name} {id}"),
        }
    }
}

/// Some presets, and how many there are in all.
#[derive(Debug, Clone, PartialEq)]
pub struct PresetPage {
    pub presets: Vec<PresetShown>,
    pub total: usize,
}

/// How a preset was used and judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    pub preset: PresetShown,
    pub figures: Figures,
    /// The newest first.
    pub feedback: Vec<Feedback>,
}

fn is_built_in(id: &PresetId) -> bool {
    built_in().iter().any(|preset| preset.id == *id)
}

impl Workspace {
    /// Every preset: the built-in ones, or the owner's own versions of them, then the others by
    /// name.
    async fn all_presets(&self) -> Result<Vec<Preset>, EngineError> {
        let mut own = self.store.presets().await?;
        let mut all = Vec::with_capacity(built_in().len() + own.len());
        for preset in built_in() {
            match own.iter().position(|own| own.id == preset.id) {
                Some(place) => all.push(own.remove(place)),
                None => all.push(preset.clone()),
            }
        }
        own.sort_by_key(|preset| format!("{} {}", preset.name, preset.id));
        all.extend(own);
        Ok(all)
    }

    pub async fn presets(
        &self,
        page: PageDraft,
        include_inactive: bool,
    ) -> Result<PresetPage, EngineError> {
        let position = page.check(USUAL_PAGE)?;
        let presets = self.every_preset(include_inactive).await?;
        let total = presets.len();
        Ok(PresetPage { presets: position.cut(presets)?, total })
    }

    /// All of them, in one order: see [`PresetShown::place`].
    pub async fn every_preset(
        &self,
        include_inactive: bool,
    ) -> Result<Vec<PresetShown>, EngineError> {
        let mut presets = self.all_presets().await?;
        presets.retain(|preset| preset.is_active || include_inactive);
        Ok(presets.into_iter().map(shown).collect())
    }

    /// The preset with this id or key, put away or not.
    pub async fn preset(&self, name: &str) -> Result<PresetShown, EngineError> {
        let presets = self.all_presets().await?;
        let id = canonical(name);
        match presets.iter().find(|preset| preset.id == id) {
            Some(preset) => Ok(shown(preset.clone())),
            None => Err(unknown(name, &presets)),
        }
    }

    pub(super) async fn active_preset(&self, name: &str) -> Result<Preset, EngineError> {
        let PresetShown { preset, .. } = self.preset(name).await?;
        match preset.is_active {
            true => Ok(preset),
            false => Err(EngineError::Invalid(format!(
                "the preset {} was put away; make it active again first",
                preset.id
            ))),
        }
    }

    pub async fn create_preset(
        &self,
        draft: PresetDraft,
        now: Timestamp,
    ) -> Result<PresetShown, EngineError> {
        let checked = draft.create()?;
        for _ in 0..ATTEMPTS {
            let taken = self.all_presets().await?;
            let is_taken = |id: &PresetId| taken.iter().any(|preset| preset.id == *id);
            let id = id_for_name(&checked.name, is_taken);
            let preset = preset_of(id, checked.clone(), now, now);
            match self.store.create_preset(&preset).await {
                Ok(()) => return Ok(shown(preset)),
                // Somebody was quicker.
                Err(StoreError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Conflict("many presets of this name are being made; try again".to_owned()))
    }

    /// Changes some fields; a built-in preset becomes a version of the owner's own.
    pub async fn change_preset(
        &self,
        name: &str,
        draft: PresetDraft,
        grace_days: u32,
        now: Timestamp,
    ) -> Result<PresetShown, EngineError> {
        for _ in 0..ATTEMPTS {
            let PresetShown { preset, .. } = self.preset(name).await?;
            let checked = draft.clone().change(&preset)?;
            // Two changes never bear the same time, so that each can be told from the one before.
            let updated_at = now.max(preset.updated_at.successor());
            let changed = preset_of(preset.id.clone(), checked, preset.created_at, updated_at);
            let put_away = (!changed.is_active).then(|| put_away(&changed.id, grace_days, now));
            if self.store.change_preset(&changed, put_away, &preset).await? {
                return Ok(shown(changed));
            }
        }
        Err(EngineError::Conflict(format!(
            "the preset `{name}` is changed without pause; try again"
        )))
    }

    /// Puts a preset away, or deletes one of the owner's own for good. A built-in one that is
    /// deleted now is again as it came.
    pub async fn remove_preset(
        &self,
        name: &str,
        removal: Removal,
        now: Timestamp,
    ) -> Result<PresetShown, EngineError> {
        let PresetShown { preset, .. } = self.preset(name).await?;
        let inactive = Preset { is_active: false, updated_at: now, ..preset };
        match removal {
            Removal::After { days } if days > 0 => {
                let put_away = put_away(&inactive.id, days, now);
                self.store.put_preset(&inactive, Some(put_away)).await?;
            }
            Removal::After { .. } | Removal::Now => {
                self.store.delete_preset(&inactive.id).await?;
            }
        }
        Ok(shown(inactive))
    }

    /// Keeps somebody's judgement of a preset.
    pub async fn judge_preset(
        &self,
        name: &str,
        feedback: NewFeedback,
        now: Timestamp,
    ) -> Result<Judged, EngineError> {
        let PresetShown { preset, .. } = self.preset(name).await?;
        let feedback = Feedback {
            id: mint::id(),
            preset: preset.id,
            rating: feedback.rating.into(),
            comment: feedback.comment,
            created_at: now,
        };
        self.store.add_feedback(&feedback).await?;
        self.judged_preset(name).await
    }

    /// How a preset was used and judged.
    pub async fn judged_preset(&self, name: &str) -> Result<Judged, EngineError> {
        let preset = self.preset(name).await?;
        let id = &preset.preset.id;
        let figures = self.store.preset_figures().await?.remove(id).unwrap_or_default();
        let feedback = self.store.feedback(id, LAST_FEEDBACK).await?;
        Ok(Judged { preset, figures, feedback })
    }
}

fn shown(preset: Preset) -> PresetShown {
    PresetShown { is_built_in: is_built_in(&preset.id), preset }
}

fn preset_of(
    id: PresetId,
    checked: CheckedPreset,
    created_at: Timestamp,
    updated_at: Timestamp,
) -> Preset {
    let CheckedPreset {
        name,
        description,
        system_prompt,
        personality,
        settings,
        metadata,
        is_active,
    } = checked;
    Preset {
        id,
        name,
        description,
        system_prompt,
        personality,
        settings,
        metadata,
        is_active,
        created_at,
        updated_at,
    }
}

fn put_away(id: &PresetId, days: u32, now: Timestamp) -> PutAway {
    let purge_at = now.as_millis().saturating_add(i64::from(days) * DAY);
    let purge_at = (!is_built_in(id)).then_some(Timestamp::from_millis(purge_at));
    PutAway { at: now, purge_at }
}

fn unknown(name: &str, presets: &[Preset]) -> EngineError {
    let known = |preset: &Preset| Known { id: preset.id.to_string(), name: preset.name.clone() };
    let active = presets.iter().filter(|preset| preset.is_active);
    let known = active.map(known).collect();
    EngineError::Unknown { what: "preset", name: name.to_owned(), known }
}
