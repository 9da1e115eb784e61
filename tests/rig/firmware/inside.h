/* Shared by the parts of the firmware. */
#ifndef RIG_FIRMWARE_INSIDE_H
#define RIG_FIRMWARE_INSIDE_H

#include "firmware.h"
#include "machine/machine.h"

#define EFI_ERROR(n) (UINT64_C(0x8000000000000000) | (n))
enum efi_status_number {
    EFI_SUCCESS = 0,
    EFI_LOAD_ERROR = 1,
    EFI_INVALID_PARAMETER,
    EFI_UNSUPPORTED,
    EFI_BAD_BUFFER_SIZE,
    EFI_BUFFER_TOO_SMALL,
    EFI_NOT_READY,
    EFI_DEVICE_ERROR,
    EFI_WRITE_PROTECTED,
    EFI_OUT_OF_RESOURCES,
    EFI_VOLUME_FULL = 11,
    EFI_NOT_FOUND = 14,
    EFI_ACCESS_DENIED = 15,
    EFI_ALREADY_STARTED = 20,
    EFI_END_OF_MEDIA = 28,
};

struct guid {
    uint8_t bytes[16];
};

/* A call of a service: its arguments in the Microsoft x64 convention. */
struct call {
    struct firmware *firmware;
    struct machine *machine;
    struct core *core;
    uint64_t stack;
    uint64_t arguments[4];
    bool leaves;   /* the caller is not returned to; core->rip has been set or the run is over */
    bool plain;    /* the result is a value and not a status */
    uint64_t then; /* when set, the service waits: it is entered again at this tick */
};

typedef uint64_t service_function(struct call *call);

/* Every entry point, in the order of the stubs. The groups follow the tables of the UEFI
 * specification; an entry without a function of its own answers EFI_UNSUPPORTED. */
/* clang-format off */
#define BOOT_SERVICES(S) \
    S(raise_tpl) \
    S(restore_tpl) \
    S(allocate_pages) \
    S(free_pages) \
    S(get_memory_map) \
    S(allocate_pool) \
    S(free_pool) \
    S(create_event) \
    S(set_timer) \
    S(wait_for_event) \
    S(signal_event) \
    S(close_event) \
    S(check_event) \
    S(install_protocol) \
    S(unsupported_reinstall) \
    S(uninstall_protocol) \
    S(handle_protocol) \
    S(unsupported_reserved) \
    S(unsupported_notify) \
    S(locate_handle) \
    S(locate_device_path) \
    S(install_configuration_table) \
    S(load_image) \
    S(start_image) \
    S(exit_image) \
    S(unload_image) \
    S(exit_boot_services) \
    S(get_next_monotonic_count) \
    S(stall) \
    S(set_watchdog_timer) \
    S(unsupported_connect) \
    S(unsupported_disconnect) \
    S(open_protocol) \
    S(close_protocol) \
    S(unsupported_open_information) \
    S(protocols_per_handle) \
    S(locate_handle_buffer) \
    S(locate_protocol) \
    S(install_protocols) \
    S(uninstall_protocols) \
    S(calculate_crc32) \
    S(copy_memory) \
    S(set_memory) \
    S(create_event_ex)
#define RUNTIME_SERVICES(S) \
    S(get_time) \
    S(unsupported_set_time) \
    S(unsupported_get_wakeup) \
    S(unsupported_set_wakeup) \
    S(unsupported_virtual_map) \
    S(unsupported_convert) \
    S(get_variable) \
    S(get_next_variable) \
    S(set_variable) \
    S(get_next_high_monotonic_count) \
    S(reset_system) \
    S(unsupported_capsule) \
    S(unsupported_capsule_query) \
    S(query_variable_info)
/* clang-format on */
#define TEXT_INPUT(S) S(input_reset) S(read_key)
/* clang-format off */
#define TEXT_OUTPUT(S) \
    S(output_reset) \
    S(output_string) \
    S(test_string) \
    S(query_text_mode) \
    S(set_text_mode) \
    S(set_attribute) \
    S(clear_screen) \
    S(set_cursor_position) \
    S(enable_cursor)
