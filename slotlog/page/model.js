/* A log in the order in which the page asks for it: what was measured, by kernel and core, whichever form the log has.
 * doc/log.md describes the records. */

const LEVEL_1 = ["tma_frontend_bound", "tma_bad_speculation", "tma_backend_bound", "tma_retiring"];

function ofType(model, type) {
    return model.byType.get(type) || [];
}

/* What a record is about, for people: the kernel, its dose, what is beside it. */
function measurementName(record) {
    const dose = record.dose === undefined || record.dose === null ? "" : ` ${record.dose}%`;
    const beside = record.beside ? ` | ${record.beside}` : "";
    return record.kernel + dose + beside + (record.scope ? " (both threads)" : "");
}

/* A number, [low, value, high], {min, median, max} or null. */
function valueOf(value, reason) {
    if (typeof value === "number")
        return { value, low: value, high: value };
    if (Array.isArray(value))
        return { value: value[1], low: value[0], high: value[2] };
    if (value && typeof value === "object")
        return { value: value.median, low: value.min, high: value.max };
    return { value: null, reason: reason || "the log does not say why" };
}

function addValues(values, members, reasons) {
    for (const [name, value] of Object.entries(members || {}))
        values.set(name, valueOf(value, (reasons || {})[name]));
}

/* Reasons of what has no value; in a record of several parts they may come later than the value's null. */
function addReasons(values, reasons) {
    for (const [name, reason] of Object.entries(reasons || {}))
        if (!values.has(name) || values.get(name).value === null)
            values.set(name, { value: null, reason });
}

function newMeasurement(record) {
    return {
        name: measurementName(record), kernel: record.kernel, core: record.core, dose: record.dose, scope: record.scope,
        nodes: new Map(), counts: new Map(), over: [], trusted: true,
    };
}

function measurementFor(model, record) {
    const name = measurementName(record);
    if (!model.measurements.has(name))
        model.measurements.set(name, new Map());
    const cores = model.measurements.get(name);
    if (!cores.has(record.core))
        cores.set(record.core, newMeasurement(record));
    return cores.get(record.core);
}

const READERS = {
    result(at, record) {
        addValues(at.nodes, record.nodes, record.missing);
        addValues(at.counts, record.counts, record.missing);
        if (record.cpi !== undefined)
            at.cpi = valueOf(record.cpi, "not counted, or no instructions");
    },
    kernel(at, record) {
        at.title = record.title;
        addValues(at.counts, record.per_iterations, record.missing);
        addReasons(at.counts, record.missing);
    },
    topdown(at, record) {
        if (record.interval !== undefined)
            return;
        at.method = record.method;
        at.smt = record.smt;
        addValues(at.nodes, record.nodes, record.reasons);
        addReasons(at.nodes, record.reasons);
        at.over.push(...record.over_threshold || []);
    },
    cpi(at, record) {
        if (record.method === undefined)
            at.cpi = valueOf(record.cpi, "not counted, or no instructions");
    },
};

function addMeasurement(model, record) {
    const at = measurementFor(model, record);
    READERS[record.type](at, record);
    if (record.iterations !== undefined)
        at.iterations = record.iterations;
    if (record.trusted === false)
        at.trusted = false;
}

/* A verdict of the data, completed. What is about no kernel has the kernel "". */
function verdictOf(verdict) {
    return { core: null, kernel: "", rest: "", ...verdict, whole: verdict.count !== undefined,
        value: verdict.count === undefined ? verdict.value : verdict.count,
        state: verdict.failed ? "not ok" : verdict.skipped === undefined ? "ok" : "skipped" };
}

/* What a claim is about: a node, counts of events, a formula over them, or its words before a comma, a colon or a
 * number. */
function subjectOf(verdict) {
    if (verdict.claim.startsWith("tma_"))
        return verdict.claim.split(" ")[0];
    if (/^[A-Z0-9_]+\.[A-Z0-9_]/.test(verdict.claim))
        return verdict.whole ? "event counts" : "formulas over events";
    if (/^\d+ verdicts/.test(verdict.claim))
        return "all that passed, in one line";
    const words = verdict.claim.replace(/,? ?[:,\d].*$/s, "").replace(/ (by|for) [A-Z].*$/, "");
    return words.replace(/records?$/, "records").trim();
}

/* A claim with its numbers, as the log has it. */
function claimText(verdict) {
    if (verdict.value === undefined)
        return verdict.claim;
    const digits = (x) => verdict.whole ? String(x) : x.toFixed(3);
    const range = `[${digits(verdict.low)}, ${digits(verdict.high)}]`;
    return `${verdict.claim} ${digits(verdict.value)} in ${range}${verdict.rest}`;
}

function namesOfKernels(model) {
    const names = new Set();
    for (const cores of model.measurements.values())
        for (const at of cores.values())
            names.add(at.kernel);
    for (const verdict of model.verdicts)
        if (verdict.kernel)
            names.add(verdict.kernel);
    for (const record of model.log.records)
        if (record.kernel)
            names.add(record.kernel);
    return [...names];
}

function coresOf(model) {
    const cores = new Set(ofType(model, "core").map((record) => record.core));
    for (const at of model.measurements.values())
        for (const core of at.keys())
            cores.add(core);
    return [...cores].sort((a, b) => a - b);
}

/* The brief form says kernels once for cores that agree. Map core -> the core that it agrees with. */
function agreements(verdicts) {
    const of = new Map();
    for (const verdict of verdicts) {
        const found = /^: \d+ kernels as on core (\d+)/.exec(verdict.claim);
        if (found)
            of.set(verdict.core, Number(found[1]));
    }
    return of;
}

function modelOf(log) {
    const model = { log, byType: new Map(), measurements: new Map(), verdicts: log.verdicts.map(verdictOf) };
    for (const record of log.records) {
        if (!model.byType.has(record.type))
            model.byType.set(record.type, []);
        model.byType.get(record.type).push(record);
        if (READERS[record.type])
            addMeasurement(model, record);
    }
    model.machine = ofType(model, "machine")[0] || {};
    model.end = ofType(model, "end")[0];
    model.cores = coresOf(model);
    model.kernels = namesOfKernels(model);
    model.toldBy = agreements(log.verdicts);
    return model;
}

/* The measurements of a core, in the order of the log. A core that agrees with another core in the brief form has the
 * measurements of that core. */
function measurementsOf(model, core) {
    const list = [];
    for (const cores of model.measurements.values()) {
        const at = cores.get(core) || cores.get(model.toldBy.get(core));
        if (at)
            list.push(at);
    }
    return list;
}

/* What was measured of the chosen kernel: all of it (doses, corunners, scopes), and the chosen part. */
function measurementOfKernel(view) {
    const all = measurementsOf(view.model, view.core).filter((at) => at.kernel === view.kernel);
    return { all, at: all.find((at) => at.name === view.measurement) || all[0] };
}

function worstState(states) {
    return ["not ok", "ok", "skipped"].find((state) => states.includes(state));
}
