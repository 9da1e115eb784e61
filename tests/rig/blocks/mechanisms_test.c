/* Mechanisms of the pipeline, each by a few instructions in straight-line code from the decoders.
 * The figures are from BHive's measurements (B), or from the published rule by hand. */
#include "straight_test.h"

#include "core/ideal.h"

#define NOP2 "\x66\x90"
#define NOP3 "\x0f\x1f\x00"
#define NOP4 "\x0f\x1f\x40\x00"
#define NOP8 "\x0f\x1f\x84\x00\x00\x00\x00\x00"
#define NOP9 "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00"

/* uiCA (A. Abel, J. Reineke, ICS 2022): at most five instructions a cycle, of one block of 16
 * bytes. Six of 16 bytes take two cycles; five take one, and four decoders 1.25. */
static void five_lengths_are_found_in_a_cycle(void **state)
{
    (void)state;
    check("ivybridge: six", BLOCK(ivybridge_core, NOP3 NOP3 NOP3 NOP3 NOP2 NOP2), 2);
    check("haswell: six", BLOCK(haswell_core, NOP3 NOP3 NOP3 NOP3 NOP2 NOP2), 2);
    check("skylakex: six", BLOCK(skylakex_core, NOP3 NOP3 NOP3 NOP3 NOP2 NOP2), 2);
    check("skylakex: five", BLOCK(skylakex_core, NOP4 NOP3 NOP3 NOP3 NOP3), 1.25);
}

/* An instruction whose opcode is in one block and whose end is in the next counts in both: six in
 * the first block, so two cycles, and four in the second. With one more prefix its opcode is in the
 * second block: five and four, and nine instructions take four decoders 2.25 cycles. */
static void an_opcode_before_the_boundary_counts_in_both_blocks(void **state)
{
    (void)state;
    check("skylakex: opcode before",
          BLOCK(skylakex_core, NOP3 NOP3 NOP3 NOP3 NOP2 NOP8 NOP3 NOP3 NOP4), 3);
    check("skylakex: opcode behind",
          BLOCK(skylakex_core, NOP3 NOP3 NOP3 NOP3 NOP2 NOP9 NOP3 NOP3 NOP3), 2.25);
}

/* uiCA: the pre-decoder waits for room for five in the queue of 20 (Skylake: 25) instructions,
 * which a decoder takes from it three cycles later at the earliest. So where every few blocks have
 * six instructions, and take a cycle more, the shorter queue runs dry. (B) MOV RCX, [R13+24]; MOV
 * RDX, R14; MOV RSI, R12; MOV RDI, RBX: Haswell 1.19. MOV RDI, [RCX+8]; MOV R10, RDX; XOR R8D, R8D;
 * CMP RDI, RSI: Skylake 1.12. With queues without end both take 17 cycles for 16 copies.
 * The third is the rule alone, stepped through cycle by cycle apart from this model: 1.75, and with
 * the longer queue 1.5, four instructions a cycle. */
static void the_pre_decoder_waits_for_room_in_the_instruction_queue(void **state)
{
    (void)state;
    check("haswell", BLOCK(haswell_core, NOP4 NOP3 NOP3 NOP3), 1.19);
    check("skylakex", BLOCK(skylakex_core, NOP4 NOP3 NOP3 NOP3), 1.12);
    check("haswell: six in every fifth block", BLOCK(haswell_core, NOP3 NOP4 NOP3 NOP3 NOP4 NOP3),
          1.75);
}

/* uiCA: until Broadwell the last of four decoders leaves CMP, which may fuse, to the next cycle;
 * Skylake's takes it. */
static void the_last_decoder_takes_no_instruction_that_may_fuse_before_skylake(void **state)
{
    static const char code[] = "\x48\x83\xf8\x01\x48\x83\xf9\x01\x48\x83\xfa\x01\x48\x83\xfb\x01";

    (void)state;
    check("haswell: four CMP", BLOCK(haswell_core, code), 4.0 / 3);
    check("skylakex: four CMP", BLOCK(skylakex_core, code), 1);
}

/* uops.info marks BT r32, imm8 as one for the first ("complex") decoder: one a cycle, with other
 * instructions on the other three. */
