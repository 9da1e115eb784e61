#include "server_log.h"

#include "boot/text.h"
#include "memory.h"
#include "netboot.h"

#define FIRST_SIZE (64u << 10)
#define FULL_TEXT  "# the log is as long as a server takes it: what follows is not sent\n"

static struct {
    char *text;
    size_t length, room;
    bool full; /* a line had no room */
} self;

/* Makes room for a line and FULL_TEXT. The memory of a shorter text is not used again. */
static bool make_room(size_t length)
{
    const size_t wanted = self.length + length + sizeof(FULL_TEXT);
    size_t room = self.room > 0 ? self.room : FIRST_SIZE;
    char *text;

    while (room < wanted && room < NETBOOT_MOST)
        room *= 2;
    if (room < wanted)
        return false;
    if (room == self.room)
        return true;
    text = memory_alloc(room);
    if (text == NULL)
        return false;
    memcpy(text, self.text, self.length);
    self.text = text;
    self.room = room;
    return true;
}

void server_log_keep(const char *text, size_t length)
{
    if (self.full)
        return;
    if (!make_room(length)) {
        self.full = true;
        text = FULL_TEXT;
        length = sizeof(FULL_TEXT) - 1;
    }
    if (self.length + length > self.room)
        return; /* there was never any memory */
    memcpy(self.text + self.length, text, length);
    self.length += length;
}

uint64_t server_log_bytes(void)
{
    return self.length;
}

bool server_log_lacks(uint64_t bytes)
{
    return self.full || NETBOOT_MOST - self.length < bytes;
}

bool server_log_send(void)
{
    return netboot_write_log(self.text, self.length) == RC_OK;
}
