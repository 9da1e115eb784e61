/* The access events that the model reports agree with the sums of its signals, and a
 * subscription changes nothing. */
#include "model_test.h"

#define LOAD  CODE("\x48\x8b\x00") /* mov rax, [rax]: each load waits for the last */
#define STORE CODE("\x48\x89\x03") /* mov [rbx], rax */
#define LINES 4096u                /* 256 KiB: beyond L1, within L2 of Skylake and Ice Lake */

struct observed {
    uint64_t loads, stores, hits, latency, origin[ORIGIN_MEMORY + 1];
    uint64_t request[REQUEST_COUNT], from_memory;
    uint64_t fetched[5]; /* by bit of enum fetched */
};

static void notice_access(void *context, const struct retired_access *access)
{
    struct observed *observed = context;

    if (access->write) {
        observed->stores++;
        observed->hits += access->hit;
        return;
    }
    observed->loads++;
    observed->latency += access->latency;
    observed->origin[access->origin]++;
}

static void notice_fetch(void *context, unsigned fetched)
{
    struct observed *observed = context;

    for (unsigned i = 0; i < 5; i++)
        observed->fetched[i] += fetched >> i & 1;
}

static void notice_request(void *context, enum request request, enum origin origin)
{
    struct observed *observed = context;

    observed->request[request]++;
    observed->from_memory += origin == ORIGIN_MEMORY;
}

static void subscribe(struct bench *bench, struct observed *observed)
{
    model_drain(bench->model);
    model_subscribe(bench->model, (struct model_subscriber){observed, notice_fetch, notice_access,
                                                            notice_request});
}

static void chase(struct bench *bench, unsigned turn)
{
    /* 1021 is odd, so every line is loaded once before a line comes again */
    reads(bench, LOAD, DATA_START + turn * UINT64_C(1021) % LINES * LINE);
}

static void store_lines(struct bench *bench, unsigned turn)
{
    writes(bench, STORE, DATA_START + turn % LINES * LINE);
}

/* The first round comes from memory, the second from L2: each of its loads takes the latency in
 * the core's parameters, since each load waits for the last. */
static void every_load_is_reported_with_its_origin_and_latency(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct observed observed = {0};
        struct figures figures;
        struct bench bench;

        begin(&bench, cores[i]);
        subscribe(&bench, &observed);
        restart(&bench);
        turns(&bench, chase, 0, LINES);
        stop(&bench, &figures);
        assert_int_equal(observed.loads, LINES);
        assert_int_equal(observed.origin[ORIGIN_MEMORY], LINES);
        assert_int_equal(observed.origin[ORIGIN_MEMORY], figures.sum[SIG_LOADS_L3_MISS]);
        assert_int_equal(observed.request[REQUEST_DATA_READ], LINES);
        assert_int_equal(observed.request[REQUEST_OWNERSHIP], 0);
        assert_true(observed.from_memory >= LINES); /* code too */
        assert_true(observed.latency >= LINES * (uint64_t)cores[i]->memory_latency);

        memset(&observed, 0, sizeof(observed));
        restart(&bench);
        turns(&bench, chase, LINES, LINES);
        stop(&bench, &figures);
        assert_int_equal(observed.origin[ORIGIN_L2], figures.sum[SIG_LOADS_L2_HIT]);
        assert_true(observed.origin[ORIGIN_L2] > LINES / 2);
        assert_int_equal(observed.latency, observed.origin[ORIGIN_L2] * cores[i]->l2.latency +
                                               observed.origin[ORIGIN_L1] * cores[i]->l1d.latency);
        assert_int_equal(observed.request[REQUEST_DATA_READ], 0);
        end(&bench);
    }
}

static void every_store_is_reported_with_whether_it_hit(void **state)
{
    struct observed observed = {0};
    struct bench bench;

    (void)state;
    begin(&bench, &skylakex_core);
    subscribe(&bench, &observed);
    turns(&bench, store_lines, 0, 100);
    model_drain(bench.model);
    assert_int_equal(observed.stores, 100);
    assert_int_equal(observed.hits, 0);
    assert_int_equal(observed.request[REQUEST_OWNERSHIP], 100);
    turns(&bench, store_lines, 0, 100);
    model_drain(bench.model);
    assert_int_equal(observed.stores, 200);
    assert_int_equal(observed.hits, 100);
    assert_int_equal(observed.request[REQUEST_OWNERSHIP], 100);
    end(&bench);
}

static void stream_lines(struct bench *bench, unsigned turn)
{
    for (unsigned i = 0; i < 8; i++) /* movnti [rbx], rax */
        writes(bench, CODE("\x48\x0f\xc3\x03"), DATA_START + turn * LINE + i * 8);
}

