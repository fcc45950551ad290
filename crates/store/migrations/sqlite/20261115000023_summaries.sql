-- The model that wrote a summary; none for one that was made without a model.
ALTER TABLE cas_refs ADD COLUMN summary_model TEXT;
-- By what a content is known that comes again with changes.
ALTER TABLE cas_refs ADD COLUMN source_key TEXT;
CREATE INDEX cas_refs_source ON cas_refs (owner, source_key);

-- What models took for a job, and in millionths of a dollar what that cost, if it is known.
ALTER TABLE jobs ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN cost BIGINT;
ALTER TABLE jobs ADD COLUMN completed_at BIGINT;
-- What is done stays, and is looked through by nobody.
CREATE INDEX jobs_open ON jobs (owner, next_attempt_at) WHERE state IN ('queued', 'running');
