/* What the firmware asks of the machine beyond what a device asks (device/platform.h): guest
 * memory, and the registers of the processor that called. The machine room defines these functions
 * (machine/processor.c). */
#ifndef RIG_FIRMWARE_PROCESSOR_H
#define RIG_FIRMWARE_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <unicorn/x86.h>

struct core;
struct guest_memory;
struct machine;

struct guest_memory *machine_memory(struct machine *machine);
/* The host wrote to [address, address + size): code there is decoded anew. */
void machine_code_written(struct machine *machine, uint64_t address, uint64_t size);

/* `id` is libunicorn's, of a general register, RFLAGS or CR2. */
uint64_t processor_register(const struct core *core, int id);
void processor_set_register(struct core *core, int id, uint64_t value);
void processor_xmm(const struct core *core, unsigned n, uint8_t value[16]);
void processor_set_xmm(struct core *core, unsigned n, const uint8_t value[16]);
uint64_t processor_rip(const struct core *core);
void processor_go_to(struct core *core, uint64_t rip);
/* A service returns to its caller. */
void processor_return(struct core *core, uint64_t rip);
/* Control-flow enforcement goes on, with this shadow stack pointer; and whether it is on. */
void processor_enforce(struct core *core, uint64_t ssp);
bool processor_enforces(const struct core *core);
uint64_t processor_page_table(const struct core *core); /* CR3 */
uint64_t processor_idt(const struct core *core);        /* base of IDTR */
bool processor_takes_interrupts(const struct core *core);

/* Power-on of the boot processor: in 64-bit mode, with these descriptor tables, at `rip`. */
struct processor_tables {
    uint64_t gdt, idt;
    uint16_t gdt_limit, idt_limit;
};
void processor_power_on(struct core *core, const struct processor_tables *tables, uint64_t rip);

/* All registers except RIP. processor_save gives NULL when the host has no memory left;
 * processor_restore frees the state. */
struct processor_state;
struct processor_state *processor_save(const struct core *core);
void processor_restore(struct core *core, struct processor_state *state);
void processor_state_free(struct processor_state *state);

/* The core is halted until its clock reaches `cycle`. */
void processor_idle_until(struct core *core, uint64_t cycle);
/* The other cores get their turn when the call has returned. */
void processor_yield(struct core *core);

#endif
