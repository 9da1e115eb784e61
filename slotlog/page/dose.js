/* Doses: how the node of each mix.* kernel answers to its knob. */

/* Doses at which the kernel was measured, on any core, and has no share on this one. */
function dosesWithout(view, record) {
    const doses = new Set(ofType(view.model, "dose").filter(({ kernel }) => kernel === record.kernel)
        .flatMap((other) => other.doses));
    for (const cores of view.model.measurements.values())
        for (const at of cores.values())
            if (at.kernel === record.kernel && at.dose !== undefined)
                doses.add(at.dose);
    return [...doses].filter((dose) => !record.doses.includes(dose)).sort((a, b) => a - b);
}

/* Why a dose has no share; the full form says so. */
function doseReason(view, record, dose) {
    const at = measurementsOf(view.model, record.core)
        .find((one) => one.kernel === record.kernel && one.dose === dose);
    const value = at && at.nodes.get(record.node);
    return value && value.value === null ? value.reason : "the log does not say why";
}

function doseLine(record, colour, width) {
    return { type: "line", name: `core ${record.core}`, data: record.doses.map((dose, i) => [dose, record.shares[i]]),
        symbol: "circle", symbolSize: width * 3, lineStyle: { color: colour, width }, itemStyle: { color: colour }, z: width };
}

/* The line through the shares, as the log has it. */
function fittedLine({ slope, intercept }) {
    return { type: "line", name: "line", symbol: "none", z: 1, silent: true,
        lineStyle: { type: "dashed", width: 1.5, color: axisColour() },
        data: slope === null ? [] : [[0, intercept], [100, intercept + slope]] };
}

function missingDoses(view, record) {
    return { type: "scatter", name: "missing", symbol: CROSS, symbolSize: 9, symbolOffset: [0, -8], z: 5,
        itemStyle: { color: "none", borderColor: axisColour(), borderWidth: 2 },
        data: dosesWithout(view, record).map((dose) => ({ value: [dose, 0], reason: doseReason(view, record, dose) })) };
}

function tellDose(record, { seriesName, value: [dose, share], data }) {
    return lines([`${record.kernel} at ${dose} %`, seriesName === "missing" ? `core ${record.core} missing: ${data.reason}` :
        `${seriesName}: ${record.node} ${share.toFixed(4)}`]);
}

function doseText(view, record) {
    const fit = record.slope === null ? "no line through its shares" :
        `from dose 0 to 100 it rises by ${record.slope.toFixed(3)}; R\u00b2 ${record.r_squared.toFixed(4)}`;
    const without = dosesWithout(view, record);
    return fit + (without.length ? `; missing at ${without.join(", ")} %` : "");
}

function drawDose(view, box, record, others) {
    const cell = element("figure", {}, element("figcaption", {}, element("b", {}, record.kernel), ` ${record.node}`,
        element("br"), doseText(view, record)));
    box.append(cell);
    if (!record.shares.length)
        return;
    addChart(cell, `dose-${record.kernel}`, 210, {
        grid: { left: 56, right: 16, top: 26, bottom: 40 },
        xAxis: { type: "value", min: 0, max: 100, interval: 20, ...axisName("dose, percent", 26) },
        yAxis: { type: "value", name: "share of the slots", nameTextStyle: { align: "left", padding: [0, 0, 0, -44] },
            min: Math.min(...record.shares) < 0 ? null : 0, splitNumber: 4 },
        tooltip: { confine: true, formatter: (point) => tellDose(record, point) },
        series: [...others.map((other) => doseLine(other, isDark() ? "#5b6675" : "#b4bcc6", 1)), fittedLine(record),
            doseLine(record, markColour(), 2), missingDoses(view, record)],
    }, `${record.node} of ${record.kernel} by dose`);
}

function drawDoses(view, box) {
    const all = ofType(view.model, "dose");
    const own = all.filter((record) => record.core === view.core);
    if (!own.length)
        return false;
    box.append(element("p", {}, `In colour core ${view.core}` +
        (all.length > own.length ? ", in grey the others" : "") + "; dashed the line through its shares; a cross: no value."));
    const cells = element("div", { class: "cells" });
    box.append(cells);
    for (const record of own)
        drawDose(view, cells, record, all.filter((other) => other.kernel === record.kernel && other !== record));
    return true;
}
