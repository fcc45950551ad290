-- The blocks of a receipt as one list: their hashes one after the other, 32 bytes each, zeros in the
-- place of one that was forgotten. A row and two index entries for each block were most of what a
-- turn wrote. Which of the owner's blobs are in such lists at all is noted with the blobs.
ALTER TABLE blobs ADD COLUMN shown BIGINT NOT NULL DEFAULT 0;

UPDATE blobs SET shown = CASE WHEN EXISTS
    (SELECT 1 FROM receipt_blocks
     WHERE receipt_blocks.owner = blobs.owner AND receipt_blocks.hash = blobs.hash)
    THEN 1 ELSE 0 END;

CREATE TABLE block_lists (
    owner      TEXT NOT NULL,
    receipt_id TEXT NOT NULL,
    hashes     BYTEA NOT NULL,
    PRIMARY KEY (owner, receipt_id),
    FOREIGN KEY (owner, receipt_id) REFERENCES receipts (owner, id) ON DELETE CASCADE
);

INSERT INTO block_lists (owner, receipt_id, hashes)
SELECT places.owner, places.receipt_id,
    decode(string_agg(COALESCE(hash, repeat('0', 64)), '' ORDER BY place), 'hex')
FROM (SELECT owner, receipt_id, generate_series(0, MAX(ordinal)) AS place
      FROM receipt_blocks GROUP BY owner, receipt_id) AS places
LEFT JOIN receipt_blocks
    ON receipt_blocks.owner = places.owner AND receipt_blocks.receipt_id = places.receipt_id
        AND ordinal = place
GROUP BY places.owner, places.receipt_id;

DROP TABLE receipt_blocks;
