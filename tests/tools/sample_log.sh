#!/bin/sh
# A log, on standard output, of the sample records in tests/report/records.jsonl: of every type that few runs have. It is of
# one round: records of later ones, which the page leaves out, are not in it.
#   sample_log.sh
set -eu
perl -MCompress::Zlib -e '
    sub record { my $body = substr($_[0], 0, rindex($_[0], ",\"crc\"")); $body =~ s/"seq":\d+/"seq":@{[$seq++]}/;
        printf "%s,\"crc\":\"%08x\"}\n", $body, crc32($body) }
    while (<>) { chomp; next if /"round":/; if (/"type":"(machine|end)"/) { $one{$1} //= $_ } else { push @records, $_ } }
    print "TAP version 14\n"; record($_) for $one{machine}, @records;
    $one{end} =~ s/"(pass|fail|skip)":\d+/"$1":0/g; record($one{end}); print "1..0\n"
' tests/report/records.jsonl
