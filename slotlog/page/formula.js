/* A node's formula, with the log's counts filled in. The page calculates it anew, so that the log's number can be held
 * against it. pmu/formula/formula.h says what a formula is. */

const TOKEN = /\s*(0x[0-9a-f]+|[0-9]+(?:\.[0-9]+)?|[A-Za-z_#](?:[\w.:#]|(?<=:ocr_msr_val)=(?=[0-9]))*|[<>=]=|[-+*/()<>,])/yi;
const WORDS = ["if", "else", "min", "max", "NA"];

function tokensOf(text) {
    const tokens = [];
    TOKEN.lastIndex = 0;
    for (let found; TOKEN.lastIndex < text.length && (found = TOKEN.exec(text));)
        tokens.push(found[1]);
    return tokens;
}

function isName(token) {
    return /^[A-Za-z_#]/.test(token) && !WORDS.includes(token);
}

/* What an evaluation ends with where there is no value. */
class NoValue extends Error {}

/* Recursive descent, a method for each strength of binding. An arm that is not taken is read, and not calculated: its
 * values are NaN, and nothing in it can fail. */
class Evaluation {
    constructor(tokens, valueOf) {
        Object.assign(this, { tokens, valueOf, at: 0, idle: 0 });
    }
    next(...wanted) {
        return wanted.includes(this.tokens[this.at]) ? this.tokens[this.at++] : null;
    }
    without(act) {
        this.idle++;
        const value = act();
        this.idle--;
        return value;
    }
    /* A if C else B: C is behind A, so A is read twice. */
    choice() {
        const begin = this.at;
        this.without(() => this.comparison());
        if (this.tokens[this.at] !== "if") {
            this.at = begin;
            return this.comparison();
        }
        this.at++;
        const holds = this.operand(this.comparison());
        this.at++; /* else */
        if (!holds || this.idle)
            return this.choice();
        this.without(() => this.choice());
        const end = this.at;
        this.at = begin;
        const value = this.comparison();
        this.at = end;
        return value;
    }
    binary(signs, operand) {
        let value = operand();
        for (let sign; (sign = this.next(...signs)) !== null;)
            value = this.combined(sign, this.operand(value), this.operand(operand()));
        return value;
    }
    comparison() { return this.binary(["<", ">", "<=", ">=", "=="], () => this.sum()); }
    sum() { return this.binary(["+", "-"], () => this.product()); }
    product() { return this.binary(["*", "/"], () => this.unary()); }
    unary() { return this.next("-") !== null ? -this.operand(this.unary()) : this.atom(); }
    atom() {
        const token = this.tokens[this.at++];
        if (token === "(") {
            const value = this.choice();
            this.at++;
            return value;
        }
        if (token === "min" || token === "max")
            return this.extreme(token);
        if (token === "NA")
            return NaN;
        return isName(token) ? (this.idle ? NaN : this.valueOf(token)) : Number(token);
    }
    extreme(which) {
        const values = [];
        do {
            this.at++; /* the parenthesis, then commas */
            values.push(this.operand(this.choice()));
        } while (this.tokens[this.at] === ",");
        this.at++;
        return Math[which](...values);
    }
    /* NA counts as 0 in arithmetic. */
    operand(value) {
        return Number.isNaN(value) ? 0 : value;
    }
    combined(sign, a, b) {
        if (sign === "/" && b === 0 && !this.idle)
            throw new NoValue("division by zero");
        return { "+": a + b, "-": a - b, "*": a * b, "/": a / b, "<": Number(a < b), ">": Number(a > b),
            "<=": Number(a <= b), ">=": Number(a >= b), "==": Number(a === b) }[sign];
    }
}

/* What formulas know of the core beside its counts. */
function extrasFor(view, at) {
    const core = ofType(view.model, "core").find((record) => record.core === view.core) || {};
    const extras = new Map();
    for (const cache of ["l1d", "l1i", "l2", "l3"])
        if (core[cache])
            extras.set(`${cache}_size`, core[cache].bytes);
    if (core.l1d)
        extras.set("line", core.l1d.line);
    if (core.width)
        extras.set("width", core.width);
    return extras.set("#SMT_on", Number(Boolean(at.smt))).set("#EBS_Mode", Number(Boolean(at.smt && !at.scope)))
        .set("#PERF_METRICS_MSR", Number(at.method === "perf_metrics"));
}

/* What edges of windows may count; doc/measuring.md, "When an event has no value". */
const EDGE_COUNTS = 64;

/* A count is 0 within the noise of edges: its repeats lie on both sides of 0, the middle one no further below than the
 * lowest. Bytes of PERF_METRICS have a noise of their own. */
function isNoise(name, count) {
    return count.low < 0 && count.high >= 0 && -count.low <= EDGE_COUNTS && count.high <= EDGE_COUNTS &&
        count.value <= -count.low && !name.startsWith("PERF_METRICS.");
}

/* What a name of a formula is: {kind, value} or {kind, reason}; `seen` are the nodes above it. */
function nameIn(scope, name) {
    const { tree, at, extras, known } = scope;
    if (!known.has(name)) {
        const count = at.counts.get(name);
        if (extras.has(name))
            known.set(name, { kind: "of the core", value: extras.get(name) });
        else if (tree.nodes[name])
            known.set(name, { kind: tree.nodes[name].level ? "node" : "part", ...calculated(scope, tree.nodes[name].formula) });
        else if (name in tree.parameters)
            known.set(name, { kind: "parameter", value: tree.parameters[name] });
        else if (!count || count.value === null)
            known.set(name, { kind: "count", reason: count ? count.reason : "the log does not have it" });
        else
            known.set(name, { kind: "count", value: isNoise(name, count) ? 0 : count.value, count });
    }
    return known.get(name);
}

/* {value} or {reason}. */
function calculated(scope, formula) {
    try {
        const value = new Evaluation(tokensOf(formula), (name) => {
            const found = nameIn(scope, name);
            if (found.value === undefined)
                throw new NoValue(`${name}: ${found.reason}`);
            return found.value;
        }).choice();
        return Number.isNaN(value) ? { reason: "not available" } : { value };
    } catch (error) {
        if (error instanceof NoValue)
            return { reason: error.message };
        throw error;
    }
}

/* --- what is shown of it --- */

function numberText(value) {
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
}

function filledIn(scope, formula) {
    return tokensOf(formula).map((token) => {
        if (!isName(token))
            return token;
        const { value } = nameIn(scope, token);
        return value === undefined ? "?" : numberText(value);
    }).join(" ").replace(/\( /g, "(").replace(/ \)/g, ")");
}

/* Totals of windows in which the log's `counts` records have the event. */
function windowsOf(view, at, name) {
    return ofType(view.model, "counts").filter((record) => record.core === view.core && record.events[name] &&
        measurementName(record) === at.name).sort((a, b) => b.iterations - a.iterations || a.pass - b.pass)
        .map((record) => `${record.events[name].median} in windows of ${record.iterations} iterations (pass ${record.pass})`);
}

function nameCell(view, scope, name) {
    return scope.tree.nodes[name] ? formulaButton(view, name) : name;
}

function nameRow(view, scope, name) {
    const { kind, value, reason, count } = nameIn(scope, name);
    const told = [];
    if (count && count.low !== count.high)
        told.push(`${count.low} to ${count.high} over the repeats`);
    if (kind === "count")
        told.push(...windowsOf(view, scope.at, name));
    return [nameCell(view, scope, name), kind,
        value === undefined ? { text: `missing: ${reason}`, class: "missing" } : { text: numberText(value), class: "n" },
        told.join("; ")];
}

function formulaButton(view, name) {
    return element("button", { type: "button", class: "link", "data-key": `formula ${name}`, onclick: () => {
        view.formulaOf = name;
        view.redraw("formula");
        document.getElementById("formula").scrollIntoView({ block: "nearest" });
    } }, name);
}

/* Where the log has no value the page states none: it does not weigh what counts may be off by, as the image does. */
function resultText(at, name, { value, reason }) {
    const log = at.nodes.get(name);
    if (log && log.value === null)
        return `the log: missing: ${log.reason}`;
    const here = value === undefined ? `calculated here: missing: ${reason}` : `calculated here: ${value.toFixed(4)}`;
    if (!log)
        return here;
    const apart = value !== undefined && Math.abs(value - log.value) > 0.00011;
    return `the log: ${log.value.toFixed(4)}; ${here}` +
        (apart ? ". They differ: the run had another description than this slotlog, or the log lacks a pass." : "");
}

/* The node that is chosen; else the largest of level 1. */
function formulaNode(view, at, tree) {
    if (tree.nodes[view.formulaOf])
        return view.formulaOf;
    const share = (name) => at.nodes.has(name) && at.nodes.get(name).value || 0;
    return LEVEL_1.filter((name) => tree.nodes[name]).sort((a, b) => share(b) - share(a))[0];
}

function drawFormula(view, box) {
    const { at } = measurementOfKernel(view);
    const tree = treeFor(view);
    const name = at && tree && formulaNode(view, at, tree);
    if (!name || !at.nodes.size || !at.counts.size)
        return false;
    const scope = { tree, at, extras: extrasFor(view, at), known: new Map() };
    const { formula } = tree.nodes[name];
    const names = [...new Set(tokensOf(formula).filter(isName))];
    box.append(element("h3", {}, `${name} of ${at.name} on core ${view.core}`),
        element("p", { class: "formula" }, "= ", formula), element("p", { class: "formula" }, "= ", filledIn(scope, formula)),
        element("p", { id: "formula-result" }, resultText(at, name, nameIn(scope, name))),
        element("div", { class: "scroll" }, tableOf(["name", "is", "value", "counted"],
            names.map((one) => nameRow(view, scope, one)), "formula-names")));
    return true;
}