static void the_first_decoder_alone_takes_some_instructions_of_one_slot(void **state)
{
    (void)state;
    check("skylakex: four BT",
          BLOCK(skylakex_core, "\x0f\xba\xe0\x01\x0f\xba\xe1\x01\x0f\xba\xe2\x01\x0f\xba\xe3\x01"),
          4);
    check("skylakex: BT and three NOPs", BLOCK(skylakex_core, "\x0f\xba\xe0\x01" NOP4 NOP4 NOP4),
          1);
}

/* ADD RSP, 8; POP RBX; POP RBP. (B) Skylake 1.96 and Ivy Bridge 1.96: the added uop and the
 * addition are a chain. */
static void reading_a_moved_stack_pointer_takes_a_uop(void **state)
{
    (void)state;
    check("ivybridge", BLOCK(ivybridge_core, "\x48\x83\xc4\x08\x5b\x5d"), 2);
    check("skylakex", BLOCK(skylakex_core, "\x48\x83\xc4\x08\x5b\x5d"), 2);
    check("skylakex: without a pop", BLOCK(skylakex_core, "\x48\x83\xc4\x08" NOP4), 1);
}

/* (B) TEST RSI, RSI; CMOVNE RCX, RSI: Ivy Bridge 0.98. The old RCX goes into the second uop of
 * CMOVNE alone. */
static void a_conditional_move_takes_one_cycle_from_destination_to_destination(void **state)
{
    (void)state;
    check("ivybridge", BLOCK(ivybridge_core, "\x48\x85\xf6\x48\x0f\x45\xce"), 1);
}

/* (B) CVTSI2SD XMM0, RAX: Haswell 2.99, of which the move into the vector register is no part;
 * CVTSI2SS XMM1, R12D; UCOMISS XMM1, XMM0: Skylake 3.97. */
static void a_conversion_from_an_integer_waits_for_the_old_vector_last(void **state)
{
    (void)state;
    check("haswell", BLOCK(haswell_core, "\xf2\x48\x0f\x2a\xc0"), 3);
    check("skylakex", BLOCK(skylakex_core, "\xf3\x41\x0f\x2a\xcc\x0f\x2e\xc8"), 4);
}

/* ADD DWORD [RAX], 1; ADD DWORD [RAX+4], 1. Each addition is forwarded its own old value: five
 * cycles, and one for the addition. (B) INC DWORD [RSP+56]; ADD DWORD [RSP+60], EAX and two more:
 * Skylake 4.95, where a value is forwarded in four. */
static void stores_to_neighbouring_parts_do_not_hide_each_other(void **state)
{
    (void)state;
    check("ivybridge", BLOCK(ivybridge_core, "\x83\x00\x01\x83\x40\x04\x01"), 6);
    check("skylakex", BLOCK(skylakex_core, "\x83\x00\x01\x83\x40\x04\x01"), 5);
}

/* (B) AND RAX, -8; MOV RAX, [RAX]; TEST RAX, RAX: Skylake 5.99, one for the AND and five for the
 * load. Where the address comes from a load it takes four (Optimization Reference Manual). */
static void a_load_takes_four_cycles_behind_a_load_and_five_otherwise(void **state)
{
    (void)state;
    check("skylakex: behind AND", BLOCK(skylakex_core, "\x48\x83\xe0\xf8\x48\x8b\x00\x48\x85\xc0"),
          6);
    check("skylakex: behind a load", BLOCK(skylakex_core, "\x48\x8b\x00"), 4);
}

/* uiCA: of the ports of an address the one with the highest number is preferred. (B) MOV RSI,
 * [RSP+24]; MOV RAX, [RSP+16]; MOV RDI, RBX; MOV [RAX+8], RSI: Skylake 1.09, with two loads a cycle
 * and the store beside them. By port 2 or 3 it is 1.5. */
static void a_store_leaves_the_ports_of_loads_to_loads(void **state)
{
    static const char code[] = "\x48\x8b\x74\x24\x18\x48\x8b\x44\x24\x10\x48\x89\xdf"
                               "\x48\x89\x70\x08";

    (void)state;
    check("skylakex", BLOCK(skylakex_core, code), 1.09);
}

/* (B) VMOVAPD XMM4, XMM12: Haswell 0.61. By uiCA's rule 1.5 moves a cycle find a slot; the others
 * are executed, on port 5 alone (uops.info). */
static void moves_of_vectors_that_find_no_slot_take_port_5_on_haswell(void **state)
{
    (void)state;
    check("haswell", BLOCK(haswell_core, "\xc5\x79\x29\xe4"), 0.61);
}

