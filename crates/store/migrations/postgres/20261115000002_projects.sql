CREATE TABLE projects (
    owner       TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    settings    TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (owner, id),
    UNIQUE (owner, name)
);

CREATE TABLE project_files (
    owner        TEXT NOT NULL,
    id           TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    path         TEXT NOT NULL,
    origin       TEXT,
    content_hash TEXT NOT NULL,
    canonical_hash TEXT NOT NULL,
    mime_type    TEXT NOT NULL,
    size_bytes   BIGINT NOT NULL,
    modified_ns  BIGINT,
    metadata     TEXT NOT NULL,
    always_in_context BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (owner, id),
    UNIQUE (owner, project_id, path),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, content_hash) REFERENCES blobs (owner, hash)
);

CREATE INDEX project_files_always ON project_files (owner, project_id)
    WHERE always_in_context = 1;

CREATE INDEX project_files_content ON project_files (owner, content_hash);
