/* Verdicts: a map of all of them, and expected against measured. */

function verdictsOn(view) {
    return view.model.verdicts.filter((verdict) => view.allCores || verdict.core === view.core);
}

/* The verdicts of each kernel and subject: Map kernel -> Map subject -> list. */
function bySubject(verdicts) {
    const kernels = new Map();
    for (const verdict of verdicts) {
        if (!verdict.kernel)
            continue;
        const subject = subjectOf(verdict);
        if (!kernels.has(verdict.kernel))
            kernels.set(verdict.kernel, new Map());
        const subjects = kernels.get(verdict.kernel);
        if (!subjects.has(subject))
            subjects.set(subject, []);
        subjects.get(subject).push(verdict);
    }
    return kernels;
}

/* Level 1 first, then the other nodes, then the rest. */
function subjectOrder(kernels) {
    const all = new Set();
    for (const subjects of kernels.values())
        for (const subject of subjects.keys())
            all.add(subject);
    const rank = (name) => LEVEL_1.includes(name) ? 0 : name.startsWith("tma_") ? 1 : /events?( |$)/.test(name) ? 2 : 3;
    return [...all].map((name, i) => ({ name, i })).sort((a, b) => rank(a.name) - rank(b.name) || a.i - b.i)
        .map(({ name }) => name);
}

function cellText(kernel, subject, verdicts) {
    const bad = ["not ok", "skipped", "ok"];
    const sorted = [...verdicts].sort((a, b) => bad.indexOf(a.state) - bad.indexOf(b.state));
    const told = sorted.slice(0, 12).map((verdict) => {
        const reason = verdict.skipped !== undefined ? `: ${verdict.skipped}` : "";
        return `${verdict.state}  core ${verdict.core} ${claimText(verdict)}${reason}`;
    });
    if (sorted.length > 12)
        told.push(`and ${sorted.length - 12} more`);
    return lines([`${kernel}, ${subject}`, ...told]);
}

function heatCells(kernels, rows, columns) {
    const cells = [];
    rows.forEach((kernel, y) => columns.forEach((subject, x) => {
        const verdicts = kernels.get(kernel).get(subject);
        if (!verdicts)
            return;
        const state = worstState(verdicts.map((verdict) => verdict.state));
        cells.push({ value: [x, y, Object.keys(STATES).indexOf(state)], itemStyle: { color: STATES[state] },
            label: { show: state !== "ok", formatter: state === "not ok" ? "\u2715" : "\u25CB", color: "#ffffff" } });
    }));
    return cells;
}

function drawHeatMap(view, box) {
    const kernels = bySubject(verdictsOn(view));
    const rows = view.model.kernels.filter((kernel) => kernels.has(kernel));
    const columns = subjectOrder(kernels);
    if (!rows.length)
        return false;
    const wide = element("div", { class: "scroll" });
    const inner = element("div", { style: `min-width:${200 + columns.length * 20}px` });
    wide.append(inner);
    box.append(wide);
    const chart = addChart(inner, "heat", 190 + rows.length * ROW, {
        grid: { left: 160, right: 80, top: 170, bottom: 8 },
        xAxis: { type: "category", data: columns, position: "top", axisTick: { show: false },
            axisLabel: { rotate: -60, align: "left", interval: 0, fontSize: 11, width: 180, overflow: "truncate" } },
        yAxis: rowAxis(rows, 145),
        tooltip: { confine: true, formatter: ({ value: [x, y] }) =>
            cellText(rows[y], columns[x], kernels.get(rows[y]).get(columns[x])) },
        series: [{ type: "heatmap", data: heatCells(kernels, rows, columns),
            itemStyle: { borderColor: isDark() ? "#14181e" : "#ffffff", borderWidth: 1 } }],
        visualMap: { show: false, min: 0, max: 2, inRange: { color: Object.values(STATES) } },
    }, "verdicts by kernel and node", rows.length * columns.length);
    chart.on("click", ({ value: [, y] }) => view.chooseKernel(rows[y]));
    return true;
}

function drawFailures(view, box) {
    const failed = view.model.verdicts.filter((verdict) => verdict.state === "not ok");
    if (!failed.length)
        return false;
    box.append(tableOf(["core", "kernel", "claim that does not hold"],
        failed.slice(0, 200).map((v) => [v.core, v.kernel, { text: claimText(v), class: "bad" }])));
    if (failed.length > 200)
        box.append(element("p", {}, `and ${failed.length - 200} more: slotlog show prints them.`));
    return true;
}

/* --- expected against measured --- */

function rectangle(x, y, width, height) {
    return { type: "rect", shape: { x, y, width, height }, style: { fill: isDark() ? "#48525f" : "#cdd4dc" } };
}

