-- Where a thread was imported from and its id there, so that it is known when it comes again.
ALTER TABLE conversations ADD COLUMN external_id TEXT;

CREATE UNIQUE INDEX conversations_external ON conversations (owner, project_id, external_id)
    WHERE external_id IS NOT NULL;
