/* Records of CPUID that the rig is given: whatever the file holds, it is refused with a reason, or
 * has a kind of core, whose rows are within its room. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/cpuid_file.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 1400u

static const char *const texts[] = {
    "machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx\n"
    "m-1,n,s,0,00000000,00000000,00000001,756e6547,6c65746e,49656e69\n"
    "m-1,n,s,0,00000001,00000000,000506e3,00100800,00008000,10000000\n"
    "m-1,n,s,4,00000000,00000000,00000001,756e6547,6c65746e,49656e69\n"
    "m-1,n,s,4,00000001,00000000,000506e3,00100800,00008000,10000000\n",
    "CPU 0:\n   0x00000000 0x00: eax=0x00000001 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
    "   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x00008000 edx=0x10000000\nCPU 1:\n"
    "   0x00000000 0x00: eax=0x00000001 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
    "   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x00008000 edx=0x10000000\n",
    "--[ Logical CPU #0 ]--\nCPUID 00000000: 00000001-756E6547-6C65746E-49656E69\n"
    "CPUID 00000001: 000506E3-00100800-00008000-10000000 [SL 00]\n--[ Logical CPU #1 ]--\n"
    "CPUID 00000000: 00000007-756E6547-6C65746E-49656E69\n"
    "CPUID 00000001: 000506E3-00100800-00008000-10000000 [SL 00]\n"
    "CPUID 00000007: 00000000-00000000-00000000-00000000\n",
};
static const char *const pieces[] = {
    "\n",     ",",     "0",  "ffffffff", "CPU 2:\n", "CPUID ", "[SL 00]", "-",       " ",
    "eax=0x", "CPU #", "0x", "\xff",     "80000000", "m,\n",   "\r",      "[SL 06]", "1A"};

static size_t make(uint64_t *state, char *text)
{
    const char *whole = texts[random_below(state, sizeof(texts) / sizeof(*texts))];
    size_t size = strlen(whole);

    memcpy(text, whole, size);
    for (unsigned i = random_below(state, 4); i > 0; i--) {
        const char *piece = pieces[random_below(state, sizeof(pieces) / sizeof(*pieces))];
        const size_t at = random_below(state, (unsigned)size), length = strlen(piece);

        if (at + length < ROOM)
            memcpy(text + at, piece, length);
        size = at + length > size ? at + length : size;
    }
    return random_below(state, 6) ? size : random_below(state, (unsigned)size + 1);
}

const struct fuzz fuzz = {"records of CPUID for the rig", 10000, 20261127, ROOM, make};
unsigned fuzz_accepted;

static void check(const struct recorded_machine *machine)
{
    require(machine->kinds >= 1 && machine->kinds <= RECORD_KINDS, "there is a kind of core");
    require(memchr(machine->name, 0, sizeof(machine->name)) != NULL, "its name ends");
    for (unsigned i = 0; i < machine->kinds; i++) {
        require(machine->kind[i].count <= RECORD_ROWS, "its rows have room");
        require(recorded_row(&machine->kind[i], 0, 0) != NULL, "it has leaf 0");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct recorded_machine machine;
    static int file = -1;
    char name[64], why[256] = "";

    if (file < 0)
        file = memfd_create("record", 0);
    require(file >= 0 && ftruncate(file, 0) == 0, "a file");
    require(pwrite(file, bytes, size, 0) == (ssize_t)size, "it is written");
    snprintf(name, sizeof(name), "/proc/self/fd/%d", file);
    if (cpuid_file_read(&machine, name, why, sizeof(why))) {
        fuzz_accepted++;
        check(&machine);
    } else {
        require(why[0] != 0, "a refusal has a reason");
    }
    return 0;
}
