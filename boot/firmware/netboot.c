#include "netboot.h"

#include <efi.h>
#include <efilib.h>

#include "boot/network/dhcp.h"
#include "boot/format.h"
#include "boot/log.h"
#include "firmware.h"
#include "http.h"
#include "memory.h"

/* Of a server that does not say how long a file is. */
#define UNKNOWN_SIZE 65536u

/* PXE's protocol, on the device that the image was loaded from; null: it was not loaded so. Like
 * the helpers below it is called between firmware_enter and firmware_leave. */
static EFI_PXE_BASE_CODE_PROTOCOL *find_pxe(void)
{
    static EFI_GUID pxe_base_code = EFI_PXE_BASE_CODE_PROTOCOL_GUID;
    const struct firmware *fw = firmware();
    EFI_PXE_BASE_CODE_PROTOCOL *pxe;
    void *found = NULL;

    if (fw->boot == NULL || fw->loaded == NULL || fw->loaded->DeviceHandle == NULL ||
        EFI_ERROR(fw->boot->HandleProtocol(fw->loaded->DeviceHandle, &pxe_base_code, &found)))
        return NULL;
    pxe = found;
    return pxe->Mode != NULL && pxe->Mode->Started && !pxe->Mode->UsingIpv6 ? pxe : NULL;
}

/* The answers that may name the boot file, the one that is asked for last first. */
static bool read_answers(const EFI_PXE_BASE_CODE_MODE *mode, struct dhcp_boot *boot)
{
    const struct {
        BOOLEAN received;
        const EFI_PXE_BASE_CODE_PACKET *packet;
    } answers[] = {{mode->PxeReplyReceived, &mode->PxeReply},
                   {mode->ProxyOfferReceived, &mode->ProxyOffer},
                   {mode->DhcpAckReceived, &mode->DhcpAck}};

    for (unsigned i = 0; i < sizeof(answers) / sizeof(*answers); i++)
        if (answers[i].received &&
            dhcp_boot_read(answers[i].packet->Raw, sizeof(answers[i].packet->Raw), boot))
            return true;
    return false;
}

static EFI_STATUS transfer(EFI_PXE_BASE_CODE_PROTOCOL *pxe, EFI_PXE_BASE_CODE_TFTP_OPCODE what,
                           const struct dhcp_boot *boot, const char *path, void *bytes,
                           UINT64 *count)
{
    EFI_IP_ADDRESS server = {{0}};

    for (unsigned i = 0; i < sizeof(boot->server); i++)
        server.v4.Addr[i] = boot->server[i];
    return pxe->Mtftp(pxe, what, bytes, TRUE, count, NULL, &server, (UINT8 *)(uintptr_t)path, NULL,
                      FALSE);
}

/* What a transfer that failed means. */
static enum rc refused(const EFI_PXE_BASE_CODE_PROTOCOL *pxe, EFI_STATUS status)
{
    if (status == EFI_BUFFER_TOO_SMALL)
        return RC_NO_SPACE;
    return status == EFI_NOT_FOUND || (status == EFI_TFTP_ERROR && pxe->Mode->TftpErrorReceived)
               ? RC_ABSENT
               : RC_FIRMWARE;
}

static enum rc read_file(EFI_PXE_BASE_CODE_PROTOCOL *pxe, const struct dhcp_boot *boot,
                         const char *path, size_t limit, char **data, size_t *size)
{
    UINT64 bytes = 0;
    EFI_STATUS status =
        transfer(pxe, EFI_PXE_BASE_CODE_TFTP_GET_FILE_SIZE, boot, path, NULL, &bytes);

    if (EFI_ERROR(status) && refused(pxe, status) == RC_ABSENT)
        return RC_ABSENT;
    if (EFI_ERROR(status))
        bytes = UNKNOWN_SIZE < limit ? UNKNOWN_SIZE : limit;
    if (bytes > limit)
        return RC_NO_SPACE;
    *data = memory_alloc(bytes + 1);
    if (*data == NULL)
        return RC_FIRMWARE;
    status = transfer(pxe, EFI_PXE_BASE_CODE_TFTP_READ_FILE, boot, path, *data, &bytes);
    *size = bytes;
    (*data)[EFI_ERROR(status) ? 0 : bytes] = '\0';
    return EFI_ERROR(status) ? refused(pxe, status) : RC_OK;
}

