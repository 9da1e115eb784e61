/* CPI along the code, by every method that the log has: figure 2 of the patent that doc/sampling.md is about. */

const LEVELS = ["instruction", "block", "function"];
const MANY_INSTRUCTIONS = 400; /* of a kernel with more of them blocks are shown first, in cpi.js, too */
const MANY_MARKS = 150; /* more entries, of all methods, are in strips, a method each */
const METHOD_STRIP = 88, METHOD_CHART = 300, MISSING_LANE = 14; /* pixels: of a strip, a chart of all methods, the hatch in it */
const METHOD_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8d6bd6", "#808890"];
const METHOD_COLOURS_ON_DARK = ["#3d9be0", "#f0803c", "#1fc796", "#e08fb9", "#f0b43c", "#8fd6ff", "#ab8cf0", "#a3adba"];

/* Methods have their colours by the order in which the log names them: the same in each kernel. */
function methodColours(model) {
    const names = new Set(ofType(model, "cpi").filter(({ level }) => level).map(({ method }) => method));
    const colours = isDark() ? METHOD_COLOURS_ON_DARK : METHOD_COLOURS;
    return new Map([...names].map((name, i) => [name, colours[i % colours.length]]));
}

/* What the records of a kernel say at one level, a method each: {name, colour, entries: Map offset -> entry, resteered:
 * the record that says it, if any}. */
function methodsAlong(view, records, level) {
    const colours = methodColours(view.model);
    return [...new Set(records.map(({ method }) => method))].map((name) => {
        const own = records.filter((record) => record.method === name && record.level === level);
        return { name, colour: colours.get(name), resteered: own.find((record) => record.resteered !== undefined),
            entries: new Map(entriesOf(own, name, level).map((entry) => [entry.offset, entry])) };
    });
}

/* The instructions, blocks or functions that any method has, in the order of their addresses. */
function placesAlong(methods) {
    const places = new Map(methods.flatMap(({ entries }) => [...entries]));
    return [...places.values()].sort((a, b) => a.offset - b.offset);
}

/* Why a method has no number for a place; "": it has one. */
function whyMissing(method, { offset }) {
    const entry = method.entries.get(offset);
    if (!entry)
        return "the log has no entry of this method here";
    return entry.cpi ? "" : entry.why || "the log does not say why";
}

function placeName({ offset, label }) {
    return label === undefined ? `+0x${offset.toString(16)}` : label;
}

function tellPlace({ level, shown, code }, place) {
    const [, text = ""] = code.get(place.offset) || [];
    const length = place.length === undefined ? "" : `, ${place.length} ${place.length === 1 ? "instruction" : "instructions"}`;
    const at = place.label === undefined ? "" : ` at +0x${place.offset.toString(16)}`;
    return lines([`${level} ${placeName(place)} ${text}${at}${length}`, ...shown.map((method) => {
        const why = whyMissing(method, place);
        if (why)
            return `${method.name} missing: ${why}`;
        const [cpi, low, high] = method.entries.get(place.offset).cpi;
        return `${method.name}: ${cpi.toFixed(2)}, 95 %: ${low.toFixed(2)} to ${high.toFixed(2)}`;
    })]);
}

/* --- the chart --- */

/* The part of a place's width that is a method's: all of it in a strip, else beside those of the other methods. */
function slotOf(api, i, part, parts) {
    const whole = 0.9 * api.size([1, 0])[0];
    const width = whole / parts;
    return { x: api.coord([i, 0])[0] - whole / 2 + part * width, width: Math.max(width - (width > 4 ? 1 : 0), 1) };
}

/* The estimate as a line, on a box from end to end of its interval. */
function estimateMark(colour, part, parts) {
    return (params, api) => {
        const slot = slotOf(api, api.value(0), part, parts);
        const [y, low, high] = [1, 2, 3].map((member) => api.coord([api.value(0), api.value(member)])[1]);
        return { type: "group", children: [
            { type: "rect", shape: { ...slot, y: high, height: Math.max(low - high, 1) }, style: { fill: colour, opacity: 0.35 } },
            { type: "rect", shape: { ...slot, y: y - 1, height: 2 }, style: { fill: colour } },
        ] };
    };
}

