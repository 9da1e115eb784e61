/* The firmware's SMBIOS tables. */
#ifndef BOOT_FIRMWARE_SMBIOS_TABLES_H
#define BOOT_FIRMWARE_SMBIOS_TABLES_H

#include "boot/smbios_texts.h"

/* Reads what the tables say of firmware and board; every text is "" when there are no tables or
 * their entry point is damaged. */
void smbios_tables_read(struct smbios_texts *texts);

#endif
