#include "screen.h"

#include "firmware.h"

#define SCREENS_MAX 8
#define CHUNK       128

static struct {
    SIMPLE_TEXT_OUTPUT_INTERFACE *screens[SCREENS_MAX];
    unsigned count;
} self;

static bool is_serial(const EFI_DEVICE_PATH *path)
{
    for (unsigned nodes = 0; nodes < 64 && !IsDevicePathEndType(path); nodes++) {
        if ((size_t)DevicePathNodeLength(path) < sizeof *path)
            break;
        if (DevicePathType(path) == MESSAGING_DEVICE_PATH && DevicePathSubType(path) == MSG_UART_DP)
            return true;
        path = NextDevicePathNode(path);
    }
    return false;
}

/* Consoles with a device path of their own; the one that only copies to the others has none.
 * Returns how many there are, those behind a UART included. */
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

    if (!fw->boot)
        return;
    firmware_enter();
    seen = find_screens(fw->boot);
    if (!self.count && (!seen || !serial_used) && fw->table->ConOut)
        self.screens[self.count++] = fw->table->ConOut;
    firmware_leave();
}

bool screen_is_there(void)
{
    return self.count && firmware()->boot;
}

static void send_chunk(CHAR16 *text)
{
    for (unsigned i = 0; i < self.count; i++)
        self.screens[i]->OutputString(self.screens[i], text);
}

void screen_send(const char *text, size_t length)
{
    CHAR16 chunk[CHUNK + 2]; /* a CR may go over, and the end */
    unsigned used = 0;

    if (!screen_is_there())
        return;
    firmware_enter();
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            chunk[used++] = '\r';
        chunk[used++] = (CHAR16)text[i];
        if (used >= CHUNK || i + 1 == length) {
            chunk[used] = 0;
            send_chunk(chunk);
            used = 0;
        }
    }
    firmware_leave();
}
