/* Sentences about a deadlock, and about a job whose time is over. */
#ifndef KPORT_MPI_CHECK_SENTENCE_H
#define KPORT_MPI_CHECK_SENTENCE_H

#include "lib/mpi/rank.h"

/* Copies a sentence. Where it says what a rank has called, it gets the function that the rank is
 * in, if this is not one that waits for a request. */
void kp_mpi_name_calls(const struct kp_mpi_world *world, const char *sentence, char *text,
                       size_t size);

/* If the sentence says that two ranks have called the same function with other values, adds which
 * arguments differ. */
void kp_mpi_say_difference(char *sentence, size_t size);

/* Writes what a call waits for, as the words of kport say it: ": receive of 4 bytes from rank 1
 * with tag 0, started at app.c:31". */
void kp_mpi_say_awaited(const struct kp_mpi_rank *rank, const char *words, char *text, size_t size);

/* Says in the finding what every rank does, after `head`. `all_wait` says that no rank goes on. The
 * job ends then, so nobody frees what the finding points to. Without memory the finding stays as it
 * is. */
void kp_mpi_say_ranks(const struct kp_mpi_world *world, const kp_diagnosis *diagnosis,
                      const char *head, bool all_wait, struct kp_finding *finding);

#endif
