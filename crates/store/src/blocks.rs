//! The blocks of receipts: blobs, stored once however many receipts show them. A receipt keeps one list
//! of their hashes.
//!
//! Invariant: a blob that is in some list is noted as shown. Where a list goes or loses a block, the
//! others are asked whether it is still shown, before it is removed.

use crate::blobs;
use crate::error::StoreError;
use crate::row::{Row, text_list};
use crate::sql::{self, Connection};
use crate::write::Write;
use dossier_core::hash::ContentHash;
use dossier_core::id::{OwnerId, ReceiptId};
use dossier_core::receipt::Receipt;
use std::collections::{BTreeMap, BTreeSet, HashSet};

const LENGTH: usize = 32;

/// In the place of a block that was forgotten.
const FORGOTTEN: [u8; LENGTH] = [0; LENGTH];

/// So many lists are looked at together.
const AT_ONCE: i64 = 500;

/// Stores the list of a receipt's blocks, and the contents of those that are new.
pub(crate) async fn put(
    write: &mut Write,
    receipt: &ReceiptId,
    blocks: &[ContentHash],
    contents: &[(ContentHash, String)],
) -> Result<(), StoreError> {
    let list: Option<Vec<[u8; LENGTH]>> = blocks.iter().map(ContentHash::to_bytes).collect();
    let list = list.ok_or_else(|| StoreError::invalid("blocks", "one is not named by a hash"))?;
    show(write, blocks, contents).await?;
    let owner = write.owner.clone();
    sql::query("INSERT INTO block_lists (owner, receipt_id, hashes) VALUES ($1, $2, $3)")
        .bind(owner.as_str())
        .bind(receipt.as_str())
        .bind(list.as_flattened().to_vec())
        .execute(write.connection())
        .await?;
    Ok(())
}

/// Notes that blobs are shown, and stores those that are not there.
async fn show(
    write: &mut Write,
    blocks: &[ContentHash],
    contents: &[(ContentHash, String)],
) -> Result<(), StoreError> {
    let owner = write.owner.clone();
    let among = write.kind().text_among("hash", "$2");
    let rows =
        sql::composed(format!("SELECT hash FROM blobs WHERE owner = $1 AND shown = 1 AND {among}"))
            .bind(owner.as_str())
            .bind(text_list(blocks.iter().map(ContentHash::as_str))?)
            .fetch_all(write.connection())
            .await?;
    let known: HashSet<&str> =
        rows.iter().map(|row| row.get_as("hash")).collect::<Result<_, _>>()?;
    let new: BTreeSet<&ContentHash> =
        blocks.iter().filter(|hash| !known.contains(hash.as_str())).collect();
    if new.is_empty() {
        return Ok(());
    }
    let mut added: Vec<(&ContentHash, &[u8])> = Vec::with_capacity(new.len());
    for (hash, content) in contents.iter().filter(|(hash, _)| new.contains(hash)) {
        if ContentHash::of(content) != *hash {
            return Err(StoreError::invalid("blocks", "one is not what its hash says"));
        }
        added.push((hash, content.as_bytes()));
    }
    blobs::put(write, &added).await?;
    let noted = sql::composed(format!("UPDATE blobs SET shown = 1 WHERE owner = $1 AND {among}"))
        .bind(owner.as_str())
        .bind(text_list(new.iter().map(|hash| hash.as_str()))?)
        .execute(write.connection())
        .await?;
    match noted.rows_affected() == new.len() as u64 {
        true => Ok(()),
        false => Err(StoreError::not_found("the content of one of the blocks")),
    }
}

/// The blocks of a receipt that were not forgotten, in the order in which they were sent.
pub(crate) async fn of_receipt(
    connection: &mut Connection,
    owner: &OwnerId,
    receipt: &ReceiptId,
) -> Result<Vec<ContentHash>, StoreError> {
    let row = list_of(connection, owner, receipt.as_str()).await?;
    let list = row.as_ref().map(list).transpose()?.unwrap_or_default();
    Ok(named(list).map(|hash| ContentHash::from_bytes(*hash)).collect())
}

/// Forgets the blocks of a receipt that show something of these files or messages.
pub(crate) async fn forget(
    write: &mut Write,
    id: &str,
    receipt: &Receipt,
    sources: &HashSet<String>,
) -> Result<(), StoreError> {
    let places = receipt.quoting(sources);
    if places.is_empty() {
        return Ok(());
    }
    let owner = write.owner.clone();
    let row = list_of(write.connection(), &owner, id).await?;
    let Some(row) = row else { return Ok(()) };
    let before = list(&row)?;
    let mut left = before.to_vec();
    for place in places {
        let Some(hash) = receipt.blocks[place].hash.to_bytes() else { continue };
        // A list that came in an archive lacks what was forgotten where it comes from.
        let is_whole = before.len() == receipt.blocks.len();
        let end = left.len().min(place + 1);
        let found = left[..end].iter().rposition(|block| *block == hash);
        if let Some(found) = found.filter(|found| *found == place || !is_whole) {
            left[found] = FORGOTTEN;
            write.hidden_blocks.insert(hash);
        }
    }
    if left == before {
        return Ok(());
    }
    sql::query("UPDATE block_lists SET hashes = $1 WHERE owner = $2 AND receipt_id = $3")
        .bind(left.as_flattened().to_vec())
        .bind(owner.as_str())
        .bind(id)
        .execute(write.connection())
        .await?;
    Ok(())
}

