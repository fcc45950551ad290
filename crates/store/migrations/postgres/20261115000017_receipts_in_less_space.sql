DROP VIEW visible_receipts;

ALTER TABLE receipts ALTER COLUMN body TYPE BYTEA USING convert_to(body, 'UTF8');

CREATE VIEW visible_receipts AS
SELECT * FROM receipts
WHERE (conversation_id IS NULL
        OR (owner, conversation_id) NOT IN (SELECT owner, id FROM hidden_conversations))
    AND (project_id IS NULL
        OR (owner, project_id) NOT IN (SELECT owner, id FROM hidden_projects));
