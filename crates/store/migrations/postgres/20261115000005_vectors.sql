CREATE EXTENSION IF NOT EXISTS vector;

-- `embedding` finds candidates; the similarity that counts is computed from `quantised`.
CREATE TABLE vectors (
    owner        TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    model        TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    ordinal      BIGINT NOT NULL,
    dimension    BIGINT NOT NULL,
    quantised    BYTEA NOT NULL,
    embedding    VECTOR NOT NULL,
    PRIMARY KEY (owner, content_hash, model, ordinal)
);

-- A scan reads every vector of a project: in its row, not one lookup further away.
ALTER TABLE vectors ALTER COLUMN embedding SET STORAGE MAIN;
