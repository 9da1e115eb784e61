-- The tables of `slotlog merge`. A number that is missing is NULL, and `reason` says why.

-- A log. `end_reason` is NULL where the log has no end record; `problems` is what `slotlog verify` names;
-- `doubted` verdicts are there and not believed: they are not among those of the table below.
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY,
    file TEXT NOT NULL, -- its whole path
    crc TEXT NOT NULL, -- of records, verdicts and what is damaged
    board TEXT, bios TEXT, rig TEXT, detail TEXT,
    end_reason TEXT, duration_us INTEGER,
    failed INTEGER NOT NULL, skipped INTEGER NOT NULL, problems INTEGER NOT NULL,
    doubted INTEGER NOT NULL,
    UNIQUE (crc, file) -- a log is merged once; under another name it is that of another rig
);

CREATE TABLE IF NOT EXISTS core (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    core INTEGER NOT NULL,
    brand TEXT, signature TEXT, microcode TEXT, description TEXT, package INTEGER, node INTEGER,
    PRIMARY KEY (run, core)
);

-- low, high: over the repeats; NULL where the log does not say (nodes of the full form, CPI).
-- kind: node (share of the slots), count (events of n iterations), cpi (cycles per instruction).
CREATE TABLE IF NOT EXISTS number (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    core INTEGER NOT NULL, kernel TEXT NOT NULL,
    dose INTEGER, beside TEXT NOT NULL, scope TEXT NOT NULL,
    kind TEXT NOT NULL, name TEXT NOT NULL,
    iterations INTEGER NOT NULL,
    value REAL, low REAL, high REAL, reason TEXT NOT NULL,
    trusted INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS number_of_kernel ON number (kernel, kind, name);
CREATE INDEX IF NOT EXISTS number_of_run ON number (run);

-- ok is 1 also for a verdict that is skipped; verdicts: how many the line stands for.
CREATE TABLE IF NOT EXISTS verdict (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    number INTEGER NOT NULL, ok INTEGER NOT NULL, skipped INTEGER NOT NULL,
    claim TEXT NOT NULL, reason TEXT NOT NULL, verdicts INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS verdict_of_run ON verdict (run);

-- Every record that is believed, with all its members (doc/log.md): what the tables above leave out is here.
CREATE TABLE IF NOT EXISTS record (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    seq INTEGER NOT NULL, type TEXT NOT NULL, json TEXT NOT NULL,
    PRIMARY KEY (run, seq)
);
