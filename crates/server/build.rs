//! Writes down which files of the built page there are, so that the binary carries them. Without
//! them, as where Node.js is missing, it carries a page that says what to do.

use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut stdout = io::stdout();
    let built = home.join("../../web/dist");
    // Cargo can only watch a folder that is there. Where it cannot be made, it is never filled.
    let _ = fs::create_dir_all(&built);
    writeln!(stdout, "cargo:rerun-if-changed={}", built.display())?;
    let plain = home.join("assets/plain.html");
    writeln!(stdout, "cargo:rerun-if-changed={}", plain.display())?;

    let mut files = Vec::new();
    if built.join("index.html").is_file() {
        collect(&built, "", &mut files)?;
    } else {
        files.push(("index.html".to_owned(), plain));
    }
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in files.iter().filter(|(name, _)| !name.ends_with(".gz")) {
        let mut hasher = DefaultHasher::new();
        fs::read(path)?.hash(&mut hasher);
        let tag = hasher.finish();
        let squeezed = path.with_file_name(format!(
            "{}.gz",
            path.file_name().unwrap_or_default().to_string_lossy()
        ));
        let squeezed = match squeezed.is_file() {
            true => format!("Some(include_bytes!({squeezed:?}))"),
            false => "None".to_owned(),
        };
        list.push_str(&format!(
            "Asset {{ name: {name:?}, tag: \"\\\"{tag:016x}\\\"\", plain: include_bytes!({path:?}), \
             squeezed: {squeezed} }},\n"
        ));
    }
    list.push(']');
    let target = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(target.join("assets.rs"), list)
}

/// The files below a folder, each with its name as the browser asks for it.
fn collect(folder: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}
