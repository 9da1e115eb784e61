#!/usr/bin/env python3
"""What slotscope ought to make of recorded CPUID answers, worked out from published rules and from nothing of
slotscope's code. Prints a table, one line a machine and kind of core.

    survey_rules.py cpuid_machines.csv > survey_expected.csv

Sources, by the name used below:
  SDM      Intel SDM: 2A "CPUID" (leaves 1, 4, 7, 0AH, 0BH, 1AH, 1CH, 23H), 3B "Architectural Performance Monitoring"
           and "Last Branch, Interrupt, and Exception Recording", 4 "Model-Specific Registers" (models)
  APM      AMD APM volume 3, "CPUID": Fn8000_0001, Fn8000_001E, Fn8000_0022; volume 2, "Performance Monitoring"
  Linux    arch/x86/events/intel/core.c, as far as the manual is silent: counters of hybrid parts without leaf 23H, the
           three fixed counters of version 2 to 4 that leaf 0AH may not state
  perfmon  mapfile.csv of github.com/intel/perfmon: which tables are for which signature
"""
import csv
import struct
import sys

COLUMNS = ["machine", "core", "vendor", "signature", "description", "counts", "why", "pmu_version", "general", "fixed",
           "perf_metrics", "lbr", "lbr_depth", "threads_per_core"]
ATOM, CORE = 0x20, 0x40
CORE2, NHM, SNB, HSW = "core2", "nehalem16", "sandybridge16", "haswell16"
SKL, ARCH = "skylake32", "architectural"

# perfmon's mapfile, under the names that slotscope gives the tables; the stacks by SDM 3B. Family 6.
MODELS = {}


def models(name, stack, *numbers):
    for number in numbers:
        MODELS[number] = (name, stack)


models("core2", CORE2, 0x0F, 0x16, 0x17, 0x1D)  # no table of perfmon; SDM 4: these four are Core 2
models("nehalem", NHM, 0x1A, 0x1E, 0x1F, 0x2E)
models("westmere", NHM, 0x25, 0x2C, 0x2F)
models("sandybridge", SNB, 0x2A)
models("jaketown", SNB, 0x2D)
models("ivybridge", SNB, 0x3A)
models("ivytown", SNB, 0x3E)
models("haswell", HSW, 0x3C, 0x45, 0x46)
models("haswellx", HSW, 0x3F)
models("broadwell", HSW, 0x3D, 0x47, 0x56)  # the last has the core of the others; perfmon's create_perf_json.py
models("broadwellx", HSW, 0x4F)
models("icelake", SKL, 0x7D, 0x7E)
models("icelakex", SKL, 0x6A, 0x6C)
models("tigerlake", SKL, 0x8C, 0x8D)
models("rocketlake", SKL, 0xA7)
models("sapphirerapids", ARCH, 0x8F)
models("emeraldrapids", ARCH, 0xCF)
models("graniterapids", ARCH, 0xAD, 0xAE)
models("sierraforest", ARCH, 0xAF)
models("alderlake", ARCH, 0xD7)  # no table of perfmon; Linux, intel-family.h: Raptor Cove, the P core of Raptor Lake
models("alderlake_e", ARCH, 0xBE)
HYBRID = {  # P cores, E cores
    0x97: "alderlake", 0x9A: "alderlake", 0xB7: "alderlake", 0xBA: "alderlake", 0xBF: "alderlake",
    0xAA: "meteorlake", 0xAC: "meteorlake", 0xB5: "meteorlake", 0xBD: "lunarlake", 0xC5: "arrowlake", 0xC6: "arrowlake",
    0xCC: "pantherlake", 0xD5: "pantherlake", 0xE5: "pantherlake",
}
DEPTH = {CORE2: 4, NHM: 16, SNB: 16, HSW: 16, SKL: 32, "netburst4": 4, "netburst16": 16}
# Linux: 8 general and 4 fixed counters on the P cores of these, whatever their leaf 0AH has in common.
P_CORES_OF_EIGHT = (0x97, 0x9A, 0xB7, 0xBA, 0xBF)


def bits(word, low, high):
    return word >> low & (1 << high - low + 1) - 1


def bit(word, number):
    return word >> number & 1


