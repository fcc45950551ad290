-- The projects of a ref that several have stored: it goes with the last of them. One that a single
-- project has stored names it itself, and one that stands here by no row and names none is nobody's.
CREATE TABLE ref_projects (
    owner        TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    project_id   TEXT NOT NULL,
    PRIMARY KEY (owner, kind, content_hash, project_id),
    FOREIGN KEY (owner, kind, content_hash)
        REFERENCES cas_refs (owner, kind, content_hash) ON DELETE CASCADE,
    FOREIGN KEY (owner, project_id) REFERENCES projects (owner, id) ON DELETE CASCADE
);

CREATE INDEX ref_projects_project ON ref_projects (owner, project_id);
