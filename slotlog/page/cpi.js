/* CPI of each instruction, block and function, as a disassembly with a column of heat. */

/* The entries of one method and level, all parts together. */
function entriesOf(records, method, level) {
    return records.filter((record) => record.method === method && record.level === level).flatMap((record) => record.entries);
}

/* The instructions of this program's kernel, if they begin where the log's do: Map offset -> [offset, text, label]. */
function codeFor(view, kernel, entries) {
    const code = view.data.code[kernel] || [];
    const same = code.length === entries.length && code.every(([offset], i) => offset === entries[i].offset);
    return new Map(same ? code.map((one) => [one[0], one]) : []);
}

/* An estimate with its 95 % interval. */
function estimateCell(estimate, digits, why) {
    if (!estimate)
        return element("td", { class: "missing" }, `missing: ${why || "the log does not say why"}`);
    return element("td", { class: "n", title: `95 %: ${estimate[1].toFixed(digits)} to ${estimate[2].toFixed(digits)}` },
        estimate[0].toFixed(digits), element("small", {}, ` ${estimate[1].toFixed(digits)} to ${estimate[2].toFixed(digits)}`));
}

/* The part of all cycles, as a colour behind its number. */
function heatCell(part) {
    if (part === null)
        return element("td", { class: "missing" }, "missing");
    const [red, green, blue] = isDark() ? [255, 107, 116] : [200, 32, 47];
    return element("td", { class: "n heat", style: `background:rgba(${red},${green},${blue},${(0.75 * Math.sqrt(part)).toFixed(3)})` },
        `${(100 * part).toFixed(1)} %`);
}

function partOf(entry, total) {
    return entry.cycles && total > 0 ? entry.cycles[0] / total : null;
}

/* `others`: the entries of the methods that are not chosen, by offset. */
function otherCells(others, offset) {
    return others.map((entries) => {
        const entry = entries.get(offset);
        return entry && entry.cpi ? element("td", { class: "n" }, entry.cpi[0].toFixed(2)) :
            element("td", { class: "missing", title: entry ? entry.why || "" : "" }, "missing");
    });
}

function instructionRow(entry, total, code, others) {
    const [, text] = code.get(entry.offset) || [0, ""];
    return element("tr", {}, heatCell(partOf(entry, total)), element("td", { class: "code" }, `+0x${entry.offset.toString(16)}`),
        element("td", { class: "code" }, text), estimateCell(entry.cpi, 2, entry.why), estimateCell(entry.cycles, 0, entry.why),
        estimateCell(entry.executions, 0, entry.why), ...otherCells(others, entry.offset));
}

/* A block stands before its first instruction, a function before its first block. */
function headRow(kind, entry, total, others) {
    return element("tr", { class: "part" }, heatCell(partOf(entry, total)),
        element("td", { class: "code", colspan: 2 }, `${kind} ${entry.label}, ${entry.length} ${entry.length === 1 ? "instruction" : "instructions"}`),
        estimateCell(entry.cpi, 2, entry.why), estimateCell(entry.cycles, 0, entry.why),
        entry.executions === undefined ? element("td") : estimateCell(entry.executions, 0, entry.why),
        ...others.map(() => element("td")));
}

/* A block's row, whose instructions are drawn when they are asked for. */
function foldedRow(entry, total, others, rows) {
    const head = headRow("block", entry, total, others);
    const button = element("button", { type: "button", class: "link", onclick: () => {
        button.remove();
        head.after(...rows());
    } }, "show them");
    head.cells[1].append(" ", button);
    return head;
}

/* Of a large kernel only rows of blocks and functions: thousands of rows of instructions take seconds. */
function disassemblyRows(records, method, code, others) {
    const entries = entriesOf(records, method, "instruction");
    const total = entries.reduce((sum, { cycles }) => sum + (cycles ? cycles[0] : 0), 0);
    const at = (level) => new Map(entriesOf(records, method, level).map((entry) => [entry.offset, entry]));
    const blocks = at("block"), functions = at("function"), isFolded = entries.length > MANY_INSTRUCTIONS && blocks.size > 0;
    const draw = (list) => list.map((entry) => instructionRow(entry, total, code, others));
    return entries.flatMap((entry, i) => {
        const { offset } = entry, block = blocks.get(offset);
        const first = functions.has(offset) ? [headRow("function", functions.get(offset), total, others)] : [];
        if (isFolded)
            return block ? [...first, foldedRow(block, total, others, () => draw(entries.slice(i, i + block.length)))] : first;
        return [...first, ...block ? [headRow("block", block, total, others)] : [], ...draw([entry])];
    });
}

function disassembly(records, method, methods, code) {
    const rest = methods.filter((one) => one !== method);
    const others = rest.map((one) => new Map(entriesOf(records, one, "instruction").map((entry) => [entry.offset, entry])));
    const heads = ["of the cycles", "offset", "instruction", "CPI, 95 %", "cycles", "executions", ...rest.map((one) => `CPI by ${one}`)];
    return element("table", { id: "disassembly" },
        element("thead", {}, element("tr", {}, ...heads.map((text, i) =>
            element("th", { scope: "col", class: i === 1 || i === 2 ? "" : "n" }, text)))),
        element("tbody", {}, ...disassemblyRows(records, method, code, others)));
}

function drawCpi(view, box) {
    const own = recordsOfKernel(view, ofType(view.model, "cpi").filter(({ level }) => level === "instruction"));
    const methods = [...new Set(own.records.map((record) => record.method))];
    const method = methods.includes(view.cpiMethod) ? view.cpiMethod : methods[0];
    if (!method)
        return false;
    const records = ofType(view.model, "cpi").filter((record) => record.core === view.core && record.kernel === own.kernel && record.level);
    const code = codeFor(view, own.kernel, entriesOf(records, method, "instruction"));
    box.append(kernelChoice(view, own), element("h3", {}, `${own.kernel} on core ${view.core}, by ${method}`),
        choice("method", methods, method, (name) => name, (name) => { view.cpiMethod = name; view.redraw("cpi"); }));
    box.append(element("p", {}, code.size ? "The log says where instructions begin; their text is that of this slotlog's kernel, " +
        "whose instructions begin there, too." : "The text of the instructions is missing: this slotlog does not have the kernel " +
        "whose instructions begin where the log's do."));
    box.append(element("div", { class: "scroll" }, disassembly(records, method, methods, code)));
    return true;
}
