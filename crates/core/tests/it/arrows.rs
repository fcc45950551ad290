//! The crates' arrows: no crate depends on one beside or above it, and each heavy dependency has
//! one home.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The crates from the bottom up. A crate may use only those on lower floors.
const FLOORS: &[&[&str]] = &[
    &["core", "testkit"],
    &["store", "files", "embed", "models"],
    &["engine"],
    &["server", "mcp"],
    &["cli"],
];

/// Dependencies that belong to one crate alone.
const HOMES: &[(&str, &str)] = &[
    ("rusqlite", "store"),
    ("sqlx", "store"),
    ("ignore", "files"),
    ("hayro-font", "files"),
    ("mail-parser", "files"),
    ("notify", "files"),
    ("zip", "files"),
    ("ureq", "embed"),
    ("genai", "models"),
    ("reqwest", "models"),
    ("axum", "server"),
    ("utoipa", "server"),
    ("rmcp", "mcp"),
    ("clap", "cli"),
    ("opentelemetry-otlp", "cli"),
];

/// What `core` must never have.
const IMPURE: &[&str] = &["tokio", "rusqlite", "sqlx", "reqwest", "axum", "rmcp", "rand", "ulid"];

/// The dependencies of each crate, without those of its tests.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let own = manifest["dependencies"].as_table().unwrap().keys().cloned().collect();
        all.insert(name, own);
    }
    all
}

fn floor(name: &str) -> usize {
    let floor = FLOORS.iter().position(|floor| floor.contains(&name));
    floor.unwrap_or_else(|| panic!("crates/{name} has no floor: give it one in {}", file!()))
}

#[test]
fn no_arrow_points_up_or_sideways() {
    for (name, dependencies) in dependencies() {
        for below in dependencies.iter().filter_map(|name| name.strip_prefix("dossier-")) {
            assert!(floor(below) < floor(&name), "{name} must not depend on {below}");
        }
    }
}

#[test]
fn each_heavy_dependency_has_one_home() {
    for (name, dependencies) in dependencies() {
        for (dependency, home) in HOMES {
            let lives_here = dependencies.iter().any(|own| own == dependency);
            assert!(!lives_here || name == *home, "{dependency} belongs into {home}, not {name}");
        }
    }
}

#[test]
fn core_has_no_input_no_output_no_clock_and_no_chance() {
    let dependencies = &dependencies()["core"];
    for impure in IMPURE {
        assert!(!dependencies.iter().any(|own| own == impure), "{impure}");
    }
}

#[test]
fn what_helps_tests_is_no_part_of_the_product() {
    for (name, dependencies) in dependencies() {
        assert!(!dependencies.iter().any(|own| own == "dossier-testkit"), "{name}");
    }
}
