-- Answers that may be given again. What was asked and what was said stand in the messages, so that
-- nothing has to be forgotten twice; a row says from what the answer was made, and how long it holds.
CREATE TABLE semantic_cache (
    owner             TEXT NOT NULL,
    -- The hash of the question's form and of the context signature.
    cache_key         TEXT NOT NULL,
    project_id        TEXT NOT NULL,
    question_id       TEXT NOT NULL,
    answer_id         TEXT NOT NULL,
    model             TEXT NOT NULL,
    context_signature TEXT NOT NULL,
    -- Chunks and refs.
    used_refs         TEXT NOT NULL,
    created_at        BIGINT NOT NULL,
    ttl_expires_at    BIGINT NOT NULL,
    hit_count         BIGINT NOT NULL,
    last_hit_at       BIGINT,
    PRIMARY KEY (owner, cache_key),
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, question_id)
        REFERENCES conversation_messages (owner, id) ON DELETE CASCADE,
    FOREIGN KEY (owner, answer_id)
        REFERENCES conversation_messages (owner, id) ON DELETE CASCADE
);

CREATE INDEX semantic_cache_project ON semantic_cache (owner, project_id);
CREATE INDEX semantic_cache_question ON semantic_cache (owner, question_id);
CREATE INDEX semantic_cache_answer ON semantic_cache (owner, answer_id);
CREATE INDEX semantic_cache_expiry ON semantic_cache (owner, ttl_expires_at);
