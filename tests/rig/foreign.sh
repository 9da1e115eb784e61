#!/bin/sh
# Boot loaders, a network loader and a kernel of the distribution, none of them made for the virtual rig: how far each
# comes, and that the run names what stops it (doc/machine.md has the table). TAP on standard output. Each claim is a
# SKIP without the package of its program, whose files are looked for below $FOREIGN, or where packages put them.
#   foreign.sh BUILD
set -u
. tests/tap.sh
root=${FOREIGN:-}

# boot NAME IMAGE OPTION...: the rig with that image on the stick $work/NAME.esp.
boot() {
    name=$1
    mkdir -p "$work/$name.esp/EFI/BOOT"
    cp "$2" "$work/$name.esp/EFI/BOOT/BOOTX64.EFI"
    shift 2
    "$build/rig" --cpu skylakex --cores 1 --esp "$work/$name.esp" --screen "$work/$name.screen" --seconds 60 "$@" \
        >"$work/$name.log" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
}
# there TEXT PACKAGE FILE...: whether the files are there; else the claim TEXT is skipped.
there() {
    text=$1 package=$2
    shift 2
    for file; do
        [ -f "$root${file#"$root"}" ] && continue
        number=$((number + 1))
        echo "ok $number - $text # SKIP $package is not installed ($file)"
        return 1
    done
}
told() { cat "$work/$name.err" "$work/$name.screen"; }
status() { [ "$(cat "$work/$name.status")" -eq "$1" ]; }
shows() { grep -q "$1" "$work/$name.screen"; }
says() { grep -q "^rig: $1" "$work/$name.err"; }
lacks() {
    for protocol; do
        grep -q "^rig: the firmware lacks ${protocol}[ ,]" "$work/$name.err" || return 1
    done
}

# GRUB sees no disk, and takes commands at its prompt.
grub_efi=/usr/lib/grub/x86_64-efi/monolithic/grubx64.efi
grub() { told && status 0 && shows 'GNU GRUB' && shows '^grub> halt' && lacks BLOCK_IO_PROTOCOL SERIAL_IO_PROTOCOL; }
grub_waits() { told && shows 'GNU GRUB' && shows '^grub>' && says 'stopped after 10 seconds of host time$'; }
text="GRUB comes to its prompt, takes a command, and the run names BLOCK_IO_PROTOCOL"
if there "$text" grub-efi-amd64-bin $grub_efi; then
    boot grub "$root$grub_efi" --keys 'halt
'
    claim "$text" grub
fi

# shim verifies nothing where Secure Boot is off.
shim_efi=/usr/lib/shim/shimx64.efi
shim_alone() { told && status 4 && shows 'Failed to open .EFI.BOOT.grubx64.efi - Not Found'; }
text="shim says that its second stage is not on the stick"
if there "$text" shim-unsigned $shim_efi; then
    boot shim "$root$shim_efi"
    claim "$text" shim_alone
fi
text="shim loads and starts GRUB"
if there "$text" shim-unsigned $shim_efi && there "$text" grub-efi-amd64-bin $grub_efi; then
    mkdir -p "$work/chain.esp/EFI/BOOT"
    cp "$root$grub_efi" "$work/chain.esp/EFI/BOOT/grubx64.efi"
    boot chain "$root$shim_efi" --keys 'halt
'
    claim "$text" grub
fi

ipxe_efi=/boot/ipxe.efi
ipxe() { told && status 4 && shows 'No more network devices' && lacks SIMPLE_NETWORK_PROTOCOL PCI_IO_PROTOCOL; }
text="iPXE looks for network devices, and the run names SIMPLE_NETWORK_PROTOCOL and PCI_IO_PROTOCOL"
if there "$text" ipxe $ipxe_efi; then
    boot ipxe "$root$ipxe_efi"
    claim "$text" ipxe
fi
# Ctrl-B ends the wait for which iPXE halts between the firmware's ticks.
ipxe_shell() { told && shows 'iPXE> show version' && shows 'version:string = '; }
text="iPXE's shell takes commands"
if there "$text" ipxe $ipxe_efi; then
    boot ipxe-shell "$root$ipxe_efi" --keys "$(printf '\002show version\nexit\n.')"
    claim "$text" ipxe_shell
