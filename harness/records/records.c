/* Records of the machine and of its cores. */
#include "records.h"

#include "boot/clock.h"
#include "boot/format.h"
#include "boot/identity.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/text.h"
#include "emulation.h"
#include "pmu/kind.h"
#include "pmu/sampling/lbr.h"
#include "record_members.h"

static void number_or_null(struct json_line *record, const char *key, uint64_t value)
{
    if (value != 0)
        json_line_unsigned(record, key, value);
    else
        json_line_null(record, key);
}

static const char *text_or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

/* Of the form that lines go into. */
static void send_machine(const struct machine_facts *machine, const struct facts *boot_core,
                         const struct config *config, const char *detail)
{
    struct json_line *record = log_record("machine");

    json_line_text(record, "detail", detail);
    json_line_text(record, "program", "slotscope");
    json_line_text(record, "version", identity_version);
    json_line_text(record, "commit", text_or_null(identity_commit));
    json_line_text(record, "date", text_or_null(identity_date));
    json_line_text(record, "firmware_vendor", machine->firmware_vendor);
    json_line_unsigned(record, "firmware_revision", machine->firmware_revision);
    json_line_unsigned(record, "uefi_revision", machine->uefi_revision);
    json_line_text(record, "bios", text_or_null(machine->smbios.bios));
    json_line_text(record, "board", text_or_null(machine->smbios.board));
    json_line_text(record, "hypervisor", boot_core->hypervisor ? boot_core->hypervisor_name : NULL);
    if (is_virtual_rig(machine, boot_core))
        json_line_text(record, "rig", "virtual");
    json_line_text(record, "serial", machine->serial);
    json_line_text(record, "apic_mode", machine->apic_mode);
    if (machine->memory_known)
        json_line_unsigned(record, "memory_bytes", machine->memory_bytes);
    else
        json_line_null(record, "memory_bytes");
    json_line_bool(record, "boot_services", machine->boot_services);
    record_real(record, "cores_found", machine->cores_found > 0, (double)machine->cores_found, 0);
    json_line_unsigned(record, "cores_started", machine->cores_started);
    record_real(record, "tsc_ticks_per_us", clock_source() != NULL, (double)clock_ticks_per_us(),
                0);
    json_line_text(record, "tsc_source", clock_source());
    if (config->drill)
        json_line_text(record, "levels", "auto");
    else
        json_line_unsigned(record, "levels", config->levels);
    if (config->node_count > 0) {
        json_line_array(record, "nodes");
        for (unsigned i = 0; i < config->node_count; i++)
            json_line_text(record, NULL, config->nodes[i]);
        json_line_end(record);
    }
    json_line_unsigned(record, "repeats", config->repeats);
    json_line_unsigned(record, "warmup", config->warmup);
    if (config->window_us == 0) {
        json_line_unsigned(record, "scale", config->scale);
    } else {
        json_line_null(record, "scale");
        json_line_unsigned(record, "window_us", config->window_us);
    }
    json_line_bool(record, "parallel", config->parallel);
    json_line_unsigned(record, "ring", config->ring_3 ? 3 : 0);
    log_send(record);
}

void record_machine(const struct machine_facts *machine, const struct facts *boot_core,
                    const struct config *config)
{
    const enum log_form before = log_into(LOG_BRIEF);

    send_machine(machine, boot_core, config, "brief");
    log_into(LOG_FULL);
    send_machine(machine, boot_core, config, "full");
    log_into(before);
}

static void cache_member(struct json_line *record, const char *key, const struct cache_facts *cache)
{
    if (cache->bytes == 0) {
        json_line_null(record, key);
        return;
    }
    json_line_object(record, key);
    json_line_unsigned(record, "bytes", cache->bytes);
    json_line_unsigned(record, "line", cache->line);
    json_line_unsigned(record, "ways", cache->ways);
    json_line_unsigned(record, "sharing", cache->sharing);
    json_line_end(record);
}

/* Of a core whose last branches can be recorded. */
static void lbr_members(struct json_line *record, const struct measured_core *core)
{
    const struct lbr_kind *kind = core->description->lbr;

    json_line_text(record, "lbr_kind", kind->name);
    json_line_unsigned(record, "lbr_depth", lbr_depth(&core->facts, core->description));
    json_line_bool(record, "lbr_filter_shared", kind->select_shared);
}

static void description_members(struct json_line *record, const struct measured_core *core)
{
    const struct description *description = core->description;
    const char *lbr_missing;

    json_line_text(record, "description", description != NULL ? description->name : NULL);
    if (description == NULL)
        return;
    json_line_bool(record, "description_from_stick", description->from_stick);
    if (core->forced)
        json_line_bool(record, "forced", true);
    number_or_null(record, "width", description->width);
    lbr_missing = lbr_absent(&core->facts, description);
    json_line_bool(record, "lbr", lbr_missing == NULL);
    if (lbr_missing != NULL)
        json_line_text(record, "lbr_absent", lbr_missing);
    else
        lbr_members(record, core);
}

/* Null, not 0, on a core without counters. */
static void counter_number(struct json_line *record, const struct facts *facts, const char *key,
                           uint32_t value)
{
    if (facts->absent != NULL)
        json_line_null(record, key);
    else
        json_line_unsigned(record, key, value);
}

