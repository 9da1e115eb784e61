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
function tableOf(heads, rows) {
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    const body = rows.map((row) => element("tr", {}, ...row.map(cellOf)));
    return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

/* A value of the model as a cell. */
function valueCell(at, digits) {
    if (!at)
        return { text: "missing: the log does not have it", class: "missing" };
    if (at.value === null)
        return { text: `missing: ${at.reason}`, class: "missing" };
    return { text: at.value.toFixed(digits), class: "n" };
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
