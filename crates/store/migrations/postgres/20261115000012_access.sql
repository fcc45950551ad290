-- Who may come in over the network. Of a token's secret only the hash is kept. The id alone is
-- unique as well: whoever shows a token has not yet said whose it is.
CREATE TABLE access_tokens (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id         TEXT NOT NULL,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    PRIMARY KEY (owner, id),
    UNIQUE (owner, name)
);

CREATE UNIQUE INDEX access_tokens_id ON access_tokens (id);

-- Replies to requests with an Idempotency-Key, for when the same request comes again. `status` is
-- null while the first is under way.
CREATE TABLE kept_replies (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    request    TEXT NOT NULL,
    status     BIGINT,
    media_type TEXT,
    body       TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (owner, key)
);
