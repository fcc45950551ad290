//! Figures on a data set.

use crate::desk::{Desk, exists, keys, run};
use crate::postgres::Postgres;
use serde_json::{Value, json};

const CASES: &str = concat!(
    r#"{"id":"talk","messages":["#,
    r#"{"id":"m1","speaker":"Ana","content":"The tulips are planted in October."},"#,
    r#"{"id":"m2","speaker":"Ben","content":"The oven is broken since Tuesday."},"#,
    r#"{"id":"m3","speaker":"Ana","content":"My sister lives in Lisbon."}],"#,
    r#""questions":[{"id":"q1","text":"When are the tulips planted?","evidence":["m1"]},"#,
    r#"{"id":"q2","text":"Where does the sister live, and is the oven broken?","evidence":["m3","m2"]}]}"#,
    "\n\n",
    r#"{"id":"files","files":[{"path":"src/a.rs","content":"fn count_tokens() {}\n"},"#,
    r#"{"path":"src/b.rs","content":"fn parse_dates() {}\n"}],"#,
    r#""questions":[{"id":"q3","text":"where are tokens counted","evidence":["src/a.rs"]}]}"#,
    "\n"
);

fn check_figures(report: &Value, budget: u64) {
    assert_eq!(
        keys(report),
        [
            "budget",
            "questions",
            "all_evidence",
            "mean_recall",
            "ndcg_at_10",
            "recall_at_5",
            "tokens",
            "saved",
            "assemble_ms"
        ]
    );
    assert_eq!(keys(&report["tokens"]), ["p50", "p90", "max"]);
    assert_eq!(keys(&report["assemble_ms"]), ["p50", "p90", "p99"]);
    assert_eq!((report["budget"].as_u64(), report["questions"].as_u64()), (Some(budget), Some(3)));
    assert_eq!(report["all_evidence"], 1.0, "{report}");
    assert!(report["tokens"]["max"].as_u64().unwrap() <= budget, "{report}");
}

#[test]
fn every_budget_is_measured_and_nothing_stays_behind() {
    let desk = Desk::new();
    desk.write("cases.jsonl", CASES);
    let report = desk.json(&["eval", "context", "cases.jsonl", "--no-embedder"]);
    assert_eq!(keys(&report), ["budgets"]);
    let budgets = report["budgets"].as_array().unwrap();
    assert_eq!(budgets.len(), 2);
    check_figures(&budgets[0], 1_000);
    check_figures(&budgets[1], 3_000);
    assert!(!exists(&desk.home().join(".local")));

    let one = ["eval", "context", "cases.jsonl", "--budget", "500", "--profile", "lean"];
    check_figures(&desk.json(&one)["budgets"][0], 500);
}

#[test]
fn figures_are_a_table_for_people() {
    let desk = Desk::new();
    desk.write("cases.jsonl", CASES);
    let args = [
        "eval",
        "context",
        "cases.jsonl",
        "--no-embedder",
        "--budget",
        "900",
        "--budget",
        "500",
        "--budget",
        "900",
    ];
    let table = desk.dossier(&args).ok().out;
    assert!(table.starts_with("budget in tokens                 500         900\n"), "{table}");
    assert!(table.contains("all evidence                 100.0 %     100.0 %\n"), "{table}");
}

#[test]
fn the_embedder_is_used_unless_it_is_switched_off() {
    let desk = Desk::new();
    desk.write("cases.jsonl", CASES);
    let report =
        run(&mut desk.bare(&["eval", "context", "cases.jsonl", "--budget", "500", "--json"]));
    check_figures(&report.ok().json()["budgets"][0], 500);
}

#[test]
fn a_backup_that_postgres_makes_by_itself_is_not_promised() {
    let postgres = Postgres::new("backup");
    let desk = Desk::new();
    let asked = desk.dossier(&["--database", &postgres.url, "maintain", "--backup"]);
    let due = desk.dossier(&["--database", &postgres.url, "maintain"]);
    let asked = asked.failed(1, &["no backup was made", "pg_dump", "dossier export --all"]);
    assert!(!asked.out.contains("none due"), "{asked:#?}");
    due.ok();
}

#[test]
fn a_postgres_that_was_named_is_used_and_left_empty() {
    let postgres = Postgres::new("eval");
    let desk = Desk::new();
    desk.write("cases.jsonl", CASES);
    let database = ["--database", &postgres.url];
    let report =
        desk.dossier(&[&database[..], &["eval", "context", "cases.jsonl", "--json"]].concat());
    check_figures(&report.ok().json()["budgets"][0], 1_000);
    assert_eq!(postgres.number("SELECT CAST(COUNT(*) AS BIGINT) FROM projects"), 0);
}

