-- The beginnings of threads by the hash of what was said in them, for clients that tell the whole
-- conversation with every request and do not name its thread.
CREATE TABLE story_links (
    owner           TEXT NOT NULL,
    project_id      TEXT NOT NULL,
    hash            TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    position        BIGINT NOT NULL,
    PRIMARY KEY (owner, project_id, hash),
    FOREIGN KEY (owner, conversation_id)
        REFERENCES conversations (owner, id) ON DELETE CASCADE
);

CREATE INDEX story_links_conversation ON story_links (owner, conversation_id);
