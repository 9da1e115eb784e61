/* EFI_HTTP_PROTOCOL (UEFI specification, "EFI HTTP Protocols"), which gnu-efi's headers lack. */
#ifndef BOOT_FIRMWARE_HTTP_PROTOCOL_H
#define BOOT_FIRMWARE_HTTP_PROTOCOL_H

#include <efi.h>

/* The server answered with another status than success. */
#define EFI_HTTP_ERROR EFIERR(35)

#define HTTP_SERVICE_BINDING_GUID                                                                  \
    {                                                                                              \
        0xbdc8e6af, 0xd9bc, 0x4379,                                                                \
        {                                                                                          \
            0xa7, 0x2a, 0xe0, 0xc4, 0xe7, 0x5d, 0xae, 0x1c                                         \
        }                                                                                          \
    }
#define HTTP_PROTOCOL_GUID                                                                         \
    {                                                                                              \
        0x7a59b29b, 0x910b, 0x4171,                                                                \
        {                                                                                          \
            0x82, 0x42, 0xa8, 0x5a, 0x0d, 0xf2, 0x5b, 0x5b                                         \
        }                                                                                          \
    }

enum http_version { HTTP_1_0, HTTP_1_1 };
enum http_method { HTTP_GET = 0, HTTP_PUT = 6 };
/* Members of EFI_HTTP_STATUS_CODE. */
enum http_status { HTTP_200 = 3, HTTP_201 = 4, HTTP_204 = 7, HTTP_404 = 21 };

struct http_access_point {
    BOOLEAN use_default_address;
    UINT8 address[4], subnet[4];
    UINT16 port;
};

struct http_config {
    UINT32 version, timeout_ms;
    BOOLEAN is_ipv6;
    struct http_access_point *access_point;
};

struct http_header {
    CHAR8 *name, *value;
};

struct http_request {
    UINT32 method;
    CHAR16 *url;
};

struct http_response {
    UINT32 status;
};

struct http_message {
    union {
        struct http_request *request;
        struct http_response *response;
    } data;
    UINTN header_count;
    struct http_header *headers;
    UINTN body_length;
    void *body;
};

struct http_token {
    EFI_EVENT event;
    EFI_STATUS status;
    struct http_message *message;
};

struct http_protocol {
    void *get_mode_data;
    EFI_STATUS(EFIAPI *configure)(struct http_protocol *http, struct http_config *config);
    EFI_STATUS(EFIAPI *request)(struct http_protocol *http, struct http_token *token);
    EFI_STATUS(EFIAPI *cancel)(struct http_protocol *http, struct http_token *token);
    EFI_STATUS(EFIAPI *response)(struct http_protocol *http, struct http_token *token);
    EFI_STATUS(EFIAPI *poll)(struct http_protocol *http);
};

#endif
