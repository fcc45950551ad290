CREATE TABLE owners (
    id TEXT PRIMARY KEY
);

CREATE TABLE blobs (
    owner   TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    hash    TEXT NOT NULL,
    size    BIGINT NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (owner, hash)
);

CREATE TABLE config (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    value      TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
);
