/* Sentences about a deadlock. */
#ifndef KPORT_MPI_CHECK_SENTENCE_H
#define KPORT_MPI_CHECK_SENTENCE_H

#include "lib/mpi/rank.h"

/* Says what every rank is doing. The caller frees it; NULL: no memory. */
char *kp_mpi_deadlock_sentence(const struct kp_mpi_world *world, const kp_diagnosis *diagnosis);

#endif
