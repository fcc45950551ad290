//! A system prompt of one's own, beside the database.

use crate::desk::Desk;

#[test]
fn the_users_own_template_takes_the_place_of_the_built_in_one() {
    let desk = Desk::with_notes();
    desk.dossier(&["--data", "data", "index", "notes"]).ok();
    let template = "You are {{ model }} in {{ project }}.\n{{ files }}\nBe kind.";
    desk.write("data/prompt.md", template);
    let explain = ["--data", "data", "explain", "tulips", "--model", "gpt-4o"];
    let shown =
        desk.dossier(&[&explain[..], &["--profile", "project", "--rendered"]].concat()).ok();
    let header = "You are gpt-4o in default.\nThe project's files:\n- garden.md (45 B)\n\
                  - kitchen.md (45 B)\nBe kind.\n";
    assert!(shown.out.contains(header), "{shown:#?}");
    let reasons = desk.json(&explain);
    let rules = &reasons["receipt"]["items"][0];
    let reason = rules["reason"].as_str().unwrap();
    assert!(reason.starts_with("pinned: the system prompt of "), "{reason}");
    assert!(reason.ends_with("prompt.md"), "{reason}");
}

#[test]
fn a_broken_template_is_told_with_its_line_before_anything_happens() {
    let desk = Desk::with_notes();
    desk.dossier(&["--data", "data", "index", "notes"]).ok();
    desk.write("data/prompt.md", "Be kind.\n{{ modle }}\n");
    let says = ["prompt.md, line 2 cannot be used", "mend it, or move it away"];
    for args in [&["explain", "tulips"][..], &["ask", "tulips"], &["serve"]] {
        desk.dossier(&[&["--data", "data"], args].concat()).failed(1, &says);
    }
    let threads = desk.json(&["--data", "data", "list", "threads"]);
    assert_eq!(threads["threads"], serde_json::json!([]));
    let doctor = desk.dossier(&["--data", "data", "doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:#?}");
    assert!(doctor.out.contains("prompt.md, line 2"), "{doctor:#?}");
    desk.dossier(&["--data", "data", "search", "tulips"]).ok();
}
