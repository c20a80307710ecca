/* A finding that comes again and again, as in a loop, is told once, and at the job's end how often
 * it has come. Findings of one rank, kind and place are the same if their sentences differ in
 * numbers only. */
#include "lib/mpi/rank.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEPT 2000 /* of a job; later ones are told each time */

struct kp_mpi_kept {
    struct kp_mpi_kept *next;
    struct kp_finding first;
    char sentence[]; /* of the first */
};

/* The strings of a finding but its sentence live as long as the job. */
static bool same_text(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool same_but_for_numbers(const char *one, const char *other)
{
    for (;;) {
        if (isdigit((unsigned char)*one) && isdigit((unsigned char)*other)) {
            one += strspn(one, "0123456789");
            other += strspn(other, "0123456789");
        } else if (*one != *other || !*one) {
            return *one == *other;
        } else {
            one++;
            other++;
        }
    }
}

static bool is_same(const struct kp_finding *one, const struct kp_finding *other)
{
    return one->rank == other->rank && one->line == other->line &&
           same_text(one->kind, other->kind) && same_text(one->file, other->file) &&
           same_text(one->function, other->function) &&
           same_but_for_numbers(one->sentence, other->sentence);
}

bool kp_mpi_is_new(struct kp_mpi_world *world, const struct kp_finding *finding)
{
    int count = 0;
    struct kp_mpi_kept **link = &world->kept;
    for (; *link; link = &(*link)->next, count++) {
        if (is_same(&(*link)->first, finding)) {
            (*link)->first.times++;
            return false;
        }
    }
    const size_t bytes = strlen(finding->sentence) + 1;
    struct kp_mpi_kept *kept = count < MOST_KEPT ? malloc(sizeof *kept + bytes) : NULL;
    if (kept) {
        *kept = (struct kp_mpi_kept){.first = *finding};
        kept->first.times = 1;
        kept->first.sentence = memcpy(kept->sentence, finding->sentence, bytes);
        *link = kept;
    }
    return true;
}

void kp_mpi_tell_repeated(struct kp_mpi_world *world,
                          void (*tell)(const struct kp_mpi_world *world,
                                       const struct kp_finding *finding))
{
    for (struct kp_mpi_kept *kept = world->kept; kept; kept = kept->next) {
        char sentence[KP_MPI_SENTENCE_BYTES];
        if (kept->first.times < 2)
            continue;
        (void)snprintf(sentence, sizeof sentence, "%d times in all: %s", kept->first.times,
                       kept->sentence);
        kept->first.sentence = sentence;
        tell(world, &kept->first);
        kept->first.sentence = kept->sentence;
        kept->first.times = 1;
    }
}

void kp_mpi_forget_findings(struct kp_mpi_world *world)
{
    for (struct kp_mpi_kept *next, *kept = world->kept; kept; kept = next) {
        next = kept->next;
        free(kept);
    }
    world->kept = NULL;
}
