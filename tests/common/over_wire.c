/* Runs a test over a wire instead of shared memory (socket_wire.h). Every processor is a thread
 * with a machine of its own. The linker redirects the test's calls of kp_run to this file (--wrap).
 */
#include "lib/call/machine.h"
#include "ports/error.h"
#include "ports/machine_data.h"
#include "tests/common/socket_wire.h"

#include <pthread.h>
#include <stdlib.h>

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);

struct participant {
    const kp_config *config;
    struct sockets *sockets;
    int processor;
    kp_program *program;
    void *arg;
    kp_error_record error;
    bool failed;
    uint64_t c1, c2;
    pthread_t thread;
};

static void *take_part(void *argument)
{
    struct participant *participant = argument;
    struct kp_wire *wire = sockets_wire(participant->sockets, participant->processor);
    kp_machine *machine;
    kp_proc *self;
    int status = kp_machine_create_over(participant->config, wire, &machine);
    if (!status) {
        status = kp_machine_attach(machine, participant->processor, &self);
        if (!status) {
            status = participant->program(self, participant->arg);
            if (status) {
                participant->error = *kp_error(self);
                if (participant->error.status != status)
                    kp_set_error(status, "the program returned %d", status);
                participant->error =
                    participant->error.status == status ? participant->error : *kp_error_slot();
                (void)kp_fail(self, participant->error.sentence);
            }
            participant->c1 = self->c1;
            participant->c2 = self->c2;
            int left = kp_machine_detach(self);
            status = status ? status : left;
        }
        (void)kp_machine_destroy(machine);
    }
    participant->failed = status != KP_OK;
    if (participant->failed && participant->error.status == KP_OK)
        participant->error = *kp_error_slot();
    sockets_close(participant->sockets, participant->processor);
    return NULL;
}

/* Returns whether the error of processor i was caused by processor i itself. The run reports such
 * an error rather than an error that another processor passed on. */
static bool is_own(const struct participant *participant, int i)
{
    return participant->failed && participant->error.status != KP_EPEER &&
           participant->error.status != KP_ELOST &&
           (participant->error.processor < 0 || participant->error.processor == i);
}

static int conclude(const struct participant *participants, int n, kp_report *report)
{
    kp_report found = {.started = n};
    int first = -1;
    for (int i = 0; i < n; i++) {
        const struct participant *participant = &participants[i];
        if (participant->failed &&
            (first < 0 || (is_own(participant, i) && !is_own(&participants[first], first))))
            first = i;
        if (participant->c1 > found.c1 ||
            (participant->c1 == found.c1 && participant->c2 > found.c2)) {
            found.c1 = participant->c1;
            found.c2 = participant->c2;
        }
    }
    if (first >= 0)
        found.error = participants[first].error;
    if (report)
        *report = found;
    if (first >= 0)
        *kp_error_slot() = found.error;
    return found.error.status;
}

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    const int n = config && config->processors > 0 ? config->processors : kp_cores();
    kp_config own = config ? *config : (kp_config){0};
    own.processors = n;
    own.discipline = KP_ROUNDS_BY_BARRIER; /* over a wire there is only the barrier */
    struct sockets *sockets = sockets_open(n);
    struct participant *participants = calloc((size_t)n, sizeof *participants);
    for (int i = 0; i < n; i++) {
        if (!participants)
            abort();
        participants[i] = (struct participant){
            .config = &own, .sockets = sockets, .processor = i, .program = program, .arg = arg};
        if (pthread_create(&participants[i].thread, NULL, take_part, &participants[i]) != 0)
            abort();
    }
    for (int i = 0; i < n; i++)
        pthread_join(participants[i].thread, NULL);
    int status = conclude(participants, n, report);
    free(participants);
    free(sockets);
    return status;
}