/* uops.info ("available simple decoders") and uiCA: until Haswell nothing is decoded behind an
 * instruction of three uops, such as CMOVBE, or behind POP R12, in its cycle; the next one of them
 * needs the first decoder again. */
static void some_instructions_end_a_cycle_of_the_decoders(void **state)
{
    (void)state;
    check("haswell: CMOVBE and NOP", BLOCK(haswell_core, "\x48\x0f\x46\xc1" NOP4), 2);
    check("haswell: POP R12 and NOP", BLOCK(haswell_core, "\x41\x5c" NOP2), 2);
    check("skylakex: POP R12 and NOP", BLOCK(skylakex_core, "\x41\x5c" NOP2), 1);
}

/* LEA RAX, [RBX+3]; CMOVNE RBX, RAX. uops.info: of two uops, until Haswell, the first takes the
 * source and the second the old destination. (B) four such pairs, Haswell 11.99. */
static void a_conditional_move_of_two_uops_takes_two_cycles_from_its_source(void **state)
{
    static const char code[] = "\x48\x8d\x43\x03\x48\x0f\x45\xd8";

    (void)state;
    check("haswell", BLOCK(haswell_core, code), 3);
    check("skylakex", BLOCK(skylakex_core, code), 2);
}

/* MOV ECX, EDX and CMP RCX, [RAX+RBX]: slots of 1 and 2, and no pair is divided between cycles, so
 * three slots a cycle. (B) such a block, Skylake 1.00. ADD RCX, [RAX+RBX] stays one slot where it
 * updates its register, or with three NOPs three copies take four cycles: 211 121 112 111. MOV
 * [RAX+RBX], RCX and three NOPs are the same on Ivy Bridge. */
static void an_index_undoes_micro_fusion(void **state)
{
    (void)state;
    check("skylakex: CMP", BLOCK(skylakex_core, "\x89\xd1\x48\x3b\x0c\x18"), 1);
    check("skylakex: ADD", BLOCK(skylakex_core, "\x48\x03\x0c\x18" NOP4 NOP4 NOP4), 1);
    check("ivybridge: ADD", BLOCK(ivybridge_core, "\x48\x03\x0c\x18" NOP4 NOP4 NOP4), 4.0 / 3);
    check("haswell: store", BLOCK(haswell_core, "\x48\x89\x0c\x18" NOP4 NOP4 NOP4), 1);
    check("ivybridge: store", BLOCK(ivybridge_core, "\x48\x89\x0c\x18" NOP4 NOP4 NOP4), 4.0 / 3);
}

/* MOV RCX, [RAX+64]; MOV RDX, [RBX+128]; MOV [RAX+RBX+256], RCX: three uops for ports 2 and 3,
 * since port 7 takes no index (Optimization Reference Manual). (B) such a block, Skylake 1.47. */
static void port_7_takes_no_index(void **state)
{
    static const char code[] = "\x48\x8b\x48\x40\x48\x8b\x93\x80\x00\x00\x00"
                               "\x48\x89\x8c\x18\x00\x01\x00\x00";

    (void)state;
    check("haswell", BLOCK(haswell_core, code), 1.5);
    check("skylakex", BLOCK(skylakex_core, code), 1.5);
}

/* MOV RAX, RDI; MOV RDI, [RAX+16]. (B) with two more instructions, Skylake 3.99: the eliminated
 * move does not come between the two loads. One of 32 bits does (uiCA). */
static void a_pointer_chase_goes_through_an_eliminated_move(void **state)
{
    (void)state;
    check("skylakex: 64 bits", BLOCK(skylakex_core, "\x48\x89\xf8\x48\x8b\x78\x10"), 4);
    check("skylakex: 32 bits", BLOCK(skylakex_core, "\x89\xf8\x48\x8b\x78\x10"), 5);
}

/* XOR EDX, EDX; LEA RAX, [RCX+RAX-1]; DIV RCX; IMUL RAX, RCX: three cycles for LEA and three for
 * the product. (B) Ivy Bridge 38.14, with two more instructions; A. Fog: DIV 35 on Skylake. */
static void a_division_without_signs_is_faster(void **state)
{
    static const char code[] = "\x31\xd2\x48\x8d\x44\x01\xff\x48\xf7\xf1\x48\x0f\xaf\xc1";

    (void)state;
    check("ivybridge", BLOCK(ivybridge_core, code), 38);
    check("skylakex", BLOCK(skylakex_core, code), 41);
}

