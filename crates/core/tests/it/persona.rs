//! Personas: what is checked, when they end, and that their prompt stands before everything else,
//! the same on every turn, however long and wild the conversation.

use crate::material::message;
use dossier_core::fields::FieldErrors;
use dossier_core::fit::{Fitted, Frame, fit};
use dossier_core::history::{Policy, recent};
use dossier_core::id::PresetId;
use dossier_core::message::Message;
use dossier_core::persona::{
    Life, Listing, Manner, NewFeedback, PageDraft, Persona, PersonaDraft, Preset, PresetDraft,
    Settings, SettingsDraft, Status, Traits, Upkeep, advice, built_in, canonical, context_summary,
    history_for, history_notes, id_for_name, personality_creator, templates, window_note,
};
use dossier_core::profile::Profile;
use dossier_core::render::{Asking, WireRole};
use dossier_core::tier::{Tier, Window};
use dossier_core::time::Timestamp;
use dossier_core::tokens::Tokenizer;
use proptest::prelude::*;
use serde_json::json;

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn draft(name: &str, prompt: &str) -> PersonaDraft {
    PersonaDraft {
        name: Some(name.to_owned()),
        system_prompt: Some(prompt.to_owned()),
        ..PersonaDraft::default()
    }
}

fn persona(name: &str, used: &str) -> Persona {
    let traits = draft(name, "You are calm.").create().unwrap();
    let used = at(used);
    Persona {
        id: format!("psn_{name}").into(),
        thread: "thr_a".into(),
        preset: None,
        created_at: used,
        updated_at: used,
        last_used_at: used,
        expires_at: Persona::expiry_from(&traits.settings, used),
        traits,
    }
}

fn fields<T: std::fmt::Debug>(checked: Result<T, FieldErrors>) -> Vec<&'static str> {
    checked.unwrap_err().0.into_iter().map(|error| error.field).collect()
}

#[test]
fn what_is_not_said_takes_its_default() {
    let traits = draft(" Ada ", "\nYou are exact.\n").create().unwrap();
    let expected = Traits {
        name: "Ada".to_owned(),
        system_prompt: "You are exact.".to_owned(),
        personality: String::new(),
        settings: Settings {
            temperature: 0.7,
            max_tokens: 1_000,
            max_history_tokens: 15_000,
            expiry_days: 7,
        },
        model: None,
        tags: Vec::new(),
    };
    assert_eq!(traits, expected);
}

#[test]
fn zero_is_a_temperature() {
    let settings = SettingsDraft { temperature: Some(0.0), ..SettingsDraft::default() };
    let traits = PersonaDraft { settings, ..draft("Ada", "Be exact.") }.create().unwrap();
    assert_eq!(traits.settings.temperature, 0.0);
    let unchanged = PersonaDraft::default().change(&traits).unwrap();
    assert_eq!(unchanged.settings.temperature, 0.0);
}

#[test]
fn every_field_that_is_wrong_is_named_at_once() {
    let wrong = PersonaDraft {
        name: Some("a\nb".to_owned()),
        system_prompt: Some(" \n ".to_owned()),
        personality: Some("x".repeat(4_001)),
        settings: SettingsDraft {
            temperature: Some(1.1),
            max_tokens: Some(0),
            max_history_tokens: Some(-1),
            expiry_days: Some(4_000),
        },
        model: Some("m".repeat(201)),
        tags: Some(vec!["a,b".to_owned()]),
    };
    let expected = [
        "name",
        "system_prompt",
        "personality",
        "temperature",
        "max_tokens",
        "max_history_tokens",
        "expiry_days",
        "model",
        "tags",
    ];
    assert_eq!(fields(wrong.create()), expected);
    assert_eq!(fields(PersonaDraft::default().create()), ["name", "system_prompt"]);
    assert_eq!(fields(PresetDraft::default().create()), ["name", "system_prompt"]);
    let settings = SettingsDraft { temperature: Some(f64::NAN), ..SettingsDraft::default() };
    let preset = PresetDraft { settings, metadata: Some(json!([])), ..PresetDraft::default() };
    assert_eq!(fields(preset.change(&built_in()[0])), ["temperature", "metadata"]);
    assert_eq!(fields(NewFeedback::check(Some(6), None)), ["rating"]);
    assert_eq!(fields(NewFeedback::check(None, Some("\u{0}"))), ["rating", "comment"]);
    assert_eq!(fields(draft("Ada", "\u{0}be calm").create()), ["system_prompt"]);
    assert_eq!(fields(draft("Ada", "… 12 …").create()), ["system_prompt"]);
}

