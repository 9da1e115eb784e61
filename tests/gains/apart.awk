# Of check_gains' tables of several CPUs the nodes of level 2 for which formula or rule is farther than `far` from what
# taking the cause away gains, a line each: formula, rule, gain and last gain on each CPU. Without the programs and the
# self-check; of mixtures only the doses of 0, 50 and 100 %.
# -v far=0.05 -v cpus='skylakex icelakex', the files in the same order.
function hundredths(value) {
    if (value == "" || value == "-") return "-"
    value = sprintf("%.2f", value)
    return value == "-0.00" ? "0.00" : value
}
function distance(one, other) {
    if (one == "-" || other == "-") return 0
    return one > other ? one - other : other - one
}
function larger(one, other) { return one > other ? one : other }
BEGIN {
    FS = "\t"
    count = split(cpus, cpu, " ")
    short["tma_frontend_bound"] = "Frontend"
    short["tma_branch_mispredicts"] = "Mispredicts"
    short["tma_machine_clears"] = "Clears"
    short["tma_memory_bound"] = "Memory"
    short["tma_core_bound"] = "Core"
}
FNR == 1 { files++ }
!($2 in short) || $1 ~ /^(cal|prog)\./ { next }
$1 ~ /@/ && $1 !~ /@(0|50|100)$/ { next }
{
    row = $1 SUBSEP $2
    off = larger(distance($3, $5), distance($4, $5))
    if (!(row in most)) { rows[++lines] = row; most[row] = 0 }
    if (off > most[row]) most[row] = off
    text[row, files] = sprintf("  %5s %5s %5s %5s", hundredths($3), hundredths($4), hundredths($5), hundredths($6))
}
END {
    line = sprintf("%-26s %-11s", "", "")
    for (i = 1; i <= count; i++) line = line sprintf("  %-23s", cpu[i])
    sub(/ +$/, "", line)
    print line
    line = sprintf("%-26s %-11s", "kernel", "node")
    for (i = 1; i <= count; i++) line = line "  form.  rule  gain  last"
    print line
    for (r = 1; r <= lines; r++) {
        if (most[rows[r]] <= far) continue
        split(rows[r], part, SUBSEP)
        line = sprintf("%-26s %-11s", part[1], short[part[2]])
        for (i = 1; i <= count; i++)
            line = line ((rows[r], i) in text ? text[rows[r], i] : sprintf("  %5s %5s %5s %5s", "-", "-", "-", "-"))
        print line
    }
}
