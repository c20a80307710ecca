/* The command line of kportrun. */
#ifndef KPORT_KPORTRUN_OPTIONS_H
#define KPORT_KPORTRUN_OPTIONS_H

#include <kport.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses beside those of the program. The last two are those of a shell. */
#define STATUS_USAGE     2
#define STATUS_TIMEOUT   124
#define STATUS_UNLOADED  126
#define STATUS_NOT_FOUND 127

struct options {
    int ranks;
    bool threads;
    int workers;      /* 0: one for each core */
    const char *bind; /* what --bind says; NULL: nothing */
    char *cpus;       /* the lists of CPUs for it */
    bool seeded;
    uint64_t seed;
    bool interleave;
    uint64_t first, last; /* the seeds of --interleave */
    bool only_status;     /* --compare status */
    size_t stack_bytes;
    size_t buffering; /* as in struct kp_mpi_job */
    unsigned unchecked;
    bool strict;
    const char *trace; /* NULL: none */
    double timeout_s;  /* 0: none */
    bool json, gdb, prefix;
    bool checks;            /* of a program of BSPlib: --check */
    const char *bsp_report; /* the file; "-": standard error; NULL: no report */
    bool bsp_parameters;    /* measure g and l only */
    bool bsp_row;           /* without a head */
    char **program;         /* its name and its arguments, with NULL at the end */
};

/* Reads the command line and sets the environment that -x names. Returns true, or prints an error
 * message or help, and stores the exit status. */
bool options_read(int argc, char **argv, struct options *options, int *status);

/* Returns 0 if all options are for programs of this kind. Otherwise prints an error message and
 * returns the exit status. */
int options_suit(const struct options *options, bool is_bsp);

/* The machine that the options name. */
kp_config options_config(const struct options *options);

#endif