#[test]
fn tags_are_kept_in_order_and_once() {
    let tags = Some(vec!["Work ".to_owned(), "home".to_owned(), "work".to_owned()]);
    let traits = PersonaDraft { tags, ..draft("Ada", "Be exact.") }.create().unwrap();
    assert_eq!(traits.tags, ["home", "work"]);
}

#[test]
fn a_prompt_that_was_not_filled_in_or_is_very_long_is_remarked_on() {
    let said = |prompt: &str| advice(&draft("Ada", prompt).create().unwrap()).len();
    assert_eq!(said("You are calm."), 0);
    assert_eq!(said("You are {{ role }}."), 1);
    assert_eq!(said(&format!("You are {{{{ role }}}}. {}", "calm ".repeat(3_000))), 2);
}

#[test]
fn six_presets_come_with_the_program() {
    let numbers = |preset: &Preset| {
        let Settings { temperature, max_tokens, max_history_tokens, expiry_days } = preset.settings;
        (preset.id.to_string(), temperature, max_tokens, max_history_tokens, expiry_days)
    };
    let expected = [
        ("preset-calm-counselor", 0.6, 1_200, 15_000, 14),
        ("preset-rational-advisor", 0.5, 1_000, 15_000, 7),
        ("preset-supportive-guide", 0.8, 1_500, 15_000, 10),
        ("preset-professional-assistant", 0.7, 1_000, 15_000, 7),
        ("preset-decision-making-supporter", 0.4, 1_500, 15_000, 14),
        ("preset-search-key-advisor", 0.6, 1_200, 15_000, 10),
    ];
    let expected = expected.map(|(id, temperature, reply, history, days)| {
        (id.to_owned(), temperature, reply, history, days)
    });
    assert_eq!(built_in().iter().map(numbers).collect::<Vec<_>>(), expected);
    let status = |preset: &Preset| preset.metadata["status"] == json!(Status::Experimental);
    let experimental: Vec<bool> = built_in().iter().map(status).collect();
    assert_eq!(experimental, [false, false, false, false, true, true]);
    for preset in built_in() {
        let draft = draft(&preset.name, &preset.system_prompt);
        let traits = draft.clone().create().unwrap();
        assert_eq!(advice(&traits), [""; 0], "{}", preset.id);
        assert_eq!(traits.system_prompt, preset.system_prompt);
        let tokens = Tokenizer::O200k.count(&preset.system_prompt);
        assert!((200..=600).contains(&tokens), "{}: {tokens} tokens", preset.id);
        assert!(!preset.personality.is_empty() && !preset.description.is_empty());
    }
}

#[test]
fn the_experimental_presets_cover_what_they_are_for() {
    let says = |id: &str, words: &[&str]| {
        let preset = built_in().iter().find(|preset| preset.id.as_str() == id).unwrap();
        for word in words {
            assert!(preset.system_prompt.contains(word), "{id} says nothing of {word}");
        }
    };
    let decisions = ["Options", "merits", "risks", "SWOT", "decision matrix", "step", "missing"];
    says("preset-decision-making-supporter", &decisions);
    let searching = ["queries", "search engines", "academic databases", "trade", "Judge"];
    says("preset-search-key-advisor", &searching);
}

#[test]
fn a_preset_goes_by_its_id_or_its_key() {
    for name in ["preset-calm-counselor", "calm_counselor", "Calm Counselor", "calm-counselor"] {
        assert_eq!(canonical(name), built_in()[0].id, "{name}");
    }
    let taken = |id: &PresetId| built_in().iter().any(|preset| preset.id == *id);
    assert_eq!(id_for_name("Grumpy Editor!", taken).as_str(), "preset-grumpy-editor");
    assert_eq!(id_for_name("calm counselor", taken).as_str(), "preset-calm-counselor-2");
    assert_eq!(id_for_name("先生", taken).as_str(), "preset-own");
    assert!(id_for_name(&"long ".repeat(100), taken).as_str().len() < 100);
}

#[test]
fn what_overrides_a_preset_wins_field_by_field() {
    let preset = &built_in()[1];
    let settings =
        SettingsDraft { temperature: Some(0.0), expiry_days: Some(30), ..SettingsDraft::default() };
    let named = PersonaDraft { name: Some("Mine".to_owned()), settings, ..Default::default() };
    let traits = named.create_from(preset).unwrap();
    let expected = Traits {
        name: "Mine".to_owned(),
        system_prompt: preset.system_prompt.clone(),
        personality: preset.personality.clone(),
        settings: Settings { temperature: 0.0, expiry_days: 30, ..preset.settings },
        model: None,
        tags: Vec::new(),
    };
    assert_eq!(traits, expected);
}

