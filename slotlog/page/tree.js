/* The Topdown tree of the chosen kernel: a sunburst, and a table of its nodes. */

/* What the description of the core says of the tree; null where this program does not have it. */
function treeFor(view) {
    const core = ofType(view.model, "core").find((record) => record.core === view.core);
    return core && !core.description_from_stick && view.data.trees[core.description] || null;
}

function parentOf(tree, name) {
    const node = tree && tree.nodes[name];
    return node ? node.parent : null;
}

/* The nodes of a measurement by parent, in the order of the log: Map name or null -> names. A node whose parent was
 * not asked for stands where its parent would. */
function childrenByParent(tree, at) {
    const children = new Map();
    for (const name of at.nodes.keys()) {
        let parent = parentOf(tree, name);
        while (parent && !at.nodes.has(parent))
            parent = parentOf(tree, parent);
        if (!children.has(parent))
            children.set(parent, []);
        children.get(parent).push(name);
    }
    return children;
}

function shortName(name) {
    return name.replace(/^tma_/, "").replace(/_/g, " ");
}

/* Two colours of #rrggbb, the second by `part`. */
function mixed(a, b, part) {
    const channel = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
    return "#" + [0, 1, 2].map((i) => Math.round(channel(a, i) * (1 - part) + channel(b, i) * part)
        .toString(16).padStart(2, "0")).join("");
}

/* --- the sunburst --- */

const SUNBURST = { height: 520, inner: 40, outer: 255, letter: 6.2 }; /* pixels; of a letter on average */

/* Dark letters on a light colour, by its luma. */
function lettersOn(colour) {
    const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
    return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#14181e" : "#ffffff";
}

/* A name along its sector where the sector is long, else across, and only where there is room for all of it. `depth`
 * counts rings from 1, `ring` is the width of each in pixels. */
function sectorLabel(name, value, depth, ring, colour) {
    const along = 2 * Math.PI * value * (SUNBURST.inner + (depth - 0.5) * ring);
    const length = name.length * SUNBURST.letter;
    const lies = length < 0.9 * along && length < 1.8 * (SUNBURST.inner + depth * ring);
    return { show: lies || (length < ring - 6 && along > 13), rotate: lies ? "tangential" : "radial",
        color: lettersOn(colour), fontSize: 11, minAngle: 0 };
}

function depthUnder(children, parent) {
    return Math.max(0, ...(children.get(parent) || []).map((name) => 1 + depthUnder(children, name)));
}

/* What stays the same from sector to sector. */
function sunburstOf(tree, at) {
    const children = childrenByParent(tree, at);
    const rings = depthUnder(children, null);
    return { at, children, ring: (SUNBURST.outer - SUNBURST.inner) / Math.max(1, rings) };
}

function sectorOf(burst, name, value, drawn, depth, hue) {
    const colour = mixed(hue, isDark() ? "#14181e" : "#ffffff", Math.min(0.6, 0.15 * (depth - 1)));
    return { name: shortName(name), node: name, share: burst.at.nodes.get(name).value, value, drawn,
        itemStyle: { color: colour }, label: sectorLabel(shortName(name), value, depth, burst.ring, colour),
        children: sectorsUnder(burst, name, value, depth + 1, hue) };
}

/* Sectors of the nodes under `parent` in a sector of `room`. Shares of siblings may add up to more than their parent:
 * then they are drawn in proportion. What siblings without a value leave open is hatched. */
function sectorsUnder(burst, parent, room, depth, hue) {
    const { nodes } = burst.at;
    const names = (burst.children.get(parent) || []).filter((name) => depth > 1 || LEVEL_1.includes(name));
    const known = names.filter((name) => nodes.get(name).value > 0);
    const missing = names.filter((name) => nodes.get(name).value === null);
    const sum = known.reduce((total, name) => total + nodes.get(name).value, 0);
    const scale = sum > room ? room / sum : 1;
    const sectors = known.map((name) => {
        const value = nodes.get(name).value * scale;
        return sectorOf(burst, name, value, scale < 0.9995 ? value : undefined, depth, hue || COLOURS[name]);
    });
    if (missing.length && room - sum > 0.002)
        sectors.push({ name: "missing", missing, value: room - sum, itemStyle: hatched(), label: { show: false } });
    return sectors;
}

