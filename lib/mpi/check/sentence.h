/* Sentences about a deadlock. */
#ifndef KPORT_MPI_CHECK_SENTENCE_H
#define KPORT_MPI_CHECK_SENTENCE_H

#include "lib/mpi/rank.h"

/* Copies a sentence. Where it says what a rank has called, it gets the function that the rank is
 * in, if this is not one that waits for a request. */
void kp_mpi_name_calls(const struct kp_mpi_world *world, const char *sentence, char *text,
                       size_t size);

/* Says what every rank is doing. The caller frees it; NULL: no memory. */
char *kp_mpi_deadlock_sentence(const struct kp_mpi_world *world, const kp_diagnosis *diagnosis);

#endif
