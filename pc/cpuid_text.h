/* Recorded CPUID answers as text, in three forms:
 *   a table with the columns of CPUID_TABLE, eight hexadecimal digits a word, the rows of a machine
 *   and of its core one after the other;
 *   what `cpuid -r` prints ("CPU 0:" begins a core);
 *   what InstLatx64 collects ("CPUID 00000004: 1C004121-01C0003F-0000003F-00000000 [SL 00]"; a line
 *   with "CPU #0" or "CPU#000" begins a core).
 * Pure and bounded: any bytes may come. */
#ifndef PC_CPUID_TEXT_H
#define PC_CPUID_TEXT_H

#include <stddef.h>

#include "cpuid_record.h"

#define CPUID_TABLE "machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx"

struct cpuid_sink {
    void *context;
    /* A record without an error; it lasts until the function returns. */
    void (*record)(void *context, const struct cpuid_record *record);
    void (*complain)(void *context, const struct cpuid_error *error);
};

/* Reads the text and hands over its records in order. `machine` names the machine where the form
 * has no name for it. A record with an error is handed over as that error alone. Returns how many
 * records were good. */
unsigned cpuid_text_read(const char *text, size_t size, const char *machine,
                         const struct cpuid_sink *sink);

#endif
