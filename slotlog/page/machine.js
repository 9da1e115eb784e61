/* What was measured on, and how the run ended. */

function coreRow(core) {
    const counters = core.counts ? `${core.general_counters} general, ${core.fixed_counters} fixed` : core.absent;
    return [core.core, core.brand, core.signature, core.microcode || { text: "unreadable", class: "missing" },
        core.description || { text: "none", class: "missing" }, core.package, core.node, counters || ""];
}

/* Cores of which the log says the same share a row. */
function coreRows(cores) {
    const rows = new Map();
    for (const core of cores) {
        const row = coreRow(core);
        const key = JSON.stringify(row.slice(1));
        if (rows.has(key))
            rows.get(key).cores.push(core.core);
        else
            rows.set(key, { row, cores: [core.core] });
    }
    return [...rows.values()].map(({ row, cores: of }) => [spans(of), ...row.slice(1)]);
}

/* 0-3, 6 */
function spans(numbers) {
    const parts = [];
    for (const n of numbers)
        if (parts.length && parts[parts.length - 1][1] === n - 1)
            parts[parts.length - 1][1] = n;
        else
            parts.push([n, n]);
    return parts.map(([from, to]) => from === to ? String(from) : `${from}-${to}`).join(", ");
}

function machineFacts(machine) {
    const facts = [
        ["board", machine.board], ["firmware", machine.bios], ["hypervisor", machine.hypervisor],
        ["serial line", machine.serial],
        ["time stamp counter", machine.tsc_source === null ? "of a rate that was not found"
            : `${machine.tsc_ticks_per_us} MHz, by ${machine.tsc_source}`],
        ["cores", `${machine.cores_started} of ${machine.cores_found ?? "a number that is not known"} started`],
        ["Topdown levels", machine.levels?.toString()],
        ["windows", `${machine.repeats} of n and ${machine.repeats} of 2n in a pass`],
        ["form of the log", machine.detail],
    ];
    if (machine.rig === "virtual")
        facts.unshift(["rig", { text: "virtual: the numbers are a model's, not silicon's", class: "bad" }]);
    return facts.filter(([, value]) => value !== null && value !== undefined);
}

function endOf(model) {
    const end = model.end;
    if (!end)
        return element("p", { class: "bad" }, "The log has no end record: it was cut short.");
    const seconds = end.duration_us === null ? "" : `, after ${(end.duration_us / 1e6).toFixed(1)} s`;
    const text = `${end.pass} verdicts ok, ${end.fail} not ok, ${end.skip} skipped; ` +
        `${end.discarded} windows thrown away; the run ended: ${end.reason}${seconds}.` +
        (ofType(model, "doubt").some((doubt) => doubt.verdicts || doubt.records)
            ? " The log doubts some of its numbers: they are left out." : "") +
        (end.rounds > 1 ? ` Of its ${end.rounds} rounds this page shows the first.` : "");
    return element("p", { class: model.log.good ? "ok" : "bad" }, text);
}

function errorRows(model) {
    return ofType(model, "error").map((error) =>
        [error.what, error.where || error.file || "", error.expected || ""]);
}

function drawMachine(view, box) {
    const { model } = view;
    box.append(endOf(model));
    if (model.log.problems)
        box.append(element("p", { class: "bad" }, `The log is damaged: ${model.log.problems} problems, which ` +
            "slotlog verify names. This page shows the rest."));
    if (view.leftOut.length)
        box.append(element("p", {}, `Left out, so that this page stays small: ${view.leftOut.join(", ")} records.`));
    box.append(tableOf([], machineFacts(model.machine)));
    box.append(element("h3", {}, "Cores"), tableOf(
        ["core", "processor", "signature", "microcode", "description", "package", "memory node", "counters"],
        coreRows(ofType(model, "core"))));
    if (errorRows(model).length)
        box.append(element("h3", {}, "Errors"), tableOf(["what", "where", "expected"], errorRows(model)));
    return true;
}
