#include "setup_file.h"

#include "boot/firmware/files.h"
#include "boot/firmware/netboot.h"
#include "boot/format.h"

bool setup_file(const char *name, size_t limit, const char **data, size_t *size,
                struct complaints *complaints)
{
    enum rc rc = files_read(name, limit, data, size);
    char expected[24];

    if (rc == RC_ABSENT && files_none())
        rc = netboot_read(name, limit, data, size);
    format(expected, sizeof(expected), "at most %u KiB", (unsigned)(limit / 1024));
    if (rc == RC_NO_SPACE)
        complaints_refuse_file(complaints, name, "file too large", expected);
    else if (rc != RC_OK && rc != RC_ABSENT)
        complaints_refuse_file(complaints, name, "file cannot be read", "a readable file");
    return rc == RC_OK;
}
