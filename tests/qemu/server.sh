#!/bin/sh
# A server that a machine boots from over the network: DHCP by dnsmasq, on a network that only this process and its
# children see. Then runs the command; the machine is to be on the tap device slotscope0. It takes root.
#   server.sh tftp|http FOLDER COMMAND...    FOLDER is what is served; files are taken, too
# By TFTP (in.tftpd) for PXE, or by HTTP (http_server.py) for the firmware's HTTP boot; PXE then gets no answer.
set -eu
how=$1 folder=$2
shift 2
if [ "${SLOTSCOPE_NET-}" != own ]; then
    export SLOTSCOPE_NET=own
    exec unshare --net --pid --fork --kill-child sh "$0" "$how" "$folder" "$@"
fi
ip link set lo up
ip tuntap add dev slotscope0 mode tap
ip address add 10.9.0.1/24 dev slotscope0
ip link set slotscope0 up
boot="--dhcp-boot=BOOTX64.EFI,,10.9.0.1"
[ "$how" = tftp ] || boot="--dhcp-vendorclass=set:http,HTTPClient --dhcp-vendorclass=set:pxe,PXEClient --dhcp-ignore=tag:pxe
    --dhcp-option-force=tag:http,60,HTTPClient --dhcp-boot=tag:http,http://10.9.0.1/BOOTX64.EFI"
# shellcheck disable=SC2086
dnsmasq --no-daemon --port=0 --user=root --group=root --pid-file= --no-resolv --interface=slotscope0 --bind-interfaces \
    --no-ping --dhcp-range=10.9.0.10,10.9.0.20,1h $boot --dhcp-leasefile="$folder.leases" >"$folder.dhcp" 2>&1 &
if [ "$how" = tftp ]; then
    in.tftpd --foreground --create --user root --address 10.9.0.1:69 --secure "$folder" &
else
    here=$(realpath "$(dirname "$0")")
    (cd "$folder" && exec /usr/bin/python3 "$here/http_server.py" 10.9.0.1) >"$folder.http" 2>&1 &
fi
"$@"
