/* Precision curves: bytes of PERF_METRICS at two points of a run, by how long the reset is past. */

const BEFORES = { "chain": ["#d55e00", "diamond", "other code since the reset"],
    "kernel": ["#0072b2", "circle", "the same code since the reset"],
    "samples": ["#cc79a7", "rect", "samples since the reset"],
    "reset": ["#009e73", "triangle", "a reset right before the region"] };

function beforeOf({ before, reset }) {
    return reset ? "reset" : before;
}

/* Byte `field` in slots. */
function byteSlots(metrics, slots, field) {
    return Number(BigInt(metrics) >> BigInt(8 * field) & 255n) / 255 * Number(BigInt(slots));
}

/* The error of each byte in each window: [slots before over those of the region, error]. A description names the bytes
 * in their order. */
function precisionErrors({ bytes, readings, length }) {
    return readings.flatMap(([slotsBefore, metricsBefore, slots, metrics]) => {
        const region = Number(BigInt(slots) - BigInt(slotsBefore));
        const ratio = Number(BigInt(slotsBefore)) / region;
        return Object.entries(bytes).map(([name, { share }], field) => ({ name, value: [Math.max(ratio, length), Math.abs(
            (byteSlots(metrics, slots, field) - byteSlots(metricsBefore, slotsBefore, field)) / region - share)] }));
    }).filter(({ value: [, error] }) => error > 0);
}

function precisionSeries(of, records) {
    const [colour, symbol, name] = BEFORES[of];
    return { type: "scatter", name, symbol, symbolSize: 6, itemStyle: { color: colour, opacity: 0.6 },
        data: records.filter((record) => beforeOf(record) === of && record.length).flatMap(precisionErrors) };
}

/* What a step of a byte comes to, at either reading: (2 ratio + 1) / 255. */
function stepSeries() {
    return { type: "line", name: "a step of a byte", symbol: "none", lineStyle: { type: "dashed" },
        itemStyle: { color: markColour() }, data: [1, 2, 4, 8, 16, 32, 64, 128, 254].map((ratio) => [ratio, (2 * ratio + 1) / 255]) };
}

function precisionRow({ before, length, reset, ratio, bound, sum, bytes }) {
    const digits = (x, n) => ({ text: x.toFixed(n), class: "n" });
    const [worst, { error }] = Object.entries(bytes)
        .reduce((a, b) => Math.abs(b[1].error) > Math.abs(a[1].error) ? b : a);
    return [{ text: before, class: "name" }, length, reset ? "yes" : "no", digits(ratio[0], 1), digits(ratio[1], 1),
        digits(bound, 4), digits(error, 4), { text: worst, class: "name" }, `${sum[0]} to ${sum[1]}`];
}

function drawPrecision(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "precision"));
    if (!own.records.length)
        return false;
    const chart = element("div"), table = element("div", { class: "scroll" });
    box.append(kernelChoice(view, own), element("h3", {}, `${own.kernel} on core ${view.core}`), chart, table);
    addChart(chart, "precision-chart", 330, {
        legend: { top: 4 },
        grid: { left: 76, right: 24, top: 56, bottom: 46 },
        xAxis: { type: "log", logBase: 4, min: 1, max: 256, ...axisName("length of what ran before, in regions", 28) },
        yAxis: { type: "log", min: 0.0001, ...axisName("error, fraction of the region's slots", 54) },
        tooltip: { confine: true, formatter: ({ seriesName, name, value: [ratio, error] }) =>
            lines([seriesName, `${name} after ${ratio.toFixed(1)} regions: ${error.toFixed(4)}`]) },
        series: [...Object.keys(BEFORES).map((of) => precisionSeries(of, own.records)), stepSeries()],
    }, `error of bytes of PERF_METRICS, ${own.kernel}`);
    table.append(tableOf(["before", "regions, at least", "reset", "ratio, least", "most", "a step", "largest error", "of",
        "sum of level 1"], own.records.map(precisionRow), "precisions"));
    return true;
}
