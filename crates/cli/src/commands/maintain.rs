//! `dossier maintain`: what waits is done, an index is made anew, a backup comes back.

use super::{Ended, rebuild};
use crate::flags::{Global, LATEST, MaintainFlags};
use crate::printer::Printer;
use crate::progress::{Counted, Line};
use crate::session::{Session, given};
use crate::show::text::{counted, number, size};
use anyhow::bail;
use dossier_core::backup::age;
use dossier_core::time::Timestamp;
use dossier_engine::{Backup, BackupWhen, Backups, Maintained, RestoredBackup, now};
use serde_json::{Value, json};

pub async fn run(
    global: &Global,
    flags: &MaintainFlags,
    printer: Printer,
) -> anyhow::Result<Ended> {
    if flags.backups {
        return list(global, flags, printer);
    }
    if let Some(which) = &flags.restore {
        return restore(global, flags, which, printer).await;
    }
    Session::asking(global, printer, async |session| match flags.rebuild {
        true => rebuild::run(session, flags).await,
        false => maintain(session, flags).await,
    })
    .await
}

async fn maintain(session: &Session, flags: &MaintainFlags) -> anyhow::Result<Ended> {
    let Session { engine, settings, printer, .. } = session;
    let when = match flags.backup {
        true => BackupWhen::Now,
        false => BackupWhen::Due,
    };
    let line = Line::new(printer, Counted::Files);
    let keeping = settings.keeping();
    let work = engine.maintain(&keeping, when, &line, now());
    let done = super::unless_interrupted(work).await;
    line.wipe();
    let Some(done) = done? else {
        printer.warning("stopped; what is done is kept; to go on, run the same command again");
        return Ok(Ended::Interrupted);
    };
    let done = done?;
    if settings.places.database.value.is_postgres() && !flags.backup {
        printer.note(
            "PostgreSQL is backed up by its own tools, such as pg_dump, or as a portable copy \
             with dossier export --all; what is hidden goes when its time is over, backed up or \
             not",
        );
    }
    match flags.json {
        true => printer.json(&document(&done))?,
        false => printer.result(&told(&done))?,
    }
    if let Some(problem) = &done.purge_problem {
        printer.warning(&format!("what was hidden long ago is still there: {problem}"));
    } else if done.purge_waits {
        printer.note(
            "what was hidden long ago goes after a backup; make one: dossier maintain --backup",
        );
    }
    if let Some(problem) = &done.embedding_problem {
        printer.warning(&format!("vectors are missing, and words alone find the rest: {problem}"));
    }
    if let Some(problem) = &done.jobs_problem {
        printer.warning(&format!("some jobs wait: {problem}"));
    }
    if let Some(problem) = &done.left_for_later {
        printer.warning(&format!("some room was left for later: {problem}"));
    }
    match &done.backup_problem {
        Some(problem) if flags.backup => {
            bail!("no backup was made, and nothing was removed: {problem}")
        }
        Some(problem) => printer
            .warning(&format!("no backup was made, so nothing was removed either: {problem}")),
        None => {}
    }
    Ok(Ended::Done)
}

fn told(done: &Maintained) -> String {
    let backup = match &done.backup {
        Some(backup) => format!("{}, {}", backup.name, size(backup.bytes)),
        None if done.backup_problem.is_some() => "none".to_owned(),
        None => "none due".to_owned(),
    };
    let old = counted(done.rotated as u64, "old one", "old ones");
    let files = counted(done.swept as u64, "file", "files");
    format!(
        "backup    {backup}; {old} removed\nhidden    {} deleted for good\n\
         personas  {} hidden, for their time is over\njobs      {} done or tried\nvectors   {} made\nreceipts  {} removed\nrefs      {} expired\n\
         answers   {} expired\n\
         contents  {files} that belonged to nothing removed\n",
        number(done.purged),
        number(done.expired),
        number(done.jobs as u64),
        number(done.embedded as u64),
        number(done.receipts),
        number(done.refs),
        number(done.answers),
    )
}