/* (B) LOCK DEC DWORD [RBX+4]: Ivy Bridge 21.98. MFENCE; SETG AL; MOVZX EAX, AL: 38.26. */
static void rare_instructions_take_as_long_as_measured(void **state)
{
    (void)state;
    check("ivybridge: LOCK DEC", BLOCK(ivybridge_core, "\xf0\xff\x4b\x04"), 22);
    check("ivybridge: MFENCE", BLOCK(ivybridge_core, "\x0f\xae\xf0\x0f\x9f\xc0\x0f\xb6\xc0"),
          38.26);
}

/* VMOVUPS YMM0, [RAX]; VMOVUPS YMM1, [RAX+64]. uiCA: on Ivy Bridge each keeps its port for two
 * cycles. */
static void wide_loads_keep_their_port_on_ivy_bridge(void **state)
{
    static const char code[] = "\xc5\xfc\x10\x00\xc5\xfc\x10\x48\x40";

    (void)state;
    check("ivybridge", BLOCK(ivybridge_core, code), 2);
    check("haswell", BLOCK(haswell_core, code), 1);
}

/* SHL RAX, CL: one cycle (A. Fog) on Skylake, two on Haswell. (B) MOV ECX, 64; SUB ECX, ESI; SHL
 * RSI, CL; SAR RSI, CL among two loads: Skylake 3.99, of which the difference takes one, SHL two
 * from its count and SAR one from its data. */
static void a_shift_waits_two_cycles_for_its_count_and_one_for_its_data(void **state)
{
    (void)state;
    check("ivybridge: data", BLOCK(ivybridge_core, "\x48\xd3\xe0"), 1);
    check("haswell: data", BLOCK(haswell_core, "\x48\xd3\xe0"), 2);
    check("skylakex: count",
          UNBOUND(skylakex_core, "\xb9\x40\x00\x00\x00\x29\xf1\x48\xd3\xe6\x48\xd3\xfe"), 4);
}

/* UCOMISS XMM0, XMM1 and three NOPs: two uops before Skylake (A. Fog), so the decoders take four
 * uops, then one. CMP EAX, 1; SBB EAX, EAX; AND EAX, 17: the flags go into the second uop of SBB
 * (uops.info), so it adds one cycle. (B) PXOR XMM8, XMM8; CVTSI2SS XMM8, [R13+100]; MOV EAX,
 * [R13+192]; CMP EAX, 3: Haswell 1.28, one uop beside the load. */
static void haswell_compares_subtracts_and_converts_in_so_many_uops(void **state)
{
    (void)state;
    check("haswell: UCOMISS", BLOCK(haswell_core, "\x0f\x2e\xc1" NOP4 NOP4 NOP4), 2);
    check("skylakex: UCOMISS", BLOCK(skylakex_core, "\x0f\x2e\xc1" NOP4 NOP4 NOP4), 1);
    check("haswell: SBB", BLOCK(haswell_core, "\x83\xf8\x01\x19\xc0\x83\xe0\x11"), 3);
    check("haswell: CVTSI2SS",
          BLOCK(haswell_core, "\x66\x45\x0f\xef\xc0\xf3\x45\x0f\x2a\x45\x64"
                              "\x41\x8b\x85\xc0\x00\x00\x00\x83\xf8\x03"),
          1.28);
}

/* All pages are one physical page, but each has a translation of its own. A store that finds it in
 * the second level of the TLB leaves the store buffer later by that level's latency: the next store
 * to the page does not. (B) PUSH of six registers, SUB RSP, 728 and a store, seven stores and 776
 * bytes: Ivy Bridge 8.32, which is 7 cycles for each page of 4096 bytes. Loads hide the latency. */
static void the_first_store_to_a_page_waits_for_the_second_level_of_the_tlb(void **state)
{
    static const unsigned stores = 4096 / 512;

    (void)state;
    check("ivybridge", WALK(ivybridge_core, "\x48\x89\x13", 512), 1 + 7.0 / stores);
    check("haswell", WALK(haswell_core, "\x48\x89\x13", 512), 1 + 7.0 / stores);
    check("skylakex", WALK(skylakex_core, "\x48\x89\x13", 512), 1 + 9.0 / stores);
    check("ivybridge: in one page", WALK(ivybridge_core, "\x48\x89\x13", 0), 1);
    check("haswell: loads", WALK(haswell_core, "\x48\x8b\x13", 512), 0.5);
}

