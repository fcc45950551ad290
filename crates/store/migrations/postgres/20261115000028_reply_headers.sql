-- The headers of a kept reply that tell something of it, as a JSON list of names and values.
ALTER TABLE kept_replies ADD COLUMN headers TEXT NOT NULL DEFAULT '[]';
