-- When what the question of a turn states was remembered: whoever asks a model again states nothing
-- again, and what was forgotten meanwhile must not come back.
ALTER TABLE turns ADD COLUMN question_learned_at BIGINT;
UPDATE turns SET question_learned_at = learned_at;