/* From the top to the bottom of a strip; beside other methods at the top alone, else it is all that one sees. */
function missingMark(part, parts) {
    const look = hatched();
    return ({ coordSys: { y, height } }, api) => ({ type: "rect", style: { fill: look.color },
        shape: { ...slotOf(api, api.value(0), part, parts), y, height: parts > 1 ? MISSING_LANE : height } });
}

function alongSeries(method, places, { part, parts, row }) {
    const common = { type: "custom", clip: true, xAxisIndex: row, yAxisIndex: row };
    const numbered = places.map((place, i) => [i, place]);
    return [
        { ...common, name: method.name, encode: { x: 0, y: 1 }, renderItem: estimateMark(method.colour, part, parts),
            data: numbered.filter(([, place]) => !whyMissing(method, place))
                .map(([i, { offset }]) => [i, ...method.entries.get(offset).cpi]) },
        { ...common, name: `${method.name} missing`, encode: { x: 0 }, renderItem: missingMark(part, parts), z: 1,
            data: numbered.filter(([, place]) => whyMissing(method, place)).map(([i]) => [i]) },
    ];
}

function cpisOf(shown) {
    return shown.flatMap(({ entries }) => [...entries.values()].map(({ cpi }) => cpi).filter((cpi) => cpi));
}

/* The end of the axis: above all estimates, and above the intervals that do not reach far beyond them. */
function topOf(shown) {
    const cpis = cpisOf(shown), far = 1.5 * Math.max(0, ...cpis.map(([cpi]) => cpi));
    const high = Math.max(0, ...cpis.map(([, , end]) => end)), top = far > 0 ? Math.min(far, high) : high;
    const unit = top > 0 ? 10 ** Math.floor(Math.log10(top)) / 2 : 1;
    return Math.max(1, Math.ceil(top / unit)) * unit;
}

function leastOf(shown) {
    return Math.min(0, ...cpisOf(shown).map(([, low]) => low));
}

/* Of `rows` each is the method of a strip; the one row of all methods together is null. */
function alongAxes({ places, level, shown }, rows, height) {
    const last = rows.length - 1, range = { min: leastOf(shown), max: topOf(shown) };
    const ticks = rows[0] ? { interval: range.max / 2 } : {};
    return {
        grid: rows.map((of, row) => ({ left: 56, right: 16, top: 24 + row * height, height: height - 24 })),
        xAxis: rows.map((of, row) => ({ type: "category", gridIndex: row, data: places.map(placeName), axisTick: { show: false },
            splitLine: { show: !of }, axisLabel: { show: row === last, fontSize: 10, width: 90, overflow: "truncate" },
            ...(row === last ? axisName(`${level}s, in the order of their addresses`, 26) : {}) })),
        yAxis: rows.map((of, row) => ({ type: "value", gridIndex: row, ...range, ...ticks,
            axisLabel: { fontSize: 10, formatter: (x) => String(Number(x.toPrecision(4))) },
            name: of ? of.name : "cycles per instruction", nameGap: 8,
            nameTextStyle: { align: "left", padding: [0, 0, 0, -40], fontSize: 12, color: axisColour() } })),
    };
}

function drawAlong(box, along, inStrips) {
    const { kernel, places, shown } = along;
    const rows = inStrips ? shown : [null], height = inStrips ? METHOD_STRIP : METHOD_CHART;
    const slots = shown.map((method, i) => inStrips ? { part: 0, parts: 1, row: i } : { part: i, parts: shown.length, row: 0 });
    addChart(box, "along-chart", rows.length * height + 72, {
        ...alongAxes(along, rows, height),
        axisPointer: { link: [{ xAxisIndex: "all" }] },
        dataZoom: [{ type: "slider", xAxisIndex: rows.map((of, row) => row), height: 18, bottom: 4, brushSelect: false,
            showDataShadow: false }],
        tooltip: { trigger: "axis", confine: true, axisPointer: { type: "shadow" },
            formatter: ([{ value: [i] }]) => tellPlace(along, places[i]) },
        series: shown.flatMap((method, i) => alongSeries(method, places, slots[i])),
    }, `cycles per instruction along ${kernel}; its numbers can be shown as a table`, places.length * shown.length);
}

/* --- in words --- */

function numberRow({ shown, code }, place) {
    const { offset, label } = place;
    return element("tr", {}, element("td", { class: "code" }, `+0x${offset.toString(16)}`),
        element("td", { class: "code" }, label === undefined ? (code.get(offset) || ["", ""])[1] : label),
        ...shown.map((method) => {
            const why = whyMissing(method, place);
            return estimateCell(why ? null : method.entries.get(offset).cpi, 2, why);
        }));
}

