/* Services: every entry point of the firmware, and how a service reads its arguments and guest
 * memory.
 *
 * The service NAME is the function firmware_NAME, in the file of its subject. Only firmware.c calls
 * services, by their entry points. */
#ifndef RIG_FIRMWARE_SERVICE_H
#define RIG_FIRMWARE_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core;
struct firmware;
struct machine;

/* A call of a service in the Microsoft x64 calling convention. A caller leaves SHADOW_SPACE bytes
 * above the return address. */
#define SHADOW_SPACE 32u
struct call {
    struct firmware *firmware;
    struct machine *machine;
    struct core *core;
    uint64_t stack;
    uint64_t arguments[4];
    bool leaves;   /* the service does not return: RIP is set, or the run is over */
    uint64_t then; /* when not 0, the service waits: it is entered again at this tick */
};

/* Gives RAX: an EFI_STATUS if the service returns one. */
typedef uint64_t service_function(struct call *call);

/* Every entry point, in the order of the stubs. The groups follow the tables of the UEFI
 * specification. */
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
    S(reinstall_protocol) \
    S(uninstall_protocol) \
    S(handle_protocol) \
    S(reserved) \
    S(register_protocol_notify) \
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
    S(connect_controller) \
    S(disconnect_controller) \
    S(open_protocol) \
    S(close_protocol) \
    S(open_protocol_information) \
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
    S(set_time) \
    S(get_wakeup_time) \
    S(set_wakeup_time) \
    S(set_virtual_address_map) \
    S(convert_pointer) \
    S(get_variable) \
    S(get_next_variable) \
    S(set_variable) \
    S(get_next_high_monotonic_count) \
    S(reset_system) \
    S(update_capsule) \
    S(query_capsule_capabilities) \
    S(query_variable_info)
#define TEXT_INPUT(S) \
    S(input_reset) \
    S(read_key)
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
#define GRAPHICS(S) \
    S(query_graphics_mode) \
    S(set_graphics_mode) \
    S(block_transfer)
#define VOLUME(S) \
    S(open_volume)
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
#define MP_SERVICES(S) \
    S(mp_number_of_processors) \
    S(mp_processor_info) \
    S(mp_startup_all) \
    S(mp_startup_this) \
    S(mp_switch_bsp) \
    S(mp_enable_disable) \
    S(mp_who_am_i)
/* Entry points to which the firmware's own code, and guest functions that it called, return. */
#define INTERNAL(S) \
    S(power_on) \
    S(image_returned) \
    S(notify_returned) \
    S(unload_returned)
#define SERVICES(S) \
    BOOT_SERVICES(S) \
    RUNTIME_SERVICES(S) \
    TEXT_INPUT(S) \
    TEXT_OUTPUT(S) \
    GRAPHICS(S) \
    VOLUME(S) \
    FILES(S) \
    MP_SERVICES(S) \
    INTERNAL(S)
/* clang-format on */

enum service {
#define SERVICE_ENUM(name) SERVICE_##name,
    SERVICES(SERVICE_ENUM)
#undef SERVICE_ENUM
        SERVICE_COUNT
};
#define SERVICE_FUNCTION(name) service_function firmware_##name;
SERVICES(SERVICE_FUNCTION)
#undef SERVICE_FUNCTION

#define STUB_BYTES  16u
#define VECTORS     256u /* the stubs of the firmware's own exception handlers come first */
#define STUBS_BYTES ((VECTORS + SERVICE_COUNT) * STUB_BYTES)

/* The image ended the run, in this way and with this EFI_STATUS. One that is an error says that the
 * run failed: UEFI specification, "ResetSystem()", ResetStatus, and "Exit()", ExitStatus. */
#define STATUS_FAILED 4
void image_ends_run(const struct call *call, const char *how, uint64_t status);

/* As in the list above. */
const char *service_name(enum service service);
/* The address of a service's entry point. */
uint64_t stub_of(const struct firmware *firmware, enum service service);
/* Whether the address is one of an entry point or of an exception handler. */
bool stub_is(const struct firmware *firmware, uint64_t address);

/* The n-th argument, counted from 0; 0 when the stack is not RAM. */
uint64_t argument(const struct call *call, unsigned n);
/* Checked access to guest memory: false when a byte of it is not RAM. put() has overwritten code
 * decoded anew. */
bool get(const struct call *call, uint64_t address, void *to, uint64_t size);
bool put(const struct call *call, uint64_t address, const void *from, uint64_t size);
bool put64(const struct call *call, uint64_t address, uint64_t value);
/* A host view of guest memory, NULL when a byte of it is not RAM; after writing through it call
 * wrote(). */
void *view(const struct call *call, uint64_t address, uint64_t size);
void wrote(const struct call *call, uint64_t address, uint64_t size);
/* Lets so much time pass before the service returns: it is entered again when the time is over, and
 * `stalled` is not 0 at that entry. Zero microseconds pass at once. */
void service_takes(struct call *call, uint64_t microseconds);
/* At most `room` - 1 characters and a zero; false when the string is longer or not in RAM. */
bool get_string(const struct call *call, uint64_t address, uint16_t *to, size_t room);

#endif
