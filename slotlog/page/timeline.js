/* Timelines: what each cycle of a kernel counts, and Topdown from interval to interval. */

/* The records of a type of the chosen core, for one of the kernels that have them: the chosen one, else the first. */
function recordsOfKernel(view, records) {
    const own = records.filter((record) => record.core === view.core);
    const kernels = [...new Set(own.map((record) => record.kernel))];
    const kernel = kernels.includes(view.kernel) ? view.kernel : kernels[0];
    return { kernels, kernel, records: own.filter((record) => record.kernel === kernel) };
}

function kernelChoice(view, { kernels, kernel }) {
    return choice("kernel", kernels, kernel, (name) => name, (name) => view.chooseKernel(name));
}

/* --- cycle by cycle --- */

/* An event's records as one: {event, counts: Map cycle -> count or null, apart: Map cycle -> by how much, few: Map
 * cycle -> of how many windows, where not of all, first} or {event, missing}. */
function timelineOf(event, parts) {
    const whole = { event, counts: new Map(), apart: new Map(), few: new Map(), first: parts[0],
                    cycles: parts[0].cycles };
    if (parts[0].missing !== null)
        return { event, missing: parts[0].missing };
    for (const part of parts) {
        part.counts.forEach((count, i) => whole.counts.set(part.from + i, count));
        part.apart_in.forEach((cycle, i) => whole.apart.set(cycle, part.apart_by[i]));
        (part.few_in || []).forEach((cycle, i) => whole.few.set(cycle, part.few_of[i]));
    }
    whole.cycles = Math.max(...whole.counts.keys()) + 1;
    return whole;
}

function timelinesOf(records) {
    const events = [...new Set(records.map(({ event }) => event))];
    return events.map((event) => timelineOf(event, records.filter((record) => record.event === event)));
}

function countAt(line, cycle) {
    const count = line.counts.get(cycle);
    return count === undefined ? null : count;
}

function highest(line) {
    return Math.max(1, ...[...line.counts.values()].map((count) => count || 0));
}

function tellCycle(timelines, cycle) {
    return lines([`cycle ${cycle}`, ...timelines.map((line) => {
        const count = countAt(line, cycle);
        const apart = line.apart.has(cycle) ? `; repeats differ by ${line.apart.get(cycle)}` : "";
        const few = line.few.has(cycle) ? `; windows: ${line.few.get(cycle)} of ${line.first.repeats}` : "";
        return `${line.event}: ${count === null ? "missing: no window ended there" : count}${apart}${few}`;
    })]);
}

/* The counts, and hatched the cycles without one. */
function timelineSeries(line, row, cycles) {
    const top = highest(line), common = { type: "bar", xAxisIndex: row, yAxisIndex: row, barCategoryGap: 0, barGap: "-100%" };
    return [
        { ...common, name: line.event, itemStyle: { color: markColour() }, data: cycles.map((cycle) => {
            const count = countAt(line, cycle);
            return line.apart.has(cycle) ? { value: count, itemStyle: { color: APART } } : count;
        }) },
        { ...common, name: `${line.event} missing`, itemStyle: hatched(), silent: true,
            data: cycles.map((cycle) => countAt(line, cycle) === null ? top : null) },
    ];
}

const APART = "#e69f00"; /* cycles whose repeats disagree */
const STRIP = 42; /* pixels of an event's strip */

function timelineAxes(timelines, cycles) {
    const last = timelines.length - 1;
    return {
        grid: timelines.map((line, row) => ({ left: 260, right: 24, top: 10 + row * STRIP, height: STRIP - 14 })),
        xAxis: timelines.map((line, row) => ({ type: "category", gridIndex: row, data: cycles, axisTick: { show: false },
            axisLabel: { show: row === last }, ...(row === last ? axisName("cycle", 26) : {}) })),
        yAxis: timelines.map((line, row) => ({ type: "value", gridIndex: row, min: Math.min(0, ...line.counts.values()),
            max: highest(line), interval: highest(line), axisLabel: { fontSize: 10 }, splitLine: { show: false },
            name: line.event, nameLocation: "middle", nameRotate: 0, nameGap: 24,
            nameTextStyle: { align: "right", fontSize: 11, color: axisColour() } })),
    };
}

