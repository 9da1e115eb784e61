#!/usr/bin/perl
# count.pl PROGRAM TRACE: instructions branches taken loads stores of one run of PROGRAM under lackey --trace-mem. Which
# instructions are branches, objdump says; one was taken when the next instruction does not begin where it ended. (Lackey's
# own count of conditional jumps also holds the checks that it makes of aligned SSE operands.)
use strict;
use warnings;
my ($program, $trace) = @ARGV;
my %is_branch;
open my $in, '-|', 'objdump', '-D', '-j', '.text', '--no-show-raw-insn', $program or die "objdump: $!\n";
while (<$in>) {
    $is_branch{ hex $1 } = 1 if /^\s*([0-9a-f]+):\s+(?:(?:bnd|notrack|repz|ds|cs)\s+)*(?:j\w+|call\w*|ret\w*|loop\w*)\b/;
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
