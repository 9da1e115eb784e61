/* Branch records: the edges of a kernel as arcs, and the last branches. */

const CODE_LIMIT = 4096; /* bytes: no kernel is longer, so what lies beyond is not the kernel */

function offsetIn(record, address) {
    const offset = Number(BigInt(address) - BigInt(record.code));
    return offset >= 0 && offset < CODE_LIMIT ? offset : null;
}

function offsetText(record, address) {
    const offset = offsetIn(record, address);
    return offset === null ? `${address}, outside` : `code+0x${offset.toString(16)}`;
}

/* The edges of all parts of one recording: {from, to: offsets, null outside; edge, record}. */
function edgesOf(records) {
    return records.flatMap((record) => record.edges.map((edge) =>
        ({ from: offsetIn(record, edge.from), to: offsetIn(record, edge.to), edge, record })));
}

function edgeColour({ mispredict_ratio: ratio }) {
    return ratio === null ? axisColour() : mixed("#0072b2", "#c8202f", ratio);
}

function tellEdge({ edge, record }) {
    const missed = edge.mispredicted === null ? "mispredicted missing: these records do not say" :
        `${edge.mispredicted} mispredicted`;
    return lines([`${offsetText(record, edge.from)} to ${offsetText(record, edge.to)}${edge.type ? `, ${edge.type}` : ""}`,
        `${edge.count} records, ${missed}`,
        edge.cycles === null ? "cycles missing" : `${edge.cycles.toFixed(2)} cycles since the branch before`]);
}

/* An arc from branch to target: forward above, backward below; as wide as it is frequent; a head at the target. */
function arc(edges, most, beyond) {
    return (params, api) => {
        const { edge, from, to } = edges[params.dataIndex];
        const [x1, y] = api.coord([from === null ? beyond : from, 0]);
        const [x2] = api.coord([to === null ? beyond : to, 0]);
        const { height, width } = params.coordSys, up = x2 >= x1 ? -1 : 1;
        const rise = up * Math.min(height / 2 - 12, 14 + Math.abs(x2 - x1) / width * height);
        const style = { stroke: edgeColour(edge), lineWidth: 1 + 6 * edge.count / most, fill: "none", opacity: 0.85 };
        const start = y + 3 * up, end = y + 10 * up;
        return { type: "group", children: [
            { type: "bezierCurve", style, shape: { x1, y1: start, x2, y2: end, cpx1: x1, cpy1: y + 4 / 3 * rise,
                cpx2: x2, cpy2: y + 4 / 3 * rise } },
            { type: "polygon", style: { fill: edgeColour(edge) }, shape: { points: [[x2, y + 2 * up], [x2 - 5, end], [x2 + 5, end]] } },
        ] };
    };
}

/* Where the code begins, where branches are, and where everything else is. */
function drawArcs(box, id, kernel, edges) {
    const inside = edges.flatMap(({ from, to }) => [from, to]).filter((at) => at !== null);
    const end = Math.max(8, ...inside), beyond = Math.round(end * 1.12) + 2;
    const outside = edges.some(({ from, to }) => from === null || to === null);
    addChart(box, id, 260, {
        grid: { left: 24, right: 40, top: 6, bottom: 44 },
        xAxis: { type: "value", min: 0, max: beyond, splitLine: { show: false }, axisLine: { onZero: false },
            axisLabel: { formatter: (x) => x > end ? "" : `0x${x.toString(16)}` }, interval: Math.max(4, Math.ceil(end / 40) * 4),
            ...axisName("offset in the kernel's code, bytes", 28) },
        yAxis: { type: "value", min: -1, max: 1, show: false },
        tooltip: { confine: true, formatter: ({ dataIndex: i, seriesName }) => seriesName === "edges" ? tellEdge(edges[i]) : "" },
        series: [
            { type: "line", silent: true, symbol: "none", lineStyle: { color: axisColour(), width: 2 }, name: "code",
                data: [[0, 0], [end, 0]], endLabel: { show: false } },
            { type: "custom", name: "edges", renderItem: arc(edges, Math.max(...edges.map(({ edge }) => edge.count)), beyond),
                data: edges.map(({ edge, from, to }) => [from, to, edge.count]), encode: { x: [0, 1] } },
            ...(outside ? [{ type: "scatter", name: "outside", silent: true, symbolSize: 7, itemStyle: { color: axisColour() },
                data: [[beyond, 0]], label: { show: true, position: "bottom", distance: 34, formatter: "outside", fontSize: 11,
                    color: axisColour() } }] : []),
        ],
    }, `branches of ${kernel}: the table below has the same numbers`);
}

function edgeCell(x, digits, why) {
    return x === null ? { text: `missing: ${why}`, class: "missing" } : { text: x.toFixed(digits), class: "n" };
}

/* Few processors record the types of branches: without one there is no column for them. */
function edgeTable(edges, id) {
    const typed = edges.some(({ edge }) => edge.type !== null);
    const silent = "these records do not say";
    const heads = ["branch", "target", ...typed ? ["type"] : [], "records", "mispredicted", "of them", "cycles since the branch before"];
    return tableOf(heads, edges.map(({ edge, record }) => [offsetText(record, edge.from), offsetText(record, edge.to),
        ...typed ? [edge.type === null ? { text: "missing", class: "missing" } : edge.type] : [], edge.count,
        edgeCell(edge.mispredicted, 0, silent), edgeCell(edge.mispredict_ratio, 3, silent),
        edgeCell(edge.cycles, 2, "no record has cycles")]), id);
}

function branchRow(record, entry) {
    return [offsetText(record, entry.from), offsetText(record, entry.to),
        entry.mispredicted === null ? { text: "missing", class: "missing" } : entry.mispredicted ? "mispredicted" : "",
        entry.cycles === null ? { text: "missing", class: "missing" } : entry.cycles];
}

function drawRecording(box, own, recording) {
    const edges = edgesOf(own.records.filter((record) => record.type === "edges" && record.recording === recording));
    const stack = own.records.filter((record) => record.type === "lbr" && record.recording === recording);
    const id = recording === "every branch" ? "edges" : "open-calls";
    box.append(element("h3", {}, `${own.kernel}: ${recording}`));
    if (edges.length) {
        drawArcs(box, `${id}-arcs`, own.kernel, edges);
        box.append(element("div", { class: "scroll" }, edgeTable(edges, id)));
    }
    for (const record of stack)
        box.append(element("details", {}, element("summary", {}, `the last ${record.entries.length} branches, newest first`),
            tableOf(["branch", "target", "", "cycles since the one before"], record.entries.map((entry) => branchRow(record, entry)),
                `${id}-last`)));
}

function drawBranches(view, box) {
    const own = recordsOfKernel(view, [...ofType(view.model, "edges"), ...ofType(view.model, "lbr")]);
    if (!own.records.length)
        return false;
    box.append(kernelChoice(view, own));
    for (const recording of new Set(own.records.map((record) => record.recording)))
        drawRecording(box, own, recording);
    return true;
}
