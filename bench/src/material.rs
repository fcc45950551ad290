//! Other material for a project, as much as is wanted: paragraphs of the documentation in the
//! sources of our own dependencies. Real text by many hands, in the language of the questions.

use anyhow::{Context, Result};
use dossier_core::exchange::{Conversation, ConversationMessage};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Shorter paragraphs say nothing, longer ones are tables and code.
const WORDS: std::ops::RangeInclusive<usize> = 8..=80;

/// Messages of one conversation.
const TOGETHER: usize = 500;

/// Distinct paragraphs in the order of their files.
pub fn paragraphs() -> Result<Vec<String>> {
    let mut seen = HashSet::new();
    let mut paragraphs = Vec::new();
    for file in files()? {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let prose = if file.extension().is_some_and(|extension| extension == "rs") {
            documentation(&text)
        } else {
            text
        };
        for paragraph in prose.split("\n\n") {
            let words: Vec<&str> = paragraph.split_whitespace().collect();
            if WORDS.contains(&words.len()) && seen.insert(words.join(" ")) {
                paragraphs.push(words.join(" "));
            }
        }
    }
    Ok(paragraphs)
}

/// So many paragraphs: those there are, and then the same words in other company, each made of the
/// first half of one and the second half of another.
pub fn mixed(paragraphs: &[String], count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|number| {
        let turn = number / paragraphs.len();
        let first = &paragraphs[number % paragraphs.len()];
        if turn == 0 {
            return first.clone();
        }
        let second = &paragraphs[(number * 7 + turn * 104_729) % paragraphs.len()];
        let half = |text: &str| text.split(' ').count() / 2;
        let head = first.split(' ').take(half(first));
        let tail = second.split(' ').skip(half(second));
        head.chain(tail).collect::<Vec<_>>().join(" ")
    })
}

/// The texts as conversations.
pub fn conversations(texts: &[String]) -> impl Iterator<Item = Conversation> {
    texts.chunks(TOGETHER).enumerate().map(|(number, texts)| Conversation {
        title: Some(format!("material {number}")),
        messages: texts
            .iter()
            .enumerate()
            .map(|(place, text)| ConversationMessage {
                id: None,
                speaker: ["user", "agent:reader"][place % 2].to_owned(),
                content: text.clone(),
                created_at: None,
                section: Some(format!("part {}", place / 50)),
            })
            .collect(),
        ..Conversation::default()
    })
}

/// The comments that document items, without their marks.
fn documentation(source: &str) -> String {
    let mut prose = String::new();
    for line in source.lines() {
        let line = line.trim_start();
        match line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) {
            Some(text) => prose.push_str(text.trim()),
            None if prose.ends_with("\n\n") => continue,
            None => {}
        }
        prose.push('\n');
    }
    prose
}

/// Sources and documents of the packages that this one is built from, by `cargo metadata`.
pub fn packages() -> Result<Vec<PathBuf>> {
    // Without a platform cargo wants what is only built on others.
    let told = Command::new("rustc").arg("-vV").output().context("running rustc")?;
    let told = String::from_utf8(told.stdout)?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).context("no host")?;
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .context("running cargo metadata")?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)
        .context("cargo metadata gives no JSON; run it by hand to see why")?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut folders: Vec<PathBuf> = packages
        .iter()
        .filter(|package| !package["source"].is_null())
        .filter_map(|package| package["manifest_path"].as_str())
        .filter_map(|manifest| Path::new(manifest).parent())
        .map(Path::to_path_buf)
        .collect();
    folders.sort();
    Ok(folders)
}

fn files() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = packages()?;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("rs" | "md") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}
