//! Real processes on one database, killed at moments that nobody chose. Whatever they were doing,
//! what they acknowledged is there, and everything that is derived agrees with it.
//!
//! `DOSSIER_TEST_KILLS` says how many are killed altogether.

use crate::database::Database;
use crate::sample::{
    at, file_id, matching, message, message_chunk, project, terms, thread, whole_file,
};
use anyhow::{Context, Result, ensure};
use dossier_core::backup::Cause;
use dossier_core::id::OwnerId;
use dossier_store::{Backups, DatabaseKind, Holding, Store};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const KILLS: &str = "DOSSIER_TEST_KILLS";
const USUAL_KILLS: u64 = 300;

/// Name the database, the task and its number to a child.
const CHILD_URL: &str = "DOSSIER_TEST_CHILD_URL";
const CHILD_TASK: &str = "DOSSIER_TEST_CHILD_TASK";
const CHILD_NUMBER: &str = "DOSSIER_TEST_CHILD_NUMBER";
const ACKNOWLEDGED: &str = "acknowledged ";

/// What a child does until it is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    Write,
    Open,
    BackUp,
    Rebuild,
    Restore,
    Read,
    Forget,
}

impl Task {
    const ALL: [Self; 7] = [
        Self::Write,
        Self::Open,
        Self::BackUp,
        Self::Rebuild,
        Self::Restore,
        Self::Read,
        Self::Forget,
    ];
}

async fn killed_writers_leave_what_they_acknowledged(database: Database) -> Result<()> {
    if let Some(result) = as_child(&database).await {
        return result;
    }
    begin(&database).await?.close().await;
    let mut chance = Chance::new()?;
    let share = if database.kind == DatabaseKind::Sqlite { 3 } else { 10 };
    for number in 0..kills() / share {
        killed_once(&database, Task::Write, number, &mut chance).await?;
    }
    Ok(())
}

async fn killed_writers_do_not_disturb_a_reader(database: Database) -> Result<()> {
    if let Some(result) = as_child(&database).await {
        return result;
    }
    begin(&database).await?.close().await;
    let mut chance = Chance::new()?;
    let mut reader = Running::start(&database.url, Task::Read, 0)?;
    reader.acknowledgement()?.context("the reader ended")?;
    let share = if database.kind == DatabaseKind::Sqlite { 6 } else { 30 };
    for number in 0..kills() / share {
        killed_once(&database, Task::Write, number, &mut chance).await?;
    }
    assert_eq!(reader.process.try_wait()?, None, "the reader found nothing to complain about");
    reader.process.kill()?;
    reader.rest()?;
    Ok(())
}

async fn killed_rebuilders_leave_a_sound_index(database: Database) -> Result<()> {
    if let Some(result) = as_child(&database).await {
        return result;
    }
    let store = begin(&database).await?;
    let local = store.owner(&OwnerId::local());
    for number in 0..20 {
        let file = whole_file(&project("a"), &format!("{number}.txt"), "a walrus\nsleeps\nhere");
        local.put_files(&[file]).await?;
    }
    store.close().await;
    let mut chance = Chance::new()?;
    let share = if database.kind == DatabaseKind::Sqlite { 6 } else { 60 };
    for number in 0..kills() / share {
        killed_once(&database, Task::Rebuild, number, &mut chance).await?;
    }
    Ok(())
}

async fn killed_in_the_midst_of_forgetting_nothing_is_half_gone(database: Database) -> Result<()> {
    if let Some(result) = as_child(&database).await {
        return result;
    }
    begin(&database).await?.close().await;
    let mut chance = Chance::new()?;
    let share = if database.kind == DatabaseKind::Sqlite { 6 } else { 30 };
    for number in 0..kills() / share {
        killed_once(&database, Task::Forget, number, &mut chance).await?;
        let store = database.owner().await?;
        // What was hidden is as whole as what was not: it comes back with all its words.
        for hidden in store.hidden().await? {
            let (_, _, chunks) = forgotten();
            assert!(store.show(&hidden, &chunks).await?);
        }
        let found = matching(&store, &project("a").id, &terms("otter")).await?.len();
        let there = store.file(&file_id("forgotten.txt")).await?.is_some();
        assert_eq!(found, if there { 2 } else { 0 }, "seed {}", chance.seed);
    }
    Ok(())
}