/// Notes that these lists are about to go.
pub(crate) fn let_go(write: &mut Write, lists: &[Row]) -> Result<(), StoreError> {
    for row in lists {
        write.hidden_blocks.extend(named(list(row)?).copied());
    }
    Ok(())
}

/// Those of the blobs that lists have lost which no list shows any more are loose.
pub(crate) async fn collect(write: &mut Write) -> Result<(), StoreError> {
    let mut hidden = std::mem::take(&mut write.hidden_blocks);
    let owner = write.owner.clone();
    let mut after = String::new();
    while !hidden.is_empty() {
        let rows = sql::query(
            "SELECT receipt_id, hashes FROM block_lists WHERE owner = $1 AND receipt_id > $2
             ORDER BY receipt_id LIMIT $3",
        )
        .bind(owner.as_str())
        .bind(after.as_str())
        .bind(AT_ONCE)
        .slowly()
        .fetch_all(write.connection())
        .await?;
        let Some(last) = rows.last() else { break };
        after = last.text("receipt_id")?;
        for row in &rows {
            for shown in list(row)? {
                hidden.remove(shown);
            }
        }
    }
    if hidden.is_empty() {
        return Ok(());
    }
    let loose: Vec<ContentHash> = hidden.into_iter().map(ContentHash::from_bytes).collect();
    let among = write.kind().text_among("hash", "$2");
    sql::composed(format!("UPDATE blobs SET shown = 0 WHERE owner = $1 AND {among}"))
        .bind(owner.as_str())
        .bind(text_list(loose.iter().map(ContentHash::as_str))?)
        .slowly()
        .execute(write.connection())
        .await?;
    write.loose_blobs.extend(loose);
    Ok(())
}

/// How many blocks the lists name that are not there as they should be, each once, and how many lists
/// are cut off.
pub(crate) async fn missing(connection: &mut Connection) -> Result<u64, StoreError> {
    let among = connection.kind().text_among("hash", "$2");
    let (mut missing, mut cut_off) = (BTreeSet::new(), 0);
    let (mut owner, mut receipt) = (String::new(), String::new());
    loop {
        let rows = sql::query(
            "SELECT owner, receipt_id, hashes FROM block_lists
             WHERE owner > $1 OR (owner = $1 AND receipt_id > $2)
             ORDER BY owner, receipt_id LIMIT $3",
        )
        .bind(owner.as_str())
        .bind(receipt.as_str())
        .bind(AT_ONCE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { break };
        (owner, receipt) = (last.text("owner")?, last.text("receipt_id")?);
        let mut shown: BTreeMap<String, BTreeSet<ContentHash>> = BTreeMap::new();
        for row in &rows {
            let is_cut = !row.get_as::<&[u8]>("hashes")?.len().is_multiple_of(LENGTH);
            cut_off += u64::from(is_cut);
            let hashes = named(list(row)?).map(|hash| ContentHash::from_bytes(*hash));
            shown.entry(row.text("owner")?).or_default().extend(hashes);
        }
        for (owner, mut hashes) in shown {
            let found = sql::composed(format!(
                "SELECT hash FROM blobs WHERE owner = $1 AND shown = 1 AND {among}"
            ))
            .bind(owner.as_str())
            .bind(text_list(hashes.iter().map(ContentHash::as_str))?)
            .fetch_all(&mut *connection)
            .await?;
            for row in &found {
                hashes.remove(&ContentHash::from_stored(row.text("hash")?));
            }
            missing.extend(hashes.into_iter().map(|hash| (owner.clone(), hash)));
        }
    }
    Ok(missing.len() as u64 + cut_off)
}

async fn list_of(
    connection: &mut Connection,
    owner: &OwnerId,
    receipt: &str,
) -> Result<Option<Row>, StoreError> {
    let list = sql::query("SELECT hashes FROM block_lists WHERE owner = $1 AND receipt_id = $2");
    Ok(list.bind(owner.as_str()).bind(receipt).fetch_optional(connection).await?)
}

/// The hashes of a list. What is cut off at its end names nothing.
fn list(row: &Row) -> Result<&[[u8; LENGTH]], StoreError> {
    Ok(row.get_as::<&[u8]>("hashes")?.as_chunks().0)
}

fn named(list: &[[u8; LENGTH]]) -> impl Iterator<Item = &[u8; LENGTH]> {
    list.iter().filter(|hash| **hash != FORGOTTEN)
}