#[test]
fn a_persona_ends_its_days_after_it_was_last_used_and_warns_a_day_before() {
    let ada = persona("ada", "2026-03-01T12:00:00Z");
    assert_eq!(ada.expires_at, at("2026-03-08T12:00:00Z"));
    for (now, life, note) in [
        ("2026-03-07T11:59:59Z", Life::Lasting, None),
        (
            "2026-03-07T12:00:00Z",
            Life::Ending,
            Some("ada expires in 24 h, at 2026-03-08T12:00:00Z; talk with it or extend it"),
        ),
        (
            "2026-03-08T11:59:59Z",
            Life::Ending,
            Some("ada expires in 1 h, at 2026-03-08T12:00:00Z; talk with it or extend it"),
        ),
        (
            "2026-03-08T12:00:00Z",
            Life::Expired,
            Some("ada expired at 2026-03-08T12:00:00Z; extend it"),
        ),
    ] {
        assert_eq!(ada.life(at(now)), life, "{now}");
        assert_eq!(ada.expiry_note(at(now)).as_deref(), note, "{now}");
        let refused = ada.expect_alive(at(now)).map_err(|expired| expired.to_string());
        assert_eq!(refused.is_err(), life == Life::Expired, "{refused:?}");
    }
}

#[test]
fn lists_are_chosen_searched_and_cut_into_pages() {
    let now = at("2026-03-08T00:00:00Z");
    let mut tagged = persona("Grete", "2026-03-05");
    tagged.traits.tags = vec!["work".to_owned()];
    let all = vec![persona("ada", "2026-03-07"), persona("Old", "2026-01-01"), tagged];
    let names = |listing: &Listing| {
        let chosen = listing.choose(all.clone(), now);
        chosen.into_iter().map(|persona| persona.traits.name).collect::<Vec<_>>()
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(names(&Listing::default()), ["ada", "Grete"]);
    let with_old = Listing { include_expired: true, ..Listing::default() };
    assert_eq!(names(&with_old), ["ada", "Grete", "Old"]);
    assert_eq!(names(&Listing { search: some("GRE"), ..with_old.clone() }), ["Grete"]);
    assert_eq!(names(&Listing { search: some("psn_o"), ..with_old.clone() }), ["Old"]);
    assert_eq!(names(&Listing { tag: some("Work"), ..with_old }), ["Grete"]);

    let page = |page, page_size| PageDraft { page, page_size }.check(10);
    let rows = |draft: Result<_, FieldErrors>, total: i32| {
        draft.and_then(|at: dossier_core::persona::Position| at.cut((0..total).collect()))
    };
    assert_eq!(rows(page(None, None), 12).unwrap(), (0..10).collect::<Vec<_>>());
    assert_eq!(rows(page(Some(2), None), 12).unwrap(), [10, 11]);
    assert_eq!(rows(page(None, None), 0).unwrap(), [0; 0]);
    assert_eq!(fields(rows(page(Some(3), None), 12)), ["page"]);
    assert_eq!(fields(rows(page(Some(0), Some(101)), 12)), ["page", "page_size"]);
}

#[test]
fn the_history_that_suits_a_window_leaves_a_thousand_tokens() {
    for (window, history) in [(16_000, 15_000), (32_000, 31_000), (8_000, 7_000), (4_000, 3_000)] {
        assert_eq!(history_for(window), history);
    }
    assert_eq!(history_for(16_000), Settings::default().max_history_tokens);
}

#[test]
fn a_history_that_fills_up_is_told_from_four_fifths_on() {
    assert_eq!(history_notes(11_999, 15_000, 0), None);
    let full = history_notes(12_000, 15_000, 0).unwrap();
    assert!(full.starts_with("the history holds 12000 of 15000 tokens"), "{full}");
    let cut = history_notes(100, 15_000, 2).unwrap();
    assert!(cut.contains("the oldest 2 rounds were left out, whole"), "{cut}");
    assert_eq!(window_note(15_000, 0), None);
    let narrow = window_note(15_000, 1).unwrap();
    assert!(narrow.contains("1 round was left out, whole; set max_history_tokens"), "{narrow}");
    assert!(window_note(15_000, 3).unwrap().contains("3 rounds were left out"));
}

#[test]
fn the_budget_is_the_personas_own_within_the_window() {
    let manner = persona("ada", "2026-03-01").manner(Upkeep::PromptAlone);
    let budget =
        |context| manner.budget("Hello?", Window { context, output: 9_999_999 }, Tokenizer::O200k);
    let prompt = Tokenizer::O200k.count("You are calm.") + Tokenizer::O200k.count("Hello?");
    assert_eq!(budget(128_000), 15_000 + 400 + prompt);
    assert_eq!(budget(8_000), 8_000 - 1_000 - 160);
}

#[test]
fn templates_and_prompts_can_be_filled_in() {
    assert_eq!(templates().len(), 4);
    for template in templates() {
        let traits = draft(&template.name, &template.system_prompt).create().unwrap();
        assert_eq!(advice(&traits).len(), 1, "{} has places to fill", template.id);
    }
    let made = personality_creator("a harbour master", "gruff, kind", "storms").unwrap();
    for said in ["a harbour master", "gruff, kind", "storms", "systemPrompt", "danger"] {
        assert!(made.contains(said), "{said}");
    }
    assert_eq!(fields(personality_creator(" ", "x", "")), ["role", "scenario"]);
    let summary = context_summary("Ada", "calm", 12, "3 days").unwrap();
    for said in ["“Ada”", "calm", "12", "3 days"] {
        assert!(summary.contains(said), "{said}");
    }
    assert!(summary.contains("\n\nIts personality: calm\nMessages exchanged"), "{summary}");
    // One of whom nobody has said what it is like.
    let plain = context_summary("Ada", "", 12, "3 days").unwrap();
    assert!(plain.contains("the persona “Ada”.\n\nMessages exchanged: 12\n"), "{plain}");
    assert_eq!(fields(context_summary("", "calm", 0, "x")), ["context_name"]);
    let long = "calm ".repeat(500);
    assert_eq!(fields(context_summary("Ada", &long, 0, "x")), ["personality"]);
}

/// The header and the texts of the history that a turn carries.
fn sent(
    manner: &Manner,
    messages: &[Message],
    round: i64,
    question: &str,
) -> (String, Vec<String>) {
    let (tokenizer, window) = (Tokenizer::O200k, Window::default());
    let profile = Profile::persona(manner.history);
    let mut items = manner.items(tokenizer);
    items.extend(recent(messages, round, profile.history, tokenizer).unwrap().items);
    let frame = Frame {
        profile: &profile,
        budget: manner.budget(question, window, tokenizer),
        tier: Tier::Balanced,
        tokenizer,
        asking: Asking { question, reader: None, standing: None },
    };
    let Fitted { mut messages, used, .. } = fit(items, frame).unwrap();
    assert!(used <= frame.budget);
    assert_eq!(messages.pop().unwrap().content, question);
    let header = messages.remove(0);
    assert_eq!(header.role, WireRole::System);
    (header.content, messages.into_iter().map(|message| message.content).collect())
}

#[test]
fn rounds_that_lack_a_half_are_not_carried() {
    let messages = [
        message(0, 1, "user", "one"),
        message(1, 1, "agent:a/b", "reply one"),
        message(2, 2, "user", "nobody answered"),
        message(4, 3, "agent:a/b", "its question was deleted"),
        message(5, 4, "user", "four"),
        message(6, 4, "agent:c/d", "reply four"),
    ];
    let policy = Policy::Truncate { tokens: 1_000 };
    let history = recent(&messages, 5, policy, Tokenizer::O200k).unwrap();
    let texts: Vec<&str> = history.items.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["one", "reply one", "four", "reply four"]);
    assert_eq!(history.left_out, 0);
}

