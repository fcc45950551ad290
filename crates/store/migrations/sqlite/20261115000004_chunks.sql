-- Rows are added and removed, never changed, and no number is ever used twice.
CREATE TABLE content_chunks (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    owner        TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    file_id      TEXT,
    message_id   TEXT,
    chunk_index  BIGINT NOT NULL,
    content      TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    location     TEXT NOT NULL,
    tokens       BIGINT NOT NULL,
    profile      TEXT NOT NULL,
    words        BIGINT NOT NULL,
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, file_id) REFERENCES project_files (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, message_id)
        REFERENCES conversation_messages (owner, id) ON DELETE CASCADE,
    CHECK ((file_id IS NULL) <> (message_id IS NULL))
);

CREATE INDEX content_chunks_project ON content_chunks (owner, project_id, id);
CREATE INDEX content_chunks_hash ON content_chunks (owner, content_hash);
CREATE INDEX content_chunks_file ON content_chunks (owner, file_id)
    WHERE file_id IS NOT NULL;
CREATE INDEX content_chunks_message ON content_chunks (owner, message_id)
    WHERE message_id IS NOT NULL;

-- Each row's text begins with a scope term of owner and project, which every query names.
CREATE VIRTUAL TABLE retrieval_index USING fts5 (
    terms,
    content = '',
    contentless_delete = 1,
    detail = none,
    tokenize = "ascii tokenchars '_-'"
);

CREATE TRIGGER content_chunks_leave_index AFTER DELETE ON content_chunks BEGIN
    DELETE FROM retrieval_index WHERE rowid = OLD.id;
END;

CREATE TABLE project_statistics (
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    documents  BIGINT NOT NULL,
    words      BIGINT NOT NULL,
    PRIMARY KEY (owner, project_id),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

CREATE TABLE term_statistics (
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    term       TEXT NOT NULL,
    documents  BIGINT NOT NULL,
    PRIMARY KEY (owner, project_id, term),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
) WITHOUT ROWID;
