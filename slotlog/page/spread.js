/* How far the chosen kernel's numbers spread: from core to core, and from repeat to repeat. */

const FEW = 100; /* counts: below, a percentage says little */

/* The measurements of the same name as `at`, of all cores that have their own. */
function sameOnAllCores(view, at) {
    return view.model.cores.map((core) => view.model.measurements.get(at.name).get(core)).filter((one) => one);
}

function median(list) {
    const sorted = [...list].sort((a, b) => a - b), half = sorted.length >> 1;
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/* The values of one name: {name, middle: median of the cores, of: [{core, value, low, high}], missing: [{core, reason}]} */
function spreadOf(name, valueIn, cores) {
    const all = cores.map((at) => ({ core: at.core, ...valueIn(at) || { value: null, reason: "the log does not have it" } }));
    const of = all.filter(({ value }) => value !== null);
    return { name, of, missing: all.filter(({ value }) => value === null), middle: median(of.map(({ value }) => value)) };
}

function namesIn(cores, member) {
    return [...new Set(cores.flatMap((at) => [...at[member].keys()]))];
}

/* A thin bar from end to end of the repeats. Its values are low, high, the row, and 1 for the chosen core. */
function repeatBar(params, api) {
    const [x, y] = api.coord([api.value(0), api.value(2)]);
    const [end] = api.coord([api.value(1), api.value(2)]);
    return { type: "rect", shape: { x, y: y - 1.5, width: Math.max(end - x, 1), height: 3 }, 
        style: { fill: api.value(3) ? markColour() : axisColour(), opacity: api.value(3) ? 0.8 : 0.4 } };
}

function coreDot(view, core, value, told) {
    const own = core === view.core;
    return { value, told, symbolSize: own ? 10 : 7, z: own ? 3 : 2, itemStyle: { color: own ? markColour() : axisColour(),
        opacity: own ? 1 : 0.65, borderColor: surfaceColour(), borderWidth: 1 } };
}

/* Rows of `spreads`, named with the median of the cores; `scaled` makes of a number what the axis shows, `text` its
 * digits. */
function drawSpread(view, box, id, spreads, axis, scaled, text) {
    const names = spreads.map(({ name, middle, of }) => of.length ? `${name}  ${text(middle)}` : name);
    const rows = new Map(spreads.map((spread, i) => [spread, names[i]]));
    const known = spreads.flatMap((spread) => spread.of.map((value) => ({ spread, ...value })));
    const ranged = known.filter(({ low, high }) => low < high);
    addChart(box, id, 72 + names.length * ROW, {
        grid: { left: 350, right: 24, top: 8, bottom: 44 },
        xAxis: { type: "value", scale: true, ...axisName(axis, 28) },
        yAxis: rowAxis(names, 335),
        tooltip: { confine: true, formatter: ({ data }) => data.told || "" },
        series: [
            { type: "custom", name: "repeats", renderItem: repeatBar, encode: { x: [0, 1], y: 2 }, silent: true,
                data: ranged.map(({ spread, core, low, high }) =>
                    [scaled(spread, low), scaled(spread, high), spreads.indexOf(spread), Number(core === view.core)]) },
            { type: "scatter", name: "cores", data: known.map((at) =>
                coreDot(view, at.core, [scaled(at.spread, at.value), rows.get(at.spread)], tellSpread(at, text))) },
            missingRows(spreads.filter(({ of }) => !of.length), names),
        ],
    }, axis, known.length);
}

function tellSpread({ spread, core, value, low, high }, text) {
    return lines([`core ${core} ${spread.name}`,
        text(value) + (low < high ? `, ${text(low)} to ${text(high)} over the repeats` : "")]);
}

function drawShareSpread(view, box, cores) {
    const names = namesIn(cores, "nodes").filter((name) => LEVEL_1.includes(name) || cores.some((at) => at.over.includes(name)));
    const spreads = names.map((name) => spreadOf(name, (at) => at.nodes.get(name), cores));
    if (!spreads.length)
        return;
    box.append(element("h3", {}, "Level 1, and nodes over their threshold"));
    drawSpread(view, box, "spread-nodes", spreads, "share of the slots, less the median of the cores",
        (spread, x) => x - spread.middle, (x) => x.toFixed(4));
}

function percentOff(spread, x) {
    return 100 * (x / spread.middle - 1);
}

function drawFewCounts(box, spreads) {
    const range = ({ of }) => `${Math.min(...of.map(({ low }) => low))} to ${Math.max(...of.map(({ high }) => high))}`;
    box.append(element("details", {}, element("summary", {}, `${spreads.length} events counted fewer than ${FEW}, or nothing`),
        tableOf(["event", "count over cores and repeats"], spreads.map((spread) => [spread.name, spread.of.length ?
            range(spread) : { text: `missing: ${spread.missing[0].reason}`, class: "missing" }]), "few-counts")));
}

function drawCountSpread(view, box, cores) {
    const counts = namesIn(cores, "counts").map((name) => spreadOf(name, (at) => at.counts.get(name), cores));
    const cpi = spreadOf("cycles per instruction", (at) => at.cpi, cores);
    const many = counts.filter(({ middle }) => Math.abs(middle) >= FEW);
    const few = counts.filter((spread) => !many.includes(spread));
    if (cpi.of.length)
        many.unshift(cpi);
    if (many.length) {
        box.append(element("h3", {}, "CPI, and counts of events"));
        drawSpread(view, box, "spread-counts", many, "percent off the median of the cores", percentOff,
            (x) => x < FEW ? x.toFixed(4) : String(Math.round(x)));
    }
    if (few.length)
        drawFewCounts(box, few);
}

function drawSpreads(view, box) {
    const { all, at } = measurementOfKernel(view);
    const cores = at ? sameOnAllCores(view, at) : [];
    if (!cores.length)
        return false;
    const others = cores.length > 1 ? `; in grey the other ${cores.length - 1}` : "";
    box.append(element("p", {}, `${at.name}: in colour core ${view.core}${others}. A bar: from the least to the most of the ` +
        `repeats, where the log has them.`),
        choice("measured", all, at, (one) => one.name, (one) => { view.measurement = one.name; view.redraw("spread"); }));
    drawShareSpread(view, box, cores);
    drawCountSpread(view, box, cores);
    return true;
}
