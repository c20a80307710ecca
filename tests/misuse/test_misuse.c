/* Makes each misuse of the table in misuse.h and compares the library's error with the row.
 * Afterwards the group must still work, or a new machine.
 *
 * Usage: test_misuse [rows]; `rows` prints the table for doc/manual/reference/misuse.md. */
#include "ports/error.h"
#include "ports/handle.h"
#include "tests/common/machine_common.h"
#include "tests/misuse/misuse.h"

/* Some rows ask for more memory than there is. The sanitizers' allocators must then return NULL and
 * not abort. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static const struct misuse *const tables[] = {
    misuses_of_configs,  misuses_of_machines,  misuses_of_handles,     misuses_of_rounds,
    misuses_of_requests, misuses_of_messages,  misuses_of_collectives, misuses_of_lengths,
    misuses_of_layouts,  misuses_of_schedules, misuses_of_models,      misuses_of_traces,
    misuses_of_profiles};

static const char *name_of(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {
#define NAME(name, value, text) {value, #name},
        KP_STATUSES(NAME)
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].status == status)
            return names[i].name;
    }
    return "no status";
}

int misuse_told(bool as_it_should)
{
    return as_it_should ? kp_last_error()->status : 1;
}

/* The sentences in the rows have the numbers of a 64-bit glibc whose threads need a stack of at
 * least 16 KiB. Elsewhere the comparison ignores numbers. */
#ifdef __GLIBC__
#define NUMBERS_DIFFER (sizeof(size_t) != 8 || PTHREAD_STACK_MIN != 16384)
#else
#define NUMBERS_DIFFER true
#endif

static bool same_but_numbers(const char *a, const char *b)
{
    while (*a && *b) {
        size_t in_a = strspn(a, "0123456789"), in_b = strspn(b, "0123456789");
        if ((in_a > 0) != (in_b > 0) || (in_a == 0 && *a != *b))
            return false;
        a += in_a > 0 ? in_a : 1;
        b += in_b > 0 ? in_b : 1;
    }
    return *a == *b;
}

const char *misuse_words(const char *sentence)
{
    static const char *const begins[] = {" could not take part in ", " called ", " ("};
    int number, length = 0;
    if (sscanf(sentence, "processor %d%n", &number, &length) < 1)
        return sentence;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const bool names = strncmp(sentence + length, begins[i], strlen(begins[i])) == 0;
        const char *end = names ? strstr(sentence, ": ") : NULL;
        if (end)
            return end + 2;
    }
    return sentence;
}

/* Returns the sentence as the rows have it: "program.c:12" stands for each place of a call. */
static const char *row_words(const char *sentence)
{
    static char text[2 * KP_SENTENCE_BYTES];
    const char *at = misuse_words(sentence), *colon;
    text[0] = '\0';
    for (const char *dots; (dots = strstr(at, "../")) && (colon = strchr(dots, ':'));) {
        strncat(text, at, (size_t)(dots - at));
        strcat(text, "program.c:12");
        at = colon + 1 + strspn(colon + 1, "0123456789");
    }
    return strcat(text, at);
}

/* Returns whether the library's sentence `a` is that of the row, `b`. If `b` ends in " ...", `b`
 * has only the beginning of the sentence, because the rest is a list that may change. */
static bool same(const char *a, const char *b)
{
    size_t length = strlen(b);
    if (length > 4 && strcmp(b + length - 4, " ...") == 0)
        return strncmp(a, b, length - 3) == 0 && strlen(a) > length - 3;
    return NUMBERS_DIFFER ? same_but_numbers(a, b) : strcmp(a, b) == 0;
}

/* --- Misuse in a run, by processor 0 --- */

