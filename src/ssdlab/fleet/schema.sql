-- What a fleet knows beside its queue. The queue is Procrastinate's, in tables of its own in the same schema.
CREATE TABLE fleet (version integer NOT NULL);

CREATE TABLE host (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    manner text NOT NULL,
    ssdlab_version text NOT NULL,
    seen_at timestamptz NOT NULL
);

CREATE TABLE drive (
    host uuid NOT NULL REFERENCES host,
    serial text NOT NULL,
    model text,
    firmware text,
    capacity_bytes bigint,
    temperature_c double precision,
    standing text NOT NULL,
    reasons jsonb NOT NULL,
    looked_at timestamptz NOT NULL,
    PRIMARY KEY (host, serial)
);

CREATE TABLE run (
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    id uuid PRIMARY KEY,
    host uuid NOT NULL REFERENCES host,
    serial text NOT NULL,
    suite_name text NOT NULL,
    suite_text text NOT NULL,
    profile text NOT NULL,
    write_bytes_max bigint,
    priority integer NOT NULL,
    attempt integer NOT NULL DEFAULT 1,
    job bigint,
    state text NOT NULL,
    why jsonb,
    bundle text,
    steps_done integer,
    steps integer,
    submitted_at timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX run_by_state ON run (state);

CREATE TABLE happening (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run uuid NOT NULL REFERENCES run,
    at timestamptz NOT NULL DEFAULT now(),
    told jsonb NOT NULL
);
CREATE INDEX happening_by_run ON happening (run, id);

-- The catalogue: nothing in it that cannot be read again from the bundles of the store.
CREATE TABLE stored_run (
    name text PRIMARY KEY,
    started_at timestamptz NOT NULL,
    model text NOT NULL,
    serial text,
    firmware text,
    capacity_bytes bigint,
    nature text NOT NULL,
    host text,
    suite text NOT NULL,
    suite_version text NOT NULL,
    suite_sha256 text NOT NULL,
    profile text NOT NULL,
    engine text NOT NULL,
    scale text NOT NULL,
    status text NOT NULL,
    checks integer NOT NULL,
    checks_failed integer NOT NULL,
    damage text NOT NULL
);

CREATE TABLE stored_metric (
    run text NOT NULL REFERENCES stored_run ON DELETE CASCADE,
    name text NOT NULL,
    number double precision,
    word text,
    unit text NOT NULL,
    low double precision,
    high double precision,
    state text NOT NULL,
    failed_checks text NOT NULL,
    unknown text
);
CREATE INDEX stored_metric_by_run ON stored_metric (run);
CREATE INDEX stored_metric_by_name ON stored_metric (name, number);
