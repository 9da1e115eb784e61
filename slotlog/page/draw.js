/* Elements and charts. */

const COLOURS = {
    tma_frontend_bound: "#0072b2", tma_bad_speculation: "#d55e00", tma_backend_bound: "#e69f00",
    tma_retiring: "#009e73",
};
const STATES = { "ok": "#2a9d6f", "not ok": "#c8202f", "skipped": "#9aa3ad" };
const ROW = 20; /* pixels of a row of a chart */
const charts = new Set();

function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
        if (name.startsWith("on"))
            made.addEventListener(name.slice(2), value);
        else
            made.setAttribute(name, value);
    made.append(...children);
    return made;
}

/* HTML in tooltips: ECharts takes a text for that. */
function escaped(text) {
    return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
function lines(list) {
    return list.map(escaped).join("<br>");
}

function isDark() {
    return matchMedia("(prefers-color-scheme: dark)").matches && !document.body.dataset.printing;
}

function axisColour() {
    return isDark() ? "#a3adba" : "#5b6675";
}
function markColour() {
    return isDark() ? "#7fb8f5" : "#0b5cad";
}

function surfaceColour() {
    return isDark() ? "#14181e" : "#ffffff";
}

/* Where a number is missing in a chart of dots. */
const CROSS = "path://M0,0 L10,10 M0,10 L10,0";

/* The name of an axis in its middle, so many pixels from it. */
function axisName(name, gap) {
    return { name, nameLocation: "middle", nameGap: gap, nameTextStyle: { color: axisColour() } };
}

/* What a missing number looks like: hatched. Not a decal, which some charts do not draw. */
function hatched() {
    const image = document.createElement("canvas");
    const line = isDark() ? "#77818d" : "#9aa3ad";
    image.width = image.height = 8;
    const paint = image.getContext("2d");
    paint.fillStyle = isDark() ? "#2a313b" : "#eef0f3";
    paint.fillRect(0, 0, 8, 8);
    paint.strokeStyle = line;
    for (const at of [-8, 0, 8]) {
        paint.moveTo(at, 8);
        paint.lineTo(at + 8, 0);
    }
    paint.stroke();
    return { color: { image, repeat: "repeat" }, borderColor: line };
}

/* `name` is for those who do not see the chart; `points` says roughly how many it has: many are drawn as one
 * picture. */
function addChart(box, id, height, option, name, points = 0) {
    const place = element("div", { id, class: "chart", style: `height:${height}px`, role: "img", "aria-label": name });
    box.append(place);
    const chart = echarts.init(place, isDark() ? "dark" : null, { renderer: points > 1500 ? "canvas" : "svg" });
    chart.setOption({ backgroundColor: "transparent", animation: false, aria: { enabled: false }, ...option });
    charts.add(chart);
    return chart;
}

function dropCharts(box) {
    for (const chart of charts)
        if (chart.isDisposed() || box.contains(chart.getDom())) {
            if (!chart.isDisposed())
                chart.dispose();
            charts.delete(chart);
        }
}

/* Rows of cells: a text, a number (right), an element, or {text, class}. */
function cellOf(cell) {
    if (cell instanceof Node)
        return element("td", {}, cell);
    if (typeof cell === "number")
        return element("td", { class: "n" }, String(cell));
    if (cell && typeof cell === "object")
        return element("td", { class: cell.class }, cell.text);
    return element("td", {}, cell === null || cell === undefined ? "" : String(cell));
}
/* A column is one of numbers where one of its cells is. */
function headOf(text, column, rows) {
    const isNumber = (cell) => typeof cell === "number" || (cell && cell.class === "n");
    return element("th", { scope: "col", class: rows.some((row) => isNumber(row[column])) ? "n" : "" }, text);
}
function tableOf(heads, rows, id = "") {
    const head = element("tr", {}, ...heads.map((text, column) => headOf(text, column, rows)));
    const body = rows.map((row) => element("tr", {}, ...row.map(cellOf)));
    return element("table", id ? { id } : {}, element("thead", {}, head), element("tbody", {}, ...body));
}

/* Rows of a chart, the first at the top, with their names on the left. */
function rowAxis(names, width) {
    return { type: "category", data: names, inverse: true, axisTick: { show: false },
        axisLabel: { fontSize: 11, width, overflow: "truncate", interval: 0 } };
}

/* Buttons to choose one of `list` by; nothing where there is no choice. */
function choice(what, list, chosen, nameOf, act) {
    if (list.length < 2)
        return "";
    return element("p", { class: "choice", role: "group", "aria-label": what }, `${what}: `, ...list.map((one) =>
        element("button", { type: "button", "data-key": `${what} ${nameOf(one)}`, "aria-pressed": String(one === chosen),
            onclick: () => act(one) }, nameOf(one))));
}

/* Rows of a chart without a number, hatched from end to end: `list` has {name} of `rows`. */
function missingRows(list, rows) {
    const look = hatched();
    return { type: "custom", name: "missing", clip: true, encode: { y: 0 },
        renderItem: ({ coordSys: { x, width } }, api) => ({ type: "rect",
            shape: { x, y: api.coord([0, api.value(0)])[1] - 6, width, height: 12 },
            style: { fill: look.color, stroke: look.borderColor, lineWidth: 0.5 } }),
        data: [...new Map(list.map((at) => [at.name, { value: [rows.indexOf(at.name)], at }])).values()] };
}