/* clang-format on */
#define GRAPHICS(S) S(query_graphics_mode) S(set_graphics_mode) S(block_transfer)
#define VOLUME(S)   S(open_volume)
/* clang-format off */
#define FILES(S) \
    S(file_open) \
    S(file_close) \
    S(file_delete) \
    S(file_read) \
    S(file_write) \
    S(file_get_position) \
    S(file_set_position) \
    S(file_get_info) \
    S(file_set_info) \
    S(file_flush)
/* clang-format on */
#define INTERNAL(S) S(power_on) S(image_returned) S(notify_returned) S(unload_returned)
#define SERVICES(S)                                                                                \
    BOOT_SERVICES(S)                                                                               \
    RUNTIME_SERVICES(S) TEXT_INPUT(S) TEXT_OUTPUT(S) GRAPHICS(S) VOLUME(S) FILES(S) INTERNAL(S)

enum service {
#define SERVICE_ENUM(name) SERVICE_##name,
    SERVICES(SERVICE_ENUM)
#undef SERVICE_ENUM
        SERVICE_COUNT
};
#define SERVICE_FUNCTION(name) service_function firmware_##name;
SERVICES(SERVICE_FUNCTION)
#undef SERVICE_FUNCTION

#define HANDLES        128
#define PROTOCOLS      12
#define EVENTS         256
#define FILES_OPEN     256
#define VARIABLES      64
#define CONFIGURATIONS 32
#define NESTED         8 /* notification functions within notification functions */
#define IMAGES         16
#define PRESERVED      8
#define PRESERVED_XMM  10  /* XMM6 to XMM15 */
#define NAME_LIMIT     512 /* characters of a path or variable name */

struct handle {
    uint64_t token; /* guest address that is the handle; 0 when unused */
    struct {
        struct guid guid;
        uint64_t interface;
    } protocol[PROTOCOLS];
    unsigned protocols;
};

struct event {
    uint64_t token;
    uint32_t type;
    uint64_t level, notify, context;
    bool signalled, queued;
    uint64_t due, period; /* ticks; due is NEVER when the timer is off */
};

struct open_file {
    uint64_t token; /* guest address of its EFI_FILE_PROTOCOL */
    int descriptor;
    bool directory, writable;
    uint64_t position;
    char path[NAME_LIMIT * 3]; /* from the root of the volume, host form, "" is the root */
};

struct variable {
    struct guid vendor;
    uint16_t name[128];
    uint32_t attributes;
    uint8_t *data;
    uint64_t size;
};

/* An image that LoadImage loaded. `stack` and what follows it: of the call that entered it. */
struct image {
    uint64_t token, protocol, path, rest; /* handle, its protocol, copies of its device path */
    uint64_t base, size, entry;
    unsigned subsystem;
    bool started;
    uint64_t caller; /* the image that was running, 0 the first */
    uint64_t stack, level, exit_size_place, exit_data_place;
    uint64_t general[PRESERVED];
    uint8_t xmm[PRESERVED_XMM][16];
};

struct firmware {
    struct machine *machine;
    const char *esp;
    FILE *text;
    const char *keys; /* not yet read */
    uint64_t key_event;
    int root; /* the ESP folder */
    uint64_t stubs, idt, gdt, cr3, stack;
    uint64_t system, boot, runtime;
    uint64_t image_handle, device_handle, console_handle;
    uint64_t image_base, image_size, entry, command_line;
    uint64_t configuration; /* the guest's table array */
    uint64_t console_mode, graphics_info, file_template;
    unsigned configurations;
    bool left;  /* ExitBootServices has been called */
    bool ticks; /* a timer with a notification function was made */
    uint64_t level;
    uint64_t watchdog; /* tick, NEVER when off */
    bool waiting;      /* the service entered now is one that waits, entered again */
    uint64_t stalled;  /* tick at which the Stall under way ends, 0 when there is none */
    uint64_t monotonic;
    struct handle handle[HANDLES];
    struct event event[EVENTS];
    struct open_file file[FILES_OPEN];
    struct variable variable[VARIABLES];
    struct image image[IMAGES];
    uint64_t running, unloading; /* handles; 0: the first image, none */
    uc_context *interrupted[NESTED];
    uint64_t interrupted_rip[NESTED], interrupted_level[NESTED];
    unsigned nested;
};

