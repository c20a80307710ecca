/* The computer on which a command runs: its packages, cores, caches and NUMA nodes, the CPUs to
 * which --bind binds a machine's threads, and the governor of the frequency. hwloc knows all but
 * the governor; look.c asks it, and without.c stands for it in a build without hwloc. A CPU is a
 * hardware thread, and has the system's number. */
#ifndef KPORT_TOOLS_COMPUTER_H
#define KPORT_TOOLS_COMPUTER_H

#include "kport.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Reads the option --bind; NULL: it is not given. Sets `cpus` of the configuration, whose other
 * keys have been read. Returns an exit status; if it is not 0, an error message is on stderr. */
int computer_bind(const char *bind, kp_config *config);

/* Prints a line about the computer, and with --bind another one about the CPUs. `before` begins
 * both lines. */
void computer_print(const char *before, FILE *out);

/* Returns whether n threads share fewer CPUs, as their times are then those of the scheduler. False
 * for fibers, and for processes of an MPI. */
bool computer_is_crowded(const kp_config *config, int n);

/* Prints a line if it is so. */
void computer_crowd_print(const char *before, const kp_config *config, int n, FILE *out);

/* Writes the load averages of 1, 5 and 15 minutes, as "0.52 0.40 0.31". Writes "" if the system
 * tells none. */
void computer_load(char *text, size_t size);

/* Adds the keys "computer" and "bind" to a JSON object. */
void computer_json(json_t *object);

/* Prints both keys as the beginning of a JSON object's text: `"computer": {...}, "bind": null, `.
 */
void computer_json_print(FILE *out);

/* Writes the governors of the CPUs' frequencies, each once, as "performance, powersave". Writes ""
 * if the system tells none, as a virtual machine does. */
void computer_governor(char *text, size_t size);

#endif
