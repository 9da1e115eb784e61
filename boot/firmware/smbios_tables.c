#include "smbios_tables.h"

#include "boot/smbios.h"
#include "boot/text.h"
#include "firmware.h"

void smbios_tables_read(struct smbios_texts *texts)
{
    const void *entry = firmware_smbios();
    uint64_t address;
    size_t size;

    memset(texts, 0, sizeof(*texts));
    if (entry != NULL && smbios_table(entry, &address, &size) == RC_OK)
        smbios_texts_read((const void *)(uintptr_t)address, size, texts);
}
