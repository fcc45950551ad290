//! Where a story takes place: a working directory and a home, gone when the story ends.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub struct Desk {
    folder: TempDir,
}

impl Desk {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder }
    }

    /// A desk with a small project on it.
    pub fn with_notes() -> Self {
        let desk = Self::new();
        desk.write("notes/garden.md", "# Garden\n\nThe tulips are planted in October.\n");
        desk.write("notes/kitchen.md", "# Kitchen\n\nThe oven is broken since Tuesday.\n");
        desk.write(
            "src/count.rs",
            "pub fn count_tokens(text: &str) -> usize {\n    text.len() / 4\n}\n",
        );
        desk
    }

    /// A path below the working directory.
    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("work").join(path)
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// The program without any setting but where home is.
    pub fn bare<S: AsRef<std::ffi::OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dossier"));
        command.env_clear().env("HOME", self.home()).current_dir(self.path(""));
        command.args(args).stdin(Stdio::null());
        command
    }

    /// Runs the program by words alone, which is quick.
    pub fn dossier(&self, args: &[&str]) -> Run {
        run(self.bare(args).env("DOSSIER_EMBEDDER", "none"))
    }

    /// What the program prints for programs.
    pub fn json(&self, args: &[&str]) -> Value {
        self.dossier(&[args, &["--json"]].concat()).ok().json()
    }
}

/// What came of running the program.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn run(command: &mut Command) -> Run {
    Run::of(command.output().unwrap())
}

impl Run {
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self
    }

    /// Failed with this exit code and an error in one piece, without a panic.
    #[track_caller]
    pub fn failed(self, code: i32, says: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert!(self.err.starts_with("error: "), "{self:#?}");
        for words in says {
            assert!(self.err.contains(words), "{words} is missing in {self:#?}");
        }
        assert!(!self.err.contains("panicked"), "{self:#?}");
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// The names of an object's members, in order.
pub fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

pub fn strings<'a>(list: &'a Value, pointer: &str) -> Vec<&'a str> {
    let list = list.as_array().unwrap();
    list.iter().filter_map(|value| value.pointer(pointer)?.as_str()).collect()
}

pub fn exists(path: &Path) -> bool {
    path.try_exists().unwrap()
}
