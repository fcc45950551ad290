//! The web page in a real browser against the real server: the stories are in `web/tests`, which
//! Node.js runs with Chromium.

use std::path::Path;
use std::process::Command;

#[test]
fn the_page_does_what_its_stories_tell() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    assert!(web.join("node_modules").is_dir(), "the page was not built: scripts/web");
    let files = std::fs::read_dir(web.join("tests")).unwrap().map(|entry| entry.unwrap().path());
    let stories = files.filter(|path| path.to_string_lossy().ends_with(".test.mjs"));
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
        .args(stories)
        .env("DOSSIER_TEST_BINARY", env!("CARGO_BIN_EXE_dossier"))
        .current_dir(web);
    let run = node.output().expect("Node.js is missing: apt-get install nodejs npm");
    let told = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{told}{}", String::from_utf8_lossy(&run.stderr));
}
