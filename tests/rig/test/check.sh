#!/bin/sh
# The virtual machine under an image that was not made for it (check/): TAP on standard output.
#   check.sh BUILD
exec sh tests/rig/test/check/run.sh "$1/rig" "$1/check"
