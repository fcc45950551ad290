CREATE TABLE receipts (
    owner           TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id              TEXT NOT NULL,
    conversation_id TEXT,
    project_id      TEXT,
    message_id      TEXT,
    body            TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, conversation_id)
        REFERENCES conversations (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

CREATE INDEX receipts_conversation ON receipts (owner, conversation_id, created_at);
CREATE INDEX receipts_project ON receipts (owner, project_id);

CREATE TABLE receipt_blocks (
    owner      TEXT NOT NULL,
    receipt_id TEXT NOT NULL,
    ordinal    BIGINT NOT NULL,
    hash       TEXT NOT NULL,
    PRIMARY KEY (owner, receipt_id, ordinal),
    FOREIGN KEY (owner, receipt_id) REFERENCES receipts (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, hash) REFERENCES blobs (owner, hash)
);

CREATE INDEX receipt_blocks_hash ON receipt_blocks (owner, hash);
