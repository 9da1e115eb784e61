#!/usr/bin/perl
# expect.pl LOG TRUTH KERNEL...: what the rig's truth says of n iterations: a window of 2n less one of n, the first of each
# kernel on core 0. A line each: KERNEL N instructions branches taken loads stores
use strict;
use warnings;
use JSON::PP;
my ($log, $truth, @kernels) = @ARGV;
my (%window, %counts);
open my $in, '<', $truth or die "$truth: $!\n";
while (<$in>) {
    my $line = decode_json($_);
    $window{ $line->{window} } = $line if $line->{core} == 0;
}
open $in, '<', $log or die "$log: $!\n";
while (<$in>) {
    next unless /^\{"type":"counts"/;
    my $line = decode_json($_);
    next if $line->{core} != 0 or $line->{pass} != 0;
    push @{ $counts{ $line->{kernel} } }, $line;
}
for my $kernel (@kernels) {
    my ($once, $twice) = sort { $a->{iterations} <=> $b->{iterations} } @{ $counts{$kernel} // [] };
    next unless $twice and $twice->{iterations} == 2 * $once->{iterations};
    # The last window of each: predictors do not matter here, but everything the kernel prepares has been done.
    my ($less, $more) = map { $window{ $_->{windows}[-1] } } $once, $twice;
    print join(' ', $kernel, $once->{iterations},
        map { $more->{$_} - $less->{$_} } qw(instructions branches taken loads stores)), "\n";
}
