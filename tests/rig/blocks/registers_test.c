/* What instructions wait for that is not plainly an operand, and what the sequencer costs, each by
 * a few instructions in straight-line code. The figures are from BHive's measurements (B), or from
 * the published rule by hand. */
#include "straight_test.h"

/* uiCA (A. Abel, J. Reineke): AH, BH, CH and DH are renamed apart from Ivy Bridge to Skylake.
 * Reading one that was not written since takes a cycle longer, and reading the register after it
 * was written takes a uop. (B) AND AH, 127; CMP EAX, 32: Skylake 2.97, a chain of two cycles and
 * that uop. */
static void a_high_byte_is_merged_before_its_register_is_read(void **state)
{
    static const char and_ah[] = "\x80\xe4\x7f", cmp_eax[] = "\x80\xe4\x7f\x83\xf8\x20";

    (void)state;
    check("skylakex", cycles_of(&skylakex_core, cmp_eax, sizeof(cmp_eax) - 1, 0), 3);
    check("haswell", cycles_of(&haswell_core, cmp_eax, sizeof(cmp_eax) - 1, 0), 3);
    check("ivybridge", cycles_of(&ivybridge_core, cmp_eax, sizeof(cmp_eax) - 1, 0), 3);
    check("icelakex", cycles_of(&icelakex_core, cmp_eax, sizeof(cmp_eax) - 1, 0), 1);
    check("skylakex: into the same register", BLOCK(skylakex_core, "\x0f\xb6\xc4"), 2);
    check("skylakex: never merged", cycles_of(&skylakex_core, and_ah, sizeof(and_ah) - 1, 0), 1);
    check("skylakex: AL", BLOCK(skylakex_core, "\x24\x7f\x83\xf8\x20"), 1);
}

/* uiCA: nothing is allocated together with that uop. MOV AH, 1 and MOV ECX, EAX are two slots, and
 * take two cycles. XOR EAX, EAX does not read the register: two slots, half a cycle. */
static void the_uop_that_merges_has_a_cycle_of_its_own(void **state)
{
    (void)state;
    check("haswell: mov ecx, eax", BLOCK(haswell_core, "\xb4\x01\x89\xc1"), 2);
    check("haswell: mov ebx, [rax]", BLOCK(haswell_core, "\xb4\x01\x8b\x18"), 2);
    check("haswell: xor eax, eax", BLOCK(haswell_core, "\xb4\x01\x31\xc0"), 0.5);
}

/* uops.info, latency of the first operand to itself: three cycles where there is a dependency; one
 * a cycle where there is none. BSF leaves its destination when the source is 0. (B) TZCNT R12, R14
 * in a chain by [R15 + 8 * R12]: Haswell 7.97, with the dependency 8. */
static void some_counts_of_bits_wait_for_the_register_they_overwrite(void **state)
{
    (void)state;
    check("haswell: TZCNT", BLOCK(haswell_core, "\xf3\x0f\xbc\xc1"), 3);
    check("skylakex: TZCNT", BLOCK(skylakex_core, "\xf3\x0f\xbc\xc1"), 1);
    check("haswell: LZCNT", BLOCK(haswell_core, "\xf3\x0f\xbd\xc1"), 3);
    check("ivybridge: POPCNT", BLOCK(ivybridge_core, "\xf3\x0f\xb8\xc1"), 3);
    check("skylakex: POPCNT", BLOCK(skylakex_core, "\xf3\x0f\xb8\xc1"), 3);
    check("icelakex: POPCNT", BLOCK(icelakex_core, "\xf3\x0f\xb8\xc1"), 1);
    check("icelakex: BSF", BLOCK(icelakex_core, "\x0f\xbc\xc1"), 3);
}

/* Skylake's shift by CL is three uops on ports 0 and 6. (B) MOV EDX, 1; SHL RDX, CL; TEST EDX, ...:
 * 1.49; with MOV ECX, R11D 1.94, since the decoders emit at most five uops in a cycle. The flags
 * are no chain into the result: with TEST that would be two cycles. */
static void a_shift_by_cl_takes_three_uops_on_skylake(void **state)
{
    (void)state;
    check("skylakex", BLOCK(skylakex_core, "\xba\x01\0\0\0\x48\xd3\xe2\xf7\xc2\x01\0\0\0"), 1.5);
    check("skylakex: and MOV",
          BLOCK(skylakex_core, "\xb8\x01\0\0\0\x44\x89\xd9\x48\xd3\xe0\xa9\x01\0\0\0"), 2);
    check("skylakex: alone", UNBOUND(skylakex_core, "\x48\xd3\xe0"), 1.5);
}

/* uiCA: the decoders lose a cycle on each way to and from the sequencer, and an instruction of
 * which they emit no uop takes a cycle of theirs. (B) CLD; MOV ECX, 11; MOV RSI, RBP: Haswell 4.99.
 */