fn document(done: &Maintained) -> Value {
    json!({
        "backup": done.backup.as_ref().map(backup_document),
        "backup_problem": done.backup_problem,
        "backups_removed": done.rotated,
        "purged": done.purged,
        "purge_problem": done.purge_problem,
        "purge_waits": done.purge_waits,
        "personas_hidden": done.expired,
        "jobs": done.jobs,
        "jobs_problem": done.jobs_problem,
        "vectors": done.embedded,
        "vectors_problem": done.embedding_problem,
        "receipts_removed": done.receipts,
        "refs_expired": done.refs,
        "answers_expired": done.answers,
        "contents_removed": done.swept,
        "left_for_later": done.left_for_later,
    })
}

fn backup_document(backup: &Backup) -> Value {
    json!({
        "name": backup.name.to_string(),
        "made_at": backup.name.at,
        "cause": backup.name.cause,
        "folder": backup.folder.display().to_string(),
        "bytes": backup.bytes,
    })
}

fn list(global: &Global, flags: &MaintainFlags, printer: Printer) -> anyhow::Result<Ended> {
    let list = backups(global)?.list()?;
    if flags.json {
        let list: Vec<Value> = list.iter().map(backup_document).collect();
        printer.json(&json!({ "backups": list }))?;
        return Ok(Ended::Done);
    }
    if list.is_empty() {
        printer.note("there are no backups; make one: dossier maintain --backup");
    }
    let now = now();
    let line = |backup: &Backup| {
        let old = age(backup.name.at, now);
        format!("{:<36}{:>12}  {old} old\n", backup.name.to_string(), size(backup.bytes))
    };
    printer.result(&list.iter().map(line).collect::<String>())?;
    Ok(Ended::Done)
}

async fn restore(
    global: &Global,
    flags: &MaintainFlags,
    which: &str,
    printer: Printer,
) -> anyhow::Result<Ended> {
    let which = Some(which).filter(|which| *which != LATEST);
    let now = now();
    let restored = backups(global)?.restore(which, now).await?;
    for (backup, why) in &restored.passed_over {
        printer.warning(&format!("the backup {} was passed over: {why}", backup.display()));
    }
    if flags.json {
        let passed_over = restored
            .passed_over
            .iter()
            .map(|(backup, why)| json!({ "backup": backup.display().to_string(), "why": why }));
        printer.json(&json!({
            "passed_over": passed_over.collect::<Vec<_>>(),
            "backup": restored.backup.display().to_string(),
            "made_at": restored.made_at,
            "replaced": restored.replaced.as_ref().map(|kept| kept.display().to_string()),
            "missing_contents": restored.missing,
        }))?;
    } else {
        printer.result(&restored_told(&restored, now))?;
    }
    if restored.missing > 0 {
        let missing = counted(restored.missing as u64, "large content", "large contents");
        printer.warning(&format!("the backup lacks {missing}; index those files again"));
    }
    Ok(Ended::Done)
}

fn restored_told(restored: &RestoredBackup, now: Timestamp) -> String {
    let mut text = format!("restored {}\n", restored.backup.display());
    if let Some(made_at) = restored.made_at {
        let old = age(made_at, now);
        text.push_str(&format!("made at {made_at}, {old} ago; what came after it is not in it\n"));
    }
    if let Some(replaced) = &restored.replaced {
        text.push_str(&format!("the database before is kept in {}\n", replaced.display()));
    }
    text
}

fn backups(global: &Global) -> anyhow::Result<Backups> {
    let database = given(global)?.places()?.database.value;
    match Backups::of(database.reveal())? {
        Some(backups) => Ok(backups),
        None => bail!(
            "a PostgreSQL database is backed up and restored by its own tools, such as pg_dump \
             and pg_restore, or as a portable copy with dossier export --all"
        ),
    }
}
