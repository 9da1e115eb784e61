#!/usr/bin/perl
# count.pl BRANCHES TRACE: prints instructions, branches, taken branches, loads and stores of one run of a program
# under lackey --trace-mem. The file BRANCHES has the addresses of its branches, as objdump -d prints them, a line
# each; a branch was taken when the next instruction does not begin where it ends. (Lackey's own count of conditional
# jumps includes the checks that it makes of aligned SSE operands.)
use strict;
use warnings;
my ($branches_file, $trace) = @ARGV;
my %is_branch;
open my $in, '<', $branches_file or die "$branches_file: $!\n";
while (<$in>) {
    $is_branch{ sprintf '%08x', hex $1 } = 1 if /^([0-9a-f]+)$/; # as lackey prints them
}
my ($instructions, $branches, $taken, $loads, $stores, $next, $was_branch) = (0) x 7;
open $in, '<', $trace or die "$trace: $!\n";
while (<$in>) {
    my $kind = substr $_, 0, 2;
    if ($kind eq 'I ') {
        my ($address, $length) = split /,/, substr $_, 3;
        $instructions++;
        $taken++ if $was_branch and hex $address != $next;
        $was_branch = $is_branch{$address} or next;
        $branches++;
        $next = $length + hex $address;
    } elsif ($kind =~ /^ [LSM]/) {
        $loads++ if $kind ne ' S';
        $stores++ if $kind ne ' L';
    }
}
print join(' ', $instructions, $branches, $taken, $loads, $stores), "\n";
