//! Completions, by the shell that uses them.

use crate::desk::{Desk, run};
use std::process::Command;

/// What bash offers for the last of these words.
fn offered(desk: &Desk, words: &str) -> String {
    let script = format!(
        "source ./script || exit 1\nCOMP_WORDS=({words})\n\
         COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))\n\
         _dossier dossier \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
         echo \"${{COMPREPLY[*]}}\""
    );
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &script]).current_dir(desk.path(""));
    run(&mut bash).ok().out
}

#[test]
fn bash_completes_commands_and_flags() {
    let desk = Desk::new();
    desk.write("script", desk.dossier(&["completions", "bash"]).ok().out);
    assert_eq!(offered(&desk, "dossier sea"), "search\n");
    assert_eq!(offered(&desk, "dossier index --wa"), "--watch\n");
    assert_eq!(offered(&desk, "dossier config s"), "show set\n");
}

#[test]
fn every_shell_gets_a_script_that_names_the_commands() {
    let desk = Desk::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = desk.dossier(&["completions", shell]).ok().out;
        assert!(script.contains("explain") && script.contains("embedder"), "{shell}: {script}");
    }
    assert_eq!(desk.dossier(&["completions", "basic"]).code, Some(2));
}