function tellSector(at, { data }) {
    if (data.missing)
        return lines(["no number for", ...data.missing.map((name) => nodeLine(at, name))]);
    const drawn = data.drawn === undefined ? [] :
        [`drawn as ${data.drawn.toFixed(3)}: it and its siblings are more than their parent together`];
    return data.node ? lines([nodeLine(at, data.node), ...drawn]) : lines([at.name]);
}

/* The names of level 1, which small sectors have no room for. */
function drawLegend(box, at) {
    const entries = LEVEL_1.filter((name) => at.nodes.has(name)).map((name) => {
        const { value } = at.nodes.get(name);
        return element("span", {}, element("i", { style: `background:${COLOURS[name]}` }),
            `${shortName(name)} ${value === null ? "missing" : value.toFixed(4)}`);
    });
    box.append(element("p", { class: "legend" }, ...entries));
}

function drawSunburst(box, at, tree) {
    const data = sectorsUnder(sunburstOf(tree, at), null, 1, 1);
    if (!data.length)
        return;
    drawLegend(box, at);
    addChart(box, "sunburst", SUNBURST.height, {
        tooltip: { confine: true, formatter: (sector) => tellSector(at, sector) },
        series: { type: "sunburst", name: at.name, data, sort: null, nodeClick: false,
            radius: [SUNBURST.inner, SUNBURST.outer], emphasis: { focus: "ancestor" },
            itemStyle: { borderColor: isDark() ? "#14181e" : "#ffffff", borderWidth: 1 } },
    }, `Topdown tree of ${at.name}: the table beside it has the same numbers`);
}

/* --- the table --- */

function shareCell(value) {
    if (value.value === null)
        return element("td", { class: "missing", colspan: 2 }, `missing: ${value.reason}`);
    const part = Math.max(0, Math.min(1, value.value));
    return element("td", { class: "n share" }, value.value.toFixed(4),
        element("span", { class: "bar", style: `width:${(part * 80).toFixed(1)}px` }));
}

function nodeRow(view, at, name, depth) {
    const value = at.nodes.get(name);
    const over = at.over.includes(name);
    const cells = [element("th", { scope: "row", style: `padding-left:${8 + depth * 14}px` },
        treeFor(view) ? formulaButton(view, name) : name), shareCell(value)];
    if (value.value !== null)
        cells.push(element("td", {}, over ? "over its threshold" : ""));
    return element("tr", { class: over ? "over" : value.value === 0 ? "nothing" : "", "data-node": name }, ...cells);
}

function rowsUnder(view, at, children, parent, depth) {
    return (children.get(parent) || []).flatMap((name) =>
        [nodeRow(view, at, name, depth), ...rowsUnder(view, at, children, name, depth + 1)]);
}

function drawNodes(view, box, at, tree) {
    const head = element("tr", {}, ...["node", "share of the slots", ""].map((text) =>
        element("th", { scope: "col" }, text)));
    const body = element("tbody", {}, ...rowsUnder(view, at, childrenByParent(tree, at), null, 0));
    box.append(element("div", { class: "scroll" }, element("table", { id: "nodes" }, element("thead", {}, head), body)));
}

function drawTree(view, box) {
    const { all, at } = measurementOfKernel(view);
    if (!at || !at.nodes.size)
        return false;
    const tree = treeFor(view);
    box.append(element("h3", {}, `${at.name} on core ${view.core}`),
        choice("measured", all, at, (one) => one.name, (one) => { view.measurement = one.name; view.redraw("tree"); }));
    if (!tree)
        box.append(element("p", {}, "Which node is whose child is not known: this slotlog does not have the description " +
            "that the core was judged by."));
    const chart = element("div"), table = element("div");
    box.append(element("div", { class: "side" }, chart, table));
    drawSunburst(chart, at, tree);
    drawNodes(view, table, at, tree);
    return true;
}
