/* Where logical processors are in a package, and parts with two kinds of cores. */
#include "core/parameters.h"
#include "pmu_test.h"

/* CPUID of the part of `rig`, on one core of four. */
static struct cpuid_result cpuid(const struct rig *rig, uint32_t leaf, uint32_t subleaf)
{
    return pmu_cpuid(rig->pmu, leaf, subleaf, 0);
}

/* A processor of so many cores, with two threads each where the kind has them. */
static void rig_sit(struct rig *rig, const char *name, unsigned cores, unsigned index)
{
    const struct personality *personality = personality_find(name);
    const struct personality_seat seat = personality_seat(personality, cores, 2, index);

    rig_make_at(rig, seat.kind,
                (struct pmu_place){index, personality_apic_id(&seat), cores, seat.threads,
                                   personality_processors(personality, cores, 2)});
}

/* Leaves of a Core i9-12900K's first P core and first E core: 8 P cores with two threads and 8 E
 * cores with one (InstLatX64, GenuineIntel0090672_AlderLake_01_LC_BC). Leaf 4, EAX[25:14] and
 * [31:26]: who shares L1, L2 and L3, and the cores, as ids. */
static void hybrid_part_is_placed_as_recorded(void **state)
{
    static const struct {
        unsigned index;
        uint32_t version_ebx, threads, id;
    } recorded[] = {{0, 0x00800800, 2, 0}, {16, 0x40800800, 1, 0x40}};
    static const uint32_t caches[] = {0xfc004121, 0xfc004122, 0xfc01c143, 0xfc1fc163};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct rig rig;

        rig_sit(&rig, "alderlake", 16, recorded[i].index);
        assert_int_equal(cpuid(&rig, 1, 0).ebx, recorded[i].version_ebx);
        for (unsigned leaf = 0xb; leaf <= 0x1f; leaf += 0x1f - 0xb) {
            assert_int_equal(cpuid(&rig, leaf, 0).eax, 1);
            assert_int_equal(cpuid(&rig, leaf, 0).ebx, recorded[i].threads);
            assert_int_equal(cpuid(&rig, leaf, 0).ecx, 0x100);
            assert_int_equal(cpuid(&rig, leaf, 1).eax, 7);
            assert_int_equal(cpuid(&rig, leaf, 1).ebx, 0x18);
            assert_int_equal(cpuid(&rig, leaf, 1).ecx, 0x201);
            assert_int_equal(cpuid(&rig, leaf, 1).edx, recorded[i].id);
        }
        for (unsigned cache = 0; cache < 4; cache++)
            assert_int_equal(cpuid(&rig, 4, cache).eax, caches[cache]);
        rig_end(&rig);
    }
}

/* Its P cores' threads are neighbours, and an E core has no second one. */
static void seats_are_one_after_the_other(void **state)
{
    static const struct {
        unsigned core, thread;
        uint32_t id, skylakex_id;
    } seats[] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {1, 0, 8, 2}, {1, 1, 9, 3}, {2, 0, 16, 4}};
    const struct personality *hybrid = personality_find("alderlake"),
                             *other = personality_find("skylakex");

    (void)state;
    assert_int_equal(personality_processors(hybrid, 3, 2), 5);
    assert_int_equal(personality_processors(hybrid, 3, 1), 3);
    assert_int_equal(personality_processors(other, 3, 2), 6);
    for (unsigned i = 0; i < sizeof(seats) / sizeof(*seats); i++) {
        const struct personality_seat seat = personality_seat(hybrid, 3, 2, i),
                                      plain = personality_seat(other, 3, 2, i);

        assert_int_equal(seat.core, seats[i].core);
        assert_int_equal(seat.thread, seats[i].thread);
        assert_int_equal(seat.threads, seats[i].core < 2 ? 2 : 1);
        assert_int_equal(personality_apic_id(&seat), seats[i].id);
        assert_int_equal(personality_apic_id(&plain), seats[i].skylakex_id);
    }
}

/* The first half of the cores, rounded up, are P cores: Core is type 40H and Atom 20H. */
static void hybrid_part_has_big_cores_first(void **state)
{
    const struct personality *big = personality_find("alderlake"), *small = big->small;
    struct rig rig;

    (void)state;
    assert_non_null(small);
    assert_ptr_equal(personality_of_core(big, 0, 1), big);
    assert_ptr_equal(personality_of_core(big, 0, 2), big);
    assert_ptr_equal(personality_of_core(big, 1, 2), small);
    assert_ptr_equal(personality_of_core(big, 1, 3), big);
    assert_ptr_equal(personality_of_core(big, 2, 3), small);
    assert_ptr_equal(personality_of_core(personality_find("haswell"), 1, 2),
                     personality_find("haswell"));
    assert_null(personality_find("alderlake_e"));

    rig_make(&rig, big, 1);
    assert_int_equal(cpuid(&rig, 0x1a, 0).eax >> 24, 0x40);
    assert_int_equal(cpuid(&rig, 7, 0).edx >> 15 & 1, 1);
    rig_end(&rig);
    rig_make(&rig, small, 1);
    assert_int_equal(cpuid(&rig, 0x1a, 0).eax >> 24, 0x20);
    assert_int_equal(cpuid(&rig, 7, 0).edx >> 15 & 1, 1);
    assert_int_equal(cpuid(&rig, 0xa, 0).eax >> 8 & 0xff, 6);
    assert_int_equal(cpuid(&rig, 0xa, 0).edx & 0x1f, 3);
    rig_end(&rig);
    assert_int_equal(big->pmu->core_mhz, small->pmu->core_mhz);
    assert_int_equal(big->pmu->tsc_mhz, small->pmu->tsc_mhz);
    assert_int_equal(small->core->width, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hybrid_part_has_big_cores_first),
        cmocka_unit_test(hybrid_part_is_placed_as_recorded),
        cmocka_unit_test(seats_are_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
