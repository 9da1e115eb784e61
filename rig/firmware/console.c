/* Text output and input, and the graphics output over the frame buffer. The keys are those of the
 * command line. UEFI specification, "Console Support". */
#include <efi.h>
#include <string.h>

#include "device/guest_memory.h"
#include "service.h"
#include "state.h"

#define BYTES_PER_PIXEL 4u
#define ESCAPE          0x1b

static bool mode_get(struct call *call, SIMPLE_TEXT_OUTPUT_MODE *mode)
{
    return get(call, call->firmware->console_mode, mode, sizeof(*mode));
}

/* "The output device's mode is not currently in a defined text mode." */
static bool is_undefined(const SIMPLE_TEXT_OUTPUT_MODE *mode)
{
    return mode->Mode < 0;
}

static void mode_put(struct call *call, const SIMPLE_TEXT_OUTPUT_MODE *mode)
{
    put(call, call->firmware->console_mode, mode, sizeof(*mode));
}

/* What a call moves on the screen, in rows of pixels. Scrolling moves all rows. */
struct moved {
    unsigned written, scrolled;
};

/* Lets the time pass that the console takes, as service_takes. A guess: the time goes with the
 * pixels, so a row that is written or cleared costs a part in SCREEN_ROWS of scrolling. */
static void take_time(struct call *call, struct moved moved)
{
    const uint64_t row_us = call->firmware->console_row_us;

    service_takes(call, moved.scrolled * row_us + moved.written * row_us / SCREEN_ROWS);
}

/* Takes the cursor to the next row, at the bottom by scrolling. */
static void next_row(struct text_screen *screen, SIMPLE_TEXT_OUTPUT_MODE *mode, struct moved *moved)
{
    if (mode->CursorRow == SCREEN_ROWS - 1) {
        text_screen_scroll(screen);
        moved->scrolled++;
    } else {
        mode->CursorRow++;
        moved->written++;
    }
}

/* Writes one character at the cursor. */
static void advance(struct text_screen *screen, SIMPLE_TEXT_OUTPUT_MODE *mode, uint16_t c,
                    struct moved *moved)
{
    if (c == '\r') {
        mode->CursorColumn = 0;
    } else if (c == '\b') {
        mode->CursorColumn -= mode->CursorColumn > 0;
    } else if (c == '\n') {
        next_row(screen, mode, moved);
    } else {
        text_screen_put(screen, (unsigned)mode->CursorRow, (unsigned)mode->CursorColumn, c,
                        (uint8_t)mode->Attribute);
        if (++mode->CursorColumn < SCREEN_COLUMNS)
            return;
        mode->CursorColumn = 0;
        next_row(screen, mode, moved);
    }
}

static uint64_t write_string(struct call *call, SIMPLE_TEXT_OUTPUT_MODE *mode, struct moved *moved)
{
    uint16_t c;

    moved->written = 1;
    for (uint64_t at = argument(call, 1);; at += 2) {
        if (!get(call, at, &c, sizeof(c)))
            return EFI_INVALID_PARAMETER;
        if (c == 0)
            return EFI_SUCCESS;
        advance(&call->firmware->screen, mode, c, moved);
    }
}

uint64_t firmware_output_string(struct call *call)
{
    SIMPLE_TEXT_OUTPUT_MODE mode;
    struct moved moved = {0, 0};
    uint64_t status;

    if (call->firmware->stalled) { /* the text is written; its time passes */
        take_time(call, moved);
        return EFI_SUCCESS;
    }
    if (!mode_get(call, &mode))
        return EFI_DEVICE_ERROR;
    if (is_undefined(&mode))
        return EFI_UNSUPPORTED;
    status = write_string(call, &mode, &moved);
    if (status != EFI_SUCCESS)
        return status;
    mode_put(call, &mode);
    take_time(call, moved);
    return EFI_SUCCESS;
}

uint64_t firmware_test_string(struct call *call)
{
    uint16_t c;

    return get(call, argument(call, 1), &c, sizeof(c)) ? EFI_SUCCESS : EFI_INVALID_PARAMETER;
}

