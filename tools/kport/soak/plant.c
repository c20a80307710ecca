#include "tools/kport/soak/plant.h"

#include "tools/kport/soak/trial.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- Faults during trials --- */

/* Changes one byte that rank 1 has received, if the call is an allreduce of three or more members.
 * Returns whether it has changed a byte. */
static bool corrupt(const struct trial *trial, int step, int rank, unsigned char *in, size_t bytes)
{
    const kp_problem *p = &trial->step[step].problem;
    if (p->operation != KP_ALLREDUCE || p->n < 3 || rank != 1 || bytes == 0)
        return false;
    in[bytes - 1] ^= 1;
    return true;
}

static bool omit(const struct trial *trial, int step, int rank)
{
    return trial->step[step].kind == TRIAL_EXCHANGE &&
           trial_size(trial, trial->step[step].group) > 1 && rank == 0;
}

static bool hang(const struct trial *trial, int step, int rank)
{
    while (trial->step[step].kind == TRIAL_EXCHANGE && rank == 0)
        pause();
    return false;
}

/* --- Leaks after the trials of a machine --- */

static void *stay(void *argument)
{
    pause();
    return argument;
}

/* Allocates memory that is never freed. The list refers to the memory, because otherwise a compiler
 * might remove the allocation. */
static void leave_memory(void)
{
    static struct link {
        struct link *next;
    } * left;
    struct link *more = malloc(sizeof *more);
    if (more)
        more->next = left;
    left = more ? more : left;
}

static void leave_mapping(void)
{
    int zeros = open("/dev/zero", O_RDONLY);
    (void)!mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, zeros, 0);
    close(zeros);
}

static void leave_thread(void)
{
    pthread_t thread;
    (void)!pthread_create(&thread, NULL, stay, NULL);
}

static void leave_file(void)
{
    (void)!dup(0);
}

static const struct plant {
    const char *name;
    struct trial_sabotage sabotage;
    void (*after_machine)(void);
} plants[] = {
    {.name = "corrupt", .sabotage = {.corrupt = corrupt}},
    {.name = "skip", .sabotage = {.omit = omit}},
    {.name = "hang", .sabotage = {.omit = hang}},
    {.name = "mistell", .sabotage = {.mistell = true}},
    {.name = "memory", .after_machine = leave_memory},
    {.name = "mapping", .after_machine = leave_mapping},
    {.name = "thread", .after_machine = leave_thread},
    {.name = "file", .after_machine = leave_file},
};

static const struct plant *planted;

bool soak_plant_read(void)
{
    const char *name = getenv("KPORT_SOAK_PLANT");
    for (size_t i = 0; name && i < sizeof plants / sizeof plants[0]; i++) {
        if (strcmp(name, plants[i].name) == 0)
            planted = &plants[i];
    }
    if (planted)
        trial_sabotage = planted->sabotage;
    if (name && !planted)
        fprintf(stderr, "kport: KPORT_SOAK_PLANT is \"%s\", which is no shortfall\n", name);
    return !name || planted != NULL;
}

void soak_plant_after_machine(void)
{
    if (planted && planted->after_machine)
        planted->after_machine();
}
