#!/bin/sh
# A server that a machine boots from over the network: DHCP by dnsmasq, TFTP that takes files by in.tftpd, on a network
# that only this process and its children see. Then runs the command; the machine is to be on the tap device slotscope0.
#   server.sh FOLDER COMMAND...    FOLDER is what TFTP serves
set -eu
folder=$1
shift
if [ "${SLOTSCOPE_NET-}" != own ]; then
    export SLOTSCOPE_NET=own
    exec unshare --net --pid --fork --kill-child sh "$0" "$folder" "$@"
fi
ip link set lo up
ip tuntap add dev slotscope0 mode tap
ip address add 10.9.0.1/24 dev slotscope0
ip link set slotscope0 up
dnsmasq --no-daemon --port=0 --user=root --group=root --pid-file= --no-resolv --interface=slotscope0 --bind-interfaces \
    --dhcp-range=10.9.0.10,10.9.0.20,1h --dhcp-boot=BOOTX64.EFI,,10.9.0.1 --dhcp-leasefile="$folder.leases" \
    >"$folder.dhcp" 2>&1 &
in.tftpd --foreground --create --user root --address 10.9.0.1:69 --secure "$folder" &
"$@"
