/* Topdown: level 1 of all kernels, and the tree of the chosen one. */

/* The part of a bar that no number is known of. */
function unknownShare(at) {
    const known = LEVEL_1.map((name) => at.nodes.get(name)).filter((value) => value && value.value !== null);
    if (known.length === LEVEL_1.length)
        return null;
    return Math.max(0, 1 - known.reduce((sum, value) => sum + value.value, 0));
}

function nodeLine(at, name) {
    const value = at.nodes.get(name);
    if (!value)
        return `${name}: missing: the log does not have it`;
    if (value.value === null)
        return `${name}: missing: ${value.reason}`;
    const range = value.low !== value.high ? ` (${value.low} to ${value.high} over the repeats)` : "";
    return `${name}: ${value.value.toFixed(3)}${range}`;
}

function levelOneSeries(list, name) {
    return { type: "bar", stack: "slots", name, barWidth: "75%", itemStyle: { color: COLOURS[name] },
        data: list.map((at) => { const value = at.nodes.get(name); return value ? value.value : null; }) };
}

function tellLevelOne(at) {
    return lines([at.name, ...LEVEL_1.map((name) => nodeLine(at, name))]);
}

function drawLevelOne(view, box) {
    const list = measurementsOf(view.model, view.core).filter((at) => at.nodes.size);
    if (!list.length)
        return false;
    const wide = element("div", { class: "scroll" });
    box.append(wide);
    const chart = addChart(wide, "level-1", 60 + list.length * ROW, {
        legend: { top: 4 },
        grid: { left: 240, right: 24, top: 48, bottom: 8 },
        xAxis: { type: "value", position: "top",
            min: ({ min }) => Math.min(0, min), max: ({ max }) => Math.max(1, max) },
        yAxis: rowAxis(list.map((at) => at.name + (at.trusted ? "" : " (untrusted)")), 230),
        tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, confine: true,
            formatter: ([{ dataIndex: i }]) => tellLevelOne(list[i]) },
        series: [...LEVEL_1.map((name) => levelOneSeries(list, name)),
            { type: "bar", stack: "slots", name: "missing", itemStyle: hatched(), data: list.map(unknownShare) }],
    }, "level 1 of the Topdown tree by kernel");
    chart.on("click", ({ dataIndex: i }) => view.chooseKernel(list[i].kernel));
    return true;
}