/* Optimization Reference Manual, "Handling L1D Cache Bank Conflict": of two loads in a cycle whose
 * addresses have the same bits 2 to 5 and are of different sets one waits. (B) MOV RSI, [RSP+80];
 * MOV RDI, [RSP+144] take 2.01 cycles on Ivy Bridge. Here MOV RSI, [RCX+8]; MOV RDI, [RDX+...]. */
static void two_loads_of_a_bank_take_two_cycles_on_ivy_bridge(void **state)
{
    struct model_parameters ideal = ivybridge_core;

    (void)state;
    ideal_core(&ideal, IDEAL_MEMORY);
    check("--ideal memory", BLOCK(ideal, "\x48\x8b\x71\x08\x48\x8b\x7a\x48"), 1);
    check("another line", BLOCK(ivybridge_core, "\x48\x8b\x71\x08\x48\x8b\x7a\x48"), 2);
    check("on Haswell", BLOCK(haswell_core, "\x48\x8b\x71\x08\x48\x8b\x7a\x48"), 1);
    check("the same line", BLOCK(ivybridge_core, "\x48\x8b\x71\x08\x48\x8b\x7a\x08"), 1);
    check("another bank", BLOCK(ivybridge_core, "\x48\x8b\x71\x08\x48\x8b\x7a\x50"), 1);
    check("bit 5 differs", BLOCK(ivybridge_core, "\x48\x8b\x71\x08\x48\x8b\x7a\x68"), 1);
    /* (B) Three loads a copy, which take ports 2 and 3 by turns, so that those of a bank seldom
     * meet: NOP; MOV EBX, [RSP+120]; MOV RAX, [R12+56]; XOR EDX, EDX; CMP byte [RAX], 0: 1.49. */
    check("loads by turns",
          BLOCK(ivybridge_core, "\x0f\x1f\x00\x8b\x5c\x24\x78"
                                "\x49\x8b\x44\x24\x38\x31\xd2\x80\x38\x00"),
          1.5);
    check("lines of a bank", WALK(ivybridge_core, "\x48\x8b\x13", 512), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_lengths_are_found_in_a_cycle),
        cmocka_unit_test(an_opcode_before_the_boundary_counts_in_both_blocks),
        cmocka_unit_test(the_pre_decoder_waits_for_room_in_the_instruction_queue),
        cmocka_unit_test(the_last_decoder_takes_no_instruction_that_may_fuse_before_skylake),
        cmocka_unit_test(the_first_decoder_alone_takes_some_instructions_of_one_slot),
        cmocka_unit_test(reading_a_moved_stack_pointer_takes_a_uop),
        cmocka_unit_test(a_conditional_move_takes_one_cycle_from_destination_to_destination),
        cmocka_unit_test(a_conversion_from_an_integer_waits_for_the_old_vector_last),
        cmocka_unit_test(stores_to_neighbouring_parts_do_not_hide_each_other),
        cmocka_unit_test(a_load_takes_four_cycles_behind_a_load_and_five_otherwise),
        cmocka_unit_test(a_store_leaves_the_ports_of_loads_to_loads),
        cmocka_unit_test(moves_of_vectors_that_find_no_slot_take_port_5_on_haswell),
        cmocka_unit_test(some_instructions_end_a_cycle_of_the_decoders),
        cmocka_unit_test(a_conditional_move_of_two_uops_takes_two_cycles_from_its_source),
        cmocka_unit_test(an_index_undoes_micro_fusion),
        cmocka_unit_test(port_7_takes_no_index),
        cmocka_unit_test(a_pointer_chase_goes_through_an_eliminated_move),
        cmocka_unit_test(a_division_without_signs_is_faster),
        cmocka_unit_test(rare_instructions_take_as_long_as_measured),
        cmocka_unit_test(a_shift_waits_two_cycles_for_its_count_and_one_for_its_data),
        cmocka_unit_test(haswell_compares_subtracts_and_converts_in_so_many_uops),
        cmocka_unit_test(wide_loads_keep_their_port_on_ivy_bridge),
        cmocka_unit_test(two_loads_of_a_bank_take_two_cycles_on_ivy_bridge),
        cmocka_unit_test(the_first_store_to_a_page_waits_for_the_second_level_of_the_tlb),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
