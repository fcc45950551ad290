//! The health of a store: what was counted, and what is to be thought of it. Counting is done
//! elsewhere; here it is decided what is well, what deserves a word, and what must be mended, and
//! how.

use serde::Serialize;

/// How well something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Ok,
    /// Nothing is lost or wrong, but something should be done.
    Warning,
    /// Something is lost, wrong, or does not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub about: &'static str,
    pub verdict: Verdict,
    pub what: String,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl Finding {
    pub fn ok(about: &'static str, what: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Ok, what: what.into(), mend: None }
    }

    pub fn warning(about: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Warning, what: what.into(), mend: Some(mend.into()) }
    }

    pub fn problem(about: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { about, verdict: Verdict::Problem, what: what.into(), mend: Some(mend.into()) }
    }
}

/// What was counted in a whole store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StoreFacts {
    /// What the database says is wrong with its own pages; `None` where it was not asked.
    pub damage: Option<Vec<String>>,
    /// Rows that belong to rows which are not there.
    pub strays: u64,
    pub index: IndexFacts,
    pub vectors: VectorFacts,
    pub blobs: BlobFacts,
}

/// The index of words beside the chunks it is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct IndexFacts {
    pub chunks: u64,
    /// Why the index cannot be read at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// Chunks that the index does not know.
    pub missing: u64,
    /// Entries of the index whose chunks do not exist.
    pub surplus: u64,
    /// Terms for which the index finds more or fewer chunks than have them.
    pub wrong_terms: u64,
    /// Stored counts that a recount does not give.
    pub wrong_statistics: u64,
}

