/* Tests the memory of a machine with several NUMA nodes: no page of a member's eager buffers and
 * mailboxes is written before the member itself writes there, because the system takes a page from
 * the node of the thread that first writes to it. So what this computer's nodes are does not
 * matter. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "ports/machine_data.h"
#include "ports/sync/mail_data.h"

#include <fcntl.h>
#include <sys/mman.h>

#define N      4
#define SENDER 2
#define BYTES  ((size_t)8192)

static size_t page;

/* Returns how many pages that lie wholly in the memory some thread has written. In the system's
 * list of pages, bit 56 says that a page is this process's own; a page that has only been read is
 * not, unless the system gives the process a page of its own then, too (is_told). */
static size_t written(const void *memory, size_t bytes)
{
    const uintptr_t begin = ((uintptr_t)memory + page - 1) / page,
                    end = ((uintptr_t)memory + bytes) / page;
    size_t count = 0;
    int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (uintptr_t i = begin; i < end && file >= 0; i++) {
        uint64_t entry = 0;
        if (pread(file, &entry, sizeof entry, (off_t)(i * sizeof entry)) == sizeof entry)
            count += entry >> 56 & 1;
    }
    if (file >= 0)
        close(file);
    return count;
}

/* The rows of the members: their eager buffers, or their mailboxes and the buffers of these. */
struct rows {
    const char *first;
    size_t apart;
};

static struct rows eager_of(const struct kp_shared *shared)
{
    const struct kp_eager_buffers *buffers = &shared->eager[KP_EAGER_EACH];
    return (struct rows){buffers->first, buffers->stride};
}

static struct rows boxes_of(const struct kp_shared *shared)
{
    const char *first = (const char *)shared->members[0].mail->boxes;
    return (struct rows){first, (size_t)((const char *)shared->members[1].mail->boxes - first)};
}

static struct rows mail_buffers_of(const struct kp_shared *shared)
{
    const char *first = shared->members[0].mail->buffers;
    return (struct rows){first, (size_t)(shared->members[1].mail->buffers - first)};
}

static size_t written_of(struct rows rows, int rank)
{
    return written(rows.first + (size_t)rank * rows.apart, rows.apart);
}

static size_t written_of_all(struct rows rows)
{
    return written(rows.first, N * rows.apart);
}

/* Only one member sends. */
static int send_alone(kp_proc *self, void *argument)
{
    unsigned char data[BYTES];
    memset(data, kp_processor(self) == SENDER ? 7 : 0, sizeof data);
    int status = 0;
    for (int i = 0; i < 100 && !status; i++)
        status = kp_broadcast(kp_world(self), data, sizeof data, SENDER, NULL);
    for (size_t i = 0; i < sizeof data && !status; i++) {
        if (data[i] != 7)
            status = kp_fail(self, "a byte is wrong");
    }
    (void)argument;
    return status;
}

static int all_send(kp_proc *self, void *argument)
{
    unsigned char out[N][64], in[N][64];
    const int me = kp_processor(self);
    int status = 0;
    for (int i = 0; i < N; i++)
        memset(out[i], me * N + i, sizeof out[i]);
    for (int i = 0; i < 100 && !status; i++)
        status = kp_index(kp_world(self), out, in, sizeof out[0], NULL);
    for (int i = 0; i < N && !status; i++) {
        if (in[i][0] != i * N + me || in[i][63] != i * N + me)
            status = kp_fail(self, "a byte is wrong");
    }
    (void)argument;
    return status;
}

static kp_machine *make(kp_discipline discipline)
{
    kp_machine *machine;
    const kp_config config = {
        .processors = N, .discipline = discipline, .generations = 64, .eager_bytes = 2 * BYTES};
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    return machine;
}

static void run(kp_machine *machine, kp_program *program)
{
    kp_report report;
    const int status = kp_machine_run(machine, program, NULL, &report);
    assert_string_equal(report.error.sentence, "");
    assert_int_equal(status, 0);
}

/* Leaves written memory to malloc, from which a group's rows may come. The first time malloc may
 * give it back to the system. */
static void leave_written_memory(void)
{
    for (int i = 0; i < 3; i++) {
        const size_t bytes = N * 4 * BYTES + 4 * page;
        char *memory = malloc(bytes);
        assert_non_null(memory);
        memset(memory, 1, bytes);
        free(memory);
    }
}

/* Whether the system tells which pages were written: all that were, and none that were only read.
 */
static bool is_told(void)
{
    const size_t pages = 64, bytes = pages * page;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    for (size_t i = 0; i < pages; i++)
        assert_int_equal(((const volatile char *)memory)[i * page], 0);
    const size_t read = written(memory, bytes);
    memset(memory, 1, bytes);
    const bool told = read == 0 && written(memory, bytes) == pages;
    munmap(memory, bytes);
    return told;
}

static void eager_buffers_are_written_by_their_members(void **state)
{
    (void)state;
    if (!is_told())
        skip();
    leave_written_memory();
    kp_machine *machine = make(KP_ROUNDS_BY_BARRIER);
    const struct rows rows = eager_of(machine->world);
    assert_true(rows.apart >= 4 * BYTES);
    assert_int_equal(written_of_all(rows), 0);
    run(machine, send_alone);
    for (int rank = 0; rank < N; rank++) {
        if (rank != SENDER)
            assert_int_equal(written_of(rows, rank), 0);
    }
    run(machine, all_send);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static void mailboxes_are_written_by_their_members(void **state)
{
    (void)state;
    if (!is_told())
        skip();
    kp_machine *machine = make(KP_ROUNDS_BY_MAILBOXES);
    const struct rows boxes = boxes_of(machine->world), buffers = mail_buffers_of(machine->world);
    assert_int_equal(written_of_all(boxes), 0);
    assert_int_equal(written_of_all(buffers), 0);
    for (int again = 0; again < 2; again++) { /* the second run first resets the mailboxes */
        run(machine, send_alone);
        assert_true(boxes.apart < 2 * page || written_of(boxes, SENDER) > 0);
        assert_true(written_of(buffers, SENDER) > 0);
        for (int rank = 0; rank < N; rank++) {
            if (rank == SENDER)
                continue;
            assert_int_equal(written_of(boxes, rank), 0);
            assert_int_equal(written_of(buffers, rank), 0);
        }
    }
    run(machine, all_send);
    run(machine, all_send);
    assert_int_equal(kp_machine_destroy(machine), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eager_buffers_are_written_by_their_members),
        cmocka_unit_test(mailboxes_are_written_by_their_members),
    };
    page = (size_t)sysconf(_SC_PAGESIZE);
    kp_nodes_assumed = 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
