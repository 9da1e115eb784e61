#include "screen.h"

#include "boot/log.h"
#include "boot/text.h"
#include "firmware.h"

#define SCREENS_MAX 8
#define KEYS_BEFORE 256 /* that may wait when the run begins */
#define KEYS_AT_ONCE                                                                               \
    16 /* read in one call; firmware that never runs out of keys must not hold it */

static struct {
    SIMPLE_TEXT_OUTPUT_INTERFACE *screens[SCREENS_MAX];
    unsigned count;
    struct screen_page shown;
    bool drawn;
    unsigned refused; /* screens that took no text */
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

/* A console that nobody has set up yet has no mode: mode 0, of 80 by 25, is always there. */
static void add_screen(SIMPLE_TEXT_OUTPUT_INTERFACE *screen)
{
    if (self.count == SCREENS_MAX)
        return;
    if (screen->Mode != NULL && screen->Mode->Mode < 0 && EFI_ERROR(screen->SetMode(screen, 0)))
        return;
    self.screens[self.count++] = screen;
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
        if (!is_serial(path))
            add_screen(screen);
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
        add_screen(fw->table->ConOut);
    firmware_leave();
}

bool screen_there(void)
{
    return self.count && firmware()->boot != NULL;
}

static char character_at(const struct screen_page *page, unsigned row, unsigned column)
{
    const char c = page->text[row][column];

    return c >= ' ' && c <= '~' ? c : ' ';
}

static uint8_t attribute_at(const struct screen_page *page, unsigned row, unsigned column)
{
    const uint8_t attribute = page->attributes[row][column];

    return attribute ? attribute : SCREEN_PLAIN;
}

static bool differs(const struct screen_page *page, unsigned row, unsigned column)
{
    return character_at(page, row, column) != character_at(&self.shown, row, column) ||
           attribute_at(page, row, column) != attribute_at(&self.shown, row, column);
}

/* Columns [from, to) of a row, all of one colour. */
static void draw_part(const struct screen_page *page, unsigned row, unsigned from, unsigned to)
{
    CHAR16 text[SCREEN_COLUMNS + 1];

    for (unsigned i = from; i < to; i++)
        text[i - from] = (CHAR16)character_at(page, row, i);
    text[to - from] = 0;
    for (unsigned i = self.count; i-- > 0;) {
        SIMPLE_TEXT_OUTPUT_INTERFACE *screen = self.screens[i];
        const EFI_STATUS placed = screen->SetCursorPosition(screen, from, row);

        /* Where colours are refused, the text is still good; in another place it would not be. */
        screen->SetAttribute(screen, attribute_at(page, row, from));
        if (!EFI_ERROR(placed) && !EFI_ERROR(screen->OutputString(screen, text)))
            continue;
        self.screens[i] = self.screens[--self.count];
        self.refused++;
    }
}

/* From the first to the last character that differs. */
static void draw_row(const struct screen_page *page, unsigned row)
{
    unsigned from = 0, to = SCREEN_COLUMNS, next;

    while (from < to && !differs(page, row, from))
        from++;
    while (to > from && !differs(page, row, to - 1))
        to--;
    for (; from < to; from = next) {
        for (next = from + 1;
             next < to && attribute_at(page, row, next) == attribute_at(page, row, from); next++)
            ;
        draw_part(page, row, from, next);
    }
}

static void clear(void)
{
    for (unsigned i = 0; i < self.count; i++) {
        SIMPLE_TEXT_OUTPUT_INTERFACE *screen = self.screens[i];

        screen->SetAttribute(screen, SCREEN_PLAIN);
        screen->ClearScreen(screen);
        screen->EnableCursor(screen, FALSE);
    }
    memset(&self.shown, 0, sizeof(self.shown));
}

void screen_draw(const struct screen_page *page)
{
    if (!screen_there())
        return;
    firmware_enter();
    if (!self.drawn)
        clear();
    for (unsigned row = 0; row < SCREEN_ROWS; row++)
        draw_row(page, row);
    firmware_leave();
    self.shown = *page;
    self.drawn = true;
    if (self.refused > 0)
        log_comment("%u screens take no text, and are left alone", self.refused);
    self.refused = 0;
}

void screen_draw_again(const char *last_row)
{
    static struct screen_page page;
    char *row = page.text[SCREEN_ROWS - 1];

    page = self.shown;
    memset(row, 0, SCREEN_COLUMNS);
    for (unsigned i = 0; i < SCREEN_COLUMNS && last_row[i] != 0; i++)
        row[i] = last_row[i];
    self.drawn = false;
    screen_draw(&page);
}

void screen_forget_keys(void)
{
    SIMPLE_INPUT_INTERFACE *keyboard = firmware()->table->ConIn;
    EFI_INPUT_KEY key;

    if (firmware()->boot == NULL || keyboard == NULL)
        return;
    firmware_enter();
    for (unsigned i = 0; i < KEYS_BEFORE && !EFI_ERROR(keyboard->ReadKeyStroke(keyboard, &key));
         i++)
        ;
    firmware_leave();
}

bool screen_escape_pressed(void)
{
    SIMPLE_INPUT_INTERFACE *keyboard = firmware()->table->ConIn;
    EFI_INPUT_KEY key;
    bool pressed = false;

    if (firmware()->boot == NULL || keyboard == NULL)
        return false;
    firmware_enter();
    for (unsigned i = 0; i < KEYS_AT_ONCE && !pressed; i++) {
        if (EFI_ERROR(keyboard->ReadKeyStroke(keyboard, &key)))
            break;
        pressed = key.ScanCode == SCAN_ESC;
    }
    firmware_leave();
    return pressed;
}
