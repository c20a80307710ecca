/* Tests the stacks of fibers: their layout, and what happens when a fiber overflows its stack, for
 * each kind of guard. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "ports/carrier/fibers.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static kp_report report;

static kp_config six_fibers(int workers)
{
    return (kp_config){
        .processors = 6, .ports = 1, .carrier = KP_CARRIER_FIBERS, .workers = workers};
}

static kp_machine *machine_of(kp_config config)
{
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    return machine;
}

static int one_ring(kp_proc *self, void *arg)
{
    (void)arg;
    return ring(kp_world(self), 20, 1);
}

/* Uses the stack down to the address `floor` and writes to all of it. */
__attribute__((noinline)) static unsigned dive(const char *floor, unsigned char depth)
{
    unsigned char here[128];
    memset(here, depth, sizeof here);
    __asm__("" : : "r"(here) : "memory");
    if ((const char *)here <= floor) {
        return here[depth % sizeof here];
    }
    unsigned below = dive(floor, (unsigned char)(depth + 1));
    return below + here[depth % sizeof here];
}

/* Processor 3 uses *arg bytes more than its stack has. */
static int three_dives(kp_proc *self, void *arg)
{
    size_t bytes;
    NEED(self, ring(kp_world(self), 8, 1) == 0);
    if (kp_processor(self) == 3) {
        const char *top = kp_stack_top(&self->machine->pool->stacks, 3, &bytes);
        (void)!dive(top - bytes - *(int *)arg, 1);
    }
    keep(self, ring(kp_world(self), 8, 2));
    return outcomes[kp_processor(self)].status;
}

static const struct {
    enum kp_guard guard;
    int beyond;
    int signal;
} dives[] = {
    {KP_GUARD_PAGES, -2000, 0},
    {KP_GUARD_PAGES, 100, SIGSEGV},
    {KP_GUARD_MARKERS, -2000, 0},
    {KP_GUARD_MARKERS, 100, SIGSEGV},
};

/* Overflows a stack in a child process. Returns the status that waitpid stores. The child exits
 * with 100 if the machine has another guard than dives[i].guard, with 0 if the run succeeded, and
 * with 1 after an error. Otherwise a signal ends the child. */
static int dive_in_child(int i)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        kp_first_guard = dives[i].guard;
        kp_config config = six_fibers(1 + i % 2);
        kp_machine *machine;
        int beyond = dives[i].beyond;
        if (kp_machine_create(&config, &machine) != 0 ||
            kp_machine_run(machine, one_ring, NULL, &report) != 0) {
            _exit(1);
        }
        if (machine->pool->stacks.guard != dives[i].guard) {
            _exit(100);
        }
        _exit(kp_machine_run(machine, three_dives, &beyond, &report) != 0);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static void overflow_meets_a_guard(void **state)
{
    (void)state;
    if (SANITIZED || EMULATED) {
        /* Sanitizers catch the signal and use stacks of their own. qemu does not support guard
         * markers. */
        skip();
    }
#ifdef KP_NO_MMAP
    /* Without mmap all guards are canaries. */
    skip();
#endif
    for (int i = 0; i < 4; i++) {
        int ended = dive_in_child(i);
        if (WIFEXITED(ended) && WEXITSTATUS(ended) == 100) {
            /* Only guard markers may be missing, with an older kernel. */
            assert_int_equal(dives[i].guard, KP_GUARD_MARKERS);
            print_message("no MADV_GUARD_INSTALL here\n");
            continue;
        }
        assert_int_equal(WIFSIGNALED(ended) ? WTERMSIG(ended) : WEXITSTATUS(ended),
                         dives[i].signal);
    }
}

static void overflow_kills_a_canary(void **state)
{
    (void)state;
    if (SANITIZED) {
        skip();
    }
    kp_first_guard = KP_GUARD_CANARIES;
    for (int workers = 1; workers <= 2; workers++) {
        kp_machine *machine = machine_of(six_fibers(workers));
        int within = -2000, beyond = 300;
        int status = kp_machine_run(machine, three_dives, &within, &report);
        assert_good(status, &report);
        assert_string_equal(kp_machine_guard(machine), "canaries");
        assert_int_equal(kp_machine_run(machine, three_dives, &beyond, &report), KP_EFAILED);
        assert_int_equal(report.error.processor, 3);
        assert_non_null(strstr(report.error.sentence, "overflowed its stack of 65536 bytes"));
        assert_non_null(strstr(report.error.sentence, "may be damaged"));
        for (int p = 0; p < 6; p++) {
            assert_true(p == 3 || outcomes[p].status == KP_EFAILED);
        }
        kp_machine_destroy(machine);
    }
    kp_first_guard = KP_GUARD_PAGES;
}

static void stacks_of_every_kind(void **state)
{
    (void)state;
    struct kp_stacks stacks;
    size_t bytes, page = (size_t)sysconf(_SC_PAGESIZE);
    for (int first = 0; first < KP_GUARDS; first++) {
        assert_int_equal(kp_stacks_make(&stacks, 100, 20000, (enum kp_guard)first), 0);
        assert_true((int)stacks.guard >= first);
        bool sets[64] = {false};
        int different = 0;
        for (int i = 0; i < 100; i++) {
            char *top = kp_stack_top(&stacks, i, &bytes);
            assert_int_equal((uintptr_t)top % 16, 0);
            assert_true(bytes >= 20000);
            memset(top - bytes, i, bytes); /* nothing else uses this memory */
            assert_true(kp_stack_intact(&stacks, i));
            size_t set = (uintptr_t)top % page / 64 % 64;
            different += !sets[set];
            sets[set] = true;
        }
        assert_true(different >= 16);
        for (int i = 0; i < 100; i++) {
            char *top = kp_stack_top(&stacks, i, &bytes);
            assert_true(all_are((unsigned char *)top - bytes, bytes, (unsigned char)i));
        }
        kp_stacks_free(&stacks);
    }
    /* With guard pages these stacks would need more mappings than a process may have. So the
     * library must choose another guard and store its kind in `stacks.guard`. */
    assert_int_equal(kp_stacks_make(&stacks, 30001, 16384, KP_GUARD_PAGES), 0);
    assert_int_not_equal(stacks.guard, KP_GUARD_PAGES);
    kp_stacks_free(&stacks);
    if (sizeof(size_t) > 4) /* on 32 bits the system may have so much memory */
        assert_int_equal(kp_stacks_make(&stacks, 3, SIZE_MAX / 16, KP_GUARD_PAGES), KP_EMEMORY);
    assert_int_equal(kp_stacks_make(&stacks, 1000, SIZE_MAX / 3, KP_GUARD_PAGES), KP_EMEMORY);
    assert_non_null(strstr(kp_last_error()->sentence, "stacks of"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(overflow_meets_a_guard),
        TEST(overflow_kills_a_canary),
        TEST(stacks_of_every_kind),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