static void say(const struct dhcp_boot *boot, const char *path, enum rc rc)
{
    log_comment("%s of %u.%u.%u.%u, by TFTP: %s", path, boot->server[0], boot->server[1],
                boot->server[2], boot->server[3],
                rc == RC_OK       ? "read"
                : rc == RC_ABSENT ? "the server has no such file"
                                  : "cannot be read");
}

/* ---- HTTP ---- */

static void say_http(const char *url, enum rc rc)
{
    log_comment("%s: %s", url,
                rc == RC_OK       ? "read"
                : rc == RC_ABSENT ? "the server has no such file"
                                  : "cannot be read");
}

static enum rc read_by_http(const char *name, size_t limit, const char **data, size_t *size)
{
    struct http_boot boot;
    char url[HTTP_URL], *bytes;
    enum rc rc;

    if (!http_booted(&boot) || !http_url(&boot, name, url))
        return RC_ABSENT;
    bytes = memory_alloc(limit + 1);
    if (bytes == NULL)
        return RC_FIRMWARE;
    *size = limit;
    rc = http_get(&boot, url, bytes, size);
    say_http(url, rc);
    bytes[rc == RC_OK ? *size : 0] = '\0';
    *data = bytes;
    return rc;
}

/* ---- either ---- */

enum rc netboot_read(const char *name, size_t limit, const char **data, size_t *size)
{
    EFI_PXE_BASE_CODE_PROTOCOL *pxe;
    struct dhcp_boot boot;
    char path[DHCP_FILE], *bytes = NULL;
    enum rc rc = RC_ABSENT;
    bool asked = false;

    firmware_enter();
    pxe = find_pxe();
    if (pxe != NULL && read_answers(pxe->Mode, &boot) && dhcp_path(&boot, name, path)) {
        asked = true;
        rc = read_file(pxe, &boot, path, limit, &bytes, size);
    }
    firmware_leave();
    if (asked)
        say(&boot, path, rc);
    *data = bytes;
    return asked ? rc : read_by_http(name, limit, data, size);
}

bool netboot_there(void)
{
    EFI_PXE_BASE_CODE_PROTOCOL *pxe;
    struct http_boot http;
    struct dhcp_boot boot;
    bool there;

    firmware_enter();
    pxe = find_pxe();
    there = pxe != NULL && read_answers(pxe->Mode, &boot);
    firmware_leave();
    return there || http_booted(&http);
}

static void name_log(const uint8_t station[6], char name[24])
{
    format(name, 24, "%02x%02x%02x%02x%02x%02x.log", station[0], station[1], station[2], station[3],
           station[4], station[5]);
}

static enum rc put_log(const char *text, size_t size)
{
    struct http_boot boot;
    char name[24], url[HTTP_URL];

    if (!http_booted(&boot))
        return RC_ABSENT;
    name_log(boot.station, name);
    return http_url(&boot, name, url) ? http_put(&boot, url, text, size) : RC_ABSENT;
}

/* RC_ABSENT: the image did not come by PXE. */
static enum rc write_by_tftp(const char *text, size_t size)
{
    EFI_PXE_BASE_CODE_PROTOCOL *pxe = find_pxe();
    struct dhcp_boot boot;
    char name[24], path[DHCP_FILE];
    UINT64 bytes = size;

    if (pxe == NULL || !read_answers(pxe->Mode, &boot))
        return RC_ABSENT;
    name_log(boot.station, name);
    if (!dhcp_path(&boot, name, path) ||
        EFI_ERROR(transfer(pxe, EFI_PXE_BASE_CODE_TFTP_WRITE_FILE, &boot, path,
                           (void *)(uintptr_t)text, &bytes)))
        return RC_FIRMWARE;
    return RC_OK;
}

enum rc netboot_write_log(const char *text, size_t size)
{
    enum rc rc;

    if (firmware()->boot == NULL || size > NETBOOT_MOST)
        return RC_ABSENT;
    firmware_enter();
    rc = write_by_tftp(text, size);
    firmware_leave();
    return rc == RC_ABSENT ? put_log(text, size) : rc;
}
