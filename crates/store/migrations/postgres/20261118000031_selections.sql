-- By which profile a dossier was made, and how well what it chose served its reply. Nothing is known
-- of dossiers that are older, that nobody has answered, or that chose nothing for the question.
ALTER TABLE assemblies ADD COLUMN profile TEXT;
-- Items that were chosen and shown, those of them that the reply uses, and those that were left out.
ALTER TABLE assemblies ADD COLUMN shown BIGINT;
ALTER TABLE assemblies ADD COLUMN used BIGINT;
ALTER TABLE assemblies ADD COLUMN left_out BIGINT;
-- 1 where the model had tools to fetch more; what it fetched that was not shown, or in short.
ALTER TABLE assemblies ADD COLUMN could_fetch BIGINT;
ALTER TABLE assemblies ADD COLUMN missed BIGINT;
ALTER TABLE assemblies ADD COLUMN followed BIGINT;
