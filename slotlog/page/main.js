/* The page: what is chosen, and the sections. */

/* `of`: what a section is drawn anew for. A section whose draw says false has nothing to show and is left out. */
const SECTIONS = [
    { id: "machine", title: "Machine and run", of: "log", draw: drawMachine },
    { id: "failures", title: "Verdicts that failed", of: "log", draw: drawFailures },
    { id: "verdicts", title: "Verdicts by kernel and node", of: "core", draw: drawHeatMap,
        note: "A cell is the worst of its verdicts; pointing at it lists them. A click chooses the kernel." },
    { id: "topdown", title: "Topdown, level 1", of: "core", draw: drawLevelOne,
        note: "Shares of the slots. What is hatched has no number; pointing at it says why." },
    { id: "tree", title: "Topdown tree", of: "kernel", draw: drawTree,
        note: "Of the kernel that is chosen on the left. A sector is a node's share of the slots inside its parent; a " +
            "hatched one has no number." },
    { id: "formula", title: "Formula", of: "kernel", draw: drawFormula,
        note: "Of the node that is chosen in the tree: a click on a node's name shows its formula here." },
    { id: "doses", title: "Doses", of: "core", draw: drawDoses,
        note: "Kernels with a knob: the share of the node that each puts on trial, at rising doses of its bottleneck." },
    { id: "methods", title: "Two methods", of: "kernel", draw: drawMethods,
        note: "Nodes by the bytes of PERF_METRICS less the same by counters. By how much the two may differ, rounding " +
            "and the edges of windows say." },
    { id: "spread", title: "Spread", of: "kernel", draw: drawSpreads,
        note: "Of the chosen kernel, from core to core and from repeat to repeat." },
    { id: "timeline", title: "Timeline", of: "kernel", draw: drawTimeline,
        note: "What each cycle counts. Hatched: no window ended there." },
    { id: "drift", title: "Over time", of: "kernel", draw: drawDrift,
        note: "A kernel that was kept running: Topdown from interval to interval." },
    { id: "along", title: "CPI along the code", of: "kernel", draw: drawAlongCode,
        note: "Of a sampled kernel: a line is an estimate, the box behind it its 95 % interval, which the chart's upper end may " +
            "cut off. Hatched: no number; pointing at it says why." },
    { id: "cpi", title: "CPI by instruction", of: "kernel", draw: drawCpi,
        note: "Of a sampled kernel: the redder, the more of its cycles are spent there. With each estimate its 95 % interval." },
    { id: "branches", title: "Branches", of: "kernel", draw: drawBranches,
        note: "Of the last-branch records: from left to right above the line, back below it; the wider the more " +
            "frequent, the redder the more of them mispredicted." },
    { id: "skid", title: "Skid", of: "kernel", draw: drawSkids,
        note: "How far behind the instruction that caused an event its samples lie." },
    { id: "precision", title: "Precision of PERF_METRICS", of: "kernel", draw: drawPrecision,
        note: "SLOTS and PERF_METRICS read at two points of a run and subtracted: how far the bytes are off, by how long " +
            "the reset is past. The line is what a step of a byte comes to." },
    { id: "overhead", title: "Overhead", of: "kernel", draw: drawOverhead,
        note: "How much slower the kernel is while counters count, and while it is sampled." },
    { id: "expected", title: "Expected against measured", of: "core", draw: drawExpected },
];

function drawSection(view, section) {
    const box = document.getElementById(section.id);
    const focused = box.contains(document.activeElement) && document.activeElement.dataset.key;
    dropCharts(box);
    box.replaceChildren(element("h2", {}, section.title));
    if (section.note)
        box.append(element("p", {}, section.note));
    box.hidden = false; /* what is hidden has no width */
    box.hidden = !section.draw(view, box);
    if (box.hidden)
        dropCharts(box);
    if (focused)
        [...box.querySelectorAll("[data-key]")].filter(({ dataset }) => dataset.key === focused)
            .forEach((button) => button.focus());
}

function drawAll(view, of) {
    SECTIONS.filter((section) => of.includes(section.of)).forEach((section) => drawSection(view, section));
    document.getElementById("contents").replaceChildren(
        ...SECTIONS.filter((section) => !document.getElementById(section.id).hidden)
            .map((section) => element("a", { href: `#${section.id}` }, section.title)));
}

