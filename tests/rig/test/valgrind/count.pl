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
    $is_branch{ hex $1 } = 1 if /^([0-9a-f]+)$/;
}
my ($instructions, $branches, $taken, $loads, $stores, $next, $was_branch) = (0) x 7;
open $in, '<', $trace or die "$trace: $!\n";
while (<$in>) {
    if (/^I\s+([0-9a-f]+),(\d+)/) {
        my $address = hex $1;
        $instructions++;
        $taken++ if $was_branch and $address != $next;
        $was_branch = $is_branch{$address};
        $branches++ if $was_branch;
        $next = $address + $2;
    } elsif (/^ ([LSM]) /) {
        $loads++ if $1 ne 'S';
        $stores++ if $1 ne 'L';
    }
}
print join(' ', $instructions, $branches, $taken, $loads, $stores), "\n";
