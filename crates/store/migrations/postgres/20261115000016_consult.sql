-- Sessions in which an assistant is consulted about files. A session is a thread under the name that
-- its client gave it; its number stands for owner, project, assistant and name where rows are many.
CREATE TABLE consult_sessions (
    owner           TEXT NOT NULL,
    number          BIGINT NOT NULL,
    project_id      TEXT NOT NULL,
    assistant       TEXT NOT NULL,
    name            TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    -- Changes when what is remembered of files is changed, so that a call cannot undo a reset.
    revision        BIGINT NOT NULL,
    -- The folder that the paths of files are below, where they are not absolute.
    base            TEXT,
    -- Paths that hold for the whole session.
    context         TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    used_at         BIGINT NOT NULL,
    PRIMARY KEY (owner, number),
    UNIQUE (owner, project_id, assistant, name),
    FOREIGN KEY (owner, conversation_id) REFERENCES conversations (owner, id) ON DELETE CASCADE
);

CREATE INDEX consult_sessions_conversation ON consult_sessions (owner, conversation_id);

CREATE TABLE stable_inline_lists (
    owner        TEXT NOT NULL,
    session_id   BIGINT NOT NULL,
    inline_paths TEXT NOT NULL,
    frozen       BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    PRIMARY KEY (owner, session_id),
    FOREIGN KEY (owner, session_id) REFERENCES consult_sessions (owner, number) ON DELETE CASCADE
);

CREATE TABLE sent_files (
    owner      TEXT NOT NULL,
    session_id BIGINT NOT NULL,
    file_path  TEXT NOT NULL,
    last_size  BIGINT NOT NULL,
    last_mtime BIGINT NOT NULL,
    tokens     BIGINT NOT NULL,
    round      BIGINT NOT NULL,
    PRIMARY KEY (owner, session_id, file_path),
    FOREIGN KEY (owner, session_id) REFERENCES consult_sessions (owner, number) ON DELETE CASCADE
);

-- What was made at a provider for one call, until it is known to be deleted there.
CREATE TABLE hosted_things (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    provider   TEXT NOT NULL,
    kind       TEXT NOT NULL,
    id         TEXT NOT NULL,
    turn_id    TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (owner, provider, kind, id)
);