function drawCycles(box, kernel, timelines) {
    const cycles = Array.from({ length: Math.max(...timelines.map((line) => line.cycles)) }, (none, i) => i);
    addChart(box, "timeline", 76 + timelines.length * STRIP, {
        ...timelineAxes(timelines, cycles),
        axisPointer: { link: [{ xAxisIndex: "all" }] },
        dataZoom: [{ type: "slider", xAxisIndex: timelines.map((line, row) => row), height: 18, bottom: 4, brushSelect: false,
            showDataShadow: false }],
        tooltip: { trigger: "axis", confine: true, axisPointer: { type: "line" },
            formatter: ([{ axisValue }]) => tellCycle(timelines, Number(axisValue)) },
        series: timelines.flatMap((line, row) => timelineSeries(line, row, cycles)),
    }, `events in each cycle of ${kernel}`, cycles.length * timelines.length);
}

function drawTimeline(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "timeline"));
    const timelines = timelinesOf(own.records);
    const known = timelines.filter((line) => !line.missing);
    if (!timelines.length)
        return false;
    const cut = known.some(({ first }) => !first.whole) ? "; it goes on, the timeline does not" : "";
    const [first] = known;
    box.append(kernelChoice(view, own), element("h3", {}, `${own.kernel} on core ${view.core}` +
        (first ? `, ${first.first.iterations} iterations${cut}` : "")));
    if (known.length)
        drawCycles(box, own.kernel, known);
    if (known.some(({ apart }) => apart.size))
        box.append(element("p", {}, "Orange: the repeats of that cycle disagree."));
    for (const { event, missing } of timelines.filter((line) => line.missing))
        box.append(element("p", { class: "missing" }, `${event} missing: ${missing}`));
    return true;
}

/* --- interval by interval --- */

/* The intervals of a measurement: {from, us, nodes: Map}, in the log's order; parts put together. */
function intervalsOf(records) {
    const intervals = new Map();
    for (const record of records) {
        if (!intervals.has(record.interval))
            intervals.set(record.interval, { name: `interval ${record.interval}`, from: record.from_us, us: record.us, nodes: new Map() });
        addValues(intervals.get(record.interval).nodes, record.nodes);
    }
    return [...intervals.values()];
}

function intervalSeries(list, name) {
    return { type: "bar", stack: "slots", name, barCategoryGap: "8%", itemStyle: { color: COLOURS[name] },
        data: list.map((at) => { const value = at.nodes.get(name); return value ? value.value : null; }) };
}

function drawIntervals(box, name, list) {
    addChart(box, "intervals", 300, {
        legend: { top: 4 },
        grid: { left: 64, right: 24, top: 40, bottom: 44 },
        xAxis: { type: "category", data: list.map(({ from }) => (from / 1000).toFixed(2)), ...axisName("begin of the interval, ms", 28) },
        yAxis: { type: "value", ...axisName("share of the slots", 40),
            min: ({ min }) => Math.min(0, min), max: ({ max }) => Math.max(1, max) },
        tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, confine: true, formatter: ([{ dataIndex: i }]) =>
            lines([`${list[i].name}, ${list[i].us} us`, ...LEVEL_1.map((node) => nodeLine(list[i], node))]) },
        series: [...LEVEL_1.map((node) => intervalSeries(list, node)),
            { type: "bar", stack: "slots", name: "missing", itemStyle: hatched(), data: list.map(unknownShare) }],
    }, `level 1 of ${name} by interval`, list.length * LEVEL_1.length);
}

function driftRows(records) {
    return records.flatMap((record) => Object.entries(record.nodes)).map(([name, { min, max, drift }]) =>
        [name, ...[min, max, drift].map((x) => ({ text: x === null ? "missing" : x.toFixed(4), class: "n" }))]);
}

function drawDrift(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "topdown").filter(({ interval }) => interval !== undefined));
    const names = [...new Set(own.records.map(measurementName))];
    const name = names.includes(view.measurement) ? view.measurement : names[0];
    const list = intervalsOf(own.records.filter((record) => measurementName(record) === name));
    const drifts = ofType(view.model, "drift").filter((record) => record.core === view.core && measurementName(record) === name);
    if (!list.some(({ nodes }) => nodes.size))
        return false;
    box.append(kernelChoice(view, own), element("h3", {}, `${name} on core ${view.core}`),
        choice("measured", names, name, (one) => one, (one) => { view.measurement = one; view.redraw("drift"); }));
    if (list.some(({ nodes }) => LEVEL_1.some((node) => nodes.has(node))))
        drawIntervals(box, name, list);
    if (drifts.length)
        box.append(element("div", { class: "scroll" }, tableOf(["node", "least", "most",
            "mean of the second half less mean of the first"], driftRows(drifts), "drifts")));
    return true;
}
