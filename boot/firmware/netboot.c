#include "netboot.h"

#include <efi.h>
#include <efilib.h>

#include "boot/dhcp.h"
#include "boot/format.h"
#include "boot/log.h"
#include "firmware.h"
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
    return rc;
}

bool netboot_there(void)
{
    EFI_PXE_BASE_CODE_PROTOCOL *pxe;
    struct dhcp_boot boot;
    bool there;

    firmware_enter();
    pxe = find_pxe();
    there = pxe != NULL && read_answers(pxe->Mode, &boot);
    firmware_leave();
    return there;
}

static bool name_log(const struct dhcp_boot *boot, char path[DHCP_FILE])
{
    const uint8_t *station = boot->station;
    char name[24];

    format(name, sizeof(name), "%02x%02x%02x%02x%02x%02x.log", station[0], station[1], station[2],
           station[3], station[4], station[5]);
    return dhcp_path(boot, name, path);
}

enum rc netboot_write_log(const char *text, size_t size)
{
    EFI_PXE_BASE_CODE_PROTOCOL *pxe;
    struct dhcp_boot boot;
    char path[DHCP_FILE];
    UINT64 bytes = size;
    enum rc rc = RC_ABSENT;

    if (firmware()->boot == NULL || size > NETBOOT_MOST)
        return RC_ABSENT;
    firmware_enter();
    pxe = find_pxe();
    if (pxe != NULL && read_answers(pxe->Mode, &boot) && name_log(&boot, path))
        rc = EFI_ERROR(transfer(pxe, EFI_PXE_BASE_CODE_TFTP_WRITE_FILE, &boot, path,
                                (void *)(uintptr_t)text, &bytes))
                 ? RC_FIRMWARE
                 : RC_OK;
    firmware_leave();
    return rc;
}