class Core:
    """The answers of one core, and what the rules make of them."""

    def __init__(self, machine, core, rows):
        self.machine, self.core, self.rows = machine, core, rows
        eax, ebx, ecx, edx = rows[0, 0]
        self.highest = eax
        self.vendor = struct.pack("<III", ebx, edx, ecx).decode("ascii")
        self.intel = self.vendor in ("GenuineIntel", "GenuineIotel")  # the second: one Haswell with a bit flipped
        self.amd = self.vendor in ("AuthenticAMD", "HygonGenuine")
        self.leaf1 = rows[1, 0]
        eax = self.leaf1[0]
        base = bits(eax, 8, 11)
        self.family = base + bits(eax, 20, 27) if base == 15 else base
        self.model = bits(eax, 4, 7) | (bits(eax, 16, 19) << 4 if base in (6, 15) else 0)
        self.stepping = bits(eax, 0, 3)
        self.guest = bool(bit(self.leaf1[2], 31))
        self.kind = self.leaf(0x1A)[0] >> 24
        self.native = self.leaf(0x1A)[0] & 0xFFFFFF
        self.netburst = self.intel and self.family == 15 and self.model <= 6
        self.zen = self.amd and self.family >= 0x17  # Hygon's family 18H too
        self.a = self.leaf(0xA)
        self.version = self.a[0] & 0xFF

    def leaf(self, number, subleaf=0):
        """SDM: above the highest leaf the answer is no statement about that leaf."""
        top = self.highest if number < 0x80000000 else self.rows.get((0x80000000, 0), (0,))[0]
        return self.rows.get((number, subleaf), (0, 0, 0, 0)) if number <= top else (0, 0, 0, 0)

    def general(self):
        if self.netburst:
            return 18  # SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)"
        if self.amd:
            return self.amd_general()
        if self.version == 0:
            return None
        extended = self.extended()
        if extended:
            return bin(extended[0]).count("1")
        return 8 if self.p_core_of_eight() else bits(self.a[0], 8, 15)

    def fixed(self):
        if self.netburst:
            return 0
        if self.zen:
            return 0  # APM 2 has none
        if self.amd or self.version == 0:
            return None
        if self.version == 1:
            return 0  # SDM: EDX is defined from version 2 on
        extended = self.extended()
        if extended:
            return bin(extended[1]).count("1")
        mask = (1 << bits(self.a[3], 0, 4)) - 1
        if self.version >= 5:
            mask |= self.a[2]
        elif self.intel and not self.guest:
            mask |= 7  # Linux
        if self.p_core_of_eight():
            mask |= 15
        return bin(mask).count("1")

    def extended(self):
        """Leaf 23H: CPUID.(7,1):EAX[8] announces it; subleaf 1 has the bitmaps of this core's counters."""
        if bit(self.leaf(7, 1)[0], 8) and bit(self.leaf(0x23)[0], 1):
            return self.leaf(0x23, 1)
        return None

    def p_core_of_eight(self):
        return (self.intel and self.family == 6 and self.model in P_CORES_OF_EIGHT and self.kind == CORE
                and not self.guest)

    def amd_general(self):
        """APM 2: four counters since family 6, six with PerfCtrExtCore, or as many as PerfMonV2 says."""
        two = self.leaf(0x80000022)
        if bit(two[0], 0):
            return bits(two[1], 0, 3)
        if self.family < 6:
            return None
        return 6 if bit(self.leaf(0x80000001)[2], 23) else 4

    def zen4(self):
        """Linux, arch/x86/kernel/cpu/amd.c; the other Zen have no description."""
        return self.vendor == "AuthenticAMD" and self.family == 0x19 and (
            0x10 <= self.model <= 0x1F or 0x60 <= self.model <= 0xAF)

    def why(self):
        """One word of the reason; empty when something can be counted."""
        if self.zen:
            return "" if self.zen4() else "vendor"
        if not self.intel:
            return "Intel"
        if self.netburst:
            return ""
        if self.highest < 0xA:
            return "0AH"
        if self.version == 0:
            return "version"
        events = bits(self.a[0], 24, 31)
        counts = ~self.a[1] & (1 << events) - 1
        if self.fixed() == 0 and counts == 0:
            return "event"
        return ""

    def described(self):
        if self.zen and self.zen4():
            return "zen4", None
        if not self.intel:
            return None, None
        if self.family == 15:
            if self.model <= 2:
                return "netburst", "netburst4"
            return "prescott", "netburst16"
        if self.family != 6:
            return None, None
        if self.model in HYBRID:
            name = HYBRID[self.model]
            if self.kind == 0 and self.guest:
                return None, None
            if self.kind == ATOM:
                if self.model == 0xC5 and self.native == 2:  # perfmon: the low-power island of Arrow Lake-H
                    return name + "_lpe", ARCH
                return name + "_e", ARCH
            return name, ARCH  # leaf 1AH is 0 on dies without E cores
        if self.model == 0x55:
            return ("skylakex" if self.stepping <= 4 else "cascadelakex" if self.stepping <= 9 else "cooperlakex"), SKL
        if self.model in (0x4E, 0x5E):
            return "skylake", SKL
        if self.model in (0x8E, 0x9E):
            return ("skylake" if self.stepping <= 9 else "coffeelake"), SKL
        if self.model in (0xA5, 0xA6):
            return "coffeelake", SKL
        return MODELS.get(self.model, (None, None))

    def stack(self):
        """CPUID names the architectural stack. Of the others it names none, so under a hypervisor nothing is known;
        where the format stands in IA32_PERF_CAPABILITIES, that must be there (PDCM)."""
        name = self.described()[1]
        depths = bits(self.leaf(0x1C)[0], 0, 7) if bit(self.leaf(7)[3], 19) else 0
        if self.why() or name is None and not depths:
            return None, None
        if name in (ARCH, None):
            return (ARCH, 8 * depths.bit_length()) if depths else (None, None)
        if self.guest or not (name.startswith("netburst") or bit(self.leaf1[2], 15)):
            return None, None
        return name, DEPTH[name]

    def metrics(self):
        """Fixed counter 3 and PERF_METRICS come together; a register announces the latter, which a hypervisor hides."""
        if self.why():
            return None
        if self.netburst or self.version < 5:
            return False
        third = bit(self.extended()[1] if self.extended() else self.a[2] | ((1 << bits(self.a[3], 0, 4)) - 1), 3)
        if self.p_core_of_eight():
            third = 1
        if self.guest and third:
            return None
        return bool(third)

    def threads(self):
        if self.amd:
            if self.family < 0x17:
                return 1  # no SMT before Zen
            return bits(self.leaf(0x8000001E)[1], 8, 15) + 1  # APM, ThreadsPerCore
        if bits(self.leaf(0xB)[2], 8, 15) == 1 and self.leaf(0xB)[1] & 0xFFFF:
            return self.leaf(0xB)[1] & 0xFFFF
        if not bit(self.leaf1[3], 28):
            return 1  # HTT: one logical processor in the package
        if not self.intel or (self.highest >= 0xB and (0xB, 0) not in self.rows):
            return None
        # SDM 2A: where leaf 0BH answers zero, leaves 1 and 4 count. SDM 3A, "Hierarchical Mapping of Shared Resources": leaf 4 states addressable cores; without it there is one.
        logical = bits(self.leaf1[1], 16, 23)
        cores = bits(self.leaf(4)[0], 26, 31) + 1 if self.highest >= 4 else 1
        return max(1, logical // cores)

    def answer(self):
        name, _ = self.described()
        stack, depth = self.stack()
        why = self.why()
        if name is None and not why:
            name = "architectural"
        version = self.version if not self.amd and not self.netburst and self.version else None
        if self.zen:  # of this project: 2 with PerfMonV2
            version = 2 if bit(self.leaf(0x80000022)[0], 0) else 1
        return [self.machine, self.core, self.vendor, "%02X_%02X" % (self.family, self.model), name, not why, why, version,
                self.general(), self.fixed(), self.metrics(), stack, depth, self.threads()]


def text(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def main():
    cores = {}
    with open(sys.argv[1], encoding="ascii") as file:
        for row in csv.DictReader(file):
            words = tuple(int(row[name], 16) for name in ("eax", "ebx", "ecx", "edx"))
            rows = cores.setdefault((row["machine"], int(row["core"])), {})
            rows[int(row["leaf"], 16), int(row["subleaf"], 16)] = words
    print(",".join(COLUMNS))
    for (machine, core), rows in cores.items():
        print(",".join(text(value) for value in Core(machine, core, rows).answer()))


main()