stories![
    killed_writers_leave_what_they_acknowledged,
    killed_writers_do_not_disturb_a_reader,
    killed_rebuilders_leave_a_sound_index,
    killed_in_the_midst_of_forgetting_nothing_is_half_gone,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_change_of_format_is_done_or_undone() -> Result<()> {
    crate::database::on_sqlite(|database: Database| async move {
        if let Some(result) = as_child(&database).await {
            return result;
        }
        let mut chance = Chance::new()?;
        for number in 0..kills() / 6 {
            crate::format::make_older(&database).await?;
            let mut child = Running::start(&database.url, Task::Open, number)?;
            chance.wait(40_000);
            child.process.kill()?;
            child.rest()?;
            let store = database.store().await.with_context(|| format!("seed {}", chance.seed))?;
            let facts = store.verify().await?;
            assert!(facts.is_sound(), "seed {}: {facts:#?}", chance.seed);
            let projects = store.owner(&OwnerId::local()).projects().await?;
            assert_eq!(projects.len(), 1, "seed {}", chance.seed);
            store.close().await;
            let list = Backups::of(&database.url)?.context("SQLite")?.list()?;
            assert!(!list.is_empty(), "whoever changed the format made a backup first");
        }
        Ok(())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_backup_is_whole_or_none() -> Result<()> {
    crate::database::on_sqlite(|database: Database| async move {
        if let Some(result) = as_child(&database).await {
            return result;
        }
        begin(&database).await?.close().await;
        let mut chance = Chance::new()?;
        for number in 0..kills() / 12 {
            let before = backups(&database)?.list()?.len();
            let made = killed_once(&database, Task::BackUp, number, &mut chance).await?;
            let list = backups(&database)?.list()?;
            assert!(list.len() > before + made as usize, "seed {}", chance.seed);
        }
        // Every backup that has a name can be used.
        for backup in backups(&database)?.list()?.iter().rev().take(10) {
            backups(&database)?.restore(Some(&backup.name.to_string()), now()?).await?;
            let store = database.store().await?;
            assert!(store.verify().await?.is_sound(), "{backup:?}");
            store.close().await;
        }
        Ok(())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_restoration_leaves_the_old_or_the_new() -> Result<()> {
    crate::database::on_sqlite(|database: Database| async move {
        if let Some(result) = as_child(&database).await {
            return result;
        }
        let store = begin(&database).await?;
        store.back_up(Cause::Asked, at(1)).await?.context("made")?;
        let local = store.owner(&OwnerId::local());
        local.put_files(&[whole_file(&project("a"), "new.txt", "since then")]).await?;
        store.close().await;
        drop((store, local));
        let mut chance = Chance::new()?;
        for number in 0..kills() / 12 {
            let mut child = Running::start(&database.url, Task::Restore, number)?;
            chance.wait(30_000);
            child.process.kill()?;
            let done = child.rest()?.contains(ACKNOWLEDGED);
            let store = database.store().await.with_context(|| format!("seed {}", chance.seed))?;
            let facts = store.verify().await?;
            assert!(facts.is_sound(), "seed {}: {facts:#?}", chance.seed);
            let local = store.owner(&OwnerId::local());
            let new = local.file_content(&file_id("new.txt")).await?;
            assert!(!done || new.is_none(), "seed {}", chance.seed);
            assert_eq!(local.projects().await?.len(), 1);
            local.put_files(&[whole_file(&project("a"), "new.txt", "since then")]).await?;
            store.close().await;
        }
        Ok(())
    })
    .await
}

/// A store with a project and a thread for each writer to come.
async fn begin(database: &Database) -> Result<Store> {
    let store = database.store().await?;
    let local = store.owner(&OwnerId::local());
    local.create_project(&project("a")).await?;
    local.put_files(&[whole_file(&project("a"), "shared.txt", "the first words")]).await?;
    Ok(store)
}

/// Starts a child, kills it a moment after its first acknowledgement, and looks at what it left.
/// Returns the last thing it acknowledged.
async fn killed_once(
    database: &Database,
    task: Task,
    number: u64,
    chance: &mut Chance,
) -> Result<i64> {
    let mut child = Running::start(&database.url, task, number)?;
    child.acknowledgement()?.with_context(|| format!("{task:?} ended by itself"))?;
    chance.wait(8_000);
    child.process.kill()?;
    let last = last_acknowledged(&child.rest()?).unwrap_or(0);
    let store = database.store().await.with_context(|| format!("seed {}", chance.seed))?;
    let facts = store.verify().await?;
    assert!(facts.is_sound(), "seed {}, kill {number}: {facts:#?}", chance.seed);
    if task == Task::Write {
        let local = store.owner(&OwnerId::local());
        let messages = local.messages(&own_thread(number).id).await?;
        assert!(messages.len() as i64 > last, "{} of {last}, seed {}", messages.len(), chance.seed);
        let shared = local.file_content(&file_id("shared.txt")).await?.context("a file")?;
        let version: i64 =
            shared.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
        assert!(version >= last, "{shared} of {last}, seed {}", chance.seed);
    }
    store.close().await;
    Ok(last)
}

/// The file that comes and goes.
fn forgotten() -> (dossier_store::FileRecord, String, Vec<dossier_core::chunk::Draft>) {
    whole_file(&project("a"), "forgotten.txt", "an otter\nthe other otter")
}

fn own_thread(number: u64) -> dossier_store::Thread {
    thread(&format!("of_{number}"), &project("a"))
}

fn backups(database: &Database) -> Result<Backups> {
    Backups::of(&database.url)?.context("SQLite has backups")
}

fn kills() -> u64 {
    std::env::var(KILLS).ok().and_then(|kills| kills.parse().ok()).unwrap_or(USUAL_KILLS)
}

fn now() -> Result<dossier_core::time::Timestamp> {
    Ok(at(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64))
}

/// What a child does; `None` in the process that the tests are run in.
async fn as_child(database: &Database) -> Option<Result<()>> {
    let url = std::env::var(CHILD_URL).ok()?;
    let database = Database { url, ..database.clone() };
    Some(work(&database).await)
}

async fn work(database: &Database) -> Result<()> {
    let task = std::env::var(CHILD_TASK)?;
    let task = Task::ALL.into_iter().find(|known| format!("{known:?}") == task).context(task)?;
    let number: u64 = std::env::var(CHILD_NUMBER)?.parse()?;
    if task == Task::Restore {
        for round in 0.. {
            backups(database)?.restore(Some("1970-01-01T00-00-00.001Z-asked"), now()?).await?;
            acknowledge(round)?;
        }
    }
    let store = database.store().await?;
    let local = store.owner(&OwnerId::local());
    let thread = own_thread(number);
    if task == Task::Write {
        local.create_thread(&thread).await?;
    }
    for round in 0.. {
        match task {
            Task::Write => {
                let said = message(&thread.id, round, "common words");
                let chunk = message_chunk(&said, "");
                local.append_messages(&thread.id, &[said], &[chunk]).await?;
                let text = format!("words of {number}\nversion {round}");
                local.put_files(&[whole_file(&project("a"), "shared.txt", &text)]).await?;
            }
            Task::BackUp => {
                store.back_up(Cause::Asked, now()?).await?.context("nobody else is at it")?;
            }
            Task::Rebuild => {
                store.mend_index().await?;
            }
            Task::Read => {
                let facts = store.verify().await?;
                ensure!(facts.is_sound(), "{facts:#?}");
                // The pipe would be full at some time.
                if round % 64 > 0 {
                    continue;
                }
            }
            Task::Forget => {
                let (file, content, chunks) = forgotten();
                local.put_files(&[(file.clone(), content, chunks.clone())]).await?;
                let holding = Holding::File(file.id);
                local.hide(&holding, at(round + 1), at(round + 2)).await?;
                if round % 2 == 0 {
                    local.show(&local.hidden().await?[0], &chunks).await?;
                    local.hide(&holding, at(round + 1), at(round + 2)).await?;
                }
                ensure!(local.purge(at(round + 2), at(round + 2)).await? == 1);
            }
            Task::Open | Task::Restore => {}
        }
        acknowledge(round)?;
    }
    Ok(())
}

/// Told after the commit, and only then.
fn acknowledge(round: i64) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{ACKNOWLEDGED}{round}")?;
    Ok(out.flush()?)
}

fn last_acknowledged(said: &str) -> Option<i64> {
    // A line that was cut short by the kill was not said.
    let whole = said.get(..=said.rfind('\n')?)?;
    whole.lines().filter_map(|line| line.split_once(ACKNOWLEDGED)?.1.parse().ok()).next_back()
}

/// This same test in a process of its own.
struct Running {
    process: Child,
    output: BufReader<ChildStdout>,
    said: String,
}

impl Running {
    fn start(url: &str, task: Task, number: u64) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["crash::on_sqlite::killed_writers_leave_what_they_acknowledged", "--exact"])
            .arg("--nocapture")
            .env(CHILD_URL, url)
            .env(CHILD_TASK, format!("{task:?}"))
            .env(CHILD_NUMBER, number.to_string())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        Ok(Self { process, output, said: String::new() })
    }

    /// Waits for the next acknowledgement; `None` when the process has ended.
    fn acknowledgement(&mut self) -> Result<Option<i64>> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            self.said.push_str(&line);
            if let Some(last) = last_acknowledged(&line) {
                return Ok(Some(last));
            }
        }
    }

    /// Everything it said until its end.
    fn rest(mut self) -> Result<String> {
        self.process.wait()?;
        let mut bytes = Vec::new();
        self.output.read_to_end(&mut bytes)?;
        Ok(self.said + &String::from_utf8_lossy(&bytes))
    }
}

/// Moments by chance; the seed is told when something goes wrong.
struct Chance {
    seed: u64,
    state: u64,
}

impl Chance {
    fn new() -> Result<Self> {
        let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64 | 1;
        Ok(Self { seed, state: seed })
    }

    /// Lets up to so many microseconds pass.
    fn wait(&mut self, most: u64) {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        std::thread::sleep(Duration::from_micros(self.state % most));
    }
}
