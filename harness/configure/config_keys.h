/* Every key of the configuration, in the order in which people read them. All that is said of a key
 * is made of this table: complaints, `help = yes`, README's section, the manual page. Backquotes
 * mark words that are typed. KEY(name, what a complaint expects, default, meaning and values) */
#ifndef HARNESS_CONFIGURE_CONFIG_KEYS_H
#define HARNESS_CONFIGURE_CONFIG_KEYS_H

/* clang-format off */
#define CONFIG_KEYS(KEY) \
    KEY(kernels, \
        "up to 32 kernel names of up to 47 characters, separated by commas or blanks; * at the " \
        "end for any rest (be.mem.*), ! in front to leave out; or all", \
        "`all`", \
        "names separated by commas, in the file also by blanks; `*` at the end for any rest, `!` " \
        "in front to leave out (`be.mem.*, !be.mem.dram`); or `all`: every kernel whose node is " \
        "measured; `cal.*` always runs first") \
    KEY(cores, \
        "core numbers and ranges below 1024 separated by commas, such as 0-3,6, or all", \
        "`all`", \
        "cores to measure: numbers and ranges (`0-3,6`), or `all`; the others are started too, " \
        "and parked") \
    KEY(levels, \
        "a number of 1..6, or auto", \
        "`2`", \
        "Topdown levels, `1` to `6` if this CPU has them; `auto`: 1, then below nodes " \
        "over their threshold") \
    KEY(nodes, \
        "up to 32 Topdown nodes separated by commas, such as tma_l2_bound, or none", \
        "`none`", \
        "names of Topdown nodes, instead of `levels`, or `none`") \
    KEY(explain, \
        "up to 32 Topdown nodes separated by commas, such as tma_l2_bound, or none", \
        "`none`", \
        "names of nodes to be explained after each kernel, or `none`") \
    KEY(events, \
        "up to 16 different events separated by commas, such as BR_INST_RETIRED.NEAR_TAKEN or " \
        "0xC000, of up to 71 letters, digits and . _ : = / @ each, or none", \
        "`none`", \
        "up to 16 events that are counted beside what the nodes need, or `none`") \
    KEY(sibling, \
        "the name of one built-in kernel, such as be.core.chain, or none", \
        "`none`", \
        "the built-in kernel that the core's other thread runs, or `none`") \
    KEY(sibling_duty, \
        "a duty of 10 to 90 in steps of 10, such as 50, or the first and the last of several, " \
        "such as 10-90, or none (at 0 leave out sibling, at 100 leave out sibling_duty)", \
        "`none`", \
        "for how many per cent of the time the kernel of `sibling` runs, `10` to `90` in steps of " \
        "10, or the first and the last of several duties (`10-90`); it halts for the rest. `none`: " \
        "it always runs") \
    KEY(timeline, \
        "the name of one built-in kernel, such as be.core.chain, or none", \
        "`none`", \
        "a built-in kernel that is observed cycle by cycle, or `none`") \
    KEY(timeline_cycles, \
        "a number of 1..2000", \
        "`2000`", \
        "most cycles of a `timeline`, `1` to `2000`") \
    KEY(multiplex, \
        "yes or no", \
        "`no`", \
        "`yes`: each kernel is measured in rotating passes too") \
    KEY(both, \
        "yes or no", \
        "`no`", \
        "`yes`: nodes of levels 1 and 2 by PERF_METRICS and by counters, and a verdict on their " \
        "difference") \
    KEY(precision, \
        "metrics or no", \
        "`no`", \
        "`metrics`: SLOTS and PERF_METRICS are read at two points of a running kernel, from right " \
        "after their reset to 200 times the kernel's length later, with verdicts on the errors") \
    KEY(pebs, \
        "yes or no", \
        "`no`", \
        "`yes`: kernels whose instructions are known are sampled by PEBS too, with verdicts on " \
        "the records; with `samples`, profiles too") \
    KEY(skid, \
        "yes or no", \
        "`no`", \
        "`yes`: samples the kernels `skid.*`, or those of them that `kernels` names, by PMI as " \
        "vector, PMI as NMI and PEBS (`samples` of each, 1000 when 0 or `auto`)") \
    KEY(interval, \
        "a number and us, ms or s, such as 100ms, or none", \
        "`none`", \
        "time between records of a running kernel, such as `100ms`, or `none`; not with " \
        "`multiplex`") \
    KEY(intervals, \
        "a number of 1..1000", \
        "`10`", \
        "how many intervals, 1..1000") \
    KEY(samples, \
        "a number of 0..1000000000, or auto", \
        "`0`", \
        "samples of each kernel that has a map (`cpi.*`, `prog.search`, `prog.sort`), in each of " \
        "four series, or five; `auto`: so many that chance leaves 3 % of the CPI of instructions; 0: none") \
    KEY(period, \
        "cycles, a number of 1..1000000000", \
        "`1009`: prime, so that no short loop divides it", \
        "core cycles from sample to sample, 1..1000000000; more than a sample costs") \
    KEY(jitter, \
        "cycles, a number of 0..65535", \
        "`2018`", \
        "0..65535: two random numbers of up to so many cycles lengthen a period; 0 shows what " \
        "aliasing does") \
    KEY(seed, \
        "a number of 0..4294967295", \
        "`1`", \
        "of the random numbers of samples, and of `multiplex`, 0..4294967295") \
    KEY(delivery, \
        "nmi or vector", \
        "`nmi`", \
        "how a sample interrupts: `nmi` or `vector`") \
    KEY(overhead, \
        "yes, no, or up to 8 periods of 1..100000000 cycles, separated by commas", \
        "`no`", \
        "`yes`: how much slower kernels with a map are while counters count, and sampled at " \
        "periods of 10^3 to 10^7 cycles; or up to 8 periods, 1..100000000") \
    KEY(loop, \
        "a number of 1..1000000000, or forever", \
        "`1`", \
        "how many rounds of the whole run, 1..1000000000, or `forever`: until ESC; from the second " \
        "round on a result is logged where it is no longer that of the first") \
    KEY(repeats, \
        "an odd number of 1..101, or auto", \
        "`auto`: 9 on silicon, 3 on an emulator", \
        "windows of n and of 2n in a pass, odd, 1..101; with 1 nothing tells an outlier from " \
        "a miscounted event") \
    KEY(warmup, \
        "a number of 0..1000", \
        "`2`", \
        "pairs of windows (n, 2n) thrown away first") \
    KEY(scale, \
        "a number of 1..1000000, a time from 1us to 10ms, or auto", \
        "`auto`: `100us` on silicon, `1` on an emulator", \
        "multiplies every kernel's iterations, 1..1000000; or a time, `1us` to `10ms`: so many " \
        "iterations that a window takes at least that long") \
    KEY(node, \
        "local, or remote for memory of another node", \
        "`local`", \
        "`local`: kernels work on memory of the core's own node (ACPI table SRAT); `remote`: on " \
        "memory of the node that is farthest away (SLIT), or not at all") \
    KEY(parallel, \
        "yes or no", \
        "`no`", \
        "`yes`: all cores measure at once") \
    KEY(ring, \
        "0 or 3", \
        "`0`", \
        "the ring in which kernels run while they are measured: `0`, or `3`; with `3` counters " \
        "count ring 3 alone, so nothing of the harness") \
    KEY(turbo, \
        "off, or found for what the firmware set", \
        "`found`", \
        "`off`: no turbo while measuring; `found`: as the firmware set it") \
    KEY(prefetch, \
        "off, or found for what the firmware set", \
        "`found`", \
        "`off`: none of the four prefetchers of MSR_MISC_FEATURE_CONTROL while measuring; " \
        "`found`: as the firmware set them") \
    KEY(pages, \
        "4k, 2m or 1g", \
        "`2m`", \
        "pages of the identity map outside the kernels' memory: `4k`, `2m`, `1g`") \
    KEY(cpu, \
        "the name of a CPU description, such as skylakex, or auto", \
        "`auto`: by CPUID", \
        "forces a CPU description by name; against CPUID every record says `\"forced\":true`") \
    KEY(serial, \
        "auto, none, or a port such as 0x3f8", \
        "`auto`", \
        "`auto` (SPCR, DBG2, COM1 to COM4, PCI), `none`, or a port such as `0x2f8`") \
    KEY(baud, \
        "a divisor of 115200 from 50 on, such as 9600, or auto", \
        "`auto`: what the SPCR says, else 115200", \
        "bits a second, a divisor of 115200") \
    KEY(screen, \
        "yes or no", \
        "`yes`", \
        "`yes`: the page of the run; with `exclusive` the page and ESC end when boot services do") \
    KEY(log, \
        "a file name of up to 31 letters, digits, . _ and -, with no . in front, or none", \
        "`slotscope.log`", \
        "file in `\\slotscope\\`, or `none`; the log of the run before is kept, with `.1` in its " \
        "name") \
    KEY(detail, \
        "brief or full", \
        "`brief`", \
        "form of the log on the serial line: `brief` or `full`") \
    KEY(log_detail, \
        "brief or full", \
        "`full`", \
        "form of the log in the file") \
    KEY(exclusive, \
        "yes or no", \
        "`no`", \
        "`yes`: ExitBootServices first; then the log goes to the serial line only, in the form " \
        "that `detail` says (without a serial line that is named or known to be wired, boot " \
        "services stay)") \
    KEY(help, \
        "yes or no", \
        "`no`", \
        "`yes`: the log lists these keys, and nothing is measured") \
    KEY(timeout, \
        "seconds, a number of 1..3600", \
        "`60`", \
        "seconds a kernel may take on a core; on the boot processor another core, if there is " \
        "one, ends the run then") \
    KEY(end, \
        "poweroff, reboot, halt or return", \
        "`poweroff`", \
        "`poweroff`, `reboot`, `halt`, `return` (to the firmware: its other processors then wait " \
        "for a start-up message, so reset before an OS boots); `halt` in place of the first two " \
        "when neither line nor stick kept the log")
/* clang-format on */

#endif