proptest! {
    #[test]
    fn no_truncation_leaves_half_a_pair_or_touches_the_prompt(
        lengths in prop::collection::vec((1..120_usize, 1..120_usize), 1..25),
        limit in 1..600_u32,
    ) {
        let mut manner = persona("ada", "2026-03-01").manner(Upkeep::Reminded);
        manner.history = limit;
        manner.personality = "Steady as a rock.".to_owned();
        let mut messages = Vec::new();
        let mut header = None;
        for (round, (asked, said)) in (1..).zip(lengths) {
            let (now, carried) = sent(&manner, &messages, round, "And now?");
            prop_assert!(now.starts_with("You are calm.\nYour personality: Steady as a rock.\n"));
            prop_assert_eq!(header.get_or_insert_with(|| now.clone()), &now);
            prop_assert_eq!(carried.len() % 2, 0);
            for pair in carried.chunks(2) {
                prop_assert_eq!(pair[0].split('.').next(), pair[1].split('.').next());
            }
            let tokens: u32 = carried.iter().map(|text| Tokenizer::O200k.count(text)).sum();
            prop_assert!(tokens <= limit);
            let user = format!("{round}. {}", "ask ".repeat(asked));
            let agent = format!("{round}. {}", "say ".repeat(said));
            messages.push(message(2 * round, round, "user", &user));
            messages.push(message(2 * round + 1, round, "assistant", &agent));
        }
    }
}