/* A range as a bar, in a row of its own. */
function rangeBar(params, api) {
    const [x, y] = api.coord([api.value(0), api.value(2)]);
    const [end] = api.coord([api.value(1), api.value(2)]);
    return rectangle(Math.min(x, end) - 1, y - 5, Math.max(Math.abs(end - x), 1) + 2, 10);
}

function point(verdict, x, y) {
    const symbol = verdict.state === "ok" ? "circle" : "diamond";
    return { value: [x, y], itemStyle: { color: STATES[verdict.state] }, symbol };
}

/* Claims on the same thing, of one core or of all, share a row: Map name -> number of the row. */
const rowName = (v) => `${v.kernel}  ${v.claim}`;
function rowsOf(claims) {
    const rows = new Map();
    for (const v of claims)
        if (!rows.has(rowName(v)))
            rows.set(rowName(v), rows.size);
    return rows;
}

/* Each range of a row once: cores often have the same. */
function rangesOf(claims, rows) {
    const ranges = new Map();
    for (const v of claims)
        ranges.set(`${rowName(v)} ${v.low} ${v.high}`, [v.low, v.high, rows.get(rowName(v))]);
    return [...ranges.values()];
}

function tellClaim(verdict) {
    return lines([`${verdict.state}  core ${verdict.core} ${verdict.kernel}`, claimText(verdict)]);
}

function drawShares(view, box) {
    const claims = verdictsOn(view).filter((v) => v.value !== undefined && v.claim.startsWith("tma_"));
    if (!claims.length)
        return false;
    const rows = rowsOf(claims);
    const names = [...rows.keys()];
    const wide = element("div", { class: "scroll" });
    box.append(element("h3", {}, "Shares of the slots: bar expected, dot measured, one for each core"), wide);
    addChart(wide, "shares", 50 + rows.size * ROW, {
        grid: { left: 330, right: 24, top: 28, bottom: 8 },
        xAxis: { type: "value", position: "top" },
        yAxis: rowAxis(names, 320),
        tooltip: { confine: true, formatter: ({ seriesName, dataIndex: i, value: [low, high, row] }) =>
            seriesName === "measured" ? tellClaim(claims[i]) : lines([`${names[row]} in [${low}, ${high}]`]) },
        series: [
            { type: "custom", name: "expected", renderItem: rangeBar, encode: { x: [0, 1], y: 2 },
                data: rangesOf(claims, rows) },
            { type: "scatter", name: "measured", symbolSize: 9,
                data: claims.map((v) => point(v, v.value, rows.get(rowName(v)))) },
        ],
    }, "shares expected and measured", claims.length);
    return true;
}

/* How far from the middle of its range a count is, in percent of that middle. */
function deviation(verdict, count) {
    const middle = (verdict.low + verdict.high) / 2;
    return 100 * (count - middle) / middle;
}

function whisker(params, api) {
    const [x, low] = api.coord([api.value(0), api.value(1)]);
    const [, high] = api.coord([api.value(0), api.value(2)]);
    return rectangle(x - 2, Math.min(low, high), 4, Math.max(Math.abs(low - high), 1));
}

function drawCountDeviations(view, box) {
    const claims = verdictsOn(view).filter((v) => v.value !== undefined && v.whole);
    const many = claims.filter((v) => v.low + v.high > 0);
    const none = claims.filter((v) => v.low + v.high <= 0);
    if (!claims.length)
        return false;
    box.append(element("h3", {}, "Counts of events: how far from the middle of what is expected"));
    if (many.length)
        addChart(box, "counts-expected", 320, {
            grid: { left: 60, right: 24, top: 28, bottom: 40 },
            xAxis: { type: "log", name: "expected count", nameLocation: "middle", nameGap: 26 },
            yAxis: { type: "value", name: "percent" },
            tooltip: { confine: true, formatter: ({ dataIndex: i }) => tellClaim(many[i]) },
            series: [
                { type: "custom", name: "expected", renderItem: whisker, encode: { x: 0, y: [1, 2] },
                    data: many.map((v) => [(v.low + v.high) / 2, deviation(v, v.low), deviation(v, v.high)]) },
                { type: "scatter", name: "measured", symbolSize: 7,
                    data: many.map((v) => point(v, (v.low + v.high) / 2, deviation(v, v.value))) },
            ],
        }, "counts expected and measured", many.length);
    const off = none.filter((v) => v.value !== 0);
    box.append(element("p", {},
        `${none.length} further claims expect 0: ${none.length - off.length} of them counted 0.`));
    if (off.length)
        box.append(tableOf(["core", "kernel", "claim"], off.map((v) => [v.core, v.kernel, claimText(v)])));
    return true;
}

function drawExpected(view, box) {
    const shares = drawShares(view, box);
    return drawCountDeviations(view, box) || shares;
}
