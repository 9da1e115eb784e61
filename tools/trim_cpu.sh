#!/bin/sh
# A CPU description for the image, without what a reader needs and the parser passes over: comments (pmu/description.h
# says where one begins), columns, empty lines.
#   trim_cpu.sh FILE OUT
set -eu
sed -E 's/#([^A-Za-z].*)?$//; s/[ \t]+/ /g; s/ $//; /^$/d' "$1" >"$2"
