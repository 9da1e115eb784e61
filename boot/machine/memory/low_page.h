/* The page below 640 KiB that a start-up IPI can name. Where none is free, one of the firmware's is
 * borrowed: what it holds is put back before the firmware runs again. */
#ifndef BOOT_MACHINE_MEMORY_LOW_PAGE_H
#define BOOT_MACHINE_MEMORY_LOW_PAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Finds the page, with boot services alive. False: there is none that could be borrowed, either. */
bool low_page_find(void);
/* Whether the page is borrowed: from low_page_take to low_page_give_back neither the firmware may
 * be called nor interrupts may be on. */
bool low_page_is_borrowed(void);
/* The page's address, for the caller to write to. */
uint64_t low_page_take(void);
void low_page_give_back(void);

#endif