static void what_the_sequencer_emits_alone_is_decoded_alone(void **state)
{
    (void)state;
    check("haswell", BLOCK(haswell_core, "\xfc\xb9\x0b\0\0\0\x48\x89\xee"), 5);
    check("haswell: CLD alone", BLOCK(haswell_core, "\xfc"), 4);
}

/* (B) MOV RAX, R8; MOV ECX, 1; LOCK CMPXCHG [RBP], RCX; CMP RAX, R8: Haswell 19.00, as LOCK ADD. */
static void a_locked_compare_takes_as_long_as_a_locked_addition(void **state)
{
    (void)state;
    check("haswell",
          BLOCK(haswell_core, "\x4c\x89\xc0\xb9\x01\0\0\0\xf0\x48\x0f\xb1\x4d\0\x4c\x39\xc0"), 19);
}

/* uops.info: DIVSD takes 10 cycles where the quotient is short, else up to 20. (B) CVTSI2SD XMM0,
 * R14D; DIVSD by memory; MULSD, and a second conversion beside: Ivy Bridge and Haswell 17.99, of
 * which the conversion into the old XMM0 takes 3 and the multiplication 5. */
static void a_division_with_a_short_quotient_takes_ten_cycles_before_skylake(void **state)
{
    static const char code[] = "\xf2\x41\x0f\x2a\xc6\xf2\x0f\x5e\x44\x24\x60\xf2\x0f\x59\xc1";

    (void)state;
    check("ivybridge", cycles_of(&ivybridge_core, code, sizeof(code) - 1, 0), 18);
    check("haswell", cycles_of(&haswell_core, code, sizeof(code) - 1, 0), 18);
}

/* (B) MOV RAX, [RSP]; MOV RAX, [RAX + 8]; MOV [RSP], RAX and a move: Ivy Bridge 9.99; by RCX
 * Haswell 9.97. Five cycles through the store, and five, not four, for the load behind it. */
static void a_load_behind_one_that_a_store_forwards_to_is_no_pointer_chase(void **state)
{
    static const char code[] = "\x48\x8b\x04\x24\x48\x8b\x40\x08\x48\x89\x04\x24";

    (void)state;
    check("ivybridge", cycles_of(&ivybridge_core, code, sizeof(code) - 1, 0), 10);
    check("haswell", cycles_of(&haswell_core, code, sizeof(code) - 1, 0), 10);
}

/* (B) MOV EDX, EAX; OR EDX, 1; BSR EDX, EDX; LEA EDX, [RDX+8*RDX+73]; SHR EDX, 6; LEA RBX,
 * [RDX+RAX]: Ivy Bridge 2.04. BSR and the first LEA need port 1, so the other LEA takes port 5. (B)
 * MOV R8D, [RSP+116]; MOV R9D, R8D; SHL R9, 3; LEA RDI, [RCX+R9]; CMP RCX, RDI: 1.36. There SHL may
 * need port 5: were it port 5 that LEA takes always, 1.5. (B) LEA ECX, [RAX+119]; LEA EAX,
 * [RAX+RAX+236]; CDQE; SUB RAX, 2: Haswell 5.01, a chain whose LEA of three parts needs port 1. */
static void a_uop_leaves_a_port_to_those_that_need_it(void **state)
{
    static const char bsr[] = "\x89\xc2\x83\xca\x01\x0f\xbd\xd2\x8d\x54\xd2\x49"
                              "\xc1\xea\x06\x48\x8d\x1c\x02";
    static const char shl[] = "\x44\x8b\x44\x24\x74\x45\x89\xc1\x49\xc1\xe1\x03"
                              "\x4a\x8d\x3c\x09\x48\x39\xf9";
    static const char lea[] = "\x8d\x48\x77\x8d\x84\x00\xec\x00\x00\x00\x48\x98"
                              "\x48\x83\xe8\x02";

    (void)state;
    check("BSR and LEA", cycles_of(&ivybridge_core, bsr, sizeof(bsr) - 1, 0), 2);
    check("SHL and LEA", cycles_of(&ivybridge_core, shl, sizeof(shl) - 1, 0), 1.36);
    check("LEA and LEA", cycles_of(&haswell_core, lea, sizeof(lea) - 1, 0), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_high_byte_is_merged_before_its_register_is_read),
        cmocka_unit_test(the_uop_that_merges_has_a_cycle_of_its_own),
        cmocka_unit_test(some_counts_of_bits_wait_for_the_register_they_overwrite),
        cmocka_unit_test(a_shift_by_cl_takes_three_uops_on_skylake),
        cmocka_unit_test(what_the_sequencer_emits_alone_is_decoded_alone),
        cmocka_unit_test(a_locked_compare_takes_as_long_as_a_locked_addition),
        cmocka_unit_test(a_load_behind_one_that_a_store_forwards_to_is_no_pointer_chase),
        cmocka_unit_test(a_uop_leaves_a_port_to_those_that_need_it),
        cmocka_unit_test(a_division_with_a_short_quotient_takes_ten_cycles_before_skylake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
