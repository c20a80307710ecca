/* kport's sentences and diagnoses in the words of MPI. */
#ifndef KPORT_MPI_CHECK_SENTENCE_H
#define KPORT_MPI_CHECK_SENTENCE_H

#include "lib/mpi/rank.h"

/* Copies a sentence of kport: processors are ranks of MPI_COMM_WORLD, and where it says what one
 * has called, it gets the function of MPI. What does not fit is cut. */
void kp_mpi_in_ranks(const struct kp_mpi_world *world, const char *sentence, char *text,
                     size_t size);

/* Says what every rank is doing. The caller frees it; NULL: no memory. */
char *kp_mpi_deadlock_sentence(const struct kp_mpi_world *world, const kp_diagnosis *diagnosis);

#endif
