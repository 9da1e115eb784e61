#!/bin/sh
# A log, on standard output, of the sample records in tests/report/records.jsonl: of every type that few runs have. It is of
# one round: records of later ones, which the page leaves out, are not in it; nor is a doubt, whose numbers are those of
# records of its own run.
#   sample_log.sh
set -eu
perl -e '
    sub record { $_[0] =~ s/"seq":\d+/"seq":@{[$seq++]}/; print "$_[0]\n" }
    while (<>) { chomp; next if /"round":|"type":"doubt"/; if (/"type":"(log|machine|end)"/) { $one{$1} //= $_ } else { push @records, $_ } }
    print "TAP version 14\n"; record($_) for $one{log}, $one{machine}, @records;
    $one{end} =~ s/"(pass|fail|skip)":\d+/"$1":0/g; record($one{end}); print "1..0\n"
' tests/report/records.jsonl | perl tests/tools/crc.pl
