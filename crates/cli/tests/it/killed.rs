//! The program itself, killed while it indexes and imports, with another one searching meanwhile:
//! what it leaves is sound, and going on gives what an undisturbed run gives.

use crate::desk::{Desk, Run};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Processes to kill, unless the environment names another number.
const KILLS: u64 = 40;

/// Every so many kills everything is counted again.
const EXAMINED: u64 = 10;

fn prepared() -> Desk {
    let desk = Desk::new();
    for number in 0..400 {
        let text = format!("# Page {number}\n\nThe common heron {number} stands in the water.\n");
        desk.write(&format!("notes/page{number}.md"), text.repeat(1 + number % 7));
    }
    // Each with a time of its own: equal hits are ordered by it, and the time of import, which
    // stands in for a missing one, depends on when an import was killed.
    let message = |number: u32, place: u32| {
        let said = format!("common talk {number} {place}");
        let when = format!("2026-01-01T{:02}:{:02}:00Z", number / 6, number % 6 * 10 + place);
        json!({ "speaker": "user", "content": said, "created_at": when })
    };
    let conversations: String = (0..60)
        .map(|number| {
            let messages: Vec<Value> = (0..10).map(|place| message(number, place)).collect();
            format!("{}\n", json!({ "title": format!("talk {number}"), "messages": messages }))
        })
        .collect();
    desk.write("talks.jsonl", conversations);
    desk
}

const INDEX: &[&str] = &["index", "notes"];
const IMPORT: &[&str] = &["import", "talks.jsonl"];

/// Lets the program run for a while and kills it; another one searches at the same time.
fn kill_after(desk: &Desk, args: &[&str], wait: Duration) {
    let quiet = |args: &[&str]| {
        let mut command = desk.bare(args);
        command.env("DOSSIER_EMBEDDER", "none").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut writer = quiet(args);
    let reader = quiet(&["search", "common heron"]);
    // Killing at a chosen moment is what this is about.
    std::thread::sleep(wait);
    writer.kill().unwrap();
    writer.wait().unwrap();
    check_reader(&Run::of(reader.wait_with_output().unwrap()));
}

/// A reader finds what is there, or says that there is nothing yet.
fn check_reader(reader: &Run) {
    let nothing_yet = ["there is no database", "project `default` is not known"];
    let early = nothing_yet.iter().any(|told| reader.err.contains(told));
    assert!(reader.code == Some(0) || early, "{reader:#?}");
}

fn found(desk: &Desk) -> Vec<Value> {
    ["common heron 7", "common talk 31 4", "water"]
        .map(|query| {
            let mut hits = desk.json(&["search", query, "--limit", "50"])["hits"].take();
            for hit in hits.as_array_mut().unwrap() {
                // Ids differ from store to store.
                let source = hit["source"].as_object_mut().unwrap();
                for made in ["id", "thread"] {
                    source.remove(made);
                }
            }
            hits
        })
        .to_vec()
}

#[test]
fn a_killed_program_leaves_a_sound_store_and_the_next_run_completes_it() {
    let undisturbed = prepared();
    let began = Instant::now();
    undisturbed.dossier(INDEX).ok();
    undisturbed.dossier(IMPORT).ok();
    let whole = began.elapsed();

    let desk = prepared();
    let kills = std::env::var("DOSSIER_TEST_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut state = 7_u64;
    for kill in 1..=kills {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        let share = (state >> 40) as f64 / (1_u64 << 24) as f64;
        kill_after(&desk, if kill % 2 == 0 { IMPORT } else { INDEX }, whole.mul_f64(0.7 * share));
        if kill % EXAMINED == 0 {
            let examined = desk.dossier(&["doctor", "--json"]);
            assert!(!examined.out.contains("\"problem\""), "kill {kill}: {examined:#?}");
        }
    }
    desk.dossier(INDEX).ok();
    desk.dossier(IMPORT).ok();
    assert_eq!(found(&desk), found(&undisturbed));
    desk.dossier(&["doctor"]).ok();
}
