/* Skid and overhead: how late samples are, and what they cost. */

function methodName({ method, delivery }) {
    return delivery ? `${method} as ${delivery}` : method;
}

function skidText(record) {
    const { instructions: in_, cycles } = record;
    const late = in_ === null ? "missing: no sample is in the loop" :
        `median ${in_.median}, mean ${in_.mean}, ${in_.min} to ${in_.max} instructions`;
    const time = cycles === null ? `cycles missing: ${record.why}` :
        `median ${cycles.median}, ${cycles.min} to ${cycles.max} cycles`;
    const others = [["outside of the loop", record.outside], ["at no instruction", record.broken],
        ["at larger distances", record.rest], ["in a lap that is not known", record.unplaced]]
        .filter(([, count]) => count).map(([where, count]) => `${count} ${where}`);
    return [`${record.samples} samples: ${late}`, time, ...others];
}

function drawSkid(box, record, i) {
    const cell = element("figure", {}, element("figcaption", {}, element("b", {}, methodName(record)), ` ${record.event}`,
        ...skidText(record).flatMap((text) => [element("br"), text])));
    box.append(cell);
    if (!record.histogram.length)
        return;
    const far = Math.max(...record.histogram.map(([distance]) => distance));
    addChart(cell, `skid-${i}`, 190, {
        grid: { left: 56, right: 16, top: 12, bottom: 42 },
        xAxis: { type: "value", min: 0, max: Math.max(20, Math.ceil((far + 1) / 10) * 10), minInterval: 1,
            containShape: false, splitLine: { show: false }, ...axisName("instructions behind the cause", 26) },
        yAxis: { type: "value", minInterval: 1, splitNumber: 3, ...axisName("samples", 40) },
        tooltip: { confine: true, formatter: ({ value: [distance, samples] }) =>
            lines([`${samples} samples ${distance} instructions behind the cause`]) },
        series: [{ type: "bar", name: methodName(record), barWidth: 4, clip: false, itemStyle: { color: markColour() },
            data: record.histogram }],
    }, `distance of samples from the cause, ${methodName(record)}`);
}

function drawSkids(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "skid"));
    if (!own.records.length)
        return false;
    const [{ length, every }] = own.records;
    box.append(kernelChoice(view, own), element("h3", {}, `${own.kernel} on core ${view.core}: a loop of ${length} instructions`));
    if (every)
        box.append(element("p", {}, "Every instruction causes the event; distances are from the one that takes longest."));
    const cells = element("div", { class: "cells" });
    box.append(cells);
    own.records.forEach((record, i) => drawSkid(cells, record, i));
    return true;
}

/* --- what sampling costs --- */

const METHODS = { cycles: ["#0072b2", "circle", "sampled by interrupts"],
    branches: ["#d55e00", "diamond", "with branch records"], pebs: ["#009e73", "triangle", "by PEBS"] };

/* On a logarithmic scale nothing at or below 0 has a place. */
function hasPlace({ slowdown }) {
    return slowdown !== null && slowdown.median > 0;
}

function overheadSeries(method, records) {
    const [colour, symbol, name] = METHODS[method];
    const data = records.filter((record) => record.method === method && hasPlace(record))
        .sort((a, b) => a.period - b.period);
    return [
        { type: "line", name, symbol, symbolSize: 9, itemStyle: { color: colour }, lineStyle: { color: colour, width: 1.5 },
            data: data.map(({ period, slowdown }) => [period, slowdown.median]) },
        { type: "custom", name: `${name}, spread`, silent: true, encode: { x: 0, y: [1, 2] }, renderItem: whisker,
            data: data.filter(({ slowdown }) => slowdown.min > 0 && slowdown.min < slowdown.max)
                .map(({ period, slowdown }) => [period, slowdown.min, slowdown.max]) },
    ];
}

function overheadRow(record) {
    const digits = (x, n) => x === null ? { text: "", class: "n" } : { text: x.toFixed(n), class: "n" };
    const what = record.method === "counting" ? `counting ${record.events} events` : (METHODS[record.method] || [, , record.method])[2];
    const { slowdown } = record;
    return [{ text: what, class: "name" }, record.period === null ? "" : record.period, ...slowdown === null ?
        [{ text: `missing: ${record.why}`, class: "missing" }, "", ""] :
        [digits(slowdown.median, 4), digits(slowdown.min, 4), digits(slowdown.max, 4)],
    digits(record.samples, 1), digits(record.cycles_per_sample, 1)];
}

function drawOverheadChart(box, kernel, records) {
    const drawn = records.filter((record) => METHODS[record.method] && hasPlace(record));
    const left = records.filter((record) => METHODS[record.method] && record.slowdown !== null && !hasPlace(record));
    if (!drawn.length)
        return;
    addChart(box, "overhead-chart", 330, {
        legend: { top: 4, data: Object.values(METHODS).map(([, , name]) => name) },
        grid: { left: 76, right: 24, top: 40, bottom: 46 },
        xAxis: { type: "log", min: ({ min, max }) => min < max ? min : min / 10, max: ({ min, max }) => min < max ? max : max * 10,
            ...axisName("period, core cycles from sample to sample", 28) },
        yAxis: { type: "log", ...axisName("slowdown, percent", 54), axisLabel: { formatter: (x) => String(x) } },
        tooltip: { confine: true, formatter: ({ seriesName, value: [period, percent] }) =>
            lines([`${seriesName}, period ${period}: ${percent.toFixed(4)} %`]) },
        series: Object.keys(METHODS).flatMap((method) => overheadSeries(method, records)),
    }, `slowdown of ${kernel} by period`);
    if (left.length)
        box.append(element("p", {}, `Not above 0, and so in the table alone: ${left.length} of the medians.`));
}

function drawOverhead(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "overhead"));
    if (!own.records.length)
        return false;
    const chart = element("div"), table = element("div", { class: "scroll" });
    box.append(kernelChoice(view, own), element("h3", {}, `${own.kernel} on core ${view.core}`),
        element("div", { class: "side" }, chart, table));
    drawOverheadChart(chart, own.kernel, own.records);
    table.append(tableOf(["", "period, cycles", "slowdown, %: median", "least", "most", "samples of a window",
        "cycles for a sample"], own.records.map(overheadRow), "overheads"));
    return true;
}