function drawKernels(view) {
    const states = new Map();
    for (const verdict of verdictsOn(view))
        states.set(verdict.kernel, worstState([states.get(verdict.kernel), verdict.state]));
    document.getElementById("kernels").replaceChildren(...view.model.kernels.map((kernel, i) =>
        element("li", { role: "option", id: `kernel-${i}`, "data-state": states.get(kernel) || "",
            "data-kernel": kernel, title: states.get(kernel) || "no verdict" }, kernel)));
}

function markKernel(view) {
    const list = document.getElementById("kernels");
    for (const item of list.children) {
        const chosen = item.dataset.kernel === view.kernel;
        item.setAttribute("aria-selected", String(chosen));
        if (chosen) {
            list.setAttribute("aria-activedescendant", item.id);
            item.scrollIntoView({ block: "nearest" });
        }
    }
}

function chooseKernel(view, kernel) {
    view.kernel = kernel;
    markKernel(view);
    drawAll(view, ["kernel"]);
}

function chooseCore(view, text) {
    view.allCores = text === "all";
    view.core = view.allCores ? view.model.cores[0] : Number(text);
    drawKernels(view);
    markKernel(view);
    drawAll(view, ["core", "kernel"]);
}

function coreOptions(model) {
    const options = model.cores.map((core) => element("option", { value: core }, String(core)));
    if (model.cores.length > 1)
        options.unshift(element("option", { value: "all" }, `all verdicts, numbers of core ${model.cores[0]}`));
    return options;
}

/* The first kernel with a claim on a node. */
function firstKernel(model) {
    const claim = model.verdicts.find((verdict) => verdict.claim.startsWith("tma_"));
    return claim ? claim.kernel : model.kernels.find((kernel) => !kernel.startsWith("cal.")) || model.kernels[0];
}

function chooseLog(view, i) {
    view.model = modelOf(view.data.log(i));
    view.allCores = view.model.cores.length > 1;
    view.core = view.model.cores[0];
    view.kernel = firstKernel(view.model);
    document.getElementById("choose-core").replaceChildren(...coreOptions(view.model));
    document.title = `${view.model.log.name} - slotscope report`;
    drawKernels(view);
    markKernel(view);
    drawAll(view, ["log", "core", "kernel"]);
}

/* The keys of any list. */
function moveKernel(view, event) {
    const { kernels } = view.model;
    const at = kernels.indexOf(view.kernel);
    const last = kernels.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: last };
    if (!(event.key in to) || last < 0)
        return;
    event.preventDefault();
    chooseKernel(view, kernels[Math.max(0, Math.min(last, to[event.key]))]);
}

function redraw(view) {
    drawAll(view, ["log", "core", "kernel"]);
}

/* Paper is light. */
function listenToThePage(view) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw(view));
    addEventListener("resize", () => charts.forEach((chart) => chart.resize()));
    addEventListener("beforeprint", () => { if (isDark()) { document.body.dataset.printing = "yes"; redraw(view); } });
    addEventListener("afterprint", () => {
        if (document.body.dataset.printing) {
            delete document.body.dataset.printing;
            redraw(view);
        }
    });
}

function onChange(id, act) {
    document.getElementById(id).addEventListener("change", (event) => act(event.target.value));
}

function listen(view) {
    const list = document.getElementById("kernels");
    list.addEventListener("keydown", (event) => moveKernel(view, event));
    list.addEventListener("click", (event) => {
        if (event.target.dataset.kernel)
            chooseKernel(view, event.target.dataset.kernel);
    });
    onChange("choose-core", (value) => chooseCore(view, value));
    onChange("choose-log", (value) => chooseLog(view, Number(value)));
    listenToThePage(view);
}

function start() {
    const data = readData(document.getElementById("data").textContent);
    const view = { data, leftOut: data.leftOut };
    view.redraw = (id) => drawSection(view, SECTIONS.find((section) => section.id === id));
    view.chooseKernel = (kernel) => chooseKernel(view, kernel);
    document.getElementById("sections").replaceChildren(
        ...SECTIONS.map(({ id }) => element("section", { id, hidden: "" })));
    document.getElementById("choose-log").replaceChildren(
        ...data.names.map((name, i) => element("option", { value: i }, name)));
    chooseLog(view, 0);
    listen(view);
}
