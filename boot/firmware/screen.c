#include "screen.h"

#include "firmware.h"

#define SCREENS_MAX 8
#define CHUNK       512

static struct {
    SIMPLE_TEXT_OUTPUT_INTERFACE *screens[SCREENS_MAX];
    unsigned count;
} self;

static bool is_serial(const EFI_DEVICE_PATH *path)
{
    for (unsigned nodes = 0; nodes < 64 && !IsDevicePathEndType(path); nodes++) {
        if ((size_t)DevicePathNodeLength(path) < sizeof(*path))
            break;
        if (DevicePathType(path) == MESSAGING_DEVICE_PATH && DevicePathSubType(path) == MSG_UART_DP)
            return true;
        path = NextDevicePathNode(path);
    }
    return false;
}

/* Collects the consoles that have a device path and are not behind a UART. (The console that only
 * copies to the others has no device path.) Returns how many have a device path. */
static unsigned find_screens(EFI_BOOT_SERVICES *boot)
{
    EFI_GUID text_out = SIMPLE_TEXT_OUTPUT_PROTOCOL, device_path = DEVICE_PATH_PROTOCOL;
    EFI_HANDLE *handles;
    UINTN count;
    unsigned seen = 0;

    if (EFI_ERROR(boot->LocateHandleBuffer(ByProtocol, &text_out, NULL, &count, &handles)))
        return 0;
    for (UINTN i = 0; i < count; i++) {
        void *screen, *path;

        if (EFI_ERROR(boot->HandleProtocol(handles[i], &device_path, &path)) ||
            EFI_ERROR(boot->HandleProtocol(handles[i], &text_out, &screen)))
            continue;
        seen++;
        if (!is_serial(path) && self.count < SCREENS_MAX)
            self.screens[self.count++] = screen;
    }
    boot->FreePool(handles);
    return seen;
}

void screen_start(bool serial_used)
{
    const struct firmware *fw = firmware();
    unsigned seen;

    if (fw->boot == NULL)
        return;
    firmware_enter();
    seen = find_screens(fw->boot);
    if (!self.count && (!seen || !serial_used) && fw->table->ConOut != NULL)
        self.screens[self.count++] = fw->table->ConOut;
    firmware_leave();
}

static bool is_there(void)
{
    return self.count && firmware()->boot != NULL;
}

static void send_chunk(CHAR16 *text)
{
    for (unsigned i = 0; i < self.count; i++)
        self.screens[i]->OutputString(self.screens[i], text);
}

/* Sixteen characters at a time, which the compiler makes vector instructions of: a line may be 4096
 * characters long. */
static void widen(CHAR16 *restrict wide, const char *restrict text, size_t length)
{
    for (; length >= 16; length -= 16, wide += 16, text += 16)
        for (unsigned i = 0; i < 16; i++)
            wide[i] = (uint8_t)text[i];
    for (; length; length--)
        *wide++ = (uint8_t)*text++;
}

void screen_send(const char *line, size_t length)
{
    CHAR16 chunk[CHUNK + 2]; /* CHUNK - 1 characters, CR, LF and a 0 */

    if (!is_there())
        return;
    firmware_enter();
    for (; length >= CHUNK; length -= CHUNK, line += CHUNK) {
        widen(chunk, line, CHUNK);
        chunk[CHUNK] = 0;
        send_chunk(chunk);
    }
    widen(chunk, line, length);
    chunk[length++] = '\r';
    chunk[length++] = '\n';
    chunk[length] = 0;
    send_chunk(chunk);
    firmware_leave();
}
