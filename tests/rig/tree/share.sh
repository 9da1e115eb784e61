# Kernels of the suites that measure the tree, and their configurations; sourced after boot.sh.

# shellcheck disable=SC2154 # tap.sh gives $work

# share NUMBER OF PATTERN NAMES: of the kernels with a leaf whose name matches, every OF-th from NUMBER on, apart
# by commas, without those that need two packages, which sockets.sh runs. With TREE=all NAMES, since a configuration
# has no room for each of them by name.
share() {
    if [ "${TREE-}" = all ]; then
        echo "$4"
    else
        grep -lE '^ *LEAF' kernels/*.asm | sed 's,.*/,,; s/\.asm$//' | grep -E "$3" | grep -v '\.remote$' |
            awk -v n="$1" -v of="$2" 'NR % of == n' | paste -sd,
    fi
}
# configured NAME CONFIGURATION OPTION...: boots with this text as slotscope.cfg.
configured() {
    stick "$1"
    printf '%b' "$2" >"$work/$1.esp/slotscope/slotscope.cfg"
    name=$1
    shift 2
    boot "$name" "$@"
}