/* The counters with a bit in the mask; without any there is no such member. */
static void counter_list(struct json_line *record, const char *key, uint32_t counters)
{
    if (counters == 0)
        return;
    json_line_array(record, key);
    for (unsigned i = 0; i < 32; i++)
        if (counters >> i & 1)
            json_line_unsigned(record, NULL, i);
    json_line_end(record);
}

static void counter_members(struct json_line *record, const struct facts *facts)
{
    if (kind_of(facts)->unversioned)
        json_line_null(record, "pmu_version"); /* it is not architectural */
    else
        counter_number(record, facts, "pmu_version", facts->version);
    counter_number(record, facts, "general_counters", facts->general_count);
    counter_list(record, "counters_kept", facts->general_kept);
    counter_list(record, "counters_off", facts->general_off);
    counter_number(record, facts, "general_width", facts->general_width);
    counter_number(record, facts, "fixed_counters", facts->fixed_count);
    counter_list(record, "fixed_counters_off", facts->fixed_off);
    counter_number(record, facts, "fixed_width", facts->fixed_width);
    if (facts->pdcm)
        json_line_hex(record, "capabilities", facts->capabilities);
    else
        json_line_null(record, "capabilities");
    json_line_bool(record, "full_width_write", facts->full_width_write);
    json_line_bool(record, "perf_metrics", facts->perf_metrics);
}

static void place_member(struct json_line *record, const char *name, uint32_t number,
                         uint32_t unknown)
{
    if (number == unknown)
        json_line_null(record, name);
    else
        json_line_unsigned(record, name, number);
}

void record_core(const struct measured_core *core)
{
    const struct facts *facts = &core->facts;
    struct json_line *record = log_record("core");
    char signature[32];

    format(signature, sizeof(signature), "%02x_%02x stepping %u", facts->family, facts->model,
           facts->stepping);
    json_line_unsigned(record, "core", core->core);
    json_line_unsigned(record, "apic_id", facts->apic_id);
    json_line_text(record, "vendor", facts->vendor);
    json_line_text(record, "brand", facts->brand);
    json_line_text(record, "signature", signature);
    if (facts->microcode != 0)
        json_line_hex(record, "microcode", facts->microcode);
    else
        json_line_null(record, "microcode");
    if (facts->core_type != 0)
        json_line_hex(record, "core_type", facts->core_type);
    number_or_null(record, "threads_per_core", facts->threads_per_core);
    place_member(record, "package", facts->package, FACTS_UNKNOWN);
    place_member(record, "node", cores_place(core->core)->node, CORE_NODE_UNKNOWN);
    json_line_bool(record, "counts", facts->absent == NULL);
    if (facts->absent != NULL)
        json_line_text(record, "absent", facts->absent);
    counter_members(record, facts);
    description_members(record, core);
    cache_member(record, "l1d", &facts->l1d);
    cache_member(record, "l1i", &facts->l1i);
    cache_member(record, "l2", &facts->l2);
    cache_member(record, "l3", &facts->l3);
    log_send(record);
}

/* An error in a bank that nobody looks at would go unseen. */
static void banks_member(struct json_line *record, const struct core_guards *guards)
{
    json_line_object(record, "banks");
    json_line_unsigned(record, "count", guards->banks + guards->banks_beyond);
    json_line_array(record, "unread");
    for (unsigned i = 0; i < guards->banks; i++)
        if (guards->bank_absent >> i & 1)
            json_line_unsigned(record, NULL, i);
    for (unsigned i = 0; i < guards->banks_beyond; i++)
        json_line_unsigned(record, NULL, guards->banks + i);
    json_line_end(record);
    json_line_end(record);
}

static void logged_member(struct json_line *record, const struct core_guards *guards)
{
    if (guards->logged == 0)
        return;
    json_line_array(record, "logged");
    for (unsigned i = 0; i < GUARD_PROBED; i++)
        if (guards->logged >> i & 1)
            json_line_text(record, NULL, guard_name((enum guard)i));
    json_line_end(record);
}

void record_guards(const struct measured_core *core)
{
    struct json_line *record = record_begin("guard", core, NULL, "guard");

    json_line_array(record, "present");
    for (unsigned i = 0; i < GUARD_PROBED; i++) {
        if (core->registers.guards.absent[i] == NULL)
            json_line_text(record, NULL, guard_name((enum guard)i));
    }
    json_line_end(record);
    json_line_object(record, "absent");
    for (unsigned i = 0; i < GUARD_PROBED; i++) {
        if (core->registers.guards.absent[i] != NULL)
            json_line_text(record, guard_name((enum guard)i), core->registers.guards.absent[i]);
    }
    json_line_end(record);
    logged_member(record, &core->registers.guards);
    banks_member(record, &core->registers.guards);
    log_send(record);
}

void record_guard(const struct measured_core *core, const struct measurement *m)
{
    struct json_line *record = record_begin("guard", core, m->kernel->name, "window");

    record_circumstances(record, m);
    if (core->registers.guards.absent[GUARD_FREQUENCY] == NULL)
        json_line_bool(record, "steady", !m->unsteady);
    else
        json_line_null(record, "steady");
    json_line_unsigned(record, "kept", m->kept);
    record_discarded(record, &core->registers.guards, m->discarded);
    logged_member(record, &core->registers.guards);
    log_send(record);
}
