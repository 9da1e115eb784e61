#include "http.h"

#include "boot/format.h"
#include "boot/slice.h"
#include "boot/text.h"
#include "firmware.h"
#include "http_protocol.h"

#define POLL_US 1000u

/* A connection, while it is open. All helpers are called between firmware_enter and
 * firmware_leave. */
struct link {
    EFI_SERVICE_BINDING *binding;
    EFI_HANDLE child;
    struct http_protocol *http;
    EFI_EVENT event;
};

static const uint8_t *path_of(EFI_HANDLE handle)
{
    static EFI_GUID device_path = EFI_DEVICE_PATH_PROTOCOL_GUID;
    void *found = NULL;

    if (handle == NULL || EFI_ERROR(firmware()->boot->HandleProtocol(handle, &device_path, &found)))
        return NULL;
    return found;
}

bool http_booted(struct http_boot *boot)
{
    const uint8_t *path = NULL;
    const struct firmware *fw = firmware();

    if (fw->boot == NULL || fw->loaded == NULL)
        return false;
    firmware_enter();
    path = path_of(fw->loaded->DeviceHandle);
    firmware_leave();
    return path != NULL && http_boot_read(path, HTTP_PATH_BYTES, boot);
}

/* The firmware's HTTP on the network card that has this address. */
static EFI_SERVICE_BINDING *find_binding(const struct http_boot *boot)
{
    static EFI_GUID service_binding = HTTP_SERVICE_BINDING_GUID;
    EFI_BOOT_SERVICES *services = firmware()->boot;
    EFI_HANDLE *handles = NULL;
    void *found = NULL;
    UINTN count = 0;

    if (EFI_ERROR(
            services->LocateHandleBuffer(ByProtocol, &service_binding, NULL, &count, &handles)))
        return NULL;
    for (UINTN i = 0; i < count && found == NULL; i++) {
        const uint8_t *path = path_of(handles[i]);
        uint8_t station[6];

        if (path == NULL || !http_station(path, HTTP_PATH_BYTES, station) ||
            memcmp(station, boot->station, sizeof(station)) != 0 ||
            EFI_ERROR(services->HandleProtocol(handles[i], &service_binding, &found)))
            found = NULL;
    }
    services->FreePool(handles);
    return found;
}

static void close_link(struct link *link)
{
    if (link->event != NULL)
        firmware()->boot->CloseEvent(link->event);
    if (link->http != NULL)
        link->http->configure(link->http, NULL);
    if (link->child != NULL)
        link->binding->DestroyChild(link->binding, link->child);
}

static bool configure(struct link *link, const struct http_boot *boot)
{
    struct http_access_point point = {.use_default_address = FALSE};
    struct http_config config = {
        .version = HTTP_1_1, .timeout_ms = HTTP_WAIT_MS, .access_point = &point};

    memcpy(point.address, boot->address, sizeof(point.address));
    memcpy(point.subnet, boot->mask, sizeof(point.subnet));
    return !EFI_ERROR(link->http->configure(link->http, &config));
}

/* False: it is closed again. */
static bool open_link(struct link *link, const struct http_boot *boot)
{
    static EFI_GUID http_protocol = HTTP_PROTOCOL_GUID;
    EFI_BOOT_SERVICES *services = firmware()->boot;
    void *found = NULL;

    *link = (struct link){.binding = find_binding(boot)};
    if (link->binding == NULL || EFI_ERROR(link->binding->CreateChild(link->binding, &link->child)))
        return false;
    if (!EFI_ERROR(services->HandleProtocol(link->child, &http_protocol, &found))) {
        link->http = found;
        if (configure(link, boot) &&
            !EFI_ERROR(services->CreateEvent(0, TPL_CALLBACK, NULL, NULL, &link->event)))
            return true;
    }
    close_link(link);
    return false;
}

/* Waits for the token, which the firmware has taken. */
static bool wait(struct link *link, struct http_token *token)
{
    EFI_BOOT_SERVICES *services = firmware()->boot;

    for (uint64_t us = 0; us < HTTP_WAIT_MS * 1000ull; us += POLL_US) {
        if (!EFI_ERROR(services->CheckEvent(token->event)))
            return !EFI_ERROR(token->status) || token->status == EFI_HTTP_ERROR;
        link->http->poll(link->http);
        services->Stall(POLL_US);
    }
    link->http->cancel(link->http, token);
    return false;
}

