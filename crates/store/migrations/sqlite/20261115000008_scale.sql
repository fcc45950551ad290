-- Every row's terms carry a prefix of their owner and project and a mark of how much the term says
-- about the chunk, so that one list answers for one term of one project.
DROP TABLE retrieval_index;

CREATE VIRTUAL TABLE retrieval_index USING fts5 (
    terms,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = "ascii tokenchars '_-+'"
);

ALTER TABLE term_statistics ADD COLUMN strong BIGINT NOT NULL DEFAULT 0;

-- What an index in memory must know to see that it is behind.
ALTER TABLE owners ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
ALTER TABLE owners ADD COLUMN newest_chunk BIGINT NOT NULL DEFAULT 0;
ALTER TABLE owners ADD COLUMN newest_vector BIGINT NOT NULL DEFAULT 0;
ALTER TABLE owners ADD COLUMN removals BIGINT NOT NULL DEFAULT 0;

-- All vectors of one wording are one row: as many as the dimension goes into the bytes.
ALTER TABLE vectors RENAME TO single_vectors;

CREATE TABLE vectors (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner        TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    model        TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    dimension    BIGINT NOT NULL,
    quantised    BLOB NOT NULL,
    UNIQUE (owner, content_hash, model)
);

INSERT INTO vectors (owner, model, content_hash, dimension, quantised)
SELECT owner, model, content_hash, MIN(dimension),
       CAST(group_concat(quantised, '' ORDER BY ordinal) AS BLOB)
FROM single_vectors GROUP BY owner, model, content_hash
HAVING MIN(dimension) = MAX(dimension) ORDER BY MIN(id);

DROP TRIGGER content_chunks_leave_vectors;
DROP TABLE single_vectors;
DROP TABLE vector_log;

-- Chunks with vectors that are gone, numbered by `owners.removals`. It outlives its project, which
-- may be made again under the same id.
CREATE TABLE vector_log (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    number     BIGINT NOT NULL,
    project_id TEXT NOT NULL,
    chunk_id   BIGINT NOT NULL,
    PRIMARY KEY (owner, number)
) WITHOUT ROWID;

-- The signs of a large project's vectors, ready to be loaded; derived from chunks and vectors.
CREATE TABLE vector_segments (
    owner         TEXT NOT NULL,
    project_id    TEXT NOT NULL,
    model         TEXT NOT NULL,
    number        BIGINT NOT NULL,
    dimension     BIGINT NOT NULL,
    newest_chunk  BIGINT NOT NULL,
    newest_vector BIGINT NOT NULL,
    removals      BIGINT NOT NULL,
    places        BLOB NOT NULL,
    signs         BLOB NOT NULL,
    PRIMARY KEY (owner, project_id, model, number),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

UPDATE owners SET revision = 1,
    newest_chunk = COALESCE(
        (SELECT MAX(id) FROM content_chunks WHERE content_chunks.owner = owners.id), 0),
    newest_vector = COALESCE(
        (SELECT MAX(id) FROM vectors WHERE vectors.owner = owners.id), 0);
