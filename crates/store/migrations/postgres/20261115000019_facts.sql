-- What is remembered. A fact goes with the message it was taken from, and with its project.
CREATE TABLE facts_ledger (
    owner           TEXT NOT NULL,
    id              TEXT NOT NULL,
    project_id      TEXT NOT NULL,
    -- What it quotes; both are missing where a person wrote it down as a fact.
    conversation_id TEXT,
    message_id      TEXT,
    kind            TEXT NOT NULL,
    text            TEXT NOT NULL,
    quote           TEXT NOT NULL,
    subject         TEXT,
    attribute       TEXT,
    topic_tags      TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    confirmed_at    BIGINT NOT NULL,
    valid_from      BIGINT NOT NULL,
    valid_until     BIGINT,
    superseded_by   TEXT,
    pinned          BIGINT NOT NULL,
    doubt           TEXT,
    -- The vector of its text, and the name of what made it.
    model           TEXT,
    embedding       BYTEA,
    -- The number of the change that wrote it last.
    changed         BIGINT NOT NULL,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, conversation_id) REFERENCES conversations (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, message_id) REFERENCES conversation_messages (owner, id) ON DELETE CASCADE
);

CREATE INDEX facts_ledger_changed ON facts_ledger (owner, project_id, changed);
CREATE INDEX facts_ledger_thread ON facts_ledger (owner, conversation_id);
CREATE INDEX facts_ledger_message ON facts_ledger (owner, message_id);
CREATE INDEX facts_ledger_newer ON facts_ledger (owner, superseded_by);

-- How often a project's facts were written, and how often some went or were hidden: whoever holds
-- them in memory reads what is new, or all of them again. A project that was deleted and made anew
-- counts from the beginning, under another name.
CREATE TABLE fact_changes (
    owner      TEXT NOT NULL,
    project_id TEXT NOT NULL,
    count_name TEXT NOT NULL DEFAULT CAST(gen_random_uuid() AS TEXT),
    changes    BIGINT NOT NULL,
    removals   BIGINT NOT NULL,
    PRIMARY KEY (owner, project_id),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);
