CREATE TABLE vectors (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner        TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    model        TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    ordinal      BIGINT NOT NULL,
    dimension    BIGINT NOT NULL,
    quantised    BLOB NOT NULL,
    UNIQUE (owner, content_hash, model, ordinal)
);

-- Chunks and vectors are numbered in the order in which they are written, so an index in memory
-- finds what was added by itself; what was removed it reads here.
CREATE TABLE vector_log (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    chunk_id   BIGINT NOT NULL,
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

CREATE INDEX vector_log_project ON vector_log (owner, project_id, seq);

CREATE TRIGGER content_chunks_leave_vectors AFTER DELETE ON content_chunks
WHEN EXISTS (
    SELECT 1 FROM vectors WHERE owner = OLD.owner AND content_hash = OLD.content_hash
) BEGIN
    INSERT INTO vector_log (owner, project_id, chunk_id)
    VALUES (OLD.owner, OLD.project_id, OLD.id);
END;
