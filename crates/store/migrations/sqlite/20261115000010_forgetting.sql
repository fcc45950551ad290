-- What was hidden and when it goes for good. The name of a hidden project is free for another.
ALTER TABLE projects ADD COLUMN hidden_at BIGINT;
ALTER TABLE projects ADD COLUMN purge_at BIGINT;
ALTER TABLE projects ADD COLUMN hidden_name TEXT;
ALTER TABLE project_files ADD COLUMN hidden_at BIGINT;
ALTER TABLE project_files ADD COLUMN purge_at BIGINT;
ALTER TABLE conversations ADD COLUMN hidden_at BIGINT;
ALTER TABLE conversations ADD COLUMN purge_at BIGINT;

CREATE INDEX projects_hidden ON projects (owner, purge_at, id) WHERE hidden_at IS NOT NULL;
CREATE INDEX project_files_hidden ON project_files (owner, purge_at, id)
    WHERE hidden_at IS NOT NULL;
CREATE INDEX conversations_hidden ON conversations (owner, purge_at, id)
    WHERE hidden_at IS NOT NULL;

-- Everything is read through these, so that no query can show what is hidden. They name the few
-- rows that are hidden, by their own indexes whatever the statistics say, and so leave to each query
-- the index that it had.
CREATE VIEW visible_projects AS
SELECT * FROM projects WHERE hidden_at IS NULL;

CREATE VIEW hidden_projects AS
SELECT owner, id FROM projects INDEXED BY projects_hidden WHERE hidden_at IS NOT NULL;

CREATE VIEW visible_files AS
SELECT * FROM project_files
WHERE hidden_at IS NULL
    AND (owner, project_id) NOT IN (SELECT owner, id FROM hidden_projects);

CREATE VIEW visible_conversations AS
SELECT * FROM conversations
WHERE hidden_at IS NULL
    AND (owner, project_id) NOT IN (SELECT owner, id FROM hidden_projects);

-- SQLite keeps the order of a cross join.
CREATE VIEW hidden_conversations AS
SELECT owner, id FROM conversations INDEXED BY conversations_hidden
WHERE hidden_at IS NOT NULL
UNION ALL
SELECT conversations.owner, conversations.id FROM hidden_projects
CROSS JOIN conversations INDEXED BY conversations_recent
WHERE conversations.owner = hidden_projects.owner
    AND conversations.project_id = hidden_projects.id;

CREATE VIEW visible_messages AS
SELECT * FROM conversation_messages
WHERE (owner, conversation_id) NOT IN (SELECT owner, id FROM hidden_conversations);

CREATE VIEW visible_receipts AS
SELECT * FROM receipts
WHERE (conversation_id IS NULL
        OR (owner, conversation_id) NOT IN (SELECT owner, id FROM hidden_conversations))
    AND (project_id IS NULL
        OR (owner, project_id) NOT IN (SELECT owner, id FROM hidden_projects));

CREATE VIEW visible_sessions AS
SELECT owner, id, client_info, last_active,
    CASE WHEN (owner, conversation_id) IN (SELECT owner, id FROM hidden_conversations)
        THEN NULL ELSE conversation_id END AS conversation_id,
    CASE WHEN (owner, project_id) IN (SELECT owner, id FROM hidden_projects)
        THEN NULL ELSE project_id END AS project_id
FROM sessions;

DROP VIEW conversation_rounds;

CREATE VIEW conversation_rounds AS
SELECT owner, conversation_id, round_number,
       json_group_array(json_object(
           'id', id, 'position', position, 'role', role, 'name', name,
           'content', content, 'created_at', created_at
       ) ORDER BY position) AS messages
FROM visible_messages
WHERE deleted_at IS NULL
GROUP BY owner, conversation_id, round_number;

-- Bytes of contents and messages, or more: what went is taken off when the maximum comes near.
ALTER TABLE owners ADD COLUMN content_bytes BIGINT NOT NULL DEFAULT 0;

UPDATE owners SET content_bytes =
    COALESCE((SELECT SUM(size) FROM blobs WHERE blobs.owner = owners.id), 0)
    + COALESCE((SELECT SUM(octet_length(content)) FROM conversation_messages
                WHERE conversation_messages.owner = owners.id), 0);
