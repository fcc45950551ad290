-- How much each thing takes at its provider, so that what lies there at once can be bounded.
ALTER TABLE hosted_things ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