/* Clears the screen; the cursor goes to its first cell. */
static uint64_t home(struct call *call, int32_t attribute, bool sets_mode)
{
    SIMPLE_TEXT_OUTPUT_MODE mode;

    if (call->firmware->stalled) { /* the screen is blank; its time passes */
        take_time(call, (struct moved){0, 0});
        return EFI_SUCCESS;
    }
    if (!mode_get(call, &mode))
        return EFI_DEVICE_ERROR;
    if (sets_mode)
        mode.Mode = 0;
    if (is_undefined(&mode))
        return EFI_UNSUPPORTED;
    mode.CursorColumn = mode.CursorRow = 0;
    if (attribute >= 0)
        mode.Attribute = attribute;
    mode_put(call, &mode);
    text_screen_clear(&call->firmware->screen, (uint8_t)mode.Attribute);
    take_time(call, (struct moved){SCREEN_ROWS, 0});
    return EFI_SUCCESS;
}

uint64_t firmware_output_reset(struct call *call)
{
    return home(call, 0x07, true);
}

uint64_t firmware_clear_screen(struct call *call)
{
    return home(call, -1, false);
}

uint64_t firmware_query_text_mode(struct call *call)
{
    if (argument(call, 1))
        return EFI_UNSUPPORTED;
    return put64(call, argument(call, 2), SCREEN_COLUMNS) &&
                   put64(call, argument(call, 3), SCREEN_ROWS)
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

uint64_t firmware_set_text_mode(struct call *call)
{
    return argument(call, 1) ? EFI_UNSUPPORTED : home(call, -1, true);
}

uint64_t firmware_set_attribute(struct call *call)
{
    SIMPLE_TEXT_OUTPUT_MODE mode;

    if (argument(call, 1) > 0x7f)
        return EFI_UNSUPPORTED;
    if (!mode_get(call, &mode))
        return EFI_DEVICE_ERROR;
    if (is_undefined(&mode))
        return EFI_UNSUPPORTED;
    mode.Attribute = (int32_t)argument(call, 1);
    mode_put(call, &mode);
    return EFI_SUCCESS;
}

uint64_t firmware_set_cursor_position(struct call *call)
{
    SIMPLE_TEXT_OUTPUT_MODE mode;

    if (argument(call, 1) >= SCREEN_COLUMNS || argument(call, 2) >= SCREEN_ROWS)
        return EFI_UNSUPPORTED;
    if (!mode_get(call, &mode))
        return EFI_DEVICE_ERROR;
    if (is_undefined(&mode))
        return EFI_UNSUPPORTED;
    mode.CursorColumn = (int32_t)argument(call, 1);
    mode.CursorRow = (int32_t)argument(call, 2);
    mode_put(call, &mode);
    return EFI_SUCCESS;
}

uint64_t firmware_enable_cursor(struct call *call)
{
    SIMPLE_TEXT_OUTPUT_MODE mode;

    if (!mode_get(call, &mode))
        return EFI_DEVICE_ERROR;
    mode.CursorVisible = argument(call, 1) & 1;
    mode_put(call, &mode);
    return EFI_SUCCESS;
}

uint64_t firmware_input_reset(struct call *call)
{
    (void)call;
    return EFI_SUCCESS;
}

uint64_t firmware_read_key(struct call *call)
{
    struct firmware *firmware = call->firmware;
    const bool before = *firmware->keys_before;
    const char **keys = before ? &firmware->keys_before : &firmware->keys, *key = *keys;
    EFI_INPUT_KEY pressed = {0, 0};

    if (view(call, argument(call, 1), sizeof(pressed)) == NULL)
        return EFI_INVALID_PARAMETER;
    if (key == NULL || !*key || (!before && !firmware->queue_emptied)) {
        firmware->queue_emptied = true;
        return EFI_NOT_READY;
    }
    if (*key == ESCAPE)
        pressed.ScanCode = SCAN_ESC;
    else
        pressed.UnicodeChar = *key == '\n' ? '\r' : (CHAR16)(unsigned char)*key;
    put(call, argument(call, 1), &pressed, sizeof(pressed));
    *keys = key + 1;
    return EFI_SUCCESS;
}

/* ---- graphics ---- */

uint64_t firmware_query_graphics_mode(struct call *call)
{
    uint64_t copy;
    const void *info =
        view(call, call->firmware->graphics_info, sizeof(EFI_GRAPHICS_OUTPUT_MODE_INFORMATION));

    if (info == NULL || (argument(call, 1) & UINT32_MAX) ||
        view(call, argument(call, 2), 8) == NULL || view(call, argument(call, 3), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    copy = memory_map_pool(&call->firmware->map, EfiBootServicesData,
                           sizeof(EFI_GRAPHICS_OUTPUT_MODE_INFORMATION));
    if (!copy)
        return EFI_OUT_OF_RESOURCES;
    put(call, copy, info, sizeof(EFI_GRAPHICS_OUTPUT_MODE_INFORMATION));
    put64(call, argument(call, 2), sizeof(EFI_GRAPHICS_OUTPUT_MODE_INFORMATION));
    put64(call, argument(call, 3), copy);
    return EFI_SUCCESS;
}

uint64_t firmware_set_graphics_mode(struct call *call)
{
    if (argument(call, 1) & UINT32_MAX)
        return EFI_UNSUPPORTED;
    memset(call->firmware->memory->framebuffer, 0, FRAMEBUFFER_BYTES);
    return EFI_SUCCESS;
}

static bool fits(uint64_t at, uint64_t extent, uint64_t whole)
{
    return at <= whole && extent <= whole - at;
}

static uint8_t *pixel(struct call *call, uint64_t x, uint64_t y)
{
    return call->firmware->memory->framebuffer + (y * FRAMEBUFFER_WIDTH + x) * BYTES_PER_PIXEL;
}

static void transfer_row(struct call *call, EFI_GRAPHICS_OUTPUT_BLT_OPERATION kind,
                         const uint64_t from[2], const uint64_t to[2], uint64_t row, uint64_t width,
                         uint8_t *buffer, uint64_t pitch)
{
    switch (kind) {
    case EfiBltVideoFill:
        for (uint64_t i = 0; i < width; i++)
            memcpy(pixel(call, to[0] + i, to[1] + row), buffer, BYTES_PER_PIXEL);
        break;
    case EfiBltVideoToBltBuffer:
        memcpy(buffer + (to[1] + row) * pitch + to[0] * BYTES_PER_PIXEL,
               pixel(call, from[0], from[1] + row), width * BYTES_PER_PIXEL);
        break;
    case EfiBltBufferToVideo:
        memcpy(pixel(call, to[0], to[1] + row),
               buffer + (from[1] + row) * pitch + from[0] * BYTES_PER_PIXEL,
               width * BYTES_PER_PIXEL);
        break;
    case EfiBltVideoToVideo:
    case EfiGraphicsOutputBltOperationMax:
        memmove(pixel(call, to[0], to[1] + row), pixel(call, from[0], from[1] + row),
                width * BYTES_PER_PIXEL);
        break;
    }
}

uint64_t firmware_block_transfer(struct call *call)
{
    uint64_t kind = argument(call, 2) & UINT32_MAX,
             from[2] = {argument(call, 3), argument(call, 4)};
    uint64_t to[2] = {argument(call, 5), argument(call, 6)}, width = argument(call, 7),
             height = argument(call, 8);
    uint64_t pitch = argument(call, 9) ? argument(call, 9) : width * BYTES_PER_PIXEL,
             bytes = BYTES_PER_PIXEL;
    const uint64_t *in_buffer = kind == EfiBltVideoToBltBuffer ? to : from;
    bool down = kind == EfiBltVideoToVideo && to[1] > from[1];
    uint8_t *buffer = NULL;

    if (kind >= EfiGraphicsOutputBltOperationMax || width == 0 || height == 0 ||
        width > FRAMEBUFFER_WIDTH || height > FRAMEBUFFER_HEIGHT ||
        (kind != EfiBltVideoToBltBuffer &&
         (!fits(to[0], width, FRAMEBUFFER_WIDTH) || !fits(to[1], height, FRAMEBUFFER_HEIGHT))) ||
        ((kind == EfiBltVideoToBltBuffer || kind == EfiBltVideoToVideo) &&
         (!fits(from[0], width, FRAMEBUFFER_WIDTH) || !fits(from[1], height, FRAMEBUFFER_HEIGHT))))
        return EFI_INVALID_PARAMETER;
    if (kind != EfiBltVideoFill) {
        if (in_buffer[0] > UINT16_MAX || in_buffer[1] > UINT16_MAX || pitch > UINT32_MAX)
            return EFI_INVALID_PARAMETER;
        bytes = (in_buffer[1] + height - 1) * pitch + (in_buffer[0] + width) * BYTES_PER_PIXEL;
    }
    if (kind != EfiBltVideoToVideo) {
        buffer = view(call, argument(call, 1), bytes);
        if (buffer == NULL)
            return EFI_INVALID_PARAMETER;
    }
    for (uint64_t row = 0; row < height; row++)
        transfer_row(call, (EFI_GRAPHICS_OUTPUT_BLT_OPERATION)kind, from, to,
                     down ? height - 1 - row : row, width, buffer, pitch);
    if (kind == EfiBltVideoToBltBuffer)
        wrote(call, argument(call, 1), bytes);
    return EFI_SUCCESS;
}
