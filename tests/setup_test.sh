#!/bin/sh
# `make` where packages are missing: it names them and `make setup`, and compiles nothing. TAP on standard output.
#   setup_test.sh BUILD
set -u
. tests/tap.sh
work=$(realpath "$work")
mkdir -p "$work/tree" "$work/fake" "$work/bare"
cp -r Makefile linker.ld boot pmu kernels tools harness pc rig tests "$work/tree/"

# The distribution as it claims to be: everything is there but nasm and jq, until apt-get has installed them, and a
# browser.
cat >"$work/fake/dpkg-query" <<EOF
#!/bin/sh
for package; do
    case \$package in
    nasm | jq) [ ! -f "$work/installed" ] || echo "\$package install ok installed" ;;
    chromium) ;;
    -* | '\${'*) ;;
    *) echo "\$package install ok installed" ;;
    esac
done
EOF
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$*" >>"%s/apt-get.log"\n[ "$1" != install ] || touch "%s/installed"\n' "$work" "$work" \
    >"$work/fake/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$work/fake/sudo"
chmod +x "$work"/fake/*

# stops GOAL: make ends with status 2, names what is missing and how to install it, and has compiled nothing.
stops() {
    PATH=$work/fake:$PATH make -C "$work/tree" BUILD=build MAKEFLAGS= "$1" >"$work/out" 2>&1
    status=$?
    cat "$work/out"
    [ $status -eq 2 ] && grep -q 'packages are missing: nasm jq$' "$work/out" && grep -q 'make setup' "$work/out" &&
        ! find "$work/tree" -name '*.o' | grep . && ! grep . "$work/apt-get.log"
}
begins_with_setup() {
    make -C "$work/tree" -n BUILD=build "$1" 2>/dev/null | grep -v '^make' | head -1 | grep -x 'sh tools/setup.sh build'
}
installs_all() {
    make -C "$work/tree" -n BUILD=build setup-all 2>/dev/null | grep -x 'sh tools/setup.sh --all build' &&
        PATH=$work/fake:$PATH sh tools/setup.sh --all "$work" && grep 'install .* chromium$' "$work/apt-get.log"
}
installs() { PATH=$work/fake:$PATH make -C "$work/tree" setup && grep 'install .* nasm jq' "$work/apt-get.log"; }

: >"$work/apt-get.log"
for goal in all build/BOOTX64.EFI build/rig unit image format-check; do
    claim "make $goal without the packages says make setup, and stops with status 2" stops $goal
done
for goal in run test setup; do
    claim "make $goal begins by installing" begins_with_setup $goal
done
claim "make setup installs what is missing" installs
claim "make setup-all installs a browser, too" installs_all
claim "then nothing is missing" env PATH="$work/fake:$PATH" sh tools/setup.sh --check "$work"

for tool in sh sed fmt; do
    ln -s "$(command -v $tool)" "$work/bare/$tool"
done
foreign() { PATH=$work/bare sh tools/setup.sh "$@" "$work" 2>"$work/err"; }
lists() {
    foreign "$@"
    [ $? -eq 2 ] && grep -q libunicorn-dev "$work/err" && grep -q "touch $work/.packages" "$work/err"
}
claim "elsewhere than on Debian the check lists the packages" lists --check
claim "and so does setup" lists
touch "$work/.packages"
claim "until a file says that they are there" foreign --check
finish
