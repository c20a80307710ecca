/* A wire (carrier/wire.h) for tests: each processor is a thread, and for kport these threads share
 * only pairs of sockets and the bytes that pass through them. */
#ifndef KPORT_TESTS_SOCKET_WIRE_H
#define KPORT_TESTS_SOCKET_WIRE_H

#include "ports/carrier/wire.h"

struct sockets;

/* Makes the wires of n processors. The caller frees them, after all are closed. */
struct sockets *sockets_open(int n);

/* Returns the wire of processor i. */
struct kp_wire *sockets_wire(struct sockets *all, int i);

/* Sends what remains, for up to a second, and closes the wire of processor `own`. */
void sockets_close(struct sockets *all, int own);

#endif