impl IndexFacts {
    fn agrees(&self) -> bool {
        self.unreadable.is_none()
            && [self.missing, self.surplus, self.wrong_terms, self.wrong_statistics] == [0; 4]
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VectorFacts {
    pub vectors: u64,
    /// Vectors of words that no chunk has.
    pub orphans: u64,
    /// Vectors whose bytes are not as many as their dimension says.
    pub misshapen: u64,
    /// Models whose vectors differ in dimension.
    pub mixed_models: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BlobFacts {
    pub blobs: u64,
    /// Blocks of receipts, and large contents whose files are not there.
    pub missing: u64,
    /// Contents that do not have the hash they are stored under.
    pub altered: u64,
    /// Files that no row names.
    pub unnamed: u64,
}

/// The folder a database lies in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Surroundings {
    pub folder: String,
    /// Whether the database can be changed.
    pub writable: bool,
    pub writable_by_others: bool,
    /// Files and folders that others may read.
    pub open_to_others: Vec<String>,
    /// `None` when there is no database yet.
    pub database_bytes: Option<u64>,
    pub free_bytes: Option<u64>,
}

impl StoreFacts {
    /// Whether everything is as it should be, to the last count.
    pub fn is_sound(&self) -> bool {
        judge(self).iter().all(|finding| finding.verdict == Verdict::Ok)
    }
}

/// What is to be thought of a store.
pub fn judge(facts: &StoreFacts) -> Vec<Finding> {
    vec![pages(facts), index(&facts.index), vectors(&facts.vectors), blobs(&facts.blobs)]
}

/// What is to be thought of the folder of a database.
pub fn judge_surroundings(facts: &Surroundings) -> Vec<Finding> {
    vec![permissions(facts), room(facts)]
}

fn permissions(facts: &Surroundings) -> Finding {
    const ABOUT: &str = "data folder";
    let folder = &facts.folder;
    if facts.database_bytes.is_some() && !facts.writable {
        return Finding::warning(
            ABOUT,
            format!("{folder} or the database can only be read"),
            "to index and import, make both writable for you",
        );
    }
    match facts.open_to_others.as_slice() {
        [] if facts.writable_by_others => Finding::warning(
            ABOUT,
            format!("others may write into {folder}"),
            format!("chmod 700 \"{folder}\""),
        ),
        [] => Finding::ok(ABOUT, format!("{folder}, for you alone")),
        open => Finding::warning(
            ABOUT,
            format!("others may read {}", open.join(", ")),
            format!("chmod go= \"{}\"", open.join("\" \"")),
        ),
    }
}

/// A backup needs as much room as the database, and so does writing it anew.
fn room(facts: &Surroundings) -> Finding {
    const ABOUT: &str = "disk";
    const LEAST: u64 = 64 << 20;
    let Some(free) = facts.free_bytes else {
        return Finding::ok(ABOUT, "the free space is not known here");
    };
    let needed = facts.database_bytes.unwrap_or(0).saturating_mul(2).max(LEAST);
    let told = format!("{} MiB are free", free >> 20);
    match free < needed {
        true => Finding::warning(
            ABOUT,
            format!("{told}, and {} MiB may be needed", needed >> 20),
            "free some space",
        ),
        false => Finding::ok(ABOUT, told),
    }
}

const REBUILD: &str = "dossier maintain --rebuild";

fn pages(facts: &StoreFacts) -> Finding {
    const ABOUT: &str = "database";
    let Some(damage) = &facts.damage else {
        return Finding::ok(ABOUT, "it answers; its pages are for the server to look after");
    };
    match (damage.as_slice(), facts.strays) {
        ([], 0) => Finding::ok(ABOUT, "all its pages and keys are whole"),
        ([], strays) => Finding::problem(
            ABOUT,
            format!("{strays} rows belong to something that is not there"),
            "bring a backup back: dossier maintain --restore",
        ),
        (damage, _) => {
            let first = damage.first().map(String::as_str).unwrap_or_default();
            let of_index =
                |line: &String| line.contains("retrieval_index") || line.contains("fts5");
            let index = damage.iter().all(of_index);
            let more = match damage.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            let mend = match index {
                true => format!("only the index of words is damaged; make it anew: {REBUILD}"),
                false => "bring a backup back: dossier maintain --restore".to_owned(),
            };
            Finding::problem(ABOUT, format!("it is damaged: {first}{more}"), mend)
        }
    }
}

fn index(facts: &IndexFacts) -> Finding {
    const ABOUT: &str = "index of words";
    if facts.agrees() {
        return Finding::ok(ABOUT, format!("agrees with all {} chunks", facts.chunks));
    }
    let counts = [
        (facts.missing, "chunks are not in it"),
        (facts.surplus, "entries have no chunk"),
        (facts.wrong_terms, "terms find the wrong number of chunks"),
        (facts.wrong_statistics, "statistics differ from a recount"),
    ];
    let said = counts.iter().filter(|(count, _)| *count > 0);
    let said = said.map(|(count, what)| format!("{count} {what}"));
    let said: Vec<String> = facts
        .unreadable
        .iter()
        .map(|why| format!("it cannot be read: {why}"))
        .chain(said)
        .collect();
    Finding::problem(ABOUT, said.join(", "), format!("make it anew: {REBUILD}"))
}

fn vectors(facts: &VectorFacts) -> Finding {
    const ABOUT: &str = "vectors";
    if facts.misshapen > 0 || facts.mixed_models > 0 {
        let what = format!(
            "{} have the wrong length, {} models have several dimensions",
            facts.misshapen, facts.mixed_models
        );
        return Finding::problem(ABOUT, what, format!("make them anew: {REBUILD}"));
    }
    match facts.orphans {
        0 => Finding::ok(
            ABOUT,
            format!("all {} belong to chunks and have their length", facts.vectors),
        ),
        orphans => Finding::warning(
            ABOUT,
            format!("{orphans} belong to no chunk and take room"),
            format!("remove them: {REBUILD}"),
        ),
    }
}

fn blobs(facts: &BlobFacts) -> Finding {
    const ABOUT: &str = "contents";
    if facts.missing > 0 || facts.altered > 0 {
        let what = format!("{} are missing, {} were altered", facts.missing, facts.altered);
        let mend = "index the files again, or bring a backup back: dossier maintain --restore";
        return Finding::problem(ABOUT, what, mend);
    }
    match facts.unnamed {
        0 => Finding::ok(ABOUT, format!("all {} are what their hashes say", facts.blobs)),
        unnamed => Finding::warning(
            ABOUT,
            format!("{unnamed} files of large contents belong to nothing and take room"),
            "sweep them: dossier maintain",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(facts: &StoreFacts) -> Vec<(&'static str, Verdict)> {
        let findings = judge(facts).into_iter().filter(|finding| finding.verdict != Verdict::Ok);
        findings.map(|finding| (finding.about, finding.verdict)).collect()
    }

    #[test]
    fn a_store_that_agrees_with_itself_is_sound() {
        let facts = StoreFacts::default();
        assert!(facts.is_sound());
        assert_eq!(judge(&facts).len(), 4);
    }

    #[test]
    fn each_wrong_count_is_found() {
        let check = |change: fn(&mut StoreFacts), about: &'static str, verdict: Verdict| {
            let mut facts = StoreFacts::default();
            change(&mut facts);
            assert_eq!(verdicts(&facts), [(about, verdict)]);
            assert!(!facts.is_sound());
        };
        use Verdict::{Problem, Warning};
        check(|facts| facts.damage = Some(vec!["page 7".to_owned()]), "database", Problem);
        let strays = |facts: &mut StoreFacts| (facts.damage, facts.strays) = (Some(vec![]), 1);
        check(strays, "database", Problem);
        check(|facts| facts.index.unreadable = Some(String::new()), "index of words", Problem);
        check(|facts| facts.index.missing = 1, "index of words", Problem);
        check(|facts| facts.index.surplus = 1, "index of words", Problem);
        check(|facts| facts.index.wrong_terms = 1, "index of words", Problem);
        check(|facts| facts.index.wrong_statistics = 1, "index of words", Problem);
        check(|facts| facts.vectors.misshapen = 1, "vectors", Problem);
        check(|facts| facts.vectors.mixed_models = 1, "vectors", Problem);
        check(|facts| facts.vectors.orphans = 1, "vectors", Warning);
        check(|facts| facts.blobs.missing = 1, "contents", Problem);
        check(|facts| facts.blobs.altered = 1, "contents", Problem);
        check(|facts| facts.blobs.unnamed = 1, "contents", Warning);
    }

    #[test]
    fn a_folder_open_to_others_or_without_room_deserves_a_word() {
        let good = Surroundings {
            folder: "/data".to_owned(),
            writable: true,
            database_bytes: Some(1 << 30),
            free_bytes: Some(3 << 30),
            ..Surroundings::default()
        };
        let verdicts = |facts: &Surroundings| {
            judge_surroundings(facts).into_iter().map(|finding| finding.verdict).collect::<Vec<_>>()
        };
        use Verdict::{Ok, Warning};
        assert_eq!(verdicts(&good), [Ok, Ok]);
        let open = vec!["/data/dossier.db".to_owned()];
        assert_eq!(verdicts(&Surroundings { open_to_others: open, ..good.clone() }), [Warning, Ok]);
        let others = Surroundings { writable_by_others: true, ..good.clone() };
        assert_eq!(verdicts(&others), [Warning, Ok]);
        assert_eq!(verdicts(&Surroundings { writable: false, ..good.clone() }), [Warning, Ok]);
        assert_eq!(verdicts(&Surroundings { free_bytes: Some(1 << 30), ..good }), [Ok, Warning]);
    }

    #[test]
    fn damage_to_the_index_alone_is_mended_by_making_it_anew() {
        let mend = |line: &str| {
            let facts = StoreFacts { damage: Some(vec![line.to_owned()]), ..StoreFacts::default() };
            judge(&facts)[0].mend.clone().unwrap()
        };
        assert!(
            mend("malformed inverted index for FTS5 table main.retrieval_index").contains(REBUILD)
        );
        assert!(
            mend("Tree 12 page 9: btreeInitPage() returns error code 11").contains("--restore")
        );
    }
}