fi

systemd_efi=/usr/lib/systemd/boot/efi/systemd-bootx64.efi
systemd_alone() { told && status 0 && shows 'No loader found'; }
text="systemd-boot says that there is nothing to load"
if there "$text" systemd-boot-efi $systemd_efi; then
    boot systemd "$root$systemd_efi"
    claim "$text" systemd_alone
fi
text="systemd-boot loads and starts what its configuration names"
if there "$text" systemd-boot-efi $systemd_efi && there "$text" grub-efi-amd64-bin $grub_efi; then
    mkdir -p "$work/entry.esp/loader/entries"
    cp "$root$grub_efi" "$work/entry.esp/grub.efi"
    printf 'timeout 0\n' >"$work/entry.esp/loader/loader.conf"
    printf 'title GRUB\nefi /grub.efi\n' >"$work/entry.esp/loader/entries/grub.conf"
    boot entry "$root$systemd_efi" --seconds 10 # it would take a key for itself
    claim "$text" grub_waits
fi

# The stub of today's kernels decompresses the kernel before it loads the initrd and ends boot services. That takes two
# minutes: with TREE=all alone. Then the kernel turns on page tables that the rig does not play.
kernel=$(find "$root/boot" -maxdepth 1 -name 'vmlinuz-*' 2>/dev/null | sort | tail -1)
stub() { told && status 1 && says "$end" && lacks MEMORY_ATTRIBUTE_PROTOCOL RNG_PROTOCOL; }
stub_ends() { stub && shows 'EFI stub: Loaded initrd from command line option'; }
text="a kernel's EFI stub decompresses the kernel without the protocols that the firmware lacks"
limit=10 end='stopped after 10 seconds of host time$' stub=stub
if [ "${TREE:-}" = all ]; then
    text="a kernel's EFI stub loads its initrd and starts the kernel, and the run names what stops that"
    limit=900 stub=stub_ends
    end='processor 0: the instruction at 0xffffffff[0-9a-f]* .*: the rig plays no page elsewhere than at its own address$'
fi
if there "$text" "a kernel" "${kernel:-/boot/vmlinuz}"; then
    mkdir -p "$work/kernel.esp"
    head -c 100000 "$kernel" >"$work/kernel.esp/initrd.img"
    boot kernel "$kernel" --args 'initrd=\initrd.img efi=debug' --seconds $limit
    claim "$text" $stub
fi

memtest_efi=/boot/memtest86+x64.efi
# A pixel of its blue field, behind the 16 bytes of the header.
is_blue() { tail -c +17 "$1" | od -An -v -tx1 -w3 | grep -q ' 00 00 aa'; }
memtest() { told && says 'stopped after 10 seconds of host time, and the image had ended boot services' && is_blue "$work/memtest.ppm"; }
text="Memtest86+ ends boot services and draws"
if there "$text" memtest86+ $memtest_efi; then
    : >"$work/memtest.screen"
    boot memtest "$root$memtest_efi" --screen "$work/memtest.ppm" --seconds 10
    claim "$text" memtest
fi

refind_efi=/usr/share/refind/refind/refind_x64.efi
refind() { told && shows 'rEFInd Version' && says 'deadlock: WaitForEvent for a key, and --keys has no further one' && lacks BLOCK_IO_PROTOCOL; }
text="rEFInd comes to its menu, waits for a key, and the run names BLOCK_IO_PROTOCOL"
if there "$text" refind $refind_efi; then
    boot refind "$root$refind_efi"
    claim "$text" refind
fi

syslinux_efi=/usr/lib/SYSLINUX.EFI/efi64/syslinux.efi
syslinux() { told && status 1 && says 'processor 0: the code at 0x[0-9a-f]* runs on to where no memory is' && lacks DISK_IO_PROTOCOL; }
text="SYSLINUX runs astray without DISK_IO_PROTOCOL, and the run says both"
if there "$text" syslinux-efi $syslinux_efi; then
    boot syslinux "$root$syslinux_efi"
    claim "$text" syslinux
fi
finish
