/* The operation that `kport compare` is asked about, which may have keys behind a colon. */
#ifndef KPORT_TOOLS_PREDICT_OPERATION_H
#define KPORT_TOOLS_PREDICT_OPERATION_H

#include "kport.h"

#include <stdint.h>

/* Returns the value of a key among these, which may begin with the colon, or NULL. */
const char *operation_key(const char *keys, const char *key);

/* Reads an operation, as in index, allreduce:op=max or index:n=6,k=1. n and k are those of the
 * options; 0: not given. If nobody gives them, n is 64, and k is n - 1. Returns an exit status; if
 * it is not 0, an error message is on stderr. */
int operation_read(const char *operation, uint64_t n, uint64_t k, kp_problem *problem);

#endif
