-- A turn is a durable state machine: each of its replies is prepared, called, and replied or failed.
-- The process that works on a turn holds a lease; when it dies, the lease runs out.
CREATE TABLE turns (
    owner             TEXT NOT NULL,
    id                TEXT NOT NULL,
    project_id        TEXT NOT NULL,
    conversation_id   TEXT NOT NULL,
    message_id        TEXT NOT NULL,
    client_message_id TEXT,
    request           TEXT NOT NULL,
    lease_until       BIGINT NOT NULL,
    created_at        BIGINT NOT NULL,
    learned_at        BIGINT,
    PRIMARY KEY (owner, id),
    UNIQUE (owner, client_message_id),
    FOREIGN KEY (owner, conversation_id)
        REFERENCES conversations (owner, id) ON DELETE CASCADE
);

CREATE INDEX turns_conversation ON turns (owner, conversation_id);
CREATE INDEX turns_open ON turns (owner, lease_until) WHERE learned_at IS NULL;

CREATE TABLE turn_replies (
    owner      TEXT NOT NULL,
    turn_id    TEXT NOT NULL,
    ordinal    BIGINT NOT NULL,
    model      TEXT NOT NULL,
    state      TEXT NOT NULL,
    receipt_id TEXT,
    message_id TEXT,
    error      TEXT,
    PRIMARY KEY (owner, turn_id, ordinal),
    FOREIGN KEY (owner, turn_id) REFERENCES turns (owner, id) ON DELETE CASCADE
);

-- One row for each call of a model. The cost is in millionths of a dollar, if it is known.
CREATE TABLE usage (
    owner           TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id              TEXT NOT NULL,
    day             TEXT NOT NULL,
    component       TEXT NOT NULL,
    model           TEXT NOT NULL,
    project_id      TEXT,
    conversation_id TEXT,
    message_id      TEXT,
    input           BIGINT NOT NULL,
    output          BIGINT NOT NULL,
    cached_input    BIGINT NOT NULL,
    cache_write     BIGINT NOT NULL,
    reasoning       BIGINT NOT NULL,
    cost            BIGINT,
    saved           BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
);

CREATE INDEX usage_by_day ON usage (owner, day);
CREATE INDEX usage_by_message ON usage (owner, message_id);
CREATE INDEX receipts_message ON receipts (owner, message_id) WHERE message_id IS NOT NULL;
