/* What the computer consists of: hwloc knows it, and look.c asks hwloc. without.c stands for it in
 * a build without hwloc. A CPU is a hardware thread, and has the system's number. */
#ifndef KPORT_TOOLS_LOOK_H
#define KPORT_TOOLS_LOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define COMPUTER_CACHES 8

/* The caches of a level. */
struct computer_cache {
    int level, count;
    uint64_t bytes; /* of one of them */
};

struct computer {
    const char *missing; /* why none of the other fields is known; NULL: they are known */
    bool
        elsewhere; /* variables of hwloc, as HWLOC_SYNTHETIC, show a computer other than this one */
    char processor[96]; /* "": not known */
    int packages, cores, threads, nodes;
    struct computer_cache caches[COMPUTER_CACHES];
    int cache_count;
};

/* Returns what is known of the computer. */
const struct computer *computer_look(void);

enum computer_part {
    COMPUTER_CORE,
    COMPUTER_SOCKET,
    COMPUTER_NUMA,
    COMPUTER_CPU,
    COMPUTER_PARTS,
};

/* Writes, for each part of this kind with CPUs that this process may use, a list of these CPUs,
 * with a semicolon between two lists. If `out` is NULL, writes nothing. Returns how many there are.
 */
int computer_list(enum computer_part part, FILE *out);

/* Writes the CPUs that this process may use as one list, such as "0-3,8". */
void computer_usable(FILE *out);

/* Whether this process may use the CPU. */
bool computer_has(unsigned cpu);

#endif
