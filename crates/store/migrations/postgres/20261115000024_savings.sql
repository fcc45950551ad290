-- What was saved is told net as well. Of older calls that is not known any more: they count as if the
-- vendor's cache had had all that was left out, and a summary as what it took.
ALTER TABLE usage ADD COLUMN saved_net BIGINT NOT NULL DEFAULT 0;

UPDATE usage SET saved_net = saved / 10;
UPDATE usage SET saved_net = -(input + output) WHERE component = 'summary';

CREATE INDEX usage_by_conversation ON usage (owner, conversation_id);