static int in_scene(kp_proc *self, void *argument)
{
    const struct misuse *row = argument;
    double out[16] = {0}, in[16] = {0};
    struct scene scene = {.self = self,
                          .group = kp_world(self),
                          .wrong = kp_processor(self) == 0,
                          .out = out,
                          .in = in,
                          .eights = {8, 8, 8}};
    int status = row->among(&scene);
    keep(self, status);
    outcomes[kp_processor(self)].error = *kp_last_error();
    /* Whatever error the processors got, the barrier must still work. */
    return kp_barrier(kp_world(self));
}

static const kp_error_record *try_among(const struct misuse *row, int *status)
{
    kp_config config = {.processors = MEMBERS};
    kp_report report;
    int ran = kp_run(&config, in_scene, (void *)row, &report);
    if (ran)
        fail_msg("%s, %s: the group does not work on: %s", row->calls, row->wrong,
                 report.error.sentence);
    for (int i = 1; i < MEMBERS; i++) {
        if (outcomes[i].status != row->others)
            fail_msg("%s, %s: processor %d got %s, not %s (%s)", row->calls, row->wrong, i,
                     name_of(outcomes[i].status), name_of(row->others), outcomes[i].error.sentence);
        if (row->others == KP_EPEER && outcomes[i].error.processor != 0)
            fail_msg("%s, %s: processor %d got a record about %d: %s", row->calls, row->wrong, i,
                     outcomes[i].error.processor, outcomes[i].error.sentence);
    }
    *status = outcomes[0].status;
    return &outcomes[0].error;
}

static const kp_error_record *try(const struct misuse *row, int *status)
{
    *kp_error_slot() = (kp_error_record){.status = KP_OK};
    if (row->among)
        return try_among(row, status);
    *status = row->alone();
    return kp_last_error();
}

static void compare(const struct misuse *row)
{
    int status;
    const kp_error_record *said = try(row, &status);
    if (status != row->status || said->status != row->status)
        fail_msg("%s, %s: returned %s (%d), recorded %s, not %s: %s", row->calls, row->wrong,
                 name_of(status), status, name_of(said->status), name_of(row->status),
                 said->sentence);
    if (!same(row_words(said->sentence), row->sentence))
        fail_msg("%s, %s: it says\n%s\nand not\n%s", row->calls, row->wrong, said->sentence,
                 row->sentence);
}

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct misuse *row = tables[i]; row->calls; row++)
            if (!row->fibers || kp_fibers())
                compare(row);
    }
}

/* When an object ends, its handle must stay invalid for some time, even if the allocator reuses the
 * memory. So the handles of sixteen objects in a row must differ. */
static void objects_take_turns(void **state)
{
    (void)state;
    uintptr_t objects[16], blocks[16];
    for (int i = 0; i < 16; i++) {
        void *block;
        objects[i] = (uintptr_t)kp_handle_memory(3, 640, &block);
        assert_true(objects[i] != 0 && objects[i] % 64 == 0);
        blocks[i] = (uintptr_t)block;
        free(block);
        for (int j = 0; j < i; j++) {
            /* musl's allocator returns other memory each time. Then two handles may be equal by
             * chance. */
            if (objects[i] == objects[j] && blocks[i] == blocks[j])
                fail_msg("object %d lies where %d lies", i, j);
        }
    }
}

/* --- The rows, for the documentation --- */

static int print_rows(void)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct misuse *row = tables[i]; row->calls; row++)
            printf("| %s | %s | `%s` | %s |\n", row->calls, row->wrong, name_of(row->status),
                   row->sentence);
        printf("\n");
    }
    return 0;
}

/* Prints the errors that the library gives now. A developer copies them into the rows. */
static int print_said(void)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const struct misuse *row = tables[i]; row->calls; row++) {
            int status;
            const kp_error_record *said = try(row, &status);
            printf("%s\t%s\t%s\t%s\t%s\n", row->calls, row->wrong, name_of(row->status),
                   name_of(status), row_words(said->sentence));
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(every_row), TEST(objects_take_turns)};
    if (argc > 1 && strcmp(argv[1], "rows") == 0)
        return print_rows();
    if (argc > 1 && strcmp(argv[1], "said") == 0)
        return print_said();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
