/* `kport bench bsp`: g and l of the BSP model. kportrun measures them, because it has libkport_bsp;
 * it lies beside kport. */
#include "tools/kport/bench/bsp.h"

#include "tools/kport/bench/beside.h"
#include "tools/kport/command.h"
#include "tools/kport/computer/computer.h"

#include "kport.h"

#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "kportrun"

extern char **environ;

static int measure(char *path, char *processes, char *carrier)
{
    char *arguments[] = {path, "-n", processes, "--carrier", carrier, "--bsp-parameters=row", NULL};
    pid_t child;
    int status = 0;
    fflush(stdout);
    if (posix_spawn(&child, path, NULL, NULL, arguments, environ) != 0 ||
        waitpid(child, &status, 0) != child) {
        fprintf(stderr, "kport bench: cannot start %s\n", path);
        return EXIT_IMPOSSIBLE;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_DONE : EXIT_IMPOSSIBLE;
}

/* The largest number of a list. */
static int most_of(const char *list)
{
    int most = 0;
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        most = atoi(at) > most ? atoi(at) : most;
    }
    return most;
}

int bench_bsp(const char *n_list)
{
    char path[4096], *list = strdup(n_list ? n_list : "2,4,8,16,32,64"), *rest = list;
    int status = EXIT_DONE;
    if (!beside_find(PROGRAM, path, sizeof path) || !list) {
        char ninja[1200];
        beside_ninja(PROGRAM, ninja, sizeof ninja);
        fprintf(stderr,
                "kport bench: bsp is measured by " PROGRAM ", which is not beside this program%s\n",
                ninja);
        free(list);
        return EXIT_IMPOSSIBLE;
    }
    computer_print("# ", stdout);
    const kp_config threads = {.carrier = KP_CARRIER_THREADS};
    computer_crowd_print("# ", &threads, most_of(list), stdout);
    printf("%6s  %-8s %16s %16s %10s\n", "n", "carrier", "g, ns/word", "g 4 KiB, ns/word", "l, us");
    for (char *n; status == EXIT_DONE && (n = strsep(&rest, ","));) {
        if (kp_fibers())
            status = measure(path, n, "fibers");
        if (status == EXIT_DONE)
            status = measure(path, n, "threads");
    }
    free(list);
    return status;
}