static bool send(struct link *link, const struct http_boot *boot, uint32_t method, const char *url,
                 const char *body, size_t size)
{
    CHAR16 wide[HTTP_URL];
    char host[HTTP_URL], length[24];
    struct http_header headers[] = {{(CHAR8 *)"Host", (CHAR8 *)host},
                                    {(CHAR8 *)"User-Agent", (CHAR8 *)"slotscope"},
                                    {(CHAR8 *)"Content-Length", (CHAR8 *)length}};
    struct http_request request = {method, wide};
    struct http_message message = {.data.request = &request,
                                   .header_count = body != NULL ? 3 : 2,
                                   .headers = headers,
                                   .body_length = size,
                                   .body = (void *)(uintptr_t)body};
    struct http_token token = {.event = link->event, .message = &message};

    http_host(boot, host);
    format(length, sizeof(length), "%llu", (unsigned long long)size);
    for (size_t i = 0; i <= strlen(url); i++)
        wide[i] = (unsigned char)url[i];
    return !EFI_ERROR(link->http->request(link->http, &token)) && wait(link, &token);
}

/* The length that the server states. False: it states none. */
static bool read_length(const struct http_message *message, uint64_t *length)
{
    for (UINTN i = 0; i < message->header_count; i++) {
        const char *name = (const char *)message->headers[i].name,
                   *value = (const char *)message->headers[i].value;

        if (slice_is_file((struct slice){name, strlen(name)}, "content-length"))
            return slice_number((struct slice){value, strlen(value)}, UINT32_MAX, length);
    }
    return false;
}

/* Takes the head of the server's answer; *length is UINT64_MAX where it states none. False: there
 * is no answer. */
static bool receive(struct link *link, struct http_response *response, uint64_t *length)
{
    struct http_message message = {.data.response = response};
    struct http_token token = {.event = link->event, .message = &message};

    if (EFI_ERROR(link->http->response(link->http, &token)) || !wait(link, &token))
        return false;
    if (!read_length(&message, length))
        *length = UINT64_MAX;
    if (message.headers != NULL)
        firmware()->boot->FreePool(message.headers);
    return true;
}

/* Takes a part of the body. */
static bool receive_part(struct link *link, char *body, size_t *size)
{
    struct http_message message = {.body_length = *size, .body = body};
    struct http_token token = {.event = link->event, .message = &message};

    if (EFI_ERROR(link->http->response(link->http, &token)) || !wait(link, &token) ||
        message.body_length == 0 || message.body_length > *size)
        return false;
    *size = message.body_length;
    return true;
}

static enum rc take_body(struct link *link, char *data, size_t *size)
{
    const size_t room = *size;
    struct http_response response = {0};
    uint64_t length;

    if (!receive(link, &response, &length))
        return RC_FIRMWARE;
    if (response.status != HTTP_200)
        return response.status == HTTP_404 ? RC_ABSENT : RC_FIRMWARE;
    if (length > room)
        return length == UINT64_MAX ? RC_FIRMWARE : RC_NO_SPACE;
    for (*size = 0; *size < length;) {
        size_t part = length - *size;

        if (!receive_part(link, data + *size, &part))
            return RC_FIRMWARE;
        *size += part;
    }
    return RC_OK;
}

enum rc http_get(const struct http_boot *boot, const char *url, char *data, size_t *size)
{
    enum rc rc = RC_FIRMWARE;
    struct link link;

    firmware_enter();
    if (open_link(&link, boot)) {
        if (send(&link, boot, HTTP_GET, url, NULL, 0))
            rc = take_body(&link, data, size);
        close_link(&link);
    }
    firmware_leave();
    return rc;
}

enum rc http_put(const struct http_boot *boot, const char *url, const char *data, size_t size)
{
    struct http_response response = {0};
    enum rc rc = RC_FIRMWARE;
    struct link link;
    uint64_t length;

    firmware_enter();
    if (open_link(&link, boot)) {
        if (send(&link, boot, HTTP_PUT, url, data, size) && receive(&link, &response, &length) &&
            (response.status == HTTP_200 || response.status == HTTP_201 ||
             response.status == HTTP_204))
            rc = RC_OK;
        close_link(&link);
    }
    firmware_leave();
    return rc;
}
