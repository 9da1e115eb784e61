# Of check_gains' table the programs (prog.*), a line each: for each node formula, rule and gain, and what is left
# without any cause; with -v table=interactions the interactions of the causes. -v cpu=NAME.
function hundredths(value) {
    if (value == "" || value == "-") return "-"
    value = sprintf("%.2f", value)
    return value == "-0.00" ? "0.00" : value
}
function values(of,    name) {
    name = kernel[i] SUBSEP of
    return sprintf(" %6s %5s %5s", hundredths(formula[name]), hundredths(rule[name]), hundredths(gain[name]))
}
function heads(text,    j, line) {
    for (j = 0; j < 5; j++) line = line text
    return line
}
BEGIN {
    FS = "\t"
    split("tma_frontend_bound tma_branch_mispredicts tma_machine_clears tma_memory_bound tma_core_bound", node, " ")
    pairs = split("memory x branches,memory x frontend,memory x clears,memory x core,branches x frontend," \
                  "branches x clears,branches x core,frontend x clears,frontend x core,clears x core", pair, ",")
}
$1 !~ /^prog\./ { next }
!($1 in seen) { seen[$1]; kernel[++kernels] = $1 }
{ formula[$1, $2] = $3; rule[$1, $2] = $4; gain[$1, $2] = $5 }
END {
    if (table == "interactions") {
        head = sprintf("%-16s", cpu)
        under = sprintf("%-16s", "")
        for (j = 1; j <= pairs; j++) {
            split(pair[j], word, " x ")
            head = head sprintf(" %9s", word[1])
            under = under sprintf(" %9s", word[2])
        }
        print head
        print under
    } else {
        printf("%-16s  %-18s %-18s %-18s %-18s %-18s %s\n", cpu, "Frontend_Bound", "Branch_Mispredicts",
               "Machine_Clears", "Memory_Bound", "Core_Bound", "left")
        printf("%-16s%s\n", "", heads(" form'la  rule  gain"))
    }
    for (i = 1; i <= kernels; i++) {
        line = sprintf("%-16s", kernel[i])
        if (table == "interactions")
            for (j = 1; j <= pairs; j++) line = line sprintf(" %9s", hundredths(gain[kernel[i], pair[j]]))
        else
            for (j = 1; j <= 5; j++) line = line values(node[j])
        print line (table == "interactions" ? "" : " " hundredths(gain[kernel[i], "tma_retiring"]))
    }
}