#[test]
fn what_compressing_saves_is_counted_with_every_value() {
    let desk = Desk::new();
    let item = |number: u32| {
        json!({
            "id": 70_000 + number, "title": format!("The pump of dock {number} is loud"), "owner": null,
            "url": format!("https://docks.example/issues/{number}"), "cost": format!("{number}.50 €"),
        })
    };
    let items: Vec<Value> = (0..60).map(item).collect();
    let payloads = json!([
        {"name": "issues", "source": "docks", "payload": {"total_count": 60, "items": items}},
        {"name": "note", "payload": "error: dock 7 is closed"},
    ]);
    desk.write("payloads.json", payloads.to_string());
    let report = desk.json(&["eval", "compress", "payloads.json"]);
    let docks = &report["sources"]["docks"];
    assert!(docks["saved"].as_f64().unwrap() > 0.3, "{report:#}");
    assert!(docks["protected_values"].as_u64().unwrap() >= 180, "{report:#}");
    let values = |name: &str| report[name].as_u64().unwrap();
    assert_eq!(values("shown_values") + values("recovered_values"), values("protected_values"));
    assert_eq!((values("payloads"), values("lost_values"), values("failed_checks")), (2, 0, 0));
    let table = desk.dossier(&["eval", "compress", "payloads.json"]).ok().out;
    assert!(table.contains("docks"), "{table}");
    let none = desk.dossier(&["eval", "compress", "cases.jsonl"]);
    none.failed(1, &["cases.jsonl"]);
}

#[test]
fn a_data_set_that_is_none_is_refused_with_the_line() {
    let desk = Desk::new();
    desk.write("empty.jsonl", "\n\n");
    desk.dossier(&["eval", "context", "empty.jsonl"]).failed(1, &["empty.jsonl", "empty"]);
    desk.write("wrong.jsonl", format!("{CASES}{{\"id\": 1}}\n"));
    desk.dossier(&["eval", "context", "wrong.jsonl"])
        .failed(1, &["wrong.jsonl", "line 4 is no case"]);
    desk.dossier(&["eval", "context", "nowhere.jsonl"]).failed(1, &["cannot open nowhere.jsonl"]);
}

#[test]
fn evidence_that_is_not_in_the_data_is_told() {
    let desk = Desk::new();
    desk.write("cases.jsonl", CASES.replace("[\"m1\"]", "[\"m9\"]"));
    let measured = desk.dossier(&["eval", "context", "cases.jsonl", "--no-embedder"]).ok();
    let told = "evidence that is not in the data counts as missed: 1 in all, such as m9";
    assert!(measured.err.contains(told), "{}", measured.err);
}

/// The pairs that the guard of the answer cache is tested with.
const PAIRS: &str = include_str!("../../../core/tests/data/sameness.jsonl");

#[test]
fn no_question_gets_the_answer_to_another_by_the_built_in_vectors() {
    let desk = Desk::new();
    desk.write("pairs.jsonl", PAIRS);
    let report = run(&mut desk.bare(&["eval", "cache", "pairs.jsonl", "--json"])).ok().json();
    let [a, b, c, d] = ["right_hits", "wrong_hits", "positives", "negatives"];
    assert_eq!(keys(&report), [a, b, c, d, "changed", "hits_before_change", "answer_ms"]);
    let figure = |key: &str| report[key].as_u64().unwrap();
    assert_eq!(figure("wrong_hits"), 0);
    assert_eq!(figure("positives") + figure("negatives"), PAIRS.lines().count() as u64);
    assert!(figure("right_hits") * 100 >= figure("positives") * 42, "{report}");
    assert!(figure("negatives") >= 850, "{report}");
    // Each of them would have been a hit, had nothing changed.
    assert!(figure("changed") >= 100, "{report}");
    assert_eq!(figure("hits_before_change"), figure("changed"));

    let alone = desk.json(&["eval", "cache", "pairs.jsonl", "--no-embedder"]);
    assert_eq!(alone["wrong_hits"], 0);
    assert_eq!(alone["hits_before_change"], alone["changed"]);
}

#[test]
fn a_wrong_hit_fails_the_measurement() {
    let desk = Desk::new();
    let pair =
        json!({"id": "1", "a": "Why is the sky blue?", "b": "Why is the sky blue?", "label": 0});
    desk.write("pairs.jsonl", pair.to_string());
    let measured = desk.dossier(&["eval", "cache", "pairs.jsonl", "--no-embedder"]);
    assert_eq!(measured.code, Some(1), "{measured:#?}");
    assert!(measured.out.contains("wrong hits"), "{measured:#?}");
    let unknown = json!({"id": "1", "a": "x", "b": "x", "label": 0, "changed": "weather"});
    desk.write("pairs.jsonl", unknown.to_string());
    desk.dossier(&["eval", "cache", "pairs.jsonl"]).failed(1, &["line 1 is no pair", "weather"]);
}

#[test]
fn a_line_that_is_no_pair_is_named() {
    let desk = Desk::new();
    desk.write(
        "pairs.jsonl",
        "{\"id\":\"1\",\"a\":\"x\",\"b\":\"y\",\"label\":1}\n{\"id\":\"2\"}\n",
    );
    desk.dossier(&["eval", "cache", "pairs.jsonl"])
        .failed(1, &["pairs.jsonl", "line 2 is no pair"]);
    desk.write("pairs.jsonl", "{\"id\":\"1\",\"a\":\"x\",\"b\":\"y\",\"label\":2}\n");
    desk.dossier(&["eval", "cache", "pairs.jsonl"]).failed(1, &["line 1 is no pair", "label 2"]);
}
