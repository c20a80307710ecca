/* Attributes of communicators and types. */
#ifndef KPORT_MPI_ATTR_H
#define KPORT_MPI_ATTR_H

#include "lib/mpi/rank.h"

struct kp_mpi_attribute {
    int keyval;
    void *value;
};

/* In the order in which they were set. */
struct kp_mpi_attributes {
    struct kp_mpi_attribute *list;
    int count, room;
};

#endif
