-- A kept reply may quote what was forgotten since: then it is known that the request was done, and
-- no longer what was said.
ALTER TABLE kept_replies ADD COLUMN forgotten BIGINT NOT NULL DEFAULT 0;

-- How many tokens a family of models needs for a hundred of ours, as providers have reported them.
CREATE TABLE token_factors (
    owner      TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    family     TEXT NOT NULL,
    percent    BIGINT NOT NULL,
    reports    BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (owner, family)
);
