-- Someone to talk with who stays the same. What is said stands in the conversation, which is hidden
-- and deleted with its persona, and the persona with it.
CREATE TABLE personas (
    owner              TEXT NOT NULL,
    id                 TEXT NOT NULL,
    conversation_id    TEXT NOT NULL,
    name               TEXT NOT NULL,
    system_prompt      TEXT NOT NULL,
    personality        TEXT NOT NULL,
    temperature        DOUBLE PRECISION NOT NULL DEFAULT 0.7,
    max_tokens         BIGINT NOT NULL DEFAULT 1000,
    max_history_tokens BIGINT NOT NULL DEFAULT 15000,
    expiry_days        BIGINT NOT NULL DEFAULT 7,
    model              TEXT,
    preset_id          TEXT,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    last_used_at       BIGINT NOT NULL,
    expires_at         BIGINT NOT NULL,
    PRIMARY KEY (owner, id),
    UNIQUE (owner, conversation_id),
    FOREIGN KEY (owner, conversation_id) REFERENCES conversations (owner, id) ON DELETE CASCADE
);

CREATE INDEX personas_expiry ON personas (owner, expires_at);

CREATE TABLE persona_tags (
    owner      TEXT NOT NULL,
    persona_id TEXT NOT NULL,
    tag        TEXT NOT NULL,
    PRIMARY KEY (owner, persona_id, tag),
    FOREIGN KEY (owner, persona_id) REFERENCES personas (owner, id) ON DELETE CASCADE
);

CREATE VIEW visible_personas AS
SELECT * FROM personas
WHERE (owner, conversation_id) NOT IN (SELECT owner, id FROM hidden_conversations);

-- A person's own presets, and their own versions of those that come with the program. One that is
-- put away has a time at which that was done; a built-in one never goes for good.
CREATE TABLE personality_presets (
    owner                      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id                         TEXT NOT NULL,
    name                       TEXT NOT NULL,
    description                TEXT NOT NULL,
    system_prompt              TEXT NOT NULL,
    default_personality        TEXT NOT NULL,
    default_temperature        DOUBLE PRECISION NOT NULL DEFAULT 0.7,
    default_max_tokens         BIGINT NOT NULL DEFAULT 1000,
    default_max_history_tokens BIGINT NOT NULL DEFAULT 15000,
    default_expiry_days        BIGINT NOT NULL DEFAULT 7,
    metadata                   TEXT NOT NULL DEFAULT '{}',
    created_at                 BIGINT NOT NULL,
    updated_at                 BIGINT NOT NULL,
    hidden_at                  BIGINT,
    purge_at                   BIGINT,
    PRIMARY KEY (owner, id)
);

CREATE INDEX personality_presets_active ON personality_presets (owner, hidden_at);
CREATE INDEX personality_presets_name ON personality_presets (owner, name);

-- How presets are used, also after their personas are gone.
CREATE TABLE preset_figures (
    owner        TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    preset_id    TEXT NOT NULL,
    personas     BIGINT NOT NULL,
    turns        BIGINT NOT NULL,
    truncated    BIGINT NOT NULL,
    failed       BIGINT NOT NULL,
    tokens       BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL,
    PRIMARY KEY (owner, preset_id)
);

CREATE TABLE preset_feedback (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id         TEXT NOT NULL,
    preset_id  TEXT NOT NULL,
    rating     BIGINT NOT NULL,
    comment    TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
);

CREATE INDEX preset_feedback_preset ON preset_feedback (owner, preset_id, created_at);
