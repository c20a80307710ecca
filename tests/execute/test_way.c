/* Tests how calls are carried out. The test asks the library how it would carry out calls of all
 * kinds on all kinds of machines, and makes none of these calls. Every way must occur in some
 * answer, but only few different answers may occur. */
#include "kport.h"

#include "lib/call/machine.h"
#include "lib/problem/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An earlier version had 5 ways to enter a call, 5 ways to synchronise, 14 engines that carried
 * calls out, and 11 places of buffers. The number of different answers may be at most half of their
 * product. */
#define AT_MOST (5 * 5 * 14 * 11 / 2)

static char ways[AT_MOST + 1][160];
static int count;

static void add(const char *way)
{
    int i = 0;
    while (i < count && strcmp(ways[i], way) != 0)
        i++;
    if (i < count)
        return;
    assert_true(count < AT_MOST);
    snprintf(ways[count++], sizeof ways[0], "%s", way);
}

static void ask(kp_machine *machine, const kp_algorithm *algorithm, int n, int k, size_t b,
                int in_place)
{
    char way[160];
    const struct kp_operation_row *row = kp_operation_row(algorithm->operation);
    kp_problem p = {.operation = algorithm->operation,
                    .n = n,
                    .k = k,
                    .b = row->lengths || row->no_bytes ? 0 : b,
                    .algorithm = algorithm,
                    .per_process = algorithm->stated_between && n % 2 == 0 ? 2 : 0,
                    .in_place = in_place && !row->no_bytes &&
                                !kp_operation_has_target(algorithm->operation),
                    .type = KP_UINT8,
                    .op = kp_operation_reduces(algorithm->operation) ? KP_SUM : NULL};
    p.target = kp_operation_has_target(p.operation) ? n - 1 : 0;
    if (algorithm->serves && algorithm->serves(&p))
        return;
    for (int rank = 0; rank<n; rank += n> 1 ? n - 1 : 1) {
        if (kp_machine_way(machine, rank, &p, true, way, sizeof way))
            fail_msg("%s: %s", algorithm->name, kp_last_error()->sentence);
        add(way);
    }
}

static void ask_all(kp_config config)
{
    static const size_t blocks[] = {0, 1, 8, 24, 64, 300, 2000, 8192, 20000, 100000, 4 << 20};
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; kp_algorithm_at(i); i++) {
        for (size_t each = 0; each < sizeof blocks / sizeof blocks[0]; each++) {
            for (int in_place = 0; in_place < 2; in_place++)
                ask(machine, kp_algorithm_at(i), config.processors, config.ports, blocks[each],
                    in_place);
        }
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* The machine's table of schedules must not find a schedule for another number of processors of a
 * process. */
static void processes_are_part_of_the_key(void **state)
{
    (void)state;
    const kp_config config = {.processors = 8, .ports = 1};
    static const int shared[] = {2, 4, 0, 2, 8};
    char way[160];
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    for (int i = 0; i < 5; i++) {
        kp_problem p = {.operation = KP_CONCAT,
                        .n = 8,
                        .k = 1,
                        .per_process = shared[i],
                        .b = 8,
                        .algorithm = kp_algorithm_find(KP_CONCAT, "hierarchical")};
        bool served = shared[i] == 2 || shared[i] == 4;
        assert_int_equal(kp_machine_way(machine, 0, &p, true, way, sizeof way),
                         served ? KP_OK : KP_EUNSERVED);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static void there_are_few_and_all_are_reached(void **state)
{
    (void)state;
    static const char *const wanted[] = {"alone",
                                         "pair",
                                         "counter",
                                         "mailboxes",
                                         "eager buffer beside the word",
                                         "eager buffers",
                                         "long eager buffer",
                                         "in boxes",
                                         "in place",
                                         "receivers copy",
                                         "senders copy",
                                         "both ends copy",
                                         "kept code",
                                         "one message",
                                         "code as it is written",
                                         "table of lengths",
                                         "past the cache"};
    static const int sizes[] = {1, 2, 3, 8, 64};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int each = 0; each < 4; each++) {
            kp_config config = {.processors = sizes[i],
                                .ports = each % 2 && sizes[i] > 3 ? 3 : 1,
                                .pin = each / 2 ? KP_PIN_AUTO : KP_PIN_NEVER};
            ask_all(config);
            config.discipline = KP_ROUNDS_BY_MAILBOXES;
            ask_all(config);
            config = (kp_config){.processors = sizes[i],
                                 .ports = config.ports,
                                 .carrier = KP_CARRIER_FIBERS,
                                 .workers = sizes[i] > 1 ? 1 + each / 2 : 1};
            if (kp_fibers())
                ask_all(config);
        }
    }
    print_message("%d ways of at most %d\n", count, AT_MOST);
    for (int i = 0; i < count; i++) {
        if (strstr(ways[i], "mailboxes") && strstr(ways[i], "one for all of its core"))
            fail_msg("nobody waits for all of its core: %s", ways[i]);
    }
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        int at = 0;
        while (at < count && !strstr(ways[at], wanted[i]))
            at++;
        if (at == count)
            fail_msg("no call is carried out by: %s", wanted[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_part_of_the_key),
        cmocka_unit_test(there_are_few_and_all_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
