-- Personas are named by whoever talks with them.
CREATE INDEX personas_name ON personas (owner, lower(name));
