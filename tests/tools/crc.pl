# A log from standard input or a file, with the CRCs of what its lines are now; lines with the CRC of texts are made
# anew, behind 16 texts and before the end. Text in front of a line stays.
#   perl tests/tools/crc.pl [LOG]
use strict;
use warnings;
use Compress::Zlib;

my ($begin, $crc, $texts, $covered) = (0, 0, 0, 0);

sub cover {
    printf "# crc of texts %d to %d: %08x\n", $covered + 1, $texts, $crc if $texts > $covered;
    ($covered, $crc) = ($texts, $begin);
}

while (<>) {
    tr/\r\n//d;
    next if /^# crc of texts /;
    if (/^\{/) {
        my $body = substr($_, 0, rindex($_, ',"crc"'));
        if (/^\{"type":"log",/) { $crc = $begin = crc32($body) }
        else {
            cover() if $texts - $covered >= 16 || /^\{"type":"end"/;
            $body =~ s/"texts":\d+$/"texts":$texts/ if /^\{"type":"end"/;
        }
        printf "%s,\"crc\":\"%08x\"}\n", $body, /^\{"type":"log",/ ? $begin : crc32($body, $begin);
    } elsif (/^(#|ok |not ok )/) {
        cover() if $texts - $covered >= 16 && !/^#/;
        $crc = crc32("$_\n", $crc);
        $texts++;
        print "$_\n";
    } else {
        cover() if /^1\.\./;
        print "$_\n";
    }
}