function numbersAlong(along) {
    const heads = ["offset", along.level, ...along.shown.map(({ name }) => `CPI by ${name}, 95 %`)];
    return element("table", { id: "along-numbers" },
        element("thead", {}, element("tr", {}, ...heads.map((text, i) =>
            element("th", { scope: "col", class: i > 1 ? "n" : "" }, text)))),
        element("tbody", {}, ...along.places.map((place) => numberRow(along, place))));
}

/* How many places have no number, by reason. */
function missingText(method, places) {
    const counts = new Map();
    for (const why of places.map((place) => whyMissing(method, place)).filter((text) => text))
        counts.set(why, (counts.get(why) || 0) + 1);
    return [...counts].map(([why, count]) => `${count}: ${why}`).join("; ");
}

function resteeredCell({ resteered: record }) {
    if (!record)
        return "";
    return record.resteered === null ? { text: `missing: ${record.why || "the log does not say why"}`, class: "missing" } :
        record.why ? { text: `${(100 * record.resteered).toFixed(2)} % of the cycles; ${record.why}`, class: "missing" } :
            { text: `${(100 * record.resteered).toFixed(2)} % of the cycles`, class: "n" };
}

function methodTable({ methods, places }) {
    const anyResteered = methods.some(({ resteered }) => resteered);
    const numbered = (method) => places.filter((place) => !whyMissing(method, place)).length;
    return tableOf(["method", `with a number, of ${places.length}`, "missing",
        ...anyResteered ? ["resteered: to mispredicted branches"] : []],
    methods.map((method) => [{ text: method.name, class: "name" }, numbered(method), missingText(method, places),
        ...anyResteered ? [resteeredCell(method)] : []]), "along-methods");
}

/* A button for each method, pressed while it is shown. */
function methodSwitches(view, methods) {
    const flip = (name) => {
        if (!view.methodsOff.delete(name))
            view.methodsOff.add(name);
        view.redraw("along");
    };
    return element("p", { class: "choice", role: "group", "aria-label": "methods" }, "methods: ", ...methods.map(({ name, colour }) =>
        element("button", { type: "button", "data-key": `methods ${name}`, "aria-pressed": String(!view.methodsOff.has(name)),
            onclick: () => flip(name) }, element("i", { style: `background:${colour}` }), name)));
}

function levelAlong(view, records, levels) {
    if (levels.includes(view.alongLevel))
        return view.alongLevel;
    const [finest, next = finest] = levels;
    return placesAlong(methodsAlong(view, records, finest)).length > MANY_INSTRUCTIONS ? next : finest;
}

/* What the section shows of a kernel's records: {kernel, levels, level, methods, shown: of these, places, code}. */
function alongOf(view, { kernel, records }) {
    const levels = LEVELS.filter((level) => records.some((record) => record.level === level));
    const level = levelAlong(view, records, levels), methods = methodsAlong(view, records, level), places = placesAlong(methods);
    return { kernel, levels, level, methods, places, code: codeFor(view, kernel, level === "instruction" ? places : []),
        shown: methods.filter(({ name, entries }) => entries.size && !view.methodsOff.has(name)) };
}

function drawAlongCode(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "cpi").filter(({ level }) => LEVELS.includes(level)));
    if (!own.records.length)
        return false;
    view.methodsOff = view.methodsOff || new Set();
    const along = alongOf(view, own), { kernel, levels, level, methods, places, shown } = along;
    const form = view.alongForm || (places.length * shown.length > MANY_MARKS ? "strips" : "one chart");
    const choose = (member) => (chosen) => { view[member] = chosen; view.redraw("along"); };
    box.append(kernelChoice(view, own), element("h3", {}, `${kernel} on core ${view.core}: cycles per instruction of each ${level}`),
        choice("parts", levels, level, (name) => `${name}s`, choose("alongLevel")), methodSwitches(view, methods),
        choice("as", ["one chart", "strips", "table"], form, (name) => name, choose("alongForm")));
    if (!shown.length)
        box.append(element("p", {}, `No method is chosen that has numbers of ${level}s.`));
    else if (form === "table")
        box.append(element("div", { class: "scroll" }, numbersAlong(along)));
    else
        drawAlong(box, along, form === "strips");
    box.append(methodTable(along));
    return true;
}
