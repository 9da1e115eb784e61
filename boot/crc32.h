/* CRC-32 of the log's records: polynomial 0x04c11db7 reflected, all ones before and after, the same
 * as zlib's crc32(). Pure. */
#ifndef BOOT_CRC32_H
#define BOOT_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* The CRC-32 of `size` bytes. */
uint32_t crc32_of(const void *data, size_t size);
/* That of bytes whose CRC-32 is `before`, 0 for none, and these behind them. */
uint32_t crc32_more(uint32_t before, const void *data, size_t size);

#endif
