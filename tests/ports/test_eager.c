/* Tests where a group's eager buffers lie. Two members that pack in the same round must write
 * different memory. */
#include "kport.h"
#include "ports/member.h"
#include "ports/without.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct buffer {
    const char *begin, *end;
    int rank;
    unsigned generation;
};

#define MOST_BUFFERS 4096

/* A group's eager buffers: those of all ranks, of both generations, and for many
 * message lengths. */
struct buffers {
    struct buffer all[MOST_BUFFERS];
    int count;
};

static const size_t lengths[] = {1, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 100, 1000, 4096, 8192};

static void find(struct buffers *buffers, const struct kp_shared *shared, size_t longest)
{
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && lengths[i] <= longest; i++) {
        for (int rank = 0; rank < shared->size; rank++) {
            for (unsigned generation = 0; generation < KP_GENERATIONS; generation++) {
                const kp_group *member = &shared->members[rank];
                const char *buffer = kp_member_buffer_of(member, lengths[i], generation);
                assert_true(buffers->count < MOST_BUFFERS);
                buffers->all[buffers->count++] =
                    (struct buffer){buffer, buffer + lengths[i], rank, generation};
            }
        }
    }
}

/* A receiver must read a buffer at the address at which its owner writes it. In a pair whose short
 * buffers lie beside the words, a member reads only the other member's buffer. */
static void are_read_where_written(const struct kp_shared *shared, size_t longest)
{
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && lengths[i] <= longest; i++) {
        const kp_group *reader = &shared->members[shared->size - 1];
        size_t stride = kp_member_buffer_stride(reader, lengths[i]);
        for (int rank = 0; rank < shared->size - 1; rank++) {
            for (unsigned generation = 0; generation < KP_GENERATIONS; generation++)
                assert_ptr_equal(
                    kp_member_buffers_of(reader, lengths[i], generation) + (size_t)rank * stride,
                    kp_member_buffer_of(&shared->members[rank], lengths[i], generation));
        }
    }
}

/* Every buffer must begin at a multiple of the length of an operand, so that it can hold operands
 * of any type that fits. */
static void are_aligned(const struct buffers *buffers)
{
    for (int i = 0; i < buffers->count; i++) {
        size_t bytes = (size_t)(buffers->all[i].end - buffers->all[i].begin), operand = 1;
        while (operand * 2 <= bytes && operand < 16)
            operand *= 2;
        assert_int_equal((uintptr_t)buffers->all[i].begin % operand, 0);
    }
}

static void are_apart(const struct buffers *buffers)
{
    for (int i = 0; i < buffers->count; i++) {
        for (int j = 0; j < i; j++) {
            const struct buffer *a = &buffers->all[i], *b = &buffers->all[j];
            if (a->rank != b->rank || a->generation != b->generation)
                assert_true(a->end <= b->begin || b->end <= a->begin);
        }
    }
}

static void check(kp_config config)
{
    kp_machine *machine;
    struct buffers *buffers = calloc(1, sizeof *buffers);
    assert_non_null(buffers);
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    find(buffers, machine->world, machine->world->buffer_bytes);
    are_read_where_written(machine->world, machine->world->buffer_bytes);
    are_aligned(buffers);
    are_apart(buffers);
    assert_int_equal(kp_machine_destroy(machine), 0);
    free(buffers);
}

static void no_two_buffers_overlap(void **state)
{
    (void)state;
    static const size_t eager[] = {0, 1, 65, 500};
    static const kp_wait_policy waits[] = {KP_WAIT_SPIN, KP_WAIT_YIELD, KP_WAIT_PARK};
    for (int n = 2; n <= 17; n += n < 9 ? 1 : 8) {
        for (size_t i = 0; i < sizeof eager / sizeof eager[0]; i++) {
            for (size_t j = 0; j < sizeof waits / sizeof waits[0]; j++)
                check((kp_config){.processors = n, .eager_bytes = eager[i], .wait = waits[j]});
            if (kp_fibers())
                check((kp_config){.processors = n,
                                  .eager_bytes = eager[i],
                                  .carrier = KP_CARRIER_FIBERS,
                                  .workers = 2});
        }
    }
}

/* The threads of a core must have adjacent numbers, and the numbers of threads on two cores may
 * differ by at most one. */
static void neighbours_share_cores(void **state)
{
    (void)state;
    for (int cores = 1; cores <= 9; cores++) {
        for (int threads = 1; threads <= 50; threads++) {
            int of_core[9] = {0};
            for (int i = 0; i < threads; i++) {
                int core = kp_core_of(i, threads, cores);
                assert_in_range(core, 0, cores - 1);
                assert_true(i == 0 || core >= kp_core_of(i - 1, threads, cores));
                of_core[core]++;
            }
            for (int core = 0; core < cores; core++) {
                assert_true(of_core[core] >= threads / cores);
                assert_true(of_core[core] <= (threads + cores - 1) / cores);
            }
        }
    }
    assert_int_equal(kp_core_of(1048574, 1048575, 1024), 1023);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_buffers_overlap),
        cmocka_unit_test(neighbours_share_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
