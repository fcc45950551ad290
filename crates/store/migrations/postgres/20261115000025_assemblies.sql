-- What is counted of each dossier that was stored, for as long as its owner is there: no content.
CREATE TABLE assemblies (
    owner           TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    receipt_id      TEXT NOT NULL,
    day             TEXT NOT NULL,
    project_id      TEXT,
    conversation_id TEXT,
    -- In microseconds: the whole, and facts where there were some.
    took            BIGINT NOT NULL,
    recalled        BIGINT,
    -- Tokens by section.
    header          BIGINT NOT NULL,
    history         BIGINT NOT NULL,
    facts           BIGINT NOT NULL,
    summaries       BIGINT NOT NULL,
    question        BIGINT NOT NULL,
    -- How far the budget went: whole, trimmed or minimal.
    fitting         TEXT NOT NULL,
    -- Where answers are kept: how the question was the same as an earlier one, or why none was given.
    cache_hit       TEXT,
    cache_miss      TEXT,
    PRIMARY KEY (owner, receipt_id)
);

CREATE INDEX assemblies_by_day ON assemblies (owner, day);

-- How often the summary that a model wrote was shown, or spared another call.
ALTER TABLE cas_refs ADD COLUMN summary_uses BIGINT NOT NULL DEFAULT 0;
