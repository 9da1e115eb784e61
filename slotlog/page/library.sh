#!/bin/sh
# Apache ECharts, as package-lock.json beside this file pins it: by npm where it is installed, else by curl, from npm's
# registry. Only a package whose SHA-512 is the pinned one is unpacked.
#   library.sh FOLDER     makes FOLDER with echarts.min.js, LICENSE, NOTICE and LICENSE-d3
set -eu
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
registry=https://registry.npmjs.org

complain() {
    echo "report-library: $1" >&2
    exit 2
}
# pinned MEMBER: of the package in package-lock.json, whose members have a line each.
pinned() {
    sed -n '/"node_modules\/echarts": {/,/}/s/^ *"'"$1"'": "\(.*\)",$/\1/p' "$here/package-lock.json"
}
fetch() {
    asked=echarts@$(pinned version)
    if command -v npm >/dev/null 2>&1; then
        (cd "$work" && npm pack --silent --ignore-scripts --fetch-retries=1 --fetch-timeout=30000 "$asked") \
            >"$work/said" 2>&1 && return
        echo "npm pack $asked failed" >>"$work/said"
    fi
    command -v curl >/dev/null 2>&1 || return 1
    curl -fsSL --connect-timeout 10 --max-time 120 -o "$package" "$registry/echarts/-/echarts-$(pinned version).tgz" 2>"$work/said"
}

command -v npm >/dev/null 2>&1 || command -v curl >/dev/null 2>&1 || complain "neither npm nor curl is installed"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$work/echarts-$(pinned version).tgz
fetch || complain "$registry does not give echarts $(pinned version): $(tail -n 1 "$work/said")"
found=sha512-$(perl -MDigest::SHA -e 'print Digest::SHA->new(512)->addfile($ARGV[0], "b")->b64digest' "$package")==
[ "$found" = "$(pinned integrity)" ] || complain "echarts $(pinned version) is $found, expected $(pinned integrity)"
tar -xzf "$package" -C "$work" package/dist/echarts.min.js package/LICENSE package/NOTICE \
    package/licenses/LICENSE-d3
rm -rf "$folder"
mkdir -p "$folder"
cp "$work/package/dist/echarts.min.js" "$work/package/LICENSE" "$work/package/NOTICE" \
    "$work/package/licenses/LICENSE-d3" "$folder/"
echo "$folder: Apache ECharts $(pinned version), for slotlog report"
