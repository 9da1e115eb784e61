#!/bin/sh
# Comments and pages name files and functions that there are. TAP on standard output.
#   names.sh BUILD [TREE]
# A file is a name with an ending, a function or variable a name_with_underscores that is no name in any code.
set -u
. tests/tap.sh
tree=${2:-.}
work=$(realpath "$work")

# What others call so: Linux, QEMU, libFuzzer, perf, fixtures of a page, and the harness of `shared/blocks`.
cat >"$work/others" <<'EOF'
code_end counter_freezing_ucodes cpu_reset extra_regs ignore_msrs intel_pmu_init lbr_pt_coexist max_total_time
perf_event test_end tma_info_load_store_bound_store_bound
fenv.h latego.py modes.inc my.asm test.c
EOF
# Comments lie between /* and */, behind // and ;, and in lines of a script that begin with #. A page is all comment.
cat >"$work/names.pl" <<'EOF'
use strict;
my ($others, $files) = @ARGV;
my (%there, %code, %said, %named);
sub comments_of {
    my ($file, $text) = @_;
    return ($text, '') if $file =~ /\.md$/;
    my $comment = '';
    if ($file =~ /\.(c|h|js)$/) {
        $text =~ s{(/\*.*?\*/|(?<!:)//[^\n]*)}{$comment .= "$1\n"; ' '}gse;
    } elsif ($file =~ /\.(asm|inc)$/) {
        $text =~ s{;([^\n]*)}{$comment .= "$1\n"; ''}ge;
    } elsif ($file =~ /\.sh$/ || $file eq 'Makefile') {
        $text =~ s{^\s*#([^\n]*)$}{$comment .= "$1\n"; ''}gme;
    }
    return ($comment, $text);
}
open my $list, '<', $others or die;
open my $all, '<', $files or die;
my @files = map { chomp; $_ } <$all>;
my %other = map { $_ => 1 } map { split } <$list>;
for my $file (@files) {
    my $path = $file;
    while (1) { $there{$path} = 1; last unless $path =~ s{^[^/]*/}{}; }
    $code{$1} = 1 if $path =~ /^([a-z0-9_]+)\./;
    next if $file =~ /\.(svg|png|jsonl)$/ || !-f $file;
    open my $in, '<', $file or die;
    my ($comment, $text) = comments_of($file, do { local $/; <$in> // '' });
    $code{$_} = 1 for $text =~ /[A-Za-z_][A-Za-z0-9_]*/g;
    $said{$_}{$file} = 1 for $comment =~ /(?<![\w.\/])[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w.*\/])/g;
    next if $file =~ /\.md$/; # tests/pages.sh asks that of pages
    $named{$_}{$file} = 1 for $comment =~ /(?<![\w\/.\$*-])([a-z][A-Za-z0-9_]*(?:\/[A-Za-z0-9_.]+)*\.(?:c|h|asm|sh|py|js|inc|sql))\b(?![\w*])/g;
}
for my $name (sort keys %said) {
    print "name $_: $name\n" for map { sort keys %{$said{$name}} } grep { !$code{$_} && !$other{$_} } $name;
}
for my $name (sort keys %named) {
    next if $there{$name} || $other{$name} || $name =~ /^arch\/x86\/|NAME/;
    print "file $_: $name\n" for sort keys %{$named{$name}};
}
EOF
(cd "$tree" && find . -type f -not -path './build/*' -not -path './.git/*' | sed 's,^\./,,' | grep -vE '^(doc/pictures|node_modules)/' |
    sort >"$work/files"
    perl "$work/names.pl" "$work/others" "$work/files") >"$work/found"
for kind in name file; do
    sed -n "s/^$kind //p" "$work/found" >"$work/of.$kind"
done
none() { cat "$1"; [ ! -s "$1" ]; }
claim "each file that a comment names is there" none "$work/of.file"
claim "each name_with_underscores in comments and pages is one of the code's" none "$work/of.name"
finish
