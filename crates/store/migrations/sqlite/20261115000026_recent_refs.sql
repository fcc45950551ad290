-- What a question looks at are the refs of a project that were stored or expanded last.
DROP INDEX cas_refs_project;
CREATE INDEX cas_refs_project ON cas_refs (owner, project_id, refreshed_at);
