#!/bin/sh
# A log of 64 cores and 100 kernels in the full form, on standard output: what LOG, of the same form, has of be.mem.l2 on
# core 0, again and again, with numbers that differ from core to core as they do on silicon.
#   large_log.sh LOG
set -eu
perl -e '
    sub record { my ($text) = @_; $text =~ s/"seq":\d+/"seq":@{[$seq++]}/; print "$text\n" }
    while (<>) { chomp; if (/"type":"(log|machine|core|end)"/) { push @{$one{$1}}, $_ }
        elsif (/^\{.*"core":0,"kernel":"be\.mem\.l2"/) { push @records, $_ }
        elsif (/^ok \d+ - core 0 be\.mem\.l2/) { push @verdicts, $_ } }
    print "TAP version 14\n"; record($one{log}[0]); record($one{machine}[0]);
    for $core (0 .. 63) { ($text = $one{core}[0]) =~ s/"core":0/"core":$core/; record($text) }
    for $core (0 .. 63) { for $kernel (1 .. 100) {
        for (@records) { ($text = $_) =~ s/"core":0,"kernel":"be.mem.l2"/"core":$core,"kernel":"be.k$kernel"/;
            # Counts differ from core to core, as on silicon.
            $text =~ s/(\d{4,})(?=[,}])/$1 + ($core * 7 + $kernel) % 50/ge unless $text =~ /"type":"counts"/; record($text) }
        for (@verdicts) { ($text = $_) =~ s/^ok \d+ - core 0 be.mem.l2/"ok " . ++$n . " - core $core be.k$kernel"/e;
            $text =~ s/ 0\.(\d{3}) in / sprintf " 0.%03d in ", $1 - ($core + $kernel) % 20/e;
            print "$text\n" } } }
    $one{end}[0] =~ s/"pass":\d+/"pass":$n/; $one{end}[0] =~ s/"skip":\d+/"skip":0/; record($one{end}[0]); print "1..$n\n"
' "$1" | perl tests/tools/crc.pl