#define IMAGE_PATH "\\EFI\\BOOT\\BOOTX64.EFI"
#define STUB_BYTES 16u
#define VECTORS    256u /* the stubs of the firmware's own exception handlers come first */

/* firmware.c */
uint64_t argument(const struct call *call, unsigned n);
uint64_t stub_of(const struct firmware *firmware, enum service service);
/* Checked access to guest memory: false when a byte of it is not RAM. Writes make stale code
 * forgotten. */
bool get(const struct call *call, uint64_t address, void *to, uint64_t size);
bool put(const struct call *call, uint64_t address, const void *from, uint64_t size);
bool put64(const struct call *call, uint64_t address, uint64_t value);
/* A host view of guest memory, NULL when not RAM; after writing through it call wrote(). */
void *view(const struct call *call, uint64_t address, uint64_t size);
void wrote(const struct call *call, uint64_t address, uint64_t size);
/* At most `room` - 1 characters and a zero; false when it is longer or not in RAM. */
bool get_string(const struct call *call, uint64_t address, uint16_t *to, size_t room);

/* firmware_fault.c: the status with which this call fails by --fault, EFI_SUCCESS when it does not
 */
uint64_t firmware_failure(struct firmware *firmware, enum service service);

/* firmware_tables.c */
bool tables_build(struct firmware *firmware);
bool loaded_image_build(struct firmware *firmware, const char *arguments);
/* Memory of the firmware's own, which is always RAM. */
uint8_t *firmware_at(const struct firmware *firmware, uint64_t address, uint64_t size);
void firmware_set(const struct firmware *firmware, uint64_t address, uint64_t value, unsigned size);
void table_seal(struct firmware *firmware,
                uint64_t table); /* recomputes the CRC of a table with a header */
uint64_t firmware_room(struct firmware *firmware, uint8_t type,
                       uint64_t bytes); /* zeroed pool memory, 0 when none */

/* firmware_protocol.c */
struct handle *handle_new(struct firmware *firmware);
struct handle *handle_of(struct firmware *firmware, uint64_t token);
bool handle_add(struct handle *handle, const struct guid *guid, uint64_t interface);
extern const struct guid guid_loaded_image, guid_device_path, guid_simple_file_system,
    guid_text_output, guid_text_input, guid_graphics, guid_file_info, guid_file_system_info,
    guid_volume_label, guid_acpi_20, guid_acpi_10, guid_loaded_image_device_path;

/* firmware_event.c */
void events_leave(struct firmware *firmware); /* ExitBootServices */
void events_advance(struct firmware *firmware, uint64_t ticks);
bool events_dispatch(struct core *core,
                     struct firmware *firmware); /* true when a notification function was entered */
uint64_t event_new(struct firmware *firmware, uint32_t type, uint64_t level, uint64_t notify,
                   uint64_t context);

/* firmware_runtime.c */
bool configuration_install(struct firmware *firmware, const struct guid *guid, uint64_t table);
void time_at(const struct firmware *firmware, uint8_t efi_time[16]);

/* firmware_file.c */
uint64_t file_token(struct firmware *firmware, const char *path, int descriptor, bool directory,
                    bool writable);

/* acpi.c: gives the address of the RSDP, 0 when there is no room */
uint64_t acpi_build(struct firmware *firmware);

/* pe.c: the image at its place in guest memory */
struct pe_image {
    uint64_t base, size, entry;
    unsigned subsystem;
};
#define SUBSYSTEM_APPLICATION 10u /* boot and run-time drivers are 11 and 12 */
bool pe_load(struct guest_memory *memory, const uint8_t *file, size_t size, struct pe_image *image,
             char *why, size_t why_size);
/* A PE image for another machine. */
bool pe_is_foreign(const uint8_t *file, size_t size);

/* firmware_image.c */
bool image_is(struct firmware *firmware, uint64_t token);

#endif
