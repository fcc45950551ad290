-- Content that is stored once and stands in texts by its name. What it holds lies in `blobs`, under
-- the hash of its bytes; `content_hash` is that of its canonical form, which is in the name.
CREATE TABLE cas_refs (
    owner             TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    kind              TEXT NOT NULL,
    content_hash      TEXT NOT NULL,
    full_content      TEXT NOT NULL,
    -- The project that it was stored for; it goes with it.
    project_id        TEXT,
    summary           TEXT NOT NULL,
    compressed        TEXT NOT NULL,
    tokens            BIGINT NOT NULL,
    compressed_tokens BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    refreshed_at      BIGINT NOT NULL,
    ttl_expires_at    BIGINT NOT NULL,
    is_stale          BIGINT NOT NULL,
    access_count      BIGINT NOT NULL,
    last_accessed_at  BIGINT,
    source_meta       TEXT NOT NULL,
    PRIMARY KEY (owner, kind, content_hash),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

CREATE INDEX cas_refs_project ON cas_refs (owner, project_id);
CREATE INDEX cas_refs_content ON cas_refs (owner, full_content);
CREATE INDEX cas_refs_expiry ON cas_refs (owner, ttl_expires_at);
