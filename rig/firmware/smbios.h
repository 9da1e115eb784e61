/* The rig's SMBIOS tables (DMTF DSP0134). */
#ifndef RIG_FIRMWARE_SMBIOS_H
#define RIG_FIRMWARE_SMBIOS_H

#include <stdint.h>

struct firmware;

/* The addresses of the two entry points, of version 2.1 and 3.0, over the same structures:
 * firmware, system and board. 0 when there is no room. */
struct smbios_places {
    uint64_t entry_21, entry_30;
};
struct smbios_places smbios_build(struct firmware *firmware);

#endif
