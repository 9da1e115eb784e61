/* Two methods: nodes by PERF_METRICS less the same nodes by counters. */

/* Each node of `methods` records, with the kernel and core: {name, kernel, core, difference, atMost} or {.., reason}. */
function differencesOf(records) {
    return records.flatMap((record) => Object.entries(record.nodes).map(([name, by]) => {
        const at = { name, kernel: measurementName(record), core: record.core, by };
        if (by.perf_metrics === null || by.formula === null || by.apart_at_most === null)
            return { ...at, reason: by.reason || "the log does not say why" };
        return { ...at, difference: by.perf_metrics - by.formula, atMost: by.apart_at_most };
    }));
}

function holds(at) {
    return Math.abs(at.difference) <= at.atMost;
}

function tellDifference(at) {
    const head = `core ${at.core} ${at.kernel} ${at.name}`;
    if (at.reason)
        return lines([head, `missing: ${at.reason}`]);
    return lines([head, `PERF_METRICS ${at.by.perf_metrics.toFixed(4)}, counters ${at.by.formula.toFixed(4)}`,
        `difference ${at.difference.toFixed(4)}, may be ${at.atMost.toFixed(4)}`]);
}

function differencePoint(at, value) {
    return { value, at, itemStyle: { color: STATES[holds(at) ? "ok" : "not ok"], borderColor: surfaceColour(), borderWidth: 1 },
        symbol: holds(at) ? "circle" : "diamond", symbolSize: holds(at) ? 9 : 12 };
}

/* The chosen kernel: what each node may differ by as a bar, a dot for each core. */
function drawOwnDifferences(view, box, list) {
    const names = [...new Set(list.map(({ name }) => name))];
    const known = list.filter((at) => !at.reason), missing = list.filter((at) => at.reason);
    box.append(element("h3", {}, `${view.kernel}: bar what they may differ by, dot what they do, one for each core`));
    addChart(box, "methods-own", 84 + names.length * ROW, {
        grid: { left: 210, right: 24, top: 8, bottom: 44 },
        xAxis: { type: "value", ...axisName("PERF_METRICS less counters, share of the slots", 28) },
        yAxis: rowAxis(names, 195),
        tooltip: { confine: true, formatter: ({ data }) => data.at ? tellDifference(data.at) : "" },
        series: [
            { type: "custom", name: "may differ", renderItem: rangeBar, encode: { x: [0, 1], y: 2 }, silent: true,
                data: known.map((at) => [-at.atMost, at.atMost, names.indexOf(at.name)]) },
            { type: "scatter", name: "differ", data: known.map((at) => differencePoint(at, [at.difference, at.name])) },
            missingRows(missing.filter((at) => !known.some(({ name }) => name === at.name)), names),
        ],
    }, `differences of two methods, ${view.kernel}`);
}

/* All kernels: differences in parts of what they may be, so that nodes and kernels compare. */
function drawAllDifferences(view, box, list) {
    const names = [...new Set(list.map(({ name }) => name))];
    const known = list.filter((at) => !at.reason && at.atMost > 0);
    box.append(element("h3", {}, `All kernels on core ${view.core}: a dot for each; between the lines the two methods agree`));
    const chart = addChart(box, "methods-all", 84 + names.length * ROW, {
        grid: { left: 210, right: 24, top: 8, bottom: 44 },
        xAxis: { type: "value", min: ({ min }) => Math.min(-1.25, min), max: ({ max }) => Math.max(1.25, max),
            axisLabel: { formatter: (x) => String(Math.round(x * 100) / 100) },
            ...axisName("difference, in parts of what it may be", 28) },
        yAxis: rowAxis(names, 195),
        tooltip: { confine: true, formatter: ({ data }) => data.at ? tellDifference(data.at) : "" },
        series: [{ type: "scatter", name: "differ", data: known.map((at) =>
            differencePoint(at, [at.difference / at.atMost, at.name])),
            markLine: { silent: true, symbol: "none", label: { show: false },
                lineStyle: { color: axisColour(), type: "dashed" }, data: [{ xAxis: -1 }, { xAxis: 1 }] } },
            missingRows(list.filter((at) => !known.some(({ name }) => name === at.name)), names)],
    }, "differences of two methods, all kernels", known.length);
    chart.on("click", ({ data }) => data.at && view.chooseKernel(data.at.kernel.split(" ")[0]));
}

function drawMethods(view, box) {
    const records = ofType(view.model, "methods");
    const own = differencesOf(records.filter((record) => record.kernel === view.kernel));
    const all = differencesOf(records.filter((record) => record.core === view.core));
    if (!own.length && !all.length)
        return false;
    if (own.length)
        drawOwnDifferences(view, box, own);
    if (all.some((at) => !at.reason))
        drawAllDifferences(view, box, all);
    if (own.concat(all).some((at) => at.reason))
        box.append(element("p", {}, "Hatched: one of the two methods has no value; pointing at it says why."));
    return true;
}
