CREATE TABLE model_metadata (
    owner          TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    provider       TEXT NOT NULL,
    model          TEXT NOT NULL,
    display_name   TEXT NOT NULL,
    context_window BIGINT NOT NULL,
    max_output     BIGINT NOT NULL,
    input_cost     DOUBLE PRECISION NOT NULL,
    output_cost    DOUBLE PRECISION NOT NULL,
    tier           TEXT NOT NULL,
    capabilities   TEXT NOT NULL,
    PRIMARY KEY (owner, provider, model)
);

CREATE TABLE jobs (
    owner           TEXT NOT NULL REFERENCES owners (id) ON DELETE CASCADE,
    id              TEXT NOT NULL,
    kind            TEXT NOT NULL,
    payload         TEXT NOT NULL,
    priority        BIGINT NOT NULL,
    state           TEXT NOT NULL,
    attempts        BIGINT NOT NULL,
    max_attempts    BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    lease_until     BIGINT,
    error           TEXT,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
);

CREATE INDEX jobs_waiting ON jobs (owner, kind, state, priority);
