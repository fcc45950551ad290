CREATE TABLE conversations (
    owner         TEXT NOT NULL,
    id            TEXT NOT NULL,
    project_id    TEXT NOT NULL,
    title         TEXT,
    summary       TEXT,
    context_state TEXT NOT NULL,
    round_count   BIGINT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    PRIMARY KEY (owner, id),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

CREATE INDEX conversations_recent ON conversations (owner, project_id, updated_at);

-- Written once. Deleting a message empties it and sets `deleted_at`.
CREATE TABLE conversation_messages (
    owner           TEXT NOT NULL,
    id              TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    parent_id       TEXT,
    position        BIGINT NOT NULL,
    round_number    BIGINT NOT NULL,
    role            TEXT NOT NULL,
    name            TEXT,
    section         TEXT,
    content         TEXT NOT NULL,
    external_id     TEXT,
    metadata        TEXT NOT NULL DEFAULT '{}',
    created_at      BIGINT NOT NULL,
    deleted_at      BIGINT,
    PRIMARY KEY (owner, id),
    UNIQUE (owner, conversation_id, position),
    FOREIGN KEY (owner, conversation_id) REFERENCES conversations (owner, id) ON DELETE CASCADE
);

CREATE VIEW conversation_rounds AS
SELECT owner, conversation_id, round_number,
       json_group_array(json_object(
           'id', id, 'position', position, 'role', role, 'name', name,
           'content', content, 'created_at', created_at
       ) ORDER BY position) AS messages
FROM conversation_messages
WHERE deleted_at IS NULL
GROUP BY owner, conversation_id, round_number;

-- A foreign key that sets null would empty the owner as well, hence the triggers.
CREATE TABLE sessions (
    owner           TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id              TEXT NOT NULL,
    conversation_id TEXT,
    project_id      TEXT,
    client_info     TEXT NOT NULL,
    last_active     BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
);

CREATE INDEX sessions_conversation ON sessions (owner, conversation_id);
CREATE INDEX sessions_project ON sessions (owner, project_id);

CREATE TRIGGER conversations_leave_sessions AFTER DELETE ON conversations BEGIN
    UPDATE sessions SET conversation_id = NULL
    WHERE owner = OLD.owner AND conversation_id = OLD.id;
END;

CREATE TRIGGER projects_leave_sessions AFTER DELETE ON projects BEGIN
    UPDATE sessions SET project_id = NULL WHERE owner = OLD.owner AND project_id = OLD.id;
END;