/* Eight stores of eight bytes are one request, and the line itself is not requested. */
static void a_streamed_line_is_requested_once(void **state)
{
    struct observed observed = {0};
    struct bench bench;

    (void)state;
    begin(&bench, &icelakex_core);
    subscribe(&bench, &observed);
    turns(&bench, stream_lines, 0, 100);
    model_drain(bench.model);
    assert_int_equal(observed.request[REQUEST_STREAMING], 100);
    assert_int_equal(observed.request[REQUEST_OWNERSHIP], 0);
    assert_int_equal(observed.request[REQUEST_DATA_READ], 0);
    end(&bench);
}

/* A request of L2's prefetchers counts as a prefetch for a load or for a store, whichever
 * triggered it. */
static void prefetches_for_stores_are_distinguished_from_prefetches_for_loads(void **state)
{
    struct observed observed = {0};
    struct bench bench;

    (void)state;
    begin(&bench, &skylakex_core);
    model_prefetch(bench.model, 0);
    subscribe(&bench, &observed);
    turns(&bench, store_lines, 0, 500);
    assert_true(observed.request[REQUEST_PREFETCH_OWNERSHIP] > 100);
    assert_int_equal(observed.request[REQUEST_PREFETCH_READ], 0);
    /* every line is requested once, and a few lines beyond the end */
    assert_in_range(observed.request[REQUEST_PREFETCH_OWNERSHIP] +
                        observed.request[REQUEST_OWNERSHIP],
                    500, 540);
    end(&bench);
}

static void load_lines(struct bench *bench, unsigned turn)
{
    reads(bench, LOAD, DATA_START + turn * LINE);
}

/* Bits 0 and 1 switch L2's prefetchers off. */
static void prefetches_into_l1_are_distinguished_from_loads(void **state)
{
    struct observed observed = {0};
    struct bench bench;

    (void)state;
    begin(&bench, &skylakex_core);
    model_prefetch(bench.model, 3);
    subscribe(&bench, &observed);
    turns(&bench, load_lines, 0, 500);
    assert_true(observed.request[REQUEST_L1_PREFETCH] > 100);
    assert_int_equal(observed.request[REQUEST_PREFETCH_READ], 0);
    assert_in_range(observed.request[REQUEST_L1_PREFETCH] + observed.request[REQUEST_DATA_READ],
                    500, 510);
    end(&bench);
}

/* A jump in each line of code to the next line. */
static void lines_of_code(struct bench *bench, unsigned turn)
{
    static const uint8_t jump[] = {0xeb, 0x3e}; /* 62 bytes beyond its end */

    (void)turn;
    for (unsigned i = 0; i < 50; i++)
        goes(bench, jump, sizeof(jump), 62);
}

static void misses_of_fetch_are_reported_at_retirement(void **state)
{
    struct observed observed = {0};
    struct figures figures;
    struct bench bench;

    (void)state;
    begin(&bench, &skylakex_core);
    subscribe(&bench, &observed);
    restart(&bench);
    turns(&bench, lines_of_code, 0, 1);
    stop(&bench, &figures);
    /* 50 lines and the line of the fused dec and jnz; each comes from memory and is decoded */
    assert_int_equal(observed.fetched[0], 51);
    assert_int_equal(observed.fetched[1], 51);
    assert_int_equal(observed.request[REQUEST_CODE_READ], 51);
    assert_int_equal(observed.fetched[2], 1); /* one page */
    assert_int_equal(observed.fetched[3], 1);
    assert_int_equal(observed.fetched[4], 51);
    memset(&observed, 0, sizeof(observed));
    turns(&bench, lines_of_code, 0, 1);
    model_drain(bench.model);
    assert_int_equal(
        observed.fetched[0] + observed.fetched[1] + observed.fetched[2] + observed.fetched[3], 0);
    assert_int_equal(observed.fetched[4], 0); /* the uop cache has all of them */
    end(&bench);
}

static void a_subscription_changes_nothing(void **state)
{
    struct figures figures[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct observed observed = {0};
        struct bench bench;

        begin(&bench, &icelakex_core);
        if (i)
            subscribe(&bench, &observed);
        restart(&bench);
        turns(&bench, chase, 0, LINES);
        turns(&bench, store_lines, 0, LINES);
        stop(&bench, &figures[i]);
        end(&bench);
    }
    assert_memory_equal(&figures[0], &figures[1], sizeof(figures[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_load_is_reported_with_its_origin_and_latency),
        cmocka_unit_test(every_store_is_reported_with_whether_it_hit),
        cmocka_unit_test(a_streamed_line_is_requested_once),
        cmocka_unit_test(prefetches_for_stores_are_distinguished_from_prefetches_for_loads),
        cmocka_unit_test(prefetches_into_l1_are_distinguished_from_loads),
        cmocka_unit_test(misses_of_fetch_are_reported_at_retirement),
        cmocka_unit_test(a_subscription_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
